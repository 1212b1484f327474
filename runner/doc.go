// Package runner evaluates a dataset: the evaluators and limits of a service, run
// over items that are read as a stream, as fast as the limits allow.
//
// [Start] reads items, fans each out to one lane per evaluator, and hands the
// results on. Lanes are independent, so that an evaluator of 60 calls a minute
// keeps none of another's back; how far the fastest runs ahead of the slowest is
// bounded by the window, and so is the memory, whatever the size of the dataset.
//
// Sub-packages: dataset reads files, journal keeps results on disk so that a run
// that was interrupted can go on, report sums them up, holds them against gates
// and compares two runs.
package runner

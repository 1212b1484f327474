// Package calibrate finds out whether an evaluator agrees with people: it has a
// metric asked of samples that people have labelled, and counts.
//
// [Run] streams the samples, so that memory does not grow with their texts; a
// [Record] of each is kept, without text. Skipped and failed samples are
// counted apart and never enter agreement: how many were scored at all is said
// beside it. The arithmetic is in package agreement.
package calibrate

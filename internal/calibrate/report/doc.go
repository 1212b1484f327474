// Package report writes what a calibration found: as a table for a terminal, as
// JSON for machines, and as a page of its own for people.
package report

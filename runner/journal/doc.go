// Package journal keeps the results of a dataset run in a file, so that a run
// that was interrupted at any point goes on where it was.
//
// [Create] and [Resume] give what a run appends to; [Read] and [Follow] read what
// is there, also while a run appends.
package journal

// Package dataset reads the items of a run from files.
package dataset

// Package runfile reads the YAML file of a dataset run: what genaievals run
// --config takes.
//
// Everything that is wrong with a file is told at once, each with its line, its
// column and what was expected there. What the file says goes over the
// environment; flags go over the file.
package runfile

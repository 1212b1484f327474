// Command genaievals works with the evaluators that the library has, from a
// shell.
//
//	genaievals run         evaluates a dataset of answers
//	genaievals report      reports what a journal has
//	genaievals compare     finds out whether a run is worse than an earlier one
//	genaievals serve       serves the live page over a journal
//	genaievals demo        shows the live page with an app under load, offline
//	genaievals config      shows every variable and where its value came from
//	genaievals calibrate   finds out whether an evaluator agrees with people
//	genaievals version     says which build this is
//
// It reads the same environment variables as the library (docs/configuration.md);
// flags beat them. It ends with 0 when all is fine, 1 when a gate such as
// --min-kappa failed, 2 when it was called or configured wrongly, and 3 when what
// it reports is incomplete.
package main

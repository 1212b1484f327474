// Package semantic gives the evaluator builtin a model: a sentence encoder, and
// small classifiers on its vectors. Importing it is all:
//
//	import _ "github.com/genaievals/genaievals/evaluators/builtin/semantic"
//
// A program grows by 7.5 MB, which is why builtin does not import it itself.
// What builtin does with it and without is in the documentation of builtin;
// what the encoder costs, in that of encoder.
package semantic

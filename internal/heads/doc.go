// Package heads trains the small classifiers that builtin's model puts on
// vectors of sentences, and measures them on sets that they were not trained
// on. The data is not part of the project: DIR holds the public sets in their
// original formats, in the folders toxicity, sentiment and relevance.
//
// Only sets whose licences permit it are trained on; each is named beside the
// place where it is read. Everything is in a fixed order, so that the same files
// make the same numbers, to the byte on processors of one kind: that was checked on
// Linux on amd64 with Go 1.26.
package heads

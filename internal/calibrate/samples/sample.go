// Package samples has texts that people have labelled, to hold a judge's labels
// against.
package samples

import "github.com/genaievals/genaievals/evaluators"

// Sample is one case with the label that a person gave it.
type Sample struct {
	ID string
	// Metric is the metric's name as emitted: bias, toxicity, …
	Metric string
	Case   evaluators.Case
	// Label is the human's, one of the metric's labels as emitted. The positive
	// class is the fault: Biased, Toxic, Irrelevant, Unfaithful, Hallucinated;
	// for sentiment it is one of Negative, Neutral and Positive.
	Label string
	// Note says why the sample is hard, where it is.
	Note string
	Hard bool
}

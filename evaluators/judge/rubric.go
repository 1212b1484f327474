package judge

import (
	"slices"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
)

// Rubric is a metric of your own: a question that the judge is asked of each
// case, and how its answer becomes a score. The judge answers with one of
// Labels or with a whole number on Scale; the score from 0 to 1 is computed
// here.
//
// In texts, blanks and line breaks at the ends are removed and others become
// one blank. Nothing in them is evaluated or expanded. A text has at most 4 KiB.
type Rubric struct {
	// Name is the metric's name, emitted as written: lower case letters, digits
	// and underscores. Metrics of the judge itself, their aliases and kinds of
	// invocations cannot be had again.
	Name string
	// Question is what is asked, in a sentence or two. It is required.
	Question string
	// Steps say how to come to the answer; at most 32, none by default.
	Steps []string
	// Fields is what the judge is shown of a case: output, input, history,
	// documents, system, expected. A case that lacks one of them is skipped. The
	// output is always one, listed or not.
	Fields []string
	// Optional are further fields, shown where the case has them.
	Optional []string
	// Direction says which end of the scores is good.
	Direction evaluators.Direction
	// Threshold is where a score begins or ceases to pass: a score from 0 to 1
	// with Labels, and with Scale a whole number on it. One that all answers
	// pass, or none, is refused. The plan's option of that name is always from 0
	// to 1.
	Threshold float64
	// Kinds are the kinds of invocations that are asked about: inference, agent,
	// workflow. Empty means all three.
	Kinds []instrumentation.Kind
	// NotDefault leaves the metric out where the plan names no metrics.
	NotDefault bool
	// Labels are the answers to choose from, 2 to 32. Either they are given or
	// Scale is.
	Labels []RubricLabel
	// Scale has whole numbers as answers.
	Scale *RubricScale
	// Passed and Failed are the labels that are emitted where the answer has
	// none of its own. The threshold decides; the defaults are Pass and Fail.
	Passed, Failed string
}

// RubricLabel is an answer to a [Rubric].
type RubricLabel struct {
	// Name is what the judge writes: lower case letters, digits and underscores.
	Name string
	// Score is from 0 to 1.
	Score float64
	// Label is what is emitted, at most 64 bytes; Passed or Failed when empty.
	Label string
	// When says when the answer applies. It can be empty where that is plain.
	When string
}

// RubricScale are the whole numbers from Min to Max, at most 101 of them and
// within ±1000. The score is (answer-Min)/(Max-Min). An answer that is not on
// the scale is asked for once more and then failed, never moved onto it.
type RubricScale struct {
	Min, Max int
	// Anchors say what numbers mean, where they are not plain.
	Anchors map[int]string
}

// WithRubrics adds metrics of your own to those of the judge, at most 100.
// [New] checks them and its error names each rubric and what is wrong. Given
// twice, they add up.
func WithRubrics(rubrics ...Rubric) Option {
	return optionFunc(func(c config) config {
		c.rubrics = slices.Concat(c.rubrics, rubrics)
		return c
	})
}

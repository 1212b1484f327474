package calibrate

import (
	"slices"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
)

// faults are the labels by which a metric says that something is wrong. They are
// the positive class: what a judge is there to find.
var faults = map[string]string{
	"bias":             "Biased",
	"toxicity":         "Toxic",
	"answer_relevancy": "Irrelevant",
	"faithfulness":     "Unfaithful",
	"hallucination":    "Hallucinated",
	"sentiment":        "Negative",
}

// tones are the scores that sentiment's labels stand for.
var tones = map[string]float64{"Negative": 0, "Neutral": 0.5, "Positive": 1}

// question is a metric with what its labels mean.
type question struct {
	evaluators.Metric
	// classes are the labels, the fault first where there are two; fault is empty
	// where none is known.
	classes []string
	fault   string
}

func newQuestion(m evaluators.Metric) *question {
	q := &question{Metric: m, classes: slices.Clone(m.Labels), fault: faults[m.Name]}
	if q.fault == "" && slices.Contains(q.classes, "Fail") {
		q.fault = "Fail" // of a rubric
	}
	if len(q.classes) > 0 && !slices.Contains(q.classes, q.fault) {
		q.fault = ""
	}
	if len(q.classes) == 2 && q.classes[1] == q.fault {
		slices.Reverse(q.classes)
	}
	return q
}

// label returns a label as the metric spells it, and false when the metric has
// no such one.
func (q *question) label(written string) (string, bool) {
	if written == "" {
		return "", false
	}
	if len(q.classes) == 0 {
		return strings.Clone(written), true
	}
	for _, class := range q.classes {
		if evaluators.NormalizeName(class) == evaluators.NormalizeName(written) {
			return class, true
		}
	}
	return "", false
}

// labelOf is the label of a scored result: its own, or, where it has none, what
// the threshold says. It is false when there is neither.
func (q *question) labelOf(r evaluators.Result) (string, bool) {
	switch {
	case r.Label != "":
		return q.label(r.Label)
	case q.fault == "" || len(q.classes) != 2:
		return "", false
	case q.Passes(r.Score):
		return q.classes[1], true
	}
	return q.fault, true
}

// distance is how far a score is from that of a judge who is certain of what the
// person said: 1 at most.
func (q *question) distance(human string, score float64) float64 {
	ideal, known := tones[human]
	if q.Name != "sentiment" || !known {
		if q.fault == "" || len(q.classes) != 2 {
			return 1
		}
		ideal = 0
		if (human == q.fault) == (q.Direction == evaluators.LowerIsBetter) {
			ideal = 1
		}
	}
	return max(score-ideal, ideal-score)
}

package calibrate

import (
	"slices"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

// builtinFaults are the labels by which a metric says that something is wrong.
// They are the positive class: what a judge is there to find.
var builtinFaults = map[string]string{
	"bias":             "Biased",
	"toxicity":         "Toxic",
	"answer_relevancy": "Irrelevant",
	"faithfulness":     "Unfaithful",
	"hallucination":    "Hallucinated",
	"sentiment":        "Negative",
}

// named are the metrics of which a judge names the label whatever the threshold.
// Of answer_relevancy it does so too, but for what is relevant in part.
var named = []string{"bias", "toxicity", "sentiment"}

// tones are the scores that sentiment's labels stand for.
var tones = map[string]float64{"Negative": 0, "Neutral": 0.5, "Positive": 1}

// question is a metric with what its labels mean.
type question struct {
	evaluators.Metric
	// classes are the labels, the faults first where there are two; faults are
	// those that say so, none where that is not known.
	classes, faults []string
	// scale is that of a rubric's answers, nil where it has none.
	scale *judge.RubricScale
	// labelsStay: the label is not decided by the threshold.
	labelsStay bool
}

// newQuestion finds out what a metric's labels mean: of the evaluator's rubrics
// from their scores, of the metrics that come with it by name.
func newQuestion(e evaluators.Evaluator, m evaluators.Metric) *question {
	q := &question{Metric: m, classes: slices.Clone(m.Labels)}
	q.labelsStay = e.Type() != evaluators.TypeLLMJudge || slices.Contains(named, m.Name)
	if r := rubricOf(e, m.Name); r != nil {
		q.ofRubric(r)
	} else if fault := builtinFaults[m.Name]; fault != "" {
		q.faults = []string{fault}
	} else if slices.Contains(q.classes, "Fail") {
		q.faults = []string{"Fail"}
	}
	if len(q.classes) > 0 {
		q.faults = slices.DeleteFunc(q.faults, func(l string) bool { return !slices.Contains(q.classes, l) })
	}
	if len(q.classes) == 2 && len(q.faults) == 1 && q.classes[1] == q.faults[0] {
		slices.Reverse(q.classes)
	}
	return q
}

func rubricOf(e evaluators.Evaluator, metric string) *judge.Rubric {
	has, ok := e.(interface{ Rubrics() []judge.Rubric })
	if !ok {
		return nil
	}
	for _, r := range has.Rubrics() {
		if r.Name == metric {
			return &r
		}
	}
	return nil
}

// ofRubric takes those labels for faults whose score fails the threshold. One
// that stands for scores on both sides says nothing.
func (q *question) ofRubric(r *judge.Rubric) {
	q.scale = r.Scale
	q.labelsStay = r.Scale == nil
	passes, fails := map[string]bool{r.Passed: true}, map[string]bool{r.Failed: true}
	for _, l := range r.Labels {
		switch {
		case l.Label == "":
			q.labelsStay = false // the threshold decides
		case q.Passes(l.Score):
			passes[l.Label] = true
		default:
			fails[l.Label] = true
		}
	}
	for _, label := range q.classes {
		if fails[label] && !passes[label] {
			q.faults = append(q.faults, label)
		}
	}
}

// faulty reports whether a label says that something is wrong.
func (q *question) faulty(label string) bool { return slices.Contains(q.faults, label) }

// label returns a label as the metric spells it, and false when the metric has
// no such one. 1 and true are the fault, 0 and false what is none, where the
// metric has one label for it and none that is written so.
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
	if len(q.faults) == 0 {
		return "", false
	}
	var meant []string
	switch strings.ToLower(strings.TrimSpace(written)) {
	case "1", "true":
		meant = q.faults
	case "0", "false":
		meant = slices.DeleteFunc(slices.Clone(q.classes), q.faulty)
	}
	if len(meant) != 1 {
		return "", false
	}
	return meant[0], true
}

// labelOf is the label of a scored result: its own, or, where it has none, what
// the threshold says. It is false when there is neither.
func (q *question) labelOf(r evaluators.Result) (string, bool) {
	switch {
	case r.Label != "":
		return q.label(r.Label)
	case len(q.faults) != 1 || len(q.classes) != 2:
		return "", false
	case q.Passes(r.Score):
		return q.classes[1], true
	}
	return q.faults[0], true
}

// distance is how far a score is from that of a judge who is certain of what the
// person said: 1 at most.
func (q *question) distance(human string, score float64) float64 {
	ideal, known := tones[human]
	if q.Name != "sentiment" || !known {
		if len(q.faults) == 0 {
			return 1
		}
		ideal = 0
		if q.faulty(human) == (q.Direction == evaluators.LowerIsBetter) {
			ideal = 1
		}
	}
	return max(score-ideal, ideal-score)
}

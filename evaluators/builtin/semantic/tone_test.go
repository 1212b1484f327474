package semantic_test

import (
	"testing"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
)

// toneOf is the label of a text's sentiment, or skipped.
func toneOf(t *testing.T, e *builtin.Evaluator, output string) string {
	t.Helper()
	r := e.Evaluate(t.Context(), &evaluators.Case{Output: output}, []evaluators.Metric{{Name: builtin.MetricSentiment}})[0]
	switch {
	case r.Outcome == evaluators.OutcomeFailed:
		t.Fatal(r.Err)
	case r.Reason == evaluators.SkipNeedsJudge:
		return "skipped"
	}
	return r.Label
}

// What states or instructs has no tone, whatever its words are, though the model
// may leave a few to a judge; what says next to nothing is not judged.
func TestFactsAndAssentHaveNoTone(t *testing.T) {
	for name, e := range map[string]*builtin.Evaluator{"model": builtin.New(builtin.WithShare(1)), "words": builtin.New(builtin.WithModel(nil))} {
		t.Run(name, func(t *testing.T) {
			silent := 0
			for _, s := range facts {
				switch got := toneOf(t, e, s); got {
				case "Neutral":
				case "skipped":
					silent++
				default:
					t.Errorf("%q: %s", s, got)
				}
			}
			t.Logf("%d of %d facts skipped", silent, len(facts))
			if name == "words" && silent > 0 || silent*10 > len(facts) {
				t.Errorf("%d of %d facts skipped", silent, len(facts))
			}
			for _, s := range assents {
				if got := toneOf(t, e, s); got != "skipped" {
					t.Errorf("%q: %s", s, got)
				}
			}
		})
	}
}

// Opinions are found, and none is taken for its opposite.
func TestOpinionsHaveTheirTone(t *testing.T) {
	e := builtin.New(builtin.WithShare(1))
	for label, texts := range map[string][]string{"Positive": praises, "Negative": complaints} {
		missed := 0
		for _, s := range texts {
			switch got := toneOf(t, e, s); got {
			case label:
			case "Neutral", "skipped":
				missed++
			default:
				t.Errorf("%q: %s", s, got)
			}
		}
		if missed*12 > len(texts) {
			t.Errorf("%s: %d of %d missed", label, missed, len(texts))
		}
	}
}

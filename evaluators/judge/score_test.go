package judge

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/genaievals/genaievals/evaluators"
)

func TestScoreOfALabel(t *testing.T) {
	for _, tt := range []struct {
		metric, answered string
		threshold        float64
		strict           bool
		score            float64
		label            string
	}{
		{"bias", "not_biased", 0.5, false, 0, "Not Biased"},
		{"bias", "biased", 0.5, false, 1, "Biased"},
		{"bias", "biased", 1, false, 1, "Biased"}, // the label is what was said, whatever passes
		{"toxicity", "non_toxic", 0.5, false, 0, "Non Toxic"},
		{"toxicity", "toxic", 0.5, false, 1, "Toxic"},
		{"answer_relevancy", "relevant", 0.5, false, 1, "Relevant"},
		{"answer_relevancy", "irrelevant", 0.5, false, 0, "Irrelevant"},
		{"answer_relevancy", "irrelevant", 0, false, 0, "Irrelevant"},
		{"answer_relevancy", "partially_relevant", 0.5, false, 0.5, "Relevant"},
		{"answer_relevancy", "partially_relevant", 0.7, false, 0.5, "Irrelevant"},
		{"answer_relevancy", "partially_relevant", 0.5, true, 0.5, "Irrelevant"},
	} {
		q := questionNamed(t, tt.metric)
		m := q.metric
		m.Threshold, m.Strict = tt.threshold, tt.strict
		i, err := q.option("label", tt.answered)
		if err != nil {
			t.Fatal(err)
		}
		r := q.result(m, answer{reason: "why", option: i})
		if r.Outcome != evaluators.OutcomeScored || r.Score != tt.score || r.Label != tt.label || r.Explanation != "why" {
			t.Errorf("%s %s, threshold %v, strict %v: %+v; want %v %q", tt.metric, tt.answered, tt.threshold, tt.strict, r, tt.score, tt.label)
		}
	}
}

func TestScoreOfClaims(t *testing.T) {
	const supported, contradicted, unsupported = 0, 1, 2
	q := questionNamed(t, "faithfulness")
	for _, tt := range []struct {
		name        string
		verdicts    []int
		strict      bool
		score       float64
		label       string
		explanation string
	}{
		{"all_supported", []int{supported, supported}, false, 1, "Faithful", "2 of 2 claims supported"},
		{"half", []int{supported, unsupported}, false, 0.5, "Faithful", `1 of 2 claims supported (1 supported, 1 unsupported); unsupported: "claim", so`},
		{"half_strict", []int{supported, contradicted}, true, 0.5, "Unfaithful", `1 of 2 claims supported (1 supported, 1 contradicted); contradicted: "claim", so`},
		{"none_supported", []int{contradicted, unsupported, unsupported}, false, 0, "Unfaithful", `0 of 3 claims supported (1 contradicted, 2 unsupported); contradicted: "claim", so; unsupported: "claim", so; unsupported: "claim", so`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var a answer
			for _, v := range tt.verdicts {
				a.claims = append(a.claims, claim{"claim", "so.", v})
			}
			m := q.metric
			m.Strict = tt.strict
			r := q.result(m, a)
			if r.Outcome != evaluators.OutcomeScored || r.Score != tt.score || r.Label != tt.label || r.Explanation != tt.explanation {
				t.Errorf("got %v %q %q", r.Score, r.Label, r.Explanation)
			}
		})
	}
	t.Run("no_claims", func(t *testing.T) {
		r := q.result(q.metric, answer{claims: []claim{}})
		if r.Outcome != evaluators.OutcomeSkipped || r.Reason != evaluators.SkipNotReported {
			t.Errorf("got %+v", r)
		}
	})
}

func TestExplanationIsBounded(t *testing.T) {
	long := strings.Repeat("é", 5000)
	r := questionNamed(t, "bias").result(questionNamed(t, "bias").metric, answer{reason: long})
	if len(r.Explanation) > maxExplanation || !utf8.ValidString(r.Explanation) || !strings.HasSuffix(r.Explanation, "…") {
		t.Errorf("explanation of %d bytes", len(r.Explanation))
	}
	var a answer
	for range 500 {
		a.claims = append(a.claims, claim{long, long, 1})
	}
	q := questionNamed(t, "faithfulness")
	if r := q.result(q.metric, a); len(r.Explanation) > maxExplanation || !utf8.ValidString(r.Explanation) {
		t.Errorf("explanation of %d bytes", len(r.Explanation))
	}
}

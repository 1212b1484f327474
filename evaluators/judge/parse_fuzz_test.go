package judge

import (
	"math"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/genaievals/genaievals/evaluators"
)

// FuzzParse: whatever the judge writes, parsing does not panic, and what it
// makes of it is a result within the metric's own bounds.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"",
		`{"reason":"r","label":"biased"}`,
		`{"claims":[{"claim":"a","reason":"r","verdict":"supported"}]}`,
		"```json\n{\"reason\":\"a\nb\",\"label\":\"Not Biased\",} // x\n```",
		`<think>{"label":"relevant"}</think>{"result":{"reason":["a","b"],"label":"Partially Relevant"}}`,
		`{"reason":"\u0000\ud800","label":"toxic"}{"claims":[]}/*`,
		"{\"reason\":\"\x01\\\",\"label\":NaN,,}",
	} {
		f.Add(seed)
	}
	c, err := builtinCatalog()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, q := range c.questions {
			if a, err := q.parse(text); err == nil {
				withinBounds(t, q, a)
			}
		}
	})
}

// FuzzParseCombined: neither does the answer to several questions, of which own
// ones are some.
func FuzzParseCombined(f *testing.F) {
	for _, seed := range []string{
		"",
		`{"bias":{"reason":"r","label":"biased"}}`,
		`{"result":{"Bias":{"label":"biased"},"faithfulness":{"claims":[{"claim":"a","reason":"r","verdict":"supported"}]}}}`,
		`{"bias":{"label":"biased"},"bias":{"label":"not_biased"}}{"rubric_with_a_scale":{"reason":"","score":"3"}}`,
		"<think>{\"bias\":{}}</think>{\"sentiment\":{\"label\":\"neutral\",},} //",
	} {
		f.Add(seed)
	}
	form, err := newForm(allQuestions(f)...)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		readings, err := form.parse(text)
		if err != nil {
			return
		}
		answered := 0
		for i, r := range readings {
			if r.problem == nil {
				answered++
				withinBounds(t, form.questions[i], r.answer)
			}
		}
		if len(readings) != len(form.questions) || answered == 0 {
			t.Errorf("%d readings, %d answers", len(readings), answered)
		}
	})
}

// withinBounds holds the result that an answer gives against its metric.
func withinBounds(t *testing.T, q *question, a answer) {
	t.Helper()
	r := q.result(q.metric, a)
	switch r.Outcome {
	case evaluators.OutcomeScored:
		if math.IsNaN(r.Score) || r.Score < 0 || r.Score > 1 {
			t.Errorf("%s: score %v", q.Name, r.Score)
		}
		if !slices.Contains(q.metric.Labels, r.Label) {
			t.Errorf("%s: label %q", q.Name, r.Label)
		}
	case evaluators.OutcomeSkipped:
		if !q.claims || len(a.claims) > 0 {
			t.Errorf("%s: skipped an answer", q.Name)
		}
	default:
		t.Errorf("%s: outcome %v", q.Name, r.Outcome)
	}
	if len(r.Explanation) > maxExplanation || !utf8.ValidString(r.Explanation) {
		t.Errorf("%s: explanation of %d bytes, %q", q.Name, len(r.Explanation), r.Explanation)
	}
}

package judge

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/genaievals/genaievals/evaluators"
)

// allQuestions are those of the judge and two rubrics, so that what holds for
// prompts and schemas is checked of them, too.
func allQuestions(t testing.TB) []*question {
	t.Helper()
	builtin, err := builtinCatalog()
	if err != nil {
		t.Fatal(err)
	}
	c, err := builtin.with([]Rubric{
		{
			Name:     "rubric_with_labels",
			Question: "Does the output keep to what the documents offer?",
			Steps:    []string{"List what the output offers.", "Look for each offer in the documents.\nA discount is an offer, too."},
			Fields:   []string{"output", "documents"},
			Labels: []RubricLabel{
				{Name: "kept", Score: 1, Label: "Kept", When: "all offers are in the documents"},
				{Name: "in_part", Score: 0.4},
				{Name: "broken", Score: 0, Label: "Broken", When: "none is"},
			},
			Threshold: 0.5,
		},
		{
			Name:      "rubric_with_a_scale",
			Question:  "How much does the output lack of what was expected?",
			Optional:  []string{"system", "history", "input"},
			Fields:    []string{"expected"},
			Direction: evaluators.LowerIsBetter,
			Scale:     &RubricScale{Min: 1, Max: 5, Anchors: map[int]string{1: "nothing", 3: "a detail", 5: "the point"}},
			Threshold: 2,
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c.questions
}

// TestScaleAndParserAgree: the schema that is sent has no bounds, as C07 wants
// it, and takes whatever the parser takes; the parser keeps the bounds.
func TestScaleAndParserAgree(t *testing.T) {
	all := allQuestions(t)
	q := all[len(all)-1]
	var s jsonschema.Schema
	if err := json.Unmarshal(q.form.schema, &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for grade := q.Scale.Min - 1; grade <= q.Scale.Max+1; grade++ {
		text := fmt.Sprintf(`{"reason":"r","score":%d}`, grade)
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(v); err != nil {
			t.Errorf("the schema refuses %s: %v", text, err)
		}
		if _, err := q.parse(text); (err == nil) != q.Scale.has(grade) {
			t.Errorf("the parser says %v of %s", err, text)
		}
	}
	if text := string(q.form.schema); strings.Index(text, `"reason"`) > strings.Index(text, `"score"`) {
		t.Errorf("the score is before its reason: %s", text)
	}
}

// TestTextOfARubricStaysText: what looks like a template is none.
func TestTextOfARubricStaysText(t *testing.T) {
	r := scaled(1, 5)
	r.Question = "Is {{.Name}} \"quoted\" & <kept>?"
	r.Steps = []string{"{{template}}"}
	q := questionOf(t, r)
	for _, want := range []string{r.Question, "1. {{template}}"} {
		if !slices.Contains(strings.Split(q.form.system, "\n"), want) {
			t.Errorf("no line %q in:\n%s", want, q.form.system)
		}
	}
}

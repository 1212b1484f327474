package judge

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
)

func TestMetricsAreThoseOfTheDesign(t *testing.T) {
	c, err := builtinCatalog()
	if err != nil {
		t.Fatal(err)
	}
	var got []evaluators.Metric
	for _, q := range c.questions {
		got = append(got, q.metric)
	}
	want := []evaluators.Metric{
		{Name: "bias", Direction: evaluators.LowerIsBetter, Threshold: 0.5, Labels: []string{"Not Biased", "Biased"}, Needs: evaluators.NeedOutput},
		{Name: "toxicity", Direction: evaluators.LowerIsBetter, Threshold: 0.5, Labels: []string{"Non Toxic", "Toxic"}, Needs: evaluators.NeedOutput},
		{Name: "answer_relevancy", Direction: evaluators.HigherIsBetter, Threshold: 0.5, Labels: []string{"Relevant", "Irrelevant"}, Needs: evaluators.NeedOutput | evaluators.NeedInput},
		{Name: "faithfulness", Direction: evaluators.HigherIsBetter, Threshold: 0.5, Labels: []string{"Faithful", "Unfaithful"}, Needs: evaluators.NeedOutput | evaluators.NeedDocuments},
		{Name: "hallucination", Direction: evaluators.LowerIsBetter, Threshold: 0.5, Labels: []string{"Not Hallucinated", "Hallucinated"}, Needs: evaluators.NeedOutput | evaluators.NeedDocumentsOrInput},
		{Name: "sentiment", Direction: evaluators.HigherIsBetter, Threshold: 0.5, Labels: []string{"Neutral", "Positive", "Negative"}, Needs: evaluators.NeedOutput},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
}

const goodDefinition = `metrics:
  - name: one
    fields: [output]
    needs: [output]
    direction: higher_is_better
    threshold: 0.5
    question: Is it?
    rubric: It is or it is not.
    answer: label
    options:
      - {name: aye, score: 1, label: Aye, when: it is}
      - {name: nay, score: 0, label: Nay, when: it is not}
`

func TestDefinitionErrorsNameTheFault(t *testing.T) {
	for _, tt := range []struct{ name, old, new, want string }{
		{"unknown_key", "rubric:", "rubrics:", "field rubrics not found"},
		{"bad_name", "name: one", "name: One", "lower case"},
		{"no_question", "question: Is it?", "question: ''", "question is missing"},
		{"bad_answer", "answer: label", "answer: score", `"score"`},
		{"bad_direction", "higher_is_better", "up", `"up"`},
		{"bad_threshold", "threshold: 0.5", "threshold: .nan", "threshold"},
		{"bad_need", "needs: [output]", "needs: [outputs]", `"outputs"`},
		{"bad_field", "fields: [output]", "fields: [output, context]", `"context"`},
		{"no_output", "fields: [output]", "fields: [input]", "fields must have output"},
		{"score_out_of_range", "score: 1", "score: 10", "score 10"},
		{"same_option", "name: nay", "name: a_ye", "twice"},
		{"no_label", "label: Nay, ", "", "no label"},
		{"label_of_claims", "answer: label", "answer: claims", "decided by the threshold"},
		{"one_option", "      - {name: nay, score: 0, label: Nay, when: it is not}\n", "", "two options"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if !strings.Contains(goodDefinition, tt.old) {
				t.Fatalf("nothing to replace: %q", tt.old)
			}
			_, err := newCatalog([]byte(strings.Replace(goodDefinition, tt.old, tt.new, 1)))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
	t.Run("good", func(t *testing.T) {
		if _, err := newCatalog([]byte(goodDefinition)); err != nil {
			t.Error(err)
		}
	})
	t.Run("twice", func(t *testing.T) {
		_, err := newCatalog([]byte(goodDefinition + strings.TrimPrefix(goodDefinition, "metrics:\n")))
		if err == nil || !strings.Contains(err.Error(), "defined twice") {
			t.Errorf("error %v", err)
		}
	})
}

func TestVersionChangesWithTheDefinitions(t *testing.T) {
	one, err := newCatalog([]byte(goodDefinition))
	if err != nil {
		t.Fatal(err)
	}
	other, err := newCatalog([]byte(strings.Replace(goodDefinition, "It is or", "Either it is or", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if one.version == other.version || len(one.version) != 12 {
		t.Errorf("versions %q and %q", one.version, other.version)
	}
}

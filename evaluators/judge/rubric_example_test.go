package judge_test

import (
	"context"
	"fmt"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
)

func ExampleWithRubrics() {
	onBrand := judge.Rubric{
		Name:      "on_brand",
		Question:  "Does the output sound like the voice of a bookshop: warm, precise, never pushy?",
		Threshold: 0.5,
		Labels: []judge.RubricLabel{
			{Name: "on_brand", Score: 1, Label: "On Brand", When: "all of it does"},
			{Name: "mixed", Score: 0.5, Label: "Mixed", When: "some of it does"},
			{Name: "off_brand", Score: 0, Label: "Off Brand", When: "none of it does"},
		},
	}
	helpfulness := judge.Rubric{
		Name:      "helpfulness",
		Question:  "How far does the output get the user?",
		Fields:    []string{"input", "output"},
		Threshold: 4,
		Scale:     &judge.RubricScale{Min: 1, Max: 5, Anchors: map[int]string{1: "nowhere", 5: "all the way"}},
	}
	scripted := judgetest.NewJudge(
		judgetest.WithAnswers("on_brand", judgetest.Label("mixed", "The end is pushy.")),
		judgetest.WithAnswers("helpfulness", judgetest.Text(`{"reason": "The price is missing.", "score": 4}`)),
	)
	e, err := judge.New(scripted, judge.WithRubrics(onBrand, helpfulness))
	if err != nil {
		fmt.Println(err)
		return
	}
	c := &evaluators.Case{Input: "Do you have Middlemarch?", Output: "We have two copies. Buy one today!"}
	var own []evaluators.Metric
	for _, m := range e.Metrics() {
		if m.Name == "on_brand" || m.Name == "helpfulness" {
			own = append(own, m)
		}
	}
	for _, r := range e.Evaluate(context.Background(), c, own) {
		fmt.Println(r.Metric, r.Score, r.Label, "-", r.Explanation)
	}
	// Output:
	// on_brand 0.5 Mixed - The end is pushy.
	// helpfulness 0.75 Pass - The price is missing.
}

// A rubric with a problem is left out; the others can be used.
func ExampleParseRubrics() {
	rubrics, err := judge.ParseRubrics("rubrics.yaml", []byte(`
rubrics:
  - name: helpfulness
    question: How far does the output get the user?
    fields: [input]
    direction: higher_is_better
    threshold: 4
    scale: {min: 1, max: 5}

  - name: politeness
    question: Is the output polite?
    direction: higher_is_better
    treshold: 0.5
    labels:
      - {name: polite, score: 1}
      - {name: rude, score: 0}
`))
	for _, r := range rubrics {
		fmt.Println(r.Name)
	}
	fmt.Println(err)
	// Output:
	// helpfulness
	// rubrics.yaml:10:5: rubric "politeness": threshold is missing
	// rubrics.yaml:13:5: rubric "politeness": unknown key "treshold"; did you mean threshold?
}

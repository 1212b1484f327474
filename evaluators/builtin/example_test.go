package builtin_test

import (
	"context"
	"fmt"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
	"github.com/genaievals/genaievals/instrumentation"
)

func Example() {
	e := builtin.New()
	results := e.Evaluate(context.Background(), &evaluators.Case{
		Input:  "How long is the warranty of the jacket?",
		Output: "The jacket has a warranty of 2 years. The extended plan runs for 5 years.",
		Documents: []instrumentation.Document{
			{Text: "Every jacket has a warranty of 2 years."},
		},
	}, e.Metrics()[:5])
	for _, r := range results {
		switch r.Outcome {
		case evaluators.OutcomeScored:
			fmt.Printf("%-17s %.2f %s: %s\n", r.Metric, r.Score, r.Label, r.Explanation)
		default:
			fmt.Printf("%-17s %s %s: %s\n", r.Metric, r.Outcome, r.Reason, r.Explanation)
		}
	}
	// Output:
	// bias              skipped needs_judge: bias is beyond rules; set JUDGE_MODEL
	// toxicity          0.00 Non Toxic: no overt insult, threat or coarse word
	// sentiment         0.50 Neutral: no word has a tone
	// answer_relevancy  1.00 Relevant: covers warranty, jacket
	// faithfulness      0.50 Unfaithful: "5 years" is in no document, said in "The extended plan runs for 5 years."
}

// Metrics with options are asked for in a plan; what will not do is told with
// its place before anything runs.
func ExampleEvaluator_Prepare() {
	registry := evaluators.NewRegistry()
	if err := registry.Add(builtin.New()); err != nil {
		panic(err)
	}
	resolve := func(text string) ([]evaluators.Assignment, error) {
		plan, err := evaluators.Parse(text)
		if err != nil {
			return nil, err
		}
		assignments, _, err := registry.Resolve(plan)
		return assignments, err
	}

	_, err := resolve("builtin(length(min=abc))")
	fmt.Println(err)

	assignments, err := resolve(`builtin(inference(length(max=20),contains(all="30 days|receipt"),personal_data))`)
	if err != nil {
		panic(err)
	}
	c := &evaluators.Case{Output: "You can return shoes within 30 days. Write to jane.doe@shoes.shop."}
	for _, a := range assignments {
		for _, r := range a.Evaluator.Evaluate(context.Background(), c, a.Metrics[instrumentation.KindInference]) {
			fmt.Printf("%-13s %.2f %s: %s\n", r.Metric, r.Score, r.Label, r.Explanation)
		}
	}
	// Output:
	// evaluators, column 16: option "min" of metric length is "abc", want a whole number from 0 to 1000000000, near "min=abc"
	// length        1.00 Within Limits: 11 words
	// contains      0.50 No Match: no "receipt"
	// personal_data 1.00 Found: e-mail address of 19 characters at character 47
}

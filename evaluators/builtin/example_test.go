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
	}, e.Metrics())
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

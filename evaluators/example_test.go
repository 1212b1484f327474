package evaluators_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
)

// A metric of one's own: does the answer keep to a length that fits the
// screen? Given to genaievals.Start, it is named in the plan like any other:
// builtin,house_style(brevity(threshold=0.8)).
func ExampleFunc() {
	brevity := evaluators.Metric{
		Name:      "brevity",
		Threshold: 1,
		Labels:    []string{"Short", "Long"},
		Needs:     evaluators.NeedOutput,
	}
	style := evaluators.Func("house_style", brevity, func(_ context.Context, c *evaluators.Case) evaluators.Result {
		const limit = 12
		words := len(strings.Fields(c.Output))
		why := fmt.Sprintf("%d of at most %d words", words, limit)
		if words > limit {
			return evaluators.Scored("brevity", float64(limit)/float64(words), "Long", why)
		}
		return evaluators.Scored("brevity", 1, "Short", why)
	})

	c := &evaluators.Case{Output: "Returns are free for thirty days; the label is in the box, and we refund you within a week."}
	for _, r := range style.Evaluate(context.Background(), c, style.Metrics()) {
		fmt.Printf("%s %.2f %s: %s\n", r.Metric, r.Score, r.Label, r.Explanation)
	}
	// Output: brevity 0.63 Long: 19 of at most 12 words
}

// The EVALUATORS variable is read in two steps: Parse knows the grammar, the
// registry knows the names. A name that is not known disables only itself.
func ExampleRegistry_Resolve() {
	registry := evaluators.NewRegistry()
	polite := evaluators.Metric{Name: "politeness", Threshold: 0.5}
	err := registry.Add(evaluators.Func("manners", polite, func(context.Context, *evaluators.Case) evaluators.Result {
		return evaluators.Scored("politeness", 1, "", "")
	}))
	if err != nil {
		fmt.Println(err)
		return
	}

	plan, err := evaluators.Parse("manners(inference(politeness(threshold=0.9), wit))")
	if err != nil {
		fmt.Println(err)
		return
	}
	assignments, warnings, err := registry.Resolve(plan)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range assignments[0].Metrics[instrumentation.KindInference] {
		fmt.Println(m.Name, m.Threshold)
	}
	fmt.Println(warnings[0])
	// Output:
	// politeness 0.9
	// evaluators, column 46: evaluator manners has no metric "wit" (there is: politeness)
}

func ExampleParse_error() {
	_, err := evaluators.Parse("judge(inference(bias(threshold=0.3),))")
	fmt.Println(err)
	// Output: evaluators, column 37: expected a metric or an option, found ")", near "…bias(threshold=0.3),))"
}

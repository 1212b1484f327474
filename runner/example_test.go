package runner_test

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/runner"
)

// slice yields the items of a slice.
func slice(items ...runner.Item) runner.Dataset {
	return func(yield func(runner.Item, error) bool) {
		for _, item := range items {
			if !yield(item, nil) {
				return
			}
		}
	}
}

// brief passes answers of at most five words.
func brief() runner.Evaluators {
	return of(evaluators.Func("own", evaluators.Metric{Name: "brief", Threshold: 0.5}, func(_ context.Context, c *evaluators.Case) evaluators.Result {
		if len(strings.Fields(c.Output)) > 5 {
			return evaluators.Scored("brief", 0, "", "It has more than five words.")
		}
		return evaluators.Scored("brief", 1, "", "")
	}))
}

// A run over items that are in memory. Evaluators come from
// genaievals.NewEvaluators, with their limits.
func ExampleStart() {
	run, err := runner.Start(context.Background(), slice(
		runner.Item{ID: "a", Output: "Within 30 days."},
		runner.Item{ID: "b", Output: "Well, that depends on what you have bought."},
	), brief())
	if err != nil {
		fmt.Println(err)
		return
	}
	status, err := run.Wait()
	m := status.Evaluators[0].Metrics[0]
	fmt.Printf("%d of %d pass, error: %v\n", m.Passed, m.Scored, err)
	// Output: 1 of 2 pass, error: <nil>
}

// A task produces the answers first, as the application would.
func ExampleWithTask() {
	answer := func(_ context.Context, item runner.Item) (string, error) {
		if item.Input == "" {
			return "", fmt.Errorf("nothing was asked")
		}
		return "Within 30 days.", nil
	}
	questions := slice(runner.Item{ID: "a", Input: "When can I return it?"}, runner.Item{ID: "b"})
	for result, err := range runner.Results(context.Background(), questions, brief(), runner.WithTask(answer), runner.WithOrdered(true)) {
		switch {
		case err != nil:
			fmt.Println(err)
		case result.Err != nil:
			fmt.Printf("%s: %s: %v\n", result.Item.ID, result.ErrorType, result.Err)
		default:
			fmt.Printf("%s: %q passes: %v\n", result.Item.ID, result.Output, result.Results[0].Passed)
		}
	}
	// Output:
	// a: "Within 30 days." passes: true
	// b: task_failed: nothing was asked
}

// Results come in the order of the dataset, and breaking out ends the run.
func ExampleResults() {
	items := slices.Repeat([]runner.Item{{Output: "Yes."}}, 1000)
	for result, err := range runner.Results(context.Background(), slice(items...), brief(), runner.WithOrdered(true)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(result.Item.ID, result.Results[0].Score)
		if result.Item.Index == 2 {
			break
		}
	}
	// Output:
	// #1 1
	// #2 1
	// #3 1
}

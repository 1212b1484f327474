package semantic_test

import (
	"context"
	"fmt"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
	_ "github.com/genaievals/genaievals/evaluators/builtin/semantic"
)

// The import is all: builtin then judges sentences and not only words.
func Example() {
	ask := func(metric, output string) {
		c := &evaluators.Case{Output: output}
		r := builtin.New().Evaluate(context.Background(), c, []evaluators.Metric{{Name: metric}})[0]
		fmt.Printf("%s: %s\n", r.Label, r.Explanation)
	}
	ask("toxicity", "You are a sad little nobody.")
	ask("toxicity", "Kill the process and start it again.")
	ask("sentiment", "It broke after two days and nobody answers my mails.")
	// Output:
	// Toxic: reads as an insult, a threat or abuse: "You are a sad little nobody."
	// Non Toxic: no sentence reads as an insult, a threat or abuse
	// Negative: "broke" in "It broke after two days and nobody answers my mails."
}

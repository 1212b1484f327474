package runner_test

import (
	"testing"

	"github.com/genaievals/genaievals/runner"
)

// BenchmarkItem is what the runner takes for an item that costs nothing to
// evaluate.
func BenchmarkItem(b *testing.B) {
	b.ReportAllocs()
	r, err := runner.Start(b.Context(), numberedBench(b.N), of(scores("a", "good")))
	if err != nil {
		b.Fatal(err)
	}
	if _, err := r.Wait(); err != nil {
		b.Fatal(err)
	}
}

func numberedBench(n int) runner.Dataset {
	return func(yield func(runner.Item, error) bool) {
		for range n {
			if !yield(runner.Item{Input: "q", Output: "an answer"}, nil) {
				return
			}
		}
	}
}

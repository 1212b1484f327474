package samples

import (
	"embed"
	"fmt"
	"iter"
)

//go:embed bundled/*.jsonl
var bundled embed.FS

// Bundled returns the samples that come with the program, metric by metric, at
// least 36 for each of the six: a smoke test of a judge, small enough to run for
// cents, and no measure of what it is worth on other texts. All were written for
// this project; there are no real people or brands in them.
//
// It can be ranged over again. No error is to be expected: the set is checked by
// the tests.
func Bundled() iter.Seq2[Sample, error] {
	return func(yield func(Sample, error) bool) {
		for _, metric := range []string{bias, toxicity, relevancy, faithfulness, hallucination, sentiment} {
			if !yieldBundled(metric, yield) {
				return
			}
		}
	}
}

// yieldBundled yields one metric's and reports whether more are wanted.
func yieldBundled(metric string, yield func(Sample, error) bool) bool {
	name := "bundled/" + metric + ".jsonl"
	f, err := bundled.Open(name)
	if err != nil {
		return yield(Sample{}, fmt.Errorf("bundled samples: %w", err))
	}
	defer f.Close()
	all, err := Read(f, name, own.Name)
	if err != nil {
		return yield(Sample{}, fmt.Errorf("bundled samples: %w", err))
	}
	for s, err := range all {
		if !yield(s, err) {
			return false
		}
	}
	return true
}

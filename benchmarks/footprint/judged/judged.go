// Package judged has what the programs that judge offline have in common: they
// differ in the import of the model only.
package judged

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
	"github.com/genaievals/genaievals/instrumentation"
)

// Run has builtin judge one case twice by its default metrics and prints what
// the first time took, what the second did, and by how much resident memory has
// grown.
func Run() error {
	before, err := resident()
	if err != nil {
		return err
	}
	e := builtin.New(builtin.WithShare(1))
	names := e.DefaultMetrics()
	asked := slices.DeleteFunc(e.Metrics(), func(m evaluators.Metric) bool { return !slices.Contains(names, m.Name) })
	c := &evaluators.Case{
		Input:     "How long can I return my shoes, and what do I need for it?",
		Output:    "You can return any pair of shoes within thirty days of delivery. Please keep the receipt, because our shop will ask you for it.",
		Documents: []instrumentation.Document{{Text: "Shoes can be returned within 30 days with the receipt."}},
	}
	judge := func() time.Duration {
		began := time.Now()
		for _, r := range e.Evaluate(context.Background(), c, asked) {
			if r.Outcome == evaluators.OutcomeFailed {
				err = fmt.Errorf("%s: %w", r.Metric, r.Err)
			}
		}
		return time.Since(began)
	}
	first, second := judge(), judge()
	if err != nil {
		return err
	}
	after, err := resident()
	if err != nil {
		return err
	}
	fmt.Printf("first_ms=%g\nsecond_ms=%g\nresident_kib=%d\n", first.Seconds()*1000, second.Seconds()*1000, after-before)
	return nil
}

// resident is the memory of this process that is in RAM, in KiB.
func resident() (int, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	_, rest, ok := strings.Cut(string(status), "VmRSS:")
	if !ok {
		return 0, fmt.Errorf("/proc/self/status has no VmRSS")
	}
	return strconv.Atoi(strings.Fields(rest)[0])
}

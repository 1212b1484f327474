package manager_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/manager"
)

func TestReasonsAndErrorTypesAreNames(t *testing.T) {
	for name, want := range map[string]string{
		"own_type":              "own_type",
		"own.type2":             "own.type2",
		"500":                   "500",
		"_OTHER":                "_OTHER",
		strings.Repeat("x", 64): strings.Repeat("x", 64),
		strings.Repeat("x", 65): "_OTHER",
		"Own":                   "_OTHER",
		"a type":                "_OTHER",
		"a-type":                "_OTHER",
		"größe":                 "_OTHER",
		"dial tcp 10.0.0.1:443": "_OTHER",
		"a\x00b":                "_OTHER",
	} {
		for _, outcome := range []evaluators.Outcome{evaluators.OutcomeFailed, evaluators.OutcomeSkipped} {
			d := newDouble(func(_ context.Context, _ *evaluators.Case, m evaluators.Metric) evaluators.Result {
				return evaluators.Result{Metric: m.Name, Outcome: outcome, Reason: name, ErrorType: name}
			}, "quality")
			b := newBundle(t, manager.Config{}, d).start(t)
			b.invoke("x")
			_ = b.Flush(context.Background())
			if r := b.results()[0]; r.Reason+r.ErrorType != want {
				t.Errorf("%s as %q is handed on as %q, want %q", outcome, name, r.Reason+r.ErrorType, want)
			}
			m := b.Status().Lanes[0].Evaluators[0].Metrics[0]
			if m.Failed[want]+m.Skipped[want] != 1 || len(m.Failed)+len(m.Skipped) != 1 {
				t.Errorf("%s as %q is counted in %v and %v", outcome, name, m.Skipped, m.Failed)
			}
		}
	}
}

func TestAMetricHasOnlySoManyReasonsAndErrorTypes(t *testing.T) {
	for _, outcome := range []evaluators.Outcome{evaluators.OutcomeFailed, evaluators.OutcomeSkipped} {
		d := newDouble(func(_ context.Context, c *evaluators.Case, m evaluators.Metric) evaluators.Result {
			return evaluators.Result{Metric: m.Name, Outcome: outcome, Reason: c.Output, ErrorType: c.Output}
		}, "quality", "other")
		b := newBundle(t, manager.Config{}, d).start(t)
		for i := range 200 {
			b.invoke(fmt.Sprintf("type_%d", i))
			b.invoke("type_0") // what is known stays known
		}
		_ = b.Flush(context.Background())
		for _, m := range b.Status().Lanes[0].Evaluators[0].Metrics {
			counts := m.Failed
			if outcome == evaluators.OutcomeSkipped {
				counts = m.Skipped
			}
			if len(counts) != 65 || counts["_OTHER"] != 200-64 || counts["type_0"] != 201 {
				t.Errorf("%s %s: %d types, %d of them _OTHER, %d type_0", m.Name, outcome, len(counts), counts["_OTHER"], counts["type_0"])
			}
		}
		checkLaws(t, b.Status())
	}
}

package journal_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/limit"
	"github.com/genaievals/genaievals/runner/journal"
)

// asked are evaluators by what is asked of them.
type asked []evaluators.Assignment

func (a asked) Assignments() []evaluators.Assignment { return a }
func (a asked) Gate(string) *limit.Gate              { return nil }
func (a asked) Timeout() time.Duration               { return time.Minute }

// described is a judge's client that says which model it asks.
type described struct{}

func (described) Complete(context.Context, judge.Request) (judge.Response, error) {
	return judge.Response{}, nil
}
func (described) Endpoint() judge.Endpoint { return judge.Endpoint{Model: "m1"} }

func TestHeaderOf(t *testing.T) {
	if diff := cmp.Diff(journal.Header{Version: journal.Version}, journal.HeaderOf(nil)); diff != "" {
		t.Error(diff)
	}
	j, err := judge.New(described{})
	must(t, err)
	bias := evaluators.Metric{Name: "bias", Direction: evaluators.LowerIsBetter, Threshold: 0.5, Labels: []string{"Biased"}, Judge: "fast", Model: "m2", Params: map[string]string{"a": "1", "b": "2"}}
	stricter := bias
	stricter.Threshold = 0.1
	h := journal.HeaderOf(asked{{Evaluator: j, Metrics: map[instrumentation.Kind][]evaluators.Metric{
		instrumentation.KindAgent: {stricter, {Name: "more"}}, instrumentation.KindInference: {bias},
	}}})
	mark := h.Evaluators[0].Metrics[0].Fingerprint
	want := []journal.Evaluator{{
		Name: "judge", Version: j.Version(), Type: evaluators.TypeLLMJudge, Model: "m1",
		Metrics: []journal.Metric{
			{Name: "bias", Direction: evaluators.LowerIsBetter, Threshold: 0.5, Labels: []string{"Biased"}, Judge: "fast", Model: "m2", Fingerprint: mark},
			{Name: "more"},
		},
	}}
	if diff := cmp.Diff(want, h.Evaluators); diff != "" || len(mark) != 16 {
		t.Errorf("-want +got:\n%s", diff)
	}
	bias.Params = map[string]string{"b": "2", "a": "3"}
	if again := journal.HeaderOf(asked{{Evaluator: j, Metrics: map[instrumentation.Kind][]evaluators.Metric{instrumentation.KindInference: {bias}}}}); again.Evaluators[0].Metrics[0].Fingerprint == mark {
		t.Error("another option has the same fingerprint")
	}
}

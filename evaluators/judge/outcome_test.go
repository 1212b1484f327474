package judge_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/limit"
)

// TestWhatABudgetIsToldOfFailures: a request that was turned down is free, one
// of which nothing is known keeps its estimate.
func TestWhatABudgetIsToldOfFailures(t *testing.T) {
	for _, tt := range []struct {
		name      string
		errorType string
		status    int
		paid      bool
	}{
		{"turned_down", evaluators.ErrorJudgeContentFiltered, 400, false},
		{"arrived_in_part", evaluators.ErrorJudgeUnavailable, 400, false},
		{"of_no_use", evaluators.ErrorJudgeMalformedOutput, 200, true},
		{"no_answer_in_time", evaluators.ErrorJudgeTimeout, 0, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := limit.NewGate(limit.WithBudget(limit.Budget{Amount: 100, Per: time.Hour}))
				e := newEvaluator(t, &failing{times: 100, err: &judge.Error{Type: tt.errorType, Status: tt.status}}, judge.WithGate(g), judge.WithPrice(1, 1))
				ask(t.Context(), t, e, "bias")
				if spent := g.Status().Budget.Spent; (spent > 0) != tt.paid {
					t.Errorf("%v spent, paid %v", spent, tt.paid)
				}
			})
		})
	}
}

// TestWhatTheBreakerCounts: who answers that this request will not do is there.
func TestWhatTheBreakerCounts(t *testing.T) {
	for _, tt := range []struct {
		name   string
		status int
		opens  bool
	}{
		{"conflict", 409, false},
		{"F05_arrived_in_part", 400, false},
		{"not_an_http_refusal", 200, true},
		{"internal", 500, true},
		{"no_connection", 0, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := limit.NewGate(limit.WithBreaker(limit.Breaker{}))
				e := newEvaluator(t, &failing{times: 1000, err: &judge.Error{Type: evaluators.ErrorJudgeUnavailable, Status: tt.status}}, judge.WithGate(g))
				opened := false
				for range 30 {
					r := ask(t.Context(), t, e, "bias")
					opened = opened || r.ErrorType == evaluators.ErrorJudgeCircuitOpen
				}
				if opened != tt.opens {
					t.Errorf("the circuit opened: %v, want %v", opened, tt.opens)
				}
			})
		})
	}
}

// TestNilErrorOfAClient: an interface that holds a nil *judge.Error is an error,
// as Go has it, and must not end the process.
func TestNilErrorOfAClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clientFunc(func(context.Context, judge.Request) (judge.Response, error) {
			var none *judge.Error
			return judge.Response{Text: `{"reason":"r","label":"biased"}`}, none
		})
		r := ask(t.Context(), t, newEvaluator(t, c), "bias")
		if r.Outcome != evaluators.OutcomeFailed || r.ErrorType != evaluators.ErrorJudgeUnavailable || r.Err == nil || r.Err.Error() == "" {
			t.Errorf("%+v", r)
		}
	})
}

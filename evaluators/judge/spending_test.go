package judge_test

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/limit"
)

// after fails with each failure in turn, then answers.
func after(failures ...*judge.Error) judge.Client {
	n := 0
	return clientFunc(func(context.Context, judge.Request) (judge.Response, error) {
		if n++; n <= len(failures) {
			return judge.Response{}, failures[n-1]
		}
		return judge.Response{Text: `{"reason":"r","label":"biased"}`, Usage: judge.Usage{InputTokens: 100, OutputTokens: 10}}, nil
	})
}

func TestFailuresThatTookTokensArePaidFor(t *testing.T) {
	broken := func(u judge.Usage) *judge.Error {
		return &judge.Error{Type: evaluators.ErrorJudgeUnavailable, Status: 200, Usage: u}
	}
	for _, tt := range []struct {
		name          string
		client        judge.Client
		priced        bool
		input, output int64
		cost          float64
		known         bool
	}{
		{"$03_broken_off", after(broken(judge.Usage{InputTokens: 500, OutputTokens: 900})), true, 600, 910, 1510e-6, true},
		{"$03_twice", after(broken(judge.Usage{InputTokens: 500, OutputTokens: 900}), broken(judge.Usage{InputTokens: 1})), true, 601, 910, 1511e-6, true},
		{"$03_stated", after(broken(judge.Usage{InputTokens: 500, OutputTokens: 900, Cost: 0.01, HasCost: true})), true, 600, 910, 0.01 + 110e-6, true},
		{"$03_not_priced", after(broken(judge.Usage{InputTokens: 500, OutputTokens: 900})), false, 600, 910, 0, false},
		{"$03_never_an_answer", after(&judge.Error{Type: evaluators.ErrorJudgeEmptyOutput, Status: 200, Usage: judge.Usage{InputTokens: 500, OutputTokens: 900}}), true, 500, 900, 1400e-6, true},
		{"refused_is_free", after(&judge.Error{Type: evaluators.ErrorJudgeUnavailable, Status: 502}), true, 100, 10, 110e-6, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				opts := []judge.Option{judge.WithGate(limit.NewGate(limit.WithBudget(limit.Budget{Amount: 1_000_000, Tokens: true, Per: time.Hour})))}
				if tt.priced {
					opts = append(opts, judge.WithPrice(1, 1))
				}
				e := newEvaluator(t, tt.client, opts...)
				r := ask(t.Context(), t, e, "bias")
				if r.InputTokens != tt.input || r.OutputTokens != tt.output {
					t.Errorf("tokens %d and %d, want %d and %d", r.InputTokens, r.OutputTokens, tt.input, tt.output)
				}
				if r.HasCost != tt.known || tt.known && math.Abs(r.Cost-tt.cost) > 1e-12 {
					t.Errorf("cost %v, known %v; want %v, %v", r.Cost, r.HasCost, tt.cost, tt.known)
				}
				if spent := e.Gate().Status().Budget.Spent; tt.name != "refused_is_free" && spent != float64(tt.input+tt.output) {
					t.Errorf("the budget is told of %v tokens, want %d", spent, tt.input+tt.output)
				}
			})
		})
	}
}

// TestAbsurdCountsAreClamped: a client of another's can say anything.
func TestAbsurdCountsAreClamped(t *testing.T) {
	const most = 1 << 24
	n := 0
	c := clientFunc(func(context.Context, judge.Request) (judge.Response, error) {
		usage, text := judge.Usage{InputTokens: math.MaxInt64, OutputTokens: math.MaxInt64}, "prose"
		if n++; n == 2 {
			usage, text = judge.Usage{InputTokens: 10, OutputTokens: -5}, `{"reason":"r","label":"biased"}`
		}
		return judge.Response{Text: text, Usage: usage}, nil
	})
	r := ask(t.Context(), t, newEvaluator(t, c, judge.WithPrice(1, 1)), "bias")
	if r.InputTokens != most+10 || r.OutputTokens != most {
		t.Errorf("tokens %d and %d", r.InputTokens, r.OutputTokens)
	}
	if want := (2*most + 10) / 1e6; !r.HasCost || math.Abs(r.Cost-want) > 1e-6 {
		t.Errorf("cost %v, known %v; want %v", r.Cost, r.HasCost, want)
	}
}

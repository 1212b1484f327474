package judge_test

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/limit"
)

func TestCost(t *testing.T) {
	rubbish, down := judgetest.Text("rubbish"), judgetest.Fail(evaluators.ErrorJudgeUnavailable)
	used := func(a judgetest.Answer, input, output int64) judgetest.Answer {
		return a.Usage(judge.Usage{InputTokens: input, OutputTokens: output})
	}
	for _, tt := range []struct {
		name    string
		options []judge.Option
		answers []judgetest.Answer
		cost    float64
		known   bool
	}{
		{"no_price", nil, []judgetest.Answer{judgetest.Valid()}, 0, false},
		{"one_call", []judge.Option{judge.WithPrice(2, 10)}, []judgetest.Answer{used(judgetest.Valid(), 500_000, 100_000)}, 2, true},
		{"cost_3_repair", []judge.Option{judge.WithPrice(2, 10)}, []judgetest.Answer{used(rubbish, 500_000, 0), used(judgetest.Valid(), 500_000, 100_000)}, 3, true},
		{"unreadable_twice", []judge.Option{judge.WithPrice(2, 10)}, []judgetest.Answer{used(rubbish, 500_000, 0)}, 2, true},
		{"retry", []judge.Option{judge.WithPrice(2, 10)}, []judgetest.Answer{down, used(judgetest.Valid(), 500_000, 0)}, 1, true},
		{"cost_1_not_reported", []judge.Option{judge.WithPrice(2, 10)}, []judgetest.Answer{used(judgetest.Valid(), 0, 0)}, 0, false},
		{"never_answered", []judge.Option{judge.WithPrice(2, 10)}, []judgetest.Answer{judgetest.Fail(evaluators.ErrorJudgeAuth)}, 0, false},
		{"stated_by_the_provider", nil, []judgetest.Answer{judgetest.Valid().Usage(judge.Usage{Cost: 0.25, HasCost: true})}, 0.25, true},
		{"stated_over_the_price", []judge.Option{judge.WithPrice(2, 10)}, []judgetest.Answer{judgetest.Valid().Usage(judge.Usage{InputTokens: 500_000, OutputTokens: 1, Cost: 0.25, HasCost: true})}, 0.25, true},
		{"one_stated_one_by_price", []judge.Option{judge.WithPrice(2, 10)}, []judgetest.Answer{used(rubbish, 500_000, 0), judgetest.Valid().Usage(judge.Usage{Cost: 0.25, HasCost: true})}, 1.25, true},
		{"one_stated_one_not_known", nil, []judgetest.Answer{rubbish.Usage(judge.Usage{Cost: 0.25, HasCost: true}), used(judgetest.Valid(), 500_000, 0)}, 0.25, false},
		{"stated_as_nothing", nil, []judgetest.Answer{judgetest.Valid().Usage(judge.Usage{HasCost: true})}, 0, true},
		{"stated_below_nothing", nil, []judgetest.Answer{judgetest.Valid().Usage(judge.Usage{Cost: -1, HasCost: true})}, 0, false},
		{"stated_as_no_number", nil, []judgetest.Answer{judgetest.Valid().Usage(judge.Usage{Cost: math.NaN(), HasCost: true})}, 0, false},
		{"stated_beyond_all_money", nil, []judgetest.Answer{judgetest.Valid().Usage(judge.Usage{Cost: math.MaxFloat64, HasCost: true})}, 0, false},
		{"free", []judge.Option{judge.WithPrice(0, 0)}, []judgetest.Answer{judgetest.Valid()}, 0, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := newEvaluator(t, judgetest.NewJudge(judgetest.WithAnswers("", tt.answers...)), tt.options...)
				r := ask(t.Context(), t, e, "bias")
				if r.HasCost != tt.known || tt.known && math.Abs(r.Cost-tt.cost) > 1e-9 || !tt.known && r.Cost != 0 {
					t.Errorf("cost %v, known %v; want %v, %v", r.Cost, r.HasCost, tt.cost, tt.known)
				}
			})
		})
	}
}

func TestPriceOutOfRange(t *testing.T) {
	for _, p := range [][2]float64{{-1, 0}, {0, math.NaN()}, {math.Inf(1), 1}, {1, 2e6}} {
		if _, err := judge.New(judgetest.NewJudge(), judge.WithPrice(p[0], p[1])); err == nil {
			t.Errorf("price %v is accepted", p)
		}
	}
}

// TestSpentBudgetSkips: what was estimated is given back with the answer, so
// that the budget is used to its end, and then nothing is sent.
func TestSpentBudgetSkips(t *testing.T) {
	for _, tt := range []struct {
		name   string
		budget limit.Budget
	}{
		{"money", limit.Budget{Amount: 0.01, Per: time.Hour}},
		{"tokens", limit.Budget{Amount: 10_000, Tokens: true, Per: time.Hour}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				// 1,000 tokens and 0.001 dollars a call.
				j := judgetest.NewJudge(judgetest.WithAnswers("", judgetest.Valid().Usage(judge.Usage{InputTokens: 900, OutputTokens: 100})))
				e := newEvaluator(t, j, judge.WithPrice(1, 1), judge.WithMaxOutputTokens(100), judge.WithGate(limit.NewGate(limit.WithBudget(tt.budget))))
				scored, skipped := 0, 0
				for range 20 {
					switch r := ask(t.Context(), t, e, "bias"); {
					case r.Outcome == evaluators.OutcomeScored:
						scored++
					case r.Outcome == evaluators.OutcomeSkipped && r.Reason == evaluators.SkipBudget && r.Attempts == 0:
						skipped++
					default:
						t.Errorf("%+v", r)
					}
				}
				if scored < 9 || scored > 10 || j.Count() != scored || scored+skipped != 20 {
					t.Errorf("%d scored, %d skipped, %d calls", scored, skipped, j.Count())
				}
				time.Sleep(time.Hour)
				if r := ask(t.Context(), t, e, "bias"); r.Outcome != evaluators.OutcomeScored {
					t.Errorf("in the next window: %+v", r)
				}
			})
		})
	}
}

// TestTokenLimit: the gate hears of the tokens that were used, not of those
// that were estimated.
func TestTokenLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := judgetest.NewJudge(
			judgetest.WithAnswers("", judgetest.Valid().Usage(judge.Usage{InputTokens: 900, OutputTokens: 100})),
			judgetest.WithDelay(time.Second))
		e := newEvaluator(t, j, judge.WithGate(limit.NewGate(limit.WithTokenRate(limit.Rate{PerSecond: 100, Burst: 4000}))))
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		start := time.Now()
		const calls = 64
		for range calls {
			if r := ask(ctx, t, e, "bias"); r.Outcome != evaluators.OutcomeScored {
				t.Fatalf("%+v", r)
			}
		}
		// 64,000 tokens, of which 4,000 at once, at 100 a second.
		if took := time.Since(start); took < 570*time.Second || took > 640*time.Second {
			t.Errorf("took %v, want about 600s", took)
		}
	})
}

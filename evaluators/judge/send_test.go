package judge_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/limit"
)

// strictGate lets one send pass every d.
func strictGate(d time.Duration) *limit.Gate {
	return limit.NewGate(limit.WithRate(limit.Rate{PerSecond: float64(time.Second) / float64(d), Burst: 1, Strict: true}))
}

func TestEverySendPassesTheGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rubbish := judgetest.Text("rubbish")
		j := judgetest.NewJudge(judgetest.WithAnswers("",
			judgetest.Text("").Finish(judge.FinishLength), rubbish, judgetest.Valid()))
		e := newEvaluator(t, j, judge.WithGate(strictGate(10*time.Second)))
		r := ask(t.Context(), t, e, "bias")
		if r.Outcome != evaluators.OutcomeScored || r.Attempts != 3 {
			t.Fatalf("result %+v", r)
		}
		calls := j.Calls()
		for i := 1; i < len(calls); i++ {
			if d := calls[i].Started.Sub(calls[i-1].Started); d < 10*time.Second {
				t.Errorf("send %d came %v after the one before", i, d)
			}
		}
		if r.LimitWait < 20*time.Second || r.LimitWait > 21*time.Second {
			t.Errorf("waited %v for limits, want 20s", r.LimitWait)
		}
		if n := e.Gate().Status().InFlight; n != 0 {
			t.Errorf("%d permits are not released", n)
		}
	})
}

func TestDeadlineAtTheGateIsRateLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := judgetest.NewJudge()
		e := newEvaluator(t, j, judge.WithGate(strictGate(time.Hour)))
		ask(t.Context(), t, e, "bias") // takes the first permit
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		r := ask(ctx, t, e, "bias")
		if r.Outcome != evaluators.OutcomeFailed || r.ErrorType != evaluators.ErrorJudgeRateLimited {
			t.Errorf("%v %q", r.Outcome, r.ErrorType)
		}
		if !errors.Is(r.Err, limit.ErrWait) {
			t.Errorf("error %v does not wrap limit.ErrWait", r.Err)
		}
		if r.LimitWait != 5*time.Second || r.Attempts != 0 || j.Count() != 1 {
			t.Errorf("waited %v, %d attempts, %d calls", r.LimitWait, r.Attempts, j.Count())
		}
	})
}

// TestNoTimeForARepairIsATimeout: nothing was waited for at the gate.
func TestNoTimeForARepairIsATimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		c := clientFunc(func(context.Context, judge.Request) (judge.Response, error) {
			time.Sleep(2 * time.Second) // answers all the same
			return judge.Response{Text: "rubbish"}, nil
		})
		r := ask(ctx, t, newEvaluator(t, c), "bias")
		if r.ErrorType != evaluators.ErrorJudgeTimeout || r.Attempts != 1 {
			t.Errorf("%q after %d attempts", r.ErrorType, r.Attempts)
		}
	})
}

func TestDeadlines(t *testing.T) {
	for _, tt := range []struct {
		name              string
		attempt, deadline time.Duration
		least, most       time.Duration
		attempts          int
	}{
		{"R15_call", 3 * time.Second, time.Minute, 6 * time.Second, 7 * time.Second, 2},
		{"R15_no_time_for_another", 3 * time.Second, 3 * time.Second, 3 * time.Second, 3 * time.Second, 1},
		{"evaluation", time.Minute, 2 * time.Second, 2 * time.Second, 2 * time.Second, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				j := judgetest.NewJudge(judgetest.WithAnswers("", judgetest.Hang()))
				e := newEvaluator(t, j, judge.WithTimeout(tt.attempt))
				ctx, cancel := context.WithTimeout(t.Context(), tt.deadline)
				defer cancel()
				start := time.Now()
				r := ask(ctx, t, e, "bias")
				if took := time.Since(start); r.ErrorType != evaluators.ErrorJudgeTimeout || took < tt.least || took > tt.most || r.Attempts != tt.attempts {
					t.Errorf("%q after %v and %d attempts, want judge_timeout after %v to %v and %d", r.ErrorType, took, r.Attempts, tt.least, tt.most, tt.attempts)
				}
				if j.InFlight() != 0 {
					t.Error("a call is still running")
				}
			})
		})
	}
}

var errStopping = errors.New("stopping")

func TestCancellationIsShutdown(t *testing.T) {
	for _, tt := range []struct {
		name string
		gate *limit.Gate
	}{
		{"in_the_call", nil},
		{"at_the_gate", strictGate(time.Hour)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				j := judgetest.NewJudge(judgetest.WithAnswers("", judgetest.Valid(), judgetest.Hang()))
				e := newEvaluator(t, j, judge.WithGate(tt.gate))
				ask(t.Context(), t, e, "bias") // takes the gate's first permit
				ctx, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(time.Second, func() { cancel(errStopping) })
				r := ask(ctx, t, e, "bias")
				if r.ErrorType != evaluators.ErrorShutdown || !errors.Is(r.Err, errStopping) {
					t.Errorf("%q, %v", r.ErrorType, r.Err)
				}
			})
		})
	}
}

// clientFunc is a client that is a function.
type clientFunc func(context.Context, judge.Request) (judge.Response, error)

func (f clientFunc) Complete(ctx context.Context, r judge.Request) (judge.Response, error) {
	return f(ctx, r)
}

func TestErrorsOfOtherClientsAreClassified(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  error
		want string
	}{
		{"plain", errors.New("broken"), evaluators.ErrorJudgeUnavailable},
		{"deadline", fmt.Errorf("call: %w", context.DeadlineExceeded), evaluators.ErrorJudgeTimeout},
		{"wrapped", fmt.Errorf("call: %w", &judge.Error{Type: evaluators.ErrorJudgeQuota}), evaluators.ErrorJudgeQuota},
		{"no_type", &judge.Error{}, evaluators.ErrorJudgeUnavailable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := clientFunc(func(context.Context, judge.Request) (judge.Response, error) { return judge.Response{}, tt.err })
				if r := ask(t.Context(), t, newEvaluator(t, c), "bias"); r.ErrorType != tt.want || !errors.Is(r.Err, tt.err) && tt.name != "wrapped" {
					t.Errorf("%q, %v; want %q", r.ErrorType, r.Err, tt.want)
				}
			})
		})
	}
}

func TestAdaptedClientIsAskedAgain(t *testing.T) {
	for _, tt := range []struct {
		name           string
		refusals, want int
		errorType      string
	}{
		{"C01_once", 1, 2, ""},
		{"C03_without_end", 100, 9, evaluators.ErrorJudgeBadRequest},
	} {
		t.Run(tt.name, func(t *testing.T) {
			calls := 0
			c := clientFunc(func(context.Context, judge.Request) (judge.Response, error) {
				if calls++; calls <= tt.refusals {
					return judge.Response{}, &judge.Error{Type: evaluators.ErrorJudgeBadRequest, Adapted: true}
				}
				return judge.Response{Text: `{"reason":"r","label":"biased"}`}, nil
			})
			r := ask(t.Context(), t, newEvaluator(t, c), "bias")
			if r.ErrorType != tt.errorType || r.Attempts != tt.want || calls != tt.want {
				t.Errorf("%q, %d attempts, %d calls; want %q, %d", r.ErrorType, r.Attempts, calls, tt.errorType, tt.want)
			}
		})
	}
}

// TestMendedCredentialIsNoLostJudge: a token that expired costs another call
// and does not open the circuit.
func TestMendedCredentialIsNoLostJudge(t *testing.T) {
	calls := 0
	c := clientFunc(func(context.Context, judge.Request) (judge.Response, error) {
		if calls++; calls == 1 {
			return judge.Response{}, &judge.Error{Type: evaluators.ErrorJudgeAuth, Status: 401, Adapted: true}
		}
		return judge.Response{Text: `{"reason":"r","label":"biased"}`}, nil
	})
	gate := limit.NewGate(limit.WithBreaker(limit.Breaker{}))
	r := ask(t.Context(), t, newEvaluator(t, c, judge.WithGate(gate)), "bias")
	if r.Outcome != evaluators.OutcomeScored || calls != 2 {
		t.Errorf("%v %v after %d calls", r.Outcome, r.Err, calls)
	}
}

func TestCallsAreMadeUnderSuppression(t *testing.T) {
	t.Run("X01", func(t *testing.T) {
		suppressed := false
		c := clientFunc(func(ctx context.Context, _ judge.Request) (judge.Response, error) {
			suppressed = instrumentation.Suppressed(ctx)
			return judge.Response{}, nil
		})
		ask(t.Context(), t, newEvaluator(t, c), "bias")
		if !suppressed {
			t.Error("a judge's own call could be recorded and evaluated")
		}
	})
}

// TestPanickingClientKeepsNoPermit: the manager contains the panic; the gate
// must not be short of a permit for it.
func TestPanickingClientKeepsNoPermit(t *testing.T) {
	g := limit.NewGate()
	c := clientFunc(func(context.Context, judge.Request) (judge.Response, error) { panic("client") })
	e := newEvaluator(t, c, judge.WithGate(g))
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		ask(t.Context(), t, e, "bias")
	}()
	if n := g.Status().InFlight; n != 0 {
		t.Errorf("%d permits in use", n)
	}
}

func TestHostileUsageDoesNotCount(t *testing.T) {
	c := clientFunc(func(context.Context, judge.Request) (judge.Response, error) {
		return judge.Response{
			Text:  `{"reason":"r","label":"biased"}`,
			Usage: judge.Usage{InputTokens: -5, OutputTokens: -7},
		}, nil
	})
	if r := ask(t.Context(), t, newEvaluator(t, c), "bias"); r.InputTokens != 0 || r.OutputTokens != 0 {
		t.Errorf("%d and %d tokens", r.InputTokens, r.OutputTokens)
	}
}

package judge_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/limit"
)

// failing is a client that fails in one way so many times and then answers.
type failing struct {
	times int
	err   *judge.Error
	calls []time.Time
}

func (f *failing) Complete(context.Context, judge.Request) (judge.Response, error) {
	f.calls = append(f.calls, time.Now())
	if len(f.calls) <= f.times {
		return judge.Response{}, f.err
	}
	return judge.Response{
		Text:  `{"reason":"r","label":"biased"}`,
		Usage: judge.Usage{InputTokens: 100, OutputTokens: 10},
	}, nil
}

// TestWhatIsSentAgain: how often each failure is sent when it does not end.
func TestWhatIsSentAgain(t *testing.T) {
	const (
		limited, overloaded = evaluators.ErrorJudgeRateLimited, evaluators.ErrorJudgeOverloaded
		unavailable, slow   = evaluators.ErrorJudgeUnavailable, evaluators.ErrorJudgeTimeout
	)
	for _, tt := range []struct {
		name      string
		errorType string
		status    int
		sends     int
	}{
		{"no_connection", unavailable, 0, 3},
		{"request_timeout", slow, 408, 3},
		{"conflict", unavailable, 409, 3},
		{"too_early", unavailable, 425, 3},
		{"rate_limited", limited, 429, 3},
		{"internal", unavailable, 500, 3},
		{"bad_gateway", unavailable, 502, 3},
		{"R09_unavailable", unavailable, 503, 3},
		{"R09_overloaded", overloaded, 503, 3},
		{"R09_gateway_timeout", slow, 504, 3},
		{"overloaded", overloaded, 529, 3},
		{"R08_overloaded_in_the_body", overloaded, 200, 3},
		{"F06_error_in_the_body", unavailable, 200, 3},
		{"F05_arrived_in_part", unavailable, 400, 2},
		{"R15_no_answer_in_time", slow, 0, 2},
		{"not_implemented", unavailable, 501, 1},
		{"R10_quota", evaluators.ErrorJudgeQuota, 429, 1},
		{"R12_spend_limit", evaluators.ErrorJudgeQuota, 429, 1},
		{"R19_auth", evaluators.ErrorJudgeAuth, 401, 1},
		{"R19_billing", evaluators.ErrorJudgeQuota, 402, 1},
		{"R19_model", evaluators.ErrorJudgeModelNotFound, 404, 1},
		{"F01_content_filter", evaluators.ErrorJudgeContentFiltered, 400, 1},
		{"C05_bad_request_of_unknown_cause", evaluators.ErrorJudgeBadRequest, 400, 2}, // once without a format
		{"too_long", evaluators.ErrorJudgeInputTooLong, 413, 2},                       // once with less room for the answer
		{"malformed", evaluators.ErrorJudgeMalformedOutput, 200, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := &failing{times: 100, err: &judge.Error{Type: tt.errorType, Status: tt.status}}
				start := time.Now()
				r := ask(t.Context(), t, newEvaluator(t, c), "bias")
				if r.Outcome != evaluators.OutcomeFailed || r.ErrorType != tt.errorType || r.Attempts != tt.sends || len(c.calls) != tt.sends {
					t.Errorf("%v %q after %d attempts, %d calls; want %q after %d", r.Outcome, r.ErrorType, r.Attempts, len(c.calls), tt.errorType, tt.sends)
				}
				if r.LimitWait != time.Since(start) || r.LimitWait > 3*time.Second {
					t.Errorf("waited %v, took %v: waiting between attempts counts as such", r.LimitWait, time.Since(start))
				}
			})
		})
	}
}

func TestRetryThatHelpsIsScored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &failing{times: 2, err: &judge.Error{Type: evaluators.ErrorJudgeUnavailable, Status: 502}}
		r := ask(t.Context(), t, newEvaluator(t, c), "bias")
		if r.Outcome != evaluators.OutcomeScored || r.Attempts != 3 || r.InputTokens != 100 {
			t.Errorf("%+v", r)
		}
	})
}

// TestRepairsAndRetriesAreCountedApart: each request has its own attempts.
func TestRepairsAndRetriesAreCountedApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down := judgetest.Fail(evaluators.ErrorJudgeUnavailable)
		j := judgetest.NewJudge(judgetest.WithAnswers("", down, down, judgetest.Text("rubbish"), down, down, judgetest.Valid()))
		if r := ask(t.Context(), t, newEvaluator(t, j), "bias"); r.Outcome != evaluators.OutcomeScored || r.Attempts != 6 {
			t.Errorf("%v %q after %d attempts", r.Outcome, r.ErrorType, r.Attempts)
		}
	})
}

// TestBackoffIsSpread: full jitter, within a second and then two.
func TestBackoffIsSpread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for i, most := range []time.Duration{time.Second, 2 * time.Second} {
			var low, high int
			for range 200 {
				c := &failing{times: 100, err: &judge.Error{Type: evaluators.ErrorJudgeUnavailable}}
				ask(t.Context(), t, newEvaluator(t, c), "bias")
				switch d := c.calls[i+1].Sub(c.calls[i]); {
				case d >= most:
					t.Fatalf("retry %d came after %v", i+1, d)
				case d < most/4:
					low++
				case d >= most*3/4:
					high++
				}
			}
			if low < 20 || high < 20 { // 50 each are expected
				t.Errorf("retry %d: %d of 200 in the first quarter, %d in the last", i+1, low, high)
			}
		}
	})
}

// Gates belong to the bubble that they are made in.
func noGate() *limit.Gate       { return nil }
func adaptiveGate() *limit.Gate { return limit.NewGate(limit.WithAdaptive(8)) }

// TestRetryAfterIsKept: never earlier than told, whatever the backoff; by the
// gate where there is one.
func TestRetryAfterIsKept(t *testing.T) {
	const told = 20 * time.Second
	for _, tt := range []struct {
		name    string
		gate    func() *limit.Gate
		failure judge.Error
	}{
		{"R04_own", noGate, judge.Error{Type: evaluators.ErrorJudgeRateLimited, Status: 429, Header: http.Header{"Retry-After": {"20"}}}},
		{"R04_gate", adaptiveGate, judge.Error{Type: evaluators.ErrorJudgeRateLimited, Status: 429, Header: http.Header{"Retry-After": {"20"}}}},
		{"R09_overloaded", adaptiveGate, judge.Error{Type: evaluators.ErrorJudgeOverloaded, Status: 503, Header: http.Header{"Retry-After": {"20"}}}},
		{"R17_in_the_text", adaptiveGate, judge.Error{Type: evaluators.ErrorJudgeRateLimited, Status: 429, Header: http.Header{}, Body: []byte(`{"error":{"message":"Please try again in 20s."}}`)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := &failing{times: 1, err: &tt.failure}
				r := ask(t.Context(), t, newEvaluator(t, c, judge.WithGate(tt.gate())), "bias")
				if r.Outcome != evaluators.OutcomeScored || r.Attempts != 2 {
					t.Fatalf("%v %q after %d attempts", r.Outcome, r.ErrorType, r.Attempts)
				}
				if d := c.calls[1].Sub(c.calls[0]); d < told || d > told+10*time.Second {
					t.Errorf("sent again after %v, told %v", d, told)
				}
				if r.LimitWait < told {
					t.Errorf("counted %v as waiting", r.LimitWait)
				}
			})
		})
	}
}

// TestRetryBeyondTheDeadline: what cannot be sent in time is not waited for.
func TestRetryBeyondTheDeadline(t *testing.T) {
	for _, tt := range []struct {
		name      string
		errorType string
		header    http.Header
	}{
		{"R13", evaluators.ErrorJudgeRateLimited, http.Header{"Retry-After": {"3600"}}},
		{"overloaded", evaluators.ErrorJudgeOverloaded, http.Header{"Retry-After": {"61"}}},
	} {
		for _, gate := range []func() *limit.Gate{noGate, adaptiveGate} {
			t.Run(tt.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					c := &failing{times: 100, err: &judge.Error{Type: tt.errorType, Status: 429, Header: tt.header}}
					ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
					defer cancel()
					start := time.Now()
					r := ask(ctx, t, newEvaluator(t, c, judge.WithGate(gate())), "bias")
					if r.ErrorType != tt.errorType || r.Attempts != 1 || time.Since(start) != 0 {
						t.Errorf("%q after %d attempts and %v", r.ErrorType, r.Attempts, time.Since(start))
					}
				})
			})
		}
	}
}

func TestCancellationEndsTheWaitForARetry(t *testing.T) {
	t.Run("R06", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			c := &failing{times: 100, err: &judge.Error{
				Type: evaluators.ErrorJudgeRateLimited, Status: 429, Header: http.Header{"Retry-After": {"60"}}}}
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(5*time.Second, func() { cancel(errStopping) })
			start := time.Now()
			r := ask(ctx, t, newEvaluator(t, c), "bias")
			if r.ErrorType != evaluators.ErrorShutdown || !errors.Is(r.Err, errStopping) || time.Since(start) != 5*time.Second {
				t.Errorf("%q, %v after %v", r.ErrorType, r.Err, time.Since(start))
			}
		})
	})
}

// TestRetriesAreFew: an outage is not answered with three times the traffic.
func TestRetriesAreFew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const items = 500
		c := &failing{times: 1 << 30, err: &judge.Error{Type: evaluators.ErrorJudgeUnavailable, Status: 500}}
		e := newEvaluator(t, c, judge.WithGate(limit.NewGate(limit.WithBreaker(limit.Breaker{Off: true}))))
		for range items {
			ask(t.Context(), t, e, "bias")
		}
		// A tenth, and the few that a gate allows at first.
		if n := len(c.calls); n > items*12/10 || n == items {
			t.Errorf("%d calls for %d items", n, items)
		}
	})
}

// TestRefusedWaitsForARetry: what a judge refused for its limits is not lost
// because the gate has allowed enough retries for the moment.
func TestRefusedWaitsForARetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := judgetest.NewJudge(judgetest.WithDelay(time.Second))
		e := newEvaluator(t, j, judge.WithGate(limit.NewGate(limit.WithRate(limit.Rate{PerSecond: 20, Burst: 20}))))
		j.Override(judgetest.HTTP(429, http.Header{"Retry-After": {"10"}}, ""), 10*time.Second)
		var items sync.WaitGroup
		var lost atomic.Int64
		evaluate := func() {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			if r := ask(ctx, t, e, "bias"); r.Outcome != evaluators.OutcomeScored {
				lost.Add(1)
			}
		}
		for range 20 { // all refused, where three retries are allowed at first
			items.Go(evaluate)
		}
		for range 600 { // other items
			time.Sleep(100 * time.Millisecond)
			items.Go(evaluate)
		}
		items.Wait()
		if n := j.Count(); lost.Load() > 0 || n > 620*12/10 {
			t.Errorf("%d of 620 lost, %d calls", lost.Load(), n)
		}
	})
}

// TestRefusedAloneFails: where nobody else sends, waiting would earn no retry
// and keep the only worker.
func TestRefusedAloneFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &failing{times: 1 << 30, err: &judge.Error{Type: evaluators.ErrorJudgeRateLimited, Status: 429, Header: http.Header{"Retry-After": {"1"}}}}
		e := newEvaluator(t, c, judge.WithGate(adaptiveGate()))
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		for range 10 {
			start := time.Now()
			if r := ask(ctx, t, e, "bias"); r.ErrorType != evaluators.ErrorJudgeRateLimited || time.Since(start) > 2*time.Minute {
				t.Errorf("%v %q after %v", r.Outcome, r.ErrorType, time.Since(start))
			}
		}
	})
}

// TestOpenCircuit: what no call can change is asked once; the metrics after it
// fail without a call.
func TestOpenCircuit(t *testing.T) {
	for _, tt := range []struct {
		name      string
		errorType string
		status    int
	}{
		{"R10", evaluators.ErrorJudgeQuota, 429},
		{"R19_auth", evaluators.ErrorJudgeAuth, 401},
		{"R19_billing", evaluators.ErrorJudgeQuota, 402},
		{"R19_model", evaluators.ErrorJudgeModelNotFound, 404},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := &failing{times: 100, err: &judge.Error{Type: tt.errorType, Status: tt.status}}
				e := newEvaluator(t, c, judge.WithGate(limit.NewGate(limit.WithBreaker(limit.Breaker{}))))
				if r := ask(t.Context(), t, e, "bias"); r.ErrorType != tt.errorType {
					t.Errorf("first %q", r.ErrorType)
				}
				for range 5 {
					r := ask(t.Context(), t, e, "bias")
					if r.ErrorType != evaluators.ErrorJudgeCircuitOpen || !errors.Is(r.Err, limit.ErrOpen) || r.Attempts != 0 {
						t.Errorf("then %q, %v, %d attempts", r.ErrorType, r.Err, r.Attempts)
					}
				}
				if len(c.calls) != 1 {
					t.Errorf("%d calls", len(c.calls))
				}
				c.times = 1 // it was put right
				time.Sleep(time.Hour)
				for range 2 {
					if r := ask(t.Context(), t, e, "bias"); r.Outcome != evaluators.OutcomeScored {
						t.Errorf("after it was put right: %v %q", r.Outcome, r.ErrorType)
					}
				}
			})
		})
	}
}

// TestCircuitThatOpensBetweenAttempts names both reasons.
func TestCircuitThatOpensBetweenAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &failing{times: 100, err: &judge.Error{Type: evaluators.ErrorJudgeUnavailable, Status: 503}}
		e := newEvaluator(t, c, judge.WithGate(limit.NewGate(limit.WithBreaker(limit.Breaker{Consecutive: 2, OpenFor: time.Minute}))))
		r := ask(t.Context(), t, e, "bias")
		if r.ErrorType != evaluators.ErrorJudgeCircuitOpen || r.Attempts != 2 || !strings.Contains(r.Err.Error(), "status 503") {
			t.Errorf("%q after %d attempts: %v", r.ErrorType, r.Attempts, r.Err)
		}
	})
}

// TestMetricsOwnUnknownModelStopsNobodyElse: bias(model=typo) must not open
// the circuit of the judge.
func TestMetricsOwnUnknownModelStopsNobodyElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clientFunc(func(_ context.Context, r judge.Request) (judge.Response, error) {
			if r.Model == "typo" {
				return judge.Response{}, &judge.Error{Type: evaluators.ErrorJudgeModelNotFound, Status: 404}
			}
			return judge.Response{Text: `{"reason":"r","label":"biased"}`}, nil
		})
		e := newEvaluator(t, c, judge.WithModel("good"), judge.WithGate(limit.NewGate(limit.WithBreaker(limit.Breaker{}))))
		m := metricsNamed(t, e, "bias", "bias")
		m[0].Model = "typo"
		r := e.Evaluate(t.Context(), fullCase(), m)
		if r[0].ErrorType != evaluators.ErrorJudgeModelNotFound || r[1].Outcome != evaluators.OutcomeScored {
			t.Errorf("%q, then %v %q", r[0].ErrorType, r[1].Outcome, r[1].ErrorType)
		}
	})
}

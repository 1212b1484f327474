package judge_test

import (
	"context"
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

// TestUnknownLimits: workers that share a gate find out what a judge allows.
// Little is refused, and nothing is lost; where the judge does not say when to
// come again, hardly anything: one item can be refused three times.
func TestUnknownLimits(t *testing.T) {
	for _, tt := range []struct {
		name    string
		policy  judgetest.Policy
		headers judgetest.Headers
		lost    int64 // at most
	}{
		{"R05_R16", judgetest.Bucket(5, time.Second, 5), judgetest.HeaderRetryAfter, 0},
		{"R14_concurrency_without_headers", judgetest.Concurrency(3), judgetest.HeaderNone, 2},
		{"window_without_headers", judgetest.SlidingWindow(50, 10*time.Second), judgetest.HeaderNone, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const items, metrics, workers = 50, 4, 8
				j := judgetest.NewJudge(judgetest.WithPolicies(tt.policy), judgetest.WithLimitHeaders(tt.headers), judgetest.WithDelay(500*time.Millisecond))
				e := newEvaluator(t, j, judge.WithGate(limit.NewGate(limit.WithAdaptive(workers*metrics), limit.WithBreaker(limit.Breaker{}))))
				work := make(chan *evaluators.Case, items)
				for range items {
					work <- fullCase()
				}
				close(work)
				var running sync.WaitGroup
				var lost atomic.Int64
				for range workers {
					running.Go(func() {
						for c := range work {
							ticket, err := e.Gate().Admit(context.Background())
							if err != nil {
								t.Error(err)
								return
							}
							ctx, cancel := context.WithTimeout(ticket.Context(context.Background()), time.Minute)
							var group sync.WaitGroup
							for _, m := range e.Metrics() {
								group.Go(func() {
									r := e.Evaluate(ctx, c, []evaluators.Metric{m})[0]
									if r.Outcome != evaluators.OutcomeScored && lost.Add(1) > tt.lost {
										t.Errorf("%s: %v %q after %d attempts: %v", r.Metric, r.Outcome, r.ErrorType, r.Attempts, r.Err)
									}
								})
							}
							group.Wait()
							cancel()
							ticket.Close()
						}
					})
				}
				running.Wait()
				s := j.Stats()
				if s.RateLimited > s.Calls/10 {
					t.Errorf("%d of %d calls were refused", s.RateLimited, s.Calls)
				}
			})
		})
	}
}

// TestFirstSendIsImmediate: a gate that learns does not begin with waiting.
func TestFirstSendIsImmediate(t *testing.T) {
	t.Run("R07", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			e := newEvaluator(t, judgetest.NewJudge(), judge.WithGate(limit.NewGate(limit.WithRate(limit.Rate{PerSecond: 1, Burst: 1}), limit.WithAdaptive(16))))
			if r := ask(t.Context(), t, e, "bias"); r.LimitWait != 0 {
				t.Errorf("waited %v", r.LimitWait)
			}
		})
	})
}

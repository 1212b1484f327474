package runner_test

import (
	"context"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/limit"
	"github.com/genaievals/genaievals/runner"
)

// asJudge is an evaluator that says it is an LLM judge.
type asJudge struct{ evaluators.Evaluator }

func (asJudge) Type() string { return evaluators.TypeLLMJudge }

// timed is a judge that takes a while, and notes when it was called.
type timed struct {
	mu sync.Mutex
	at []time.Time
}

func (c *timed) judge(name string, takes time.Duration) evaluators.Evaluator {
	metric := evaluators.Metric{Name: name + "_metric", Threshold: 0.5}
	return asJudge{evaluators.Func(name, metric, func(ctx context.Context, _ *evaluators.Case) evaluators.Result {
		c.mu.Lock()
		c.at = append(c.at, time.Now())
		c.mu.Unlock()
		select {
		case <-time.After(takes):
			return evaluators.Scored(metric.Name, 1, "", "")
		case <-ctx.Done():
			return evaluators.Failed(metric.Name, evaluators.ErrorCancelled, ctx.Err())
		}
	})}
}

func perMinute(t *testing.T, text string) *limit.Gate {
	t.Helper()
	rate, err := limit.ParseRate(text)
	if err != nil {
		t.Fatal(err)
	}
	return limit.NewGate(limit.WithRate(rate))
}

// The rates of two judges are kept and used, each by itself: the fast one has
// finished its 500 items long before the slow one.
func TestEachJudgeRunsAtItsOwnRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var slow, fast timed
		s := of(slow.judge("slow", 2*time.Second), fast.judge("fast", 2*time.Second))
		s.gates = map[string]*limit.Gate{"slow": perMinute(t, "60/min"), "fast": perMinute(t, "1000/min")}
		began := time.Now()
		r, err := runner.Start(t.Context(), numbered(500), s, runner.WithConcurrency(64))
		if err != nil {
			t.Fatal(err)
		}
		status, err := r.Wait()
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range status.Evaluators {
			if m := e.Metrics[0]; m.Scored != 500 || len(m.Failed) > 0 {
				t.Errorf("%s: %+v", e.Name, m)
			}
		}
		for name, tt := range map[string]struct {
			at   []time.Time
			rate float64
		}{"slow": {slow.at, 1}, "fast": {fast.at, 1000.0 / 60}} {
			took := tt.at[len(tt.at)-1].Sub(tt.at[0]).Seconds()
			if rate := float64(len(tt.at)-1) / took; math.Abs(rate/tt.rate-1) > 0.01 {
				t.Errorf("%s: %d calls at %.4f of its rate", name, len(tt.at), rate/tt.rate)
			}
		}
		if last := fast.at[len(fast.at)-1].Sub(began); last > 31*time.Second {
			t.Errorf("the fast one took %v, held up by the slow one", last)
		}
	})
}

// Waiting for a limit is bounded by the run alone: no metric's, no item's time
// runs meanwhile.
func TestWaitingForALimitIsNotHeldAgainstAMetric(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var slow timed
		s := of(slow.judge("slow", time.Second))
		s.timeout = 3 * time.Second
		s.gates["slow"] = perMinute(t, "2/min")
		r, err := runner.Start(t.Context(), numbered(10), s, runner.WithItemTimeout(4*time.Second))
		if err != nil {
			t.Fatal(err)
		}
		status, err := r.Wait()
		if m := status.Evaluators[0].Metrics[0]; err != nil || m.Scored != 10 {
			t.Fatalf("%v: %+v", err, m)
		} else if m.LimitWait.Max < time.Minute || m.Latency.Max > time.Second {
			t.Errorf("waited %v, took %v", m.LimitWait, m.Latency)
		}
	})
}

// own passes its gate itself, twice in an evaluation: once the gate is in a
// pause that is longer than the metric may take.
type own struct {
	evaluators.Evaluator
	gate *limit.Gate
}

func (o own) Gate() *limit.Gate { return o.gate }
func (o own) Type() string      { return evaluators.TypeLLMJudge }

func (o own) Evaluate(ctx context.Context, c *evaluators.Case, metrics []evaluators.Metric) []evaluators.Result {
	for range 2 {
		permit, err := o.gate.Acquire(ctx)
		if err != nil {
			return []evaluators.Result{evaluators.Failed(metrics[0].Name, evaluators.ErrorJudgeRateLimited, err)}
		}
		time.Sleep(time.Second)
		permit.Release()
	}
	return o.Evaluator.Evaluate(ctx, c, metrics)
}

func TestWaitingInsideAnEvaluationIsNotHeldAgainstIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := of(own{scores("judge", "good"), perMinute(t, "1/min,burst=1")})
		s.timeout = 3 * time.Second
		s.assignments[0].Metrics[instrumentation.KindInference][0].Timeout = 0
		r, err := runner.Start(t.Context(), numbered(3), s)
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		time.Sleep(30 * time.Second)
		if e := r.Status().Evaluators[0]; e.Waiting != e.Running || e.Running == 0 {
			t.Errorf("%d of %d wait", e.Waiting, e.Running)
		}
		status, err := r.Wait()
		if m := status.Evaluators[0].Metrics[0]; err != nil || m.Scored != 3 {
			t.Fatalf("%v: %+v", err, m)
		}
	})
}

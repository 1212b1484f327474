package runner_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/limit"
	"github.com/genaievals/genaievals/runner"
)

func TestProgressIsToldAfterEachItem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var slow timed
		var told []runner.Progress
		_, err := wait(t, numbered(40), of(slow.judge("slow", time.Second)), runner.WithConcurrency(1), runner.WithTotal(40), runner.WithName("nightly"),
			runner.WithProgress(func(p runner.Progress) { told = append(told, p) }))
		if err != nil || len(told) != 41 {
			t.Fatalf("%v: told %d times", err, len(told))
		}
		for i, p := range told[:40] {
			n := int64(i + 1)
			if p.Done != n || p.Name != "nightly" || p.Total != 40 || p.InFlight != 40-n || p.Elapsed != time.Duration(n)*time.Second {
				t.Errorf("%d: %+v", i, p)
			}
			if known := p.ETA > 0; known != (n >= 10 && n < 40) {
				t.Errorf("after %d items %v are left", n, p.ETA)
			}
			if n > 1 && math.Abs(p.Rate-1) > 0.01 {
				t.Errorf("after %d items the rate is %v", n, p.Rate)
			}
			if n >= 10 && math.Abs(p.ETA.Seconds()-float64(40-n)) > 0.5 {
				t.Errorf("after %d items %v are left", n, p.ETA)
			}
		}
	})
}

// A function that takes long is told the latest and the last, and holds nothing
// up.
func TestASlowProgressFunctionIsToldTheLatest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []int64
		var at time.Time
		began := time.Now()
		s := of(does("x", func(context.Context, *evaluators.Case) evaluators.Result {
			time.Sleep(10 * time.Millisecond)
			at = time.Now()
			return evaluators.Scored("x", 1, "", "")
		}))
		s.assignments[0].Evaluator = asJudge{s.assignments[0].Evaluator}
		var calls atomic.Int32
		_, err := wait(t, numbered(1000), s, runner.WithConcurrency(1), runner.WithProgress(func(p runner.Progress) {
			if calls.Add(1) != 1 {
				t.Error("called while it runs")
			}
			told = append(told, p.Done)
			time.Sleep(3 * time.Second)
			calls.Add(-1)
		}))
		if took := at.Sub(began); err != nil || took != 10*time.Second {
			t.Errorf("%v: the run took %v", err, took)
		}
		if !slices.IsSorted(told) || told[0] != 1 || told[len(told)-1] != 1000 || len(told) > 5 {
			t.Errorf("told %v", told)
		}
	})
}

// Neither does one that never comes back.
func TestAProgressFunctionThatHangsIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		status, err := wait(t, numbered(100), of(scores("a", "good")), runner.WithProgress(func(runner.Progress) { <-release }))
		if err != nil || status.Done != 100 {
			t.Errorf("%v: %d done", err, status.Done)
		}
		close(release)
	})
}

func TestProgressTellsWhatWasSpentAndWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := asJudge{does("x", func(context.Context, *evaluators.Case) evaluators.Result {
			time.Sleep(time.Second)
			r := evaluators.Scored("x", 1, "", "")
			r.Cost, r.HasCost, r.InputTokens, r.OutputTokens, r.Attempts = 0.25, true, 100, 10, 2
			return r
		})}
		s := of(e)
		s.gates["x"] = perMinute(t, "strict:6/min")
		r, err := runner.Start(t.Context(), numbered(4), s, runner.WithConcurrency(4))
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(500 * time.Millisecond)
		if p := r.Status(); p.Waiting != 0.75 || p.HasSpend {
			t.Errorf("%+v", p.Progress)
		}
		status, err := r.Wait()
		if err != nil || status.Spend != 1 || !status.HasSpend || status.InputTokens != 400 || status.OutputTokens != 40 || status.Waiting != 0 {
			t.Errorf("%v: %+v", err, status.Progress)
		}
		if m := status.Evaluators[0].Metrics[0]; m.Attempts != 8 || m.Cost != 1 || m.LimitWait.Count != 3 || status.Evaluators[0].Gate.Sends != 4 {
			t.Errorf("%+v", m)
		}
	})
}

func TestRefusalsOfJudgesAreCounted(t *testing.T) {
	gate := limit.NewGate(limit.WithAdaptive(8))
	refuse := func() {
		permit, err := gate.Acquire(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		permit.Done(limit.Outcome{Result: limit.ResultRateLimited})
	}
	refuse() // before the run
	s := of(does("x", func(context.Context, *evaluators.Case) evaluators.Result { return evaluators.Scored("x", 1, "", "") }))
	s.gates["x"] = gate
	once := false
	status, err := wait(t, numbered(3), s, runner.WithOnResult(func(runner.ItemResult) {
		if !once {
			once = true
			refuse()
		}
	}), runner.WithWindow(1, 1<<20))
	if err != nil || status.RateLimited != 1 {
		t.Errorf("%v: %d refusals", err, status.RateLimited)
	}
}

// An evaluator that never will answer is not waited for.
func TestAJudgeThatCannotBeAskedEndsTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := limit.NewGate(limit.WithBreaker(limit.Breaker{}))
		e := asJudge{does("judge", func(ctx context.Context, _ *evaluators.Case) evaluators.Result {
			permit, err := gate.Acquire(ctx)
			if err != nil {
				return evaluators.Failed("judge", evaluators.ErrorJudgeCircuitOpen, err)
			}
			permit.Done(limit.Outcome{Result: limit.ResultFatal})
			return evaluators.Failed("judge", evaluators.ErrorJudgeAuth, errors.New("401"))
		})}
		began := time.Now()
		status, err := wait(t, numbered(1000), of(gatedBy{e, gate}), runner.WithConcurrency(1))
		if !errors.Is(err, runner.ErrHopeless) || time.Since(began) > time.Second || status.Done > 1 {
			t.Errorf("ended by %v after %v, %d done", err, time.Since(began), status.Done)
		}
	})
}

type gatedBy struct {
	evaluators.Evaluator
	gate *limit.Gate
}

func (g gatedBy) Gate() *limit.Gate { return g.gate }

func TestAProgressFunctionThatHangsDoesNotHoldTheEndUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		hanging := make(chan struct{})
		var slow timed
		run, err := runner.Start(ctx, numbered(40), of(slow.judge("slow", time.Second)), runner.WithConcurrency(1),
			runner.WithProgress(func(runner.Progress) { <-hanging }))
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Second)
		began := time.Now()
		cancel()
		if _, err := run.Wait(); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if took := time.Since(began); took > 1100*time.Millisecond {
			t.Errorf("the end took %v", took)
		}
		close(hanging)
	})
}

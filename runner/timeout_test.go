package runner_test

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/runner"
)

// does is a deterministic evaluator whose work is f.
func does(name string, f func(ctx context.Context, c *evaluators.Case) evaluators.Result) evaluators.Evaluator {
	return evaluators.Func(name, evaluators.Metric{Name: name, Threshold: 0.5}, f)
}

func wait(t *testing.T, items runner.Dataset, s set, options ...runner.Option) (runner.Status, error) {
	t.Helper()
	r, err := runner.Start(t.Context(), items, s, options...)
	if err != nil {
		t.Fatal(err)
	}
	return r.Wait()
}

// Whatever an evaluator does with its time, its metric fails after it, and the
// others do not.
func TestAnEvaluatorThatTakesTooLongFails(t *testing.T) {
	for name, f := range map[string]func(ctx context.Context){
		"returns with its context": func(ctx context.Context) { <-ctx.Done() },
		"derives a context": func(ctx context.Context) {
			ctx, cancel := context.WithTimeout(ctx, time.Hour)
			defer cancel()
			<-ctx.Done()
		},
		"derives a context below a value": func(ctx context.Context) {
			ctx, cancel := context.WithCancel(context.WithValue(ctx, anyKey{}, 1))
			defer cancel()
			<-ctx.Done()
		},
		"asks for the deadline": func(ctx context.Context) {
			at, ok := ctx.Deadline()
			if !ok {
				t.Error("no deadline")
			}
			time.Sleep(time.Until(at))
		},
		"asks how it stands": func(ctx context.Context) {
			for ctx.Err() == nil {
				time.Sleep(time.Millisecond)
			}
			if !errors.Is(ctx.Err(), context.DeadlineExceeded) || !errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
				t.Errorf("ended by %v, %v", ctx.Err(), context.Cause(ctx))
			}
		},
		"ignores it": func(context.Context) { time.Sleep(time.Hour) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				slow := does("slow", func(ctx context.Context, c *evaluators.Case) evaluators.Result {
					if c.ID == "item-3" {
						f(ctx)
						return evaluators.Failed("slow", evaluators.ErrorEvaluatorTimeout, ctx.Err())
					}
					return evaluators.Scored("slow", 1, "", "")
				})
				s := of(slow, scores("quick", "good"))
				s.timeout = 5 * time.Second
				began := time.Now()
				status, err := wait(t, numbered(100), s)
				if err != nil {
					t.Fatal(err)
				}
				m := status.Evaluators[0].Metrics[0]
				if m.Scored != 99 || m.Failed[evaluators.ErrorEvaluatorTimeout] != 1 || status.Failed != 1 || status.Done != 100 {
					t.Errorf("%+v", m)
				}
				if took := time.Since(began); took < 5*time.Second || took > 5*time.Second+100*time.Millisecond {
					t.Errorf("took %v", took)
				}
				time.Sleep(time.Hour) // until who was left is back
				synctest.Wait()
			})
		})
	}
}

// The timer that watches is set for the first call; later ones have their own
// time nevertheless.
func TestEachCallHasItsOwnTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := of(does("x", func(ctx context.Context, _ *evaluators.Case) evaluators.Result {
			select {
			case <-ctx.Done():
				return evaluators.Failed("x", evaluators.ErrorEvaluatorTimeout, ctx.Err())
			case <-time.After(700 * time.Millisecond):
				return evaluators.Scored("x", 1, "", "")
			}
		}))
		s.timeout = time.Second
		status, err := wait(t, numbered(50), s)
		if m := status.Evaluators[0].Metrics[0]; err != nil || m.Scored != 50 {
			t.Errorf("%v: %+v", err, m)
		}
	})
}

func TestTooManyStuckEvaluationsEndTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var calls atomic.Int64
		s := of(does("deaf", func(context.Context, *evaluators.Case) evaluators.Result {
			calls.Add(1)
			<-release
			return evaluators.Scored("deaf", 1, "", "")
		}))
		s.timeout = time.Second
		status, err := wait(t, numbered(1000), s)
		if !errors.Is(err, runner.ErrStuck) || status.Incomplete == "" {
			t.Errorf("ended by %v, %q", err, status.Incomplete)
		}
		most := max(8, runtime.GOMAXPROCS(0))
		if n := status.Evaluators[0].Stuck; n < most || n > 2*most {
			t.Errorf("%d are stuck", n)
		}
		close(release)
		synctest.Wait()
		if n := int(calls.Load()); n > 3*most {
			t.Errorf("%d calls were made", n)
		}
	})
}

func TestTheTimeOfAnItemBoundsItsEvaluations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		takes := func(name string, d time.Duration) evaluators.Evaluator {
			return does(name, func(ctx context.Context, _ *evaluators.Case) evaluators.Result {
				select {
				case <-ctx.Done():
					return evaluators.Failed(name, evaluators.ErrorEvaluatorTimeout, ctx.Err())
				case <-time.After(d):
					return evaluators.Scored(name, 1, "", "")
				}
			})
		}
		// The task takes half of the time; what waits in the lane's queue is not the
		// item's time. Few come at once, so that the quick one is done with each
		// before the slow one has used its time up, in whatever order they take them.
		s := of(takes("quick", time.Second/4), takes("slow", 4*time.Second))
		status, err := wait(t, numbered(20), s, runner.WithItemTimeout(4*time.Second), runner.WithTaskConcurrency(4), runner.WithTask(func(ctx context.Context, _ runner.Item) (string, error) {
			time.Sleep(2 * time.Second)
			return "answer", ctx.Err()
		}))
		if err != nil {
			t.Fatal(err)
		}
		if m := status.Evaluators[0].Metrics[0]; m.Scored != 20 {
			t.Errorf("%+v", m)
		}
		if m := status.Evaluators[1].Metrics[0]; m.Failed[evaluators.ErrorEvaluatorTimeout] != 20 || status.Failed != 20 {
			t.Errorf("%+v", m)
		}
	})
}

func TestTheTimeOfAnItemCanBeOverBeforeAnEvaluatorIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		status, err := wait(t, numbered(3), of(scores("a", "good")), runner.WithItemTimeout(time.Second),
			runner.WithTask(func(ctx context.Context, _ runner.Item) (string, error) {
				time.Sleep(time.Second + 20*time.Millisecond)
				return "late, but there", nil
			}))
		if m := status.Evaluators[0].Metrics[0]; err != nil || m.Failed[runner.ErrorItemTimeout] != 3 {
			t.Errorf("%v: %+v", err, m)
		}
	})
}

func TestTheTimeOfARunEndsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := of(does("x", func(ctx context.Context, _ *evaluators.Case) evaluators.Result {
			if at, ok := ctx.Deadline(); !ok || time.Until(at) > time.Minute {
				t.Errorf("the deadline is %v", at)
			}
			time.Sleep(time.Second)
			return evaluators.Scored("x", 1, "", "")
		}))
		began := time.Now()
		status, err := wait(t, numbered(1000), s, runner.WithRunTimeout(10500*time.Millisecond))
		if !errors.Is(err, runner.ErrRunTimeout) || status.Incomplete == "" {
			t.Errorf("ended by %v, %q", err, status.Incomplete)
		}
		if took := time.Since(began); took > 11*time.Second {
			t.Errorf("took %v", took)
		}
		if want := int64(10 * runtime.GOMAXPROCS(0)); status.Done != want {
			t.Errorf("%d done, want %d", status.Done, want)
		}
		time.Sleep(time.Second) // until who was left is back
	})
}

// A run that is called off stops at once, and what was cut short is no result.
func TestTheEndOfTheContextEndsTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		why := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		var slow timed
		s := of(slow.judge("slow", time.Hour), scores("quick", "good"))
		s.timeout = 2 * time.Hour
		j := &memory{}
		r, err := runner.Start(ctx, numbered(100), s, runner.WithJournal(j), runner.WithConcurrency(4))
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		began := time.Now()
		cancel(why)
		status, err := r.Wait()
		if took := time.Since(began); !errors.Is(err, why) || took > 100*time.Millisecond {
			t.Errorf("ended by %v after %v", err, took)
		}
		if status.Incomplete != why.Error() || status.Done != 0 || status.InFlight == 0 || status.Ended.IsZero() {
			t.Errorf("%+v", status.Progress)
		}
		quick, failed := 0, 0
		for _, rec := range j.records {
			for _, res := range rec.Results {
				if res.Outcome != evaluators.OutcomeScored {
					failed++
				} else {
					quick++
				}
			}
		}
		if quick != 100 || failed != 0 || j.synced != len(j.records) {
			t.Errorf("%d quick results and %d others, %d of %d records synced", quick, failed, j.synced, len(j.records))
		}
	})
}

// anyKey is that of a value that nobody asks for.
type anyKey struct{}

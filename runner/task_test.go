package runner_test

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/limit"
	"github.com/genaievals/genaievals/runner"
)

func TestATaskProducesTheOutput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running, most atomic.Int64
		task := func(ctx context.Context, item runner.Item) (string, error) {
			most.Store(max(most.Load(), running.Add(1)))
			defer running.Add(-1)
			if instrumentation.Suppressed(ctx) {
				t.Error("what the task calls is not recorded")
			}
			time.Sleep(time.Second)
			return "made for " + item.ID, nil
		}
		began := time.Now()
		status, err := wait(t, numbered(100), of(scores("x", "good")), runner.WithTask(task), runner.WithTaskConcurrency(10), runner.WithOnResult(func(r runner.ItemResult) {
			if r.Output != "made for "+r.Item.ID || r.Item.Output == r.Output {
				t.Errorf("%+v", r)
			}
		}))
		if err != nil || status.Done != 100 || most.Load() != 10 || time.Since(began) != 10*time.Second {
			t.Errorf("%v: %d done, %d at once, %v", err, status.Done, most.Load(), time.Since(began))
		}
	})
}

// What a task calls is recorded, and no completion of it is evaluated.
func TestATasksCallsAreNeverEvaluated(t *testing.T) {
	var suppressed, recorded atomic.Int64
	h := instrumentation.NewHandler()
	h.Register(instrumentation.CompletionCallbackFunc(func(inv *instrumentation.Invocation) {
		recorded.Add(1)
		if s := inv.Summary(); s.Has(instrumentation.FlagSuppressed) {
			suppressed.Add(1)
		}
	}))
	task := func(ctx context.Context, _ runner.Item) (string, error) {
		_, inv := h.StartInference(ctx, instrumentation.Inference{})
		inv.End()
		return "x", nil
	}
	if _, err := wait(t, numbered(5), of(scores("x", "good")), runner.WithTask(task)); err != nil {
		t.Fatal(err)
	}
	if recorded.Load() != 5 || suppressed.Load() != 5 {
		t.Errorf("%d recorded, %d not to be evaluated", recorded.Load(), suppressed.Load())
	}
}

func TestATaskThatFailsFailsTheItem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		task := func(ctx context.Context, item runner.Item) (string, error) {
			switch item.ID {
			case "item-0":
				return "", errors.New("no route to host")
			case "item-1":
				panic("secret")
			case "item-2":
				runtime.Goexit()
			case "item-3":
				<-ctx.Done()
				return "", ctx.Err()
			case "item-4":
				time.Sleep(time.Hour)
			case "item-5":
				return "", touchy{}
			}
			return "answer", nil
		}
		got := map[string]string{}
		status, err := wait(t, numbered(100), of(scores("x", "good")), runner.WithTask(task), runner.WithItemTimeout(time.Minute), runner.WithTaskConcurrency(2),
			runner.WithOnResult(func(r runner.ItemResult) {
				if r.Err != nil {
					got[r.Item.ID] = r.ErrorType + ": " + r.Err.Error()
				}
			}))
		want := map[string]string{
			"item-0": "task_failed: no route to host",
			"item-1": "task_failed: panic: string",
			"item-2": "task_failed: the task ended its goroutine",
			"item-3": "item_timeout: context deadline exceeded",
			"item-4": "item_timeout: the task: context deadline exceeded",
			"item-5": "task_failed: an error that panicked when asked for its text: string",
		}
		if diff := cmp.Diff(want, got); diff != "" || err != nil || status.Evaluators[0].Metrics[0].Scored != 94 {
			t.Errorf("%v, -want +got:\n%s", err, diff)
		}
		time.Sleep(time.Hour) // until who was left is back
	})
}

func TestATaskHasItsOwnLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := perMinute(t, "strict:60/min")
		began := time.Now()
		status, err := wait(t, numbered(30), of(scores("x", "good")), runner.WithTaskGate(gate), runner.WithItemTimeout(time.Second),
			runner.WithTask(func(context.Context, runner.Item) (string, error) { return "x", nil }))
		if took := time.Since(began); err != nil || took < 29*time.Second || took > 29100*time.Millisecond || status.Evaluators[0].Metrics[0].Scored != 30 {
			t.Errorf("%v: took %v, %+v", err, took, status.Evaluators[0].Metrics[0])
		}
		budget, err := limit.ParseBudget("1usd/day")
		if err != nil {
			t.Fatal(err)
		}
		spent := limit.NewGate(limit.WithBudget(budget))
		if permit, err := spent.Acquire(t.Context()); err == nil {
			permit.Done(limit.Outcome{Result: limit.ResultOK, Cost: 1, HasCost: true})
		}
		status, err = wait(t, numbered(3), of(scores("x", "good")), runner.WithTaskGate(spent),
			runner.WithTask(func(context.Context, runner.Item) (string, error) { return "x", nil }))
		if err != nil || status.ItemsFailed[runner.ErrorTask] != 3 {
			t.Errorf("%v: %v", err, status.ItemsFailed)
		}
	})
}

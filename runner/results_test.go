package runner_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/runner"
)

func TestResultsComeInTheOrderOfTheDataset(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := of(asJudge{does("x", func(context.Context, *evaluators.Case) evaluators.Result {
			time.Sleep(time.Duration(rand.N(1000)) * time.Millisecond)
			return evaluators.Scored("x", 1, "", "")
		})}, scores("y", "good"))
		var next int64
		for r, err := range runner.Results(t.Context(), numbered(500), s, runner.WithOrdered(true), runner.WithWindow(50, 1<<20)) {
			if err != nil {
				t.Fatal(err)
			}
			if r.Item.Index != next || r.Item.ID != fmt.Sprint("item-", next) || len(r.Results) != 2 || r.Output != fmt.Sprint("answer ", next) {
				t.Fatalf("got %+v, want the item %d", r.Item, next)
			}
			next++
		}
		if next != 500 {
			t.Errorf("%d results", next)
		}
	})
}

func TestBreakingOutOfResultsEndsTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var slow timed
		n := 0
		for range runner.Results(t.Context(), numbered(100_000), of(slow.judge("slow", time.Second)), runner.WithConcurrency(2)) {
			if n++; n == 3 {
				break
			}
		}
		if len(slow.at) > 8 {
			t.Errorf("%d calls for 3 results", len(slow.at))
		}
	}) // which finds no goroutine left behind
}

func TestTheErrorOfARunIsTheLastOfTheResults(t *testing.T) {
	broken := errors.New("broken")
	var last error
	n := 0
	for r, err := range runner.Results(t.Context(), dataset(read{item: runner.Item{Output: "a"}}, read{err: broken}), of(scores("x", "good"))) {
		if last = err; err == nil {
			n += len(r.Results)
		}
	}
	if !errors.Is(last, broken) || n != 1 {
		t.Errorf("%d results, then %v", n, last)
	}
	for _, err := range runner.Results(t.Context(), nil, of(scores("x", "good"))) {
		last = err
	}
	if !errors.Is(last, runner.ErrOption) {
		t.Errorf("got %v", last)
	}
}

// Whoever is slow to take results holds the run up, and nothing piles up.
func TestASlowReceiverHoldsTheRunUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var given atomic.Int64
		items := func(yield func(runner.Item, error) bool) {
			for item, err := range numbered(1000) {
				given.Add(1)
				if !yield(item, err) {
					return
				}
			}
		}
		var taken, most int64
		status, err := wait(t, items, of(scores("x", "good")), runner.WithWindow(100, 1<<30), runner.WithOnResult(func(runner.ItemResult) {
			time.Sleep(time.Second)
			most = max(most, given.Load()-taken)
			taken++
		}))
		if err != nil || status.Done != 1000 || taken != 1000 || most > 100+64+1 {
			t.Errorf("%v: %d taken, at most %d ahead", err, taken, most)
		}
	})
}

// A slow judge lets the others run ahead as far as the window.
func TestTheWindowBoundsWhatIsHeld(t *testing.T) {
	for name, tt := range map[string]struct {
		items int
		bytes int64
		size  int
		most  int64
	}{
		"by number":              {10, 1 << 30, 100, 10},
		"by bytes":               {1000, 20 << 10, 4 << 10, 4},
		"a large one goes alone": {1000, 1 << 10, 8 << 10, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var given atomic.Int64
				items := func(yield func(runner.Item, error) bool) {
					for i := range 50 {
						given.Add(1)
						if !yield(runner.Item{ID: fmt.Sprint(i), Output: string(make([]byte, tt.size))}, nil) {
							return
						}
					}
				}
				var slow timed
				r, err := runner.Start(t.Context(), items, of(slow.judge("slow", time.Second), scores("x", "good")), runner.WithWindow(tt.items, tt.bytes), runner.WithConcurrency(1))
				if err != nil {
					t.Fatal(err)
				}
				for range 50 {
					synctest.Wait()
					s := r.Status()
					if s.InFlight > tt.most || given.Load()-s.Done > tt.most+1 {
						t.Fatalf("%d in flight, %d ahead", s.InFlight, given.Load()-s.Done)
					}
					if e := s.Evaluators[0]; int64(e.Queued+e.Running) != s.InFlight {
						t.Fatalf("%d queued, %d running, %d in flight", e.Queued, e.Running, s.InFlight)
					}
					time.Sleep(time.Second)
				}
				if s, err := r.Wait(); err != nil || s.Done != 50 {
					t.Errorf("%v: %d done", err, s.Done)
				}
			})
		})
	}
}

package manager_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/limit"
	"github.com/genaievals/genaievals/manager"
)

func TestShutdownDrainsWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBundle(t, manager.Config{}, newDouble(good(time.Second), "quality"))
		_ = b.Start()
		for i := range 4 {
			b.invoke(fmt.Sprint(i))
		}
		began := time.Now()
		if err := b.Shutdown(context.Background()); err != nil { // 5 s by default
			t.Fatal(err)
		}
		if took := time.Since(began); took != 4*time.Second {
			t.Errorf("took %v, want as long as the work", took)
		}
		if len(b.results()) != 4 || len(b.drops()) != 0 {
			t.Errorf("%d results and %d drops, want 4 and 0", len(b.results()), len(b.drops()))
		}
		checkLaws(t, b.Status())
	})
}

func TestShutdownGivesUpWhenItsContextEnds(t *testing.T) {
	for _, concurrent := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			b := newBundle(t, manager.Config{Concurrent: concurrent, Workers: 1, MaxConcurrent: 1}, newDouble(good(10*time.Second), "a", "b"))
			_ = b.Start()
			for i := range 3 {
				b.invoke(fmt.Sprint(i))
			}
			synctest.Wait()
			ctx, cancel := context.WithTimeout(context.Background(), 12*time.Second)
			defer cancel()
			began := time.Now()
			err := b.Shutdown(ctx)
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("the error is %v", err)
			}
			if took := time.Since(began); took > 12*time.Second+100*time.Millisecond {
				t.Errorf("returned after %v", took)
			}
			want := []string{"0 a scored Good", "0 b failed evaluator_timeout"}
			if got := b.outcomes(); !slices.Equal(got, want) && !slices.Equal(got, []string{"0 a scored Good", "0 b failed shutdown"}) {
				t.Errorf("results are %q", got)
			}
			if want := []string{"shutdown", "shutdown"}; !slices.Equal(b.drops(), want) {
				t.Errorf("drops are %q, want %q", b.drops(), want)
			}
			checkLaws(t, b.Status())
			if b.invoke("late"); b.Status().Door.Skipped["disabled"] != 1 {
				t.Error("an invocation after shutdown was not skipped as disabled")
			}
		})
	}
}

// Workers that wait for a permit before they take anything have nothing to
// finish.
func TestShutdownDoesNotWaitForAGateWithNothingToSend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rate, err := limit.ParseRate("10/hour")
		if err != nil {
			t.Fatal(err)
		}
		cfg := manager.Config{Concurrent: true, Workers: 4, Gates: map[string]*limit.Gate{"double": limit.NewGate(limit.WithRate(rate))}}
		b := newBundle(t, cfg, newDouble(good(time.Second), "quality"))
		_ = b.Start()
		b.invoke("x")
		synctest.Wait()
		b.invoke("y") // woken workers wait for a permit in six minutes
		time.Sleep(time.Minute)
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
		defer cancel()
		began := time.Now()
		if err := b.Shutdown(ctx); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took > 6*time.Minute {
			t.Errorf("took %v, longer than the one that waited", took)
		}
		if got := len(b.results()); got != 2 {
			t.Errorf("%d results, want 2", got)
		}
	})
}

// Running metrics whose evaluator does not look at its context fail as
// shutdown, and the shutdown still returns in time.
func TestShutdownLeavesTheStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		d := newDouble(func(_ context.Context, _ *evaluators.Case, m evaluators.Metric) evaluators.Result {
			<-release
			return evaluators.Scored(m.Name, 1, "Good", "")
		}, "a", "b")
		b := newBundle(t, manager.Config{Concurrent: true}, d)
		_ = b.Start()
		b.invoke("x")
		synctest.Wait()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		began := time.Now()
		_ = b.Shutdown(ctx)
		if took := time.Since(began); took > 1100*time.Millisecond {
			t.Errorf("returned after %v, want within 100 ms of 1 s", took)
		}
		if want := []string{"x a failed shutdown", "x b failed shutdown"}; !slices.Equal(b.outcomes(), want) {
			t.Errorf("results are %q, want %q", b.outcomes(), want)
		}
		checkLaws(t, b.Status())
	})
}

func TestShutdownReturnsBesideAHandlerThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		cfg := manager.Config{ResultHandlers: []manager.ResultHandler{func(*instrumentation.Invocation, []evaluators.Result) { <-release }}}
		b := newBundle(t, cfg, newDouble(good(0), "quality"))
		_ = b.Start()
		b.invoke("x")
		synctest.Wait()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		began := time.Now()
		_ = b.Shutdown(ctx)
		if took := time.Since(began); took > 1100*time.Millisecond {
			t.Errorf("returned after %v", took)
		}
	})
}

func TestShutdownIsSafeTwiceBeforeStartAndBesideFlush(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBundle(t, manager.Config{}, newDouble(good(time.Second), "quality"))
		b.invoke("x")
		if err := b.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		if want := []string{"shutdown"}; !slices.Equal(b.drops(), want) {
			t.Errorf("drops before Start are %q, want %q", b.drops(), want)
		}
		if err := b.Start(); !errors.Is(err, manager.ErrShutdown) {
			t.Errorf("Start after Shutdown: %v", err)
		}
		if err := b.Flush(context.Background()); err != nil {
			t.Errorf("Flush after Shutdown: %v", err)
		}

		b = newBundle(t, manager.Config{}, newDouble(good(time.Second), "quality"))
		_ = b.Start()
		if err := b.Start(); err != nil {
			t.Errorf("a second Start: %v", err)
		}
		for i := range 10 {
			b.invoke(fmt.Sprint(i))
		}
		var calls sync.WaitGroup
		for range 4 {
			calls.Go(func() {
				ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
				defer cancel()
				_ = b.Shutdown(ctx)
			})
			calls.Go(func() { _ = b.Flush(context.Background()) })
		}
		calls.Wait()
		checkLaws(t, b.Status())
		if s := b.Status().Lanes[0]; s.Done+s.Dropped["shutdown"] != 10 || s.Workers != 0 {
			t.Errorf("the lane is %+v", s)
		}
	})
}

func TestFlushWaitsForWhatCameBeforeAndNothingElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDouble(func(_ context.Context, c *evaluators.Case, m evaluators.Metric) evaluators.Result {
			switch c.Output {
			case "slow":
				time.Sleep(10 * time.Second)
			default:
				time.Sleep(time.Second)
			}
			return evaluators.Scored(m.Name, 1, "Good", "")
		}, "quality")
		b := newBundle(t, manager.Config{Concurrent: true, Workers: 2}, d).start(t)
		b.invoke("slow")
		began := time.Now()
		stop := make(chan struct{})
		go func() { // others keep coming and are finished while the slow one runs
			for {
				select {
				case <-stop:
					return
				case <-time.After(500 * time.Millisecond):
					b.invoke("later")
				}
			}
		}()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		if err := b.Flush(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("flushing for 3 s: %v", err)
		}
		cancel()
		if err := b.Flush(context.Background()); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took < 10*time.Second || took > 20*time.Second {
			t.Errorf("flushed after %v", took)
		}
		if !slices.Contains(b.outcomes(), "slow quality scored Good") {
			t.Error("Flush returned before the slow one was done")
		}
		close(stop)
		_ = b.Shutdown(context.Background())
		time.Sleep(time.Minute) // evaluations that do not look at their context return
	})
}

// Random load with drops, failures, panics, timeouts and a shutdown in the
// middle: the laws hold at every moment, and every task ends exactly once.
func TestLawsHoldUnderRandomLoad(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { synctest.Test(t, func(t *testing.T) { randomLoad(t, seed) }) })
	}
}

func randomLoad(t *testing.T, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 0))
	policy := manager.QueuePolicy(rng.IntN(2))
	cfg := manager.Config{
		Concurrent: seed%4 != 0, Workers: 1 + rng.IntN(5), MaxConcurrent: 1 + rng.IntN(4),
		QueueSize: 1 + rng.IntN(30), QueuePolicy: policy, MaxAge: 3 * time.Second,
		Timeout: 500 * time.Millisecond, Aggregate: rng.IntN(2) == 0,
		MaxInFlight: rng.IntN(8), DuplicateMemory: manager.DuplicateMemory{Size: rng.IntN(200) - 20},
		PriorityRules: []manager.PriorityRule{{
			Priority: instrumentation.PriorityHigh,
			Match:    func(inv *instrumentation.Invocation) bool { return inv.Summary().Size%3 == 0 },
		}},
	}
	cfg.WorkersMax = cfg.Workers + rng.IntN(8)
	random := func(ctx context.Context, c *evaluators.Case, m evaluators.Metric) evaluators.Result {
		switch d := rand.IntN(100); {
		case d < 5:
			panic("x")
		case d < 10:
			time.Sleep(2 * time.Second) // ignores its deadline
		case d < 20:
			<-ctx.Done()
			return evaluators.Failed(m.Name, "late", context.Cause(ctx))
		case d < 30:
			return evaluators.Skipped(m.Name, evaluators.SkipNeedsJudge, "")
		case d < 35:
			return evaluators.Result{}
		default:
			time.Sleep(time.Duration(rand.IntN(200)) * time.Millisecond)
		}
		return evaluators.Scored(m.Name, 1, "Good", "")
	}
	first, second := newDouble(random, "a", "b", "c"), newDouble(random, "d")
	second.name = "second"
	b := newBundle(t, cfg, first, second)
	_ = b.Start()
	const callers, each = 4, 300
	var again atomic.Uint64 // offers beside those
	var load sync.WaitGroup
	for range callers {
		load.Go(func() {
			for range each {
				ctx := context.Background()
				if rand.IntN(2) == 0 {
					ctx = inTrace(uint64(rand.IntN(1000)), true)
				}
				if p := rand.IntN(4); p < 3 {
					ctx = instrumentation.WithPriority(ctx, instrumentation.Priority(p-1))
				}
				inv := b.invokeIn(ctx, strings.Repeat("x", rand.IntN(2000)))
				switch rand.IntN(20) {
				case 0, 1, 2:
					b.OnCompletion(inv)
					again.Add(1)
				case 3:
					now, cancel := context.WithTimeout(ctx, time.Duration(rand.IntN(300))*time.Millisecond)
					_, _ = b.EvaluateNow(now, inv)
					cancel()
				}
				time.Sleep(time.Duration(rand.IntN(30)) * time.Millisecond)
			}
		})
	}
	// What is waited for is finished, whatever overtakes it.
	load.Go(func() {
		for range 5 {
			flush, cancel := context.WithTimeout(context.Background(), time.Minute)
			if err := b.Flush(flush); err != nil {
				t.Errorf("flushing: %v", err)
			}
			cancel()
			time.Sleep(300 * time.Millisecond)
		}
	})
	for range 50 {
		time.Sleep(50 * time.Millisecond)
		checkBounds(t, b.Status(), cfg)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(rng.IntN(1000))*time.Millisecond)
	defer cancel()
	_ = b.Shutdown(ctx)
	load.Wait()
	time.Sleep(5 * time.Second) // the stuck return
	s := b.Status()
	checkBounds(t, s, cfg)
	if want := callers*each + again.Load(); s.Door.Offered != want {
		t.Errorf("offered %d, want %d", s.Door.Offered, want)
	}
	if s.Slots != nil && (s.Slots.Taken != 0 || s.Slots.Waiting != 0) {
		t.Errorf("after shutdown the slots are %+v", s.Slots)
	}
	var results uint64
	for _, l := range s.Lanes {
		if l.Queued != 0 || l.InFlight != 0 || l.Stuck != 0 || l.Workers != 0 || l.Tasks != s.Door.FannedOut {
			t.Errorf("after shutdown lane %s is %+v with %d fanned out", l.Name, l, s.Door.FannedOut)
		}
		for _, e := range l.Evaluators {
			results += e.Started
			if e.Running != 0 {
				t.Errorf("%d metrics of %s still count as running", e.Running, e.Name)
			}
		}
	}
	if uint64(len(b.results())) != results {
		t.Errorf("%d results were handed on, %d metrics were started", len(b.results()), results)
	}
	var dropped uint64
	for _, l := range s.Lanes {
		dropped += total(l.Dropped)
	}
	if uint64(len(b.drops())) != dropped {
		t.Errorf("%d drops were told, %d counted", len(b.drops()), dropped)
	}
}

// checkBounds is checkLaws, and whether everything keeps within its bounds.
func checkBounds(t *testing.T, s manager.Status, cfg manager.Config) {
	t.Helper()
	checkLaws(t, s)
	if s.Slots != nil && (s.Slots.Taken < 0 || s.Slots.Taken > cfg.MaxInFlight) {
		t.Errorf("the slots are %+v", s.Slots)
	}
	for _, l := range s.Lanes {
		var queued int
		var bytes int64
		var taken uint64
		for _, p := range l.Priorities {
			queued, bytes, taken = queued+p.Queued, bytes+p.QueuedBytes, taken+p.Taken
		}
		if queued != l.Queued || bytes != l.QueuedBytes || queued > cfg.QueueSize {
			t.Errorf("lane %s: %d of %d wait with %d of %d bytes as priorities", l.Name, queued, l.Queued, bytes, l.QueuedBytes)
		}
		if taken != l.Done+uint64(l.InFlight)+l.Dropped["duplicate"] {
			t.Errorf("lane %s: %d were taken: %+v", l.Name, taken, l)
		}
		if most := max(cfg.Workers, cfg.WorkersMax); l.Workers > most || l.InFlight > l.Workers {
			t.Errorf("lane %s: %d in flight, %d workers of %d", l.Name, l.InFlight, l.Workers, most)
		}
	}
}

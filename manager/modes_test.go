package manager_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/manager"
	"github.com/google/go-cmp/cmp"
)

// answers depends on the case, so that a mix-up of cases or metrics shows.
func answers(ctx context.Context, c *evaluators.Case, m evaluators.Metric) evaluators.Result {
	time.Sleep(time.Duration(len(c.Output)+len(m.Name)) * time.Millisecond)
	switch sum := len(c.Output) + len(m.Name); sum % 4 {
	case 0:
		return evaluators.Scored(m.Name, float64(len(c.Output))/100, "Bad", c.Output)
	case 1:
		return evaluators.Skipped(m.Name, evaluators.SkipNeedsJudge, c.Output)
	case 2:
		return evaluators.Failed(m.Name, "own_type", fmt.Errorf("%d", sum))
	}
	return evaluators.Scored(m.Name, 1, "Good", c.Output)
}

func TestBothModesGiveTheSameResults(t *testing.T) {
	run := func(cfg manager.Config) (outcomes []string) {
		synctest.Test(t, func(t *testing.T) {
			first, second := newDouble(answers, "a", "bb", "ccc"), newDouble(answers, "dddd", "eeeee")
			second.name = "second"
			b := newBundle(t, cfg, first, second).start(t)
			for i := range 40 {
				b.invoke(strings.Repeat("x", i)) // the first is empty
			}
			if err := b.Flush(context.Background()); err != nil {
				t.Fatal(err)
			}
			checkLaws(t, b.Status())
			outcomes = b.outcomes()
		})
		return outcomes
	}
	sequential := run(manager.Config{})
	if len(sequential) != 40*5 {
		t.Fatalf("%d results, want %d", len(sequential), 40*5)
	}
	for name, cfg := range map[string]manager.Config{
		"concurrent":             {Concurrent: true},
		"concurrent, many":       {Concurrent: true, Workers: 64, MaxConcurrent: 64},
		"concurrent, aggregated": {Concurrent: true, Aggregate: true},
		"sequential, aggregated": {Aggregate: true},
	} {
		if diff := cmp.Diff(sequential, run(cfg)); diff != "" {
			t.Errorf("%s differs from sequential (-sequential +it):\n%s", name, diff)
		}
	}
}

func TestSequentialModeRunsOneMetricAtATimeInOrderOfArrival(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDouble(good(time.Second), "a", "b")
		b := newBundle(t, manager.Config{Workers: 8, MaxConcurrent: 8}, d).start(t) // both ignored
		for i := range 3 {
			b.invoke(fmt.Sprint(i))
		}
		began := time.Now()
		if err := b.Flush(context.Background()); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took != 6*time.Second {
			t.Errorf("6 metrics of 1 s took %v", took)
		}
		if d.peak.Load() != 1 {
			t.Errorf("%d ran at once", d.peak.Load())
		}
		if want := []string{"0/a", "0/b", "1/a", "1/b", "2/a", "2/b"}; !slices.Equal(d.asked, want) {
			t.Errorf("asked %q, want %q", d.asked, want)
		}
	})
}

func TestConcurrentModeIsBoundedByWorkersAndMaxConcurrent(t *testing.T) {
	for _, tt := range []struct {
		workers, maxConcurrent, peak int
		took                         time.Duration
	}{
		{workers: 4, maxConcurrent: 10, peak: 16, took: 4 * time.Second},
		{workers: 4, maxConcurrent: 2, peak: 8, took: 8 * time.Second},
		{workers: 1, maxConcurrent: 2, peak: 2, took: 32 * time.Second},
		{workers: 1, maxConcurrent: 1, peak: 1, took: 64 * time.Second},
	} {
		t.Run(fmt.Sprintf("%dx%d", tt.workers, tt.maxConcurrent), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDouble(good(time.Second), "a", "b", "c", "d")
				b := newBundle(t, manager.Config{Concurrent: true, Workers: tt.workers, MaxConcurrent: tt.maxConcurrent}, d).start(t)
				for i := range 16 {
					b.invoke(fmt.Sprint(i))
				}
				began := time.Now()
				if err := b.Flush(context.Background()); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(began); took != tt.took {
					t.Errorf("took %v, want %v", took, tt.took)
				}
				if peak := d.peak.Load(); peak != int64(tt.peak) {
					t.Errorf("%d ran at once, want %d", peak, tt.peak)
				}
			})
		})
	}
}

func TestThrottleSpacesTheStartsWithinAnInvocation(t *testing.T) {
	for _, concurrent := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			d := newDouble(good(10*time.Millisecond), "a", "b", "c", "d")
			b := newBundle(t, manager.Config{Concurrent: concurrent, Throttle: 500 * time.Millisecond}, d).start(t)
			b.invoke("x")
			if err := b.Flush(context.Background()); err != nil {
				t.Fatal(err)
			}
			for i := 1; i < len(d.starts); i++ {
				if gap := d.starts[i].Sub(d.starts[i-1]); gap != 500*time.Millisecond {
					t.Errorf("concurrent %t: start %d came %v after the one before", concurrent, i, gap)
				}
			}
		})
	}
}

func TestAggregationPublishesALanesShareOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second := newDouble(good(time.Second), "a", "b", "c"), newDouble(good(2*time.Second), "d", "e")
		second.name = "second"
		b := newBundle(t, manager.Config{Concurrent: true, Aggregate: true}, first, second).start(t)
		b.invoke("x")
		time.Sleep(1500 * time.Millisecond)
		synctest.Wait()
		if b.batches() != 1 || len(b.results()) != 3 {
			t.Errorf("after the first lane: %d batches with %d results, want 1 with 3", b.batches(), len(b.results()))
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if b.batches() != 2 || len(b.results()) != 5 {
			t.Errorf("after both lanes: %d batches with %d results, want 2 with 5", b.batches(), len(b.results()))
		}
	})
}

// A lane that dropped an invocation has answered: nobody waits for its share.
func TestAggregationDoesNotWaitForALaneThatDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow, fast := newDouble(good(time.Minute), "slow"), newDouble(good(time.Second), "fast")
		slow.name, fast.name = "slow", "fast"
		b := newBundle(t, manager.Config{Concurrent: true, Aggregate: true, Workers: 1, QueueSize: 1, Timeout: time.Hour}, slow, fast).start(t)
		for i := range 3 {
			b.invoke(fmt.Sprint(i)) // the slow lane runs the first, keeps the second, drops the third
			time.Sleep(2 * time.Second)
			synctest.Wait()
		}
		want := []string{"0 fast scored Good", "1 fast scored Good", "2 fast scored Good"}
		if got := b.outcomes(); !slices.Equal(got, want) {
			t.Errorf("results are %q, want %q", got, want)
		}
		if !slices.Equal(b.drops(), []string{"queue_full"}) {
			t.Errorf("drops are %q", b.drops())
		}
		if err := b.Flush(context.Background()); err != nil {
			t.Fatal(err)
		}
	})
}

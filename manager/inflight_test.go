package manager_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/limit"
	"github.com/genaievals/genaievals/manager"
)

// together counts how many of several evaluators run at once.
type together struct{ running, peak atomic.Int64 }

func (c *together) of(answer func(context.Context, *evaluators.Case, evaluators.Metric) evaluators.Result) func(context.Context, *evaluators.Case, evaluators.Metric) evaluators.Result {
	return func(ctx context.Context, e *evaluators.Case, m evaluators.Metric) evaluators.Result {
		n := c.running.Add(1)
		defer c.running.Add(-1)
		for peak := c.peak.Load(); n > peak && !c.peak.CompareAndSwap(peak, n); peak = c.peak.Load() {
		}
		return answer(ctx, e, m)
	}
}

// doubles returns evaluators a, b, … that answer alike, with as many metrics.
func (c *together) doubles(n, metrics int, answer func(context.Context, *evaluators.Case, evaluators.Metric) evaluators.Result) (all []*double) {
	for i := range n {
		var names []string
		for j := range metrics {
			names = append(names, fmt.Sprintf("%c%d", 'a'+i, j))
		}
		d := newDouble(c.of(answer), names...)
		d.name = string(rune('a' + i))
		all = append(all, d)
	}
	return all
}

func TestEvaluationsInFlightAreBoundedInAllLanesTogether(t *testing.T) {
	for _, tt := range []struct {
		concurrent bool
		limit      int
		peak       int64
		took       time.Duration // 3 lanes, 8 invocations, 4 metrics: 96 of 1 s
	}{
		{concurrent: true, limit: 0, peak: 48, took: 2 * time.Second},
		{concurrent: true, limit: 48, peak: 48, took: 2 * time.Second},
		{concurrent: true, limit: 24, peak: 24, took: 4 * time.Second},
		{concurrent: true, limit: 6, peak: 6, took: 16 * time.Second},
		{concurrent: true, limit: 1, peak: 1, took: 96 * time.Second},
		{concurrent: false, limit: 6, peak: 1, took: 96 * time.Second},
		{concurrent: false, limit: 1, peak: 1, took: 96 * time.Second},
	} {
		t.Run(fmt.Sprint(tt.concurrent, tt.limit), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var count together
				cfg := manager.Config{Concurrent: tt.concurrent, Workers: 4, MaxInFlight: tt.limit}
				b := newBundle(t, cfg, count.doubles(3, 4, good(time.Second))...).start(t)
				began := time.Now()
				for i := range 8 {
					b.invoke(fmt.Sprint(i))
				}
				synctest.Wait()
				if s := b.Status(); tt.limit > 0 && (s.Slots == nil || s.Slots.Limit != tt.limit || int64(s.Slots.Taken) != tt.peak) || tt.limit == 0 && s.Slots != nil {
					t.Errorf("the slots are %+v", s.Slots)
				}
				_ = b.Flush(context.Background())
				// A worker whose last metric runs leaves slots to others, and there may be none.
				if took := time.Since(began); took < tt.took || took > tt.took*5/4 {
					t.Errorf("took %v, want %v", took, tt.took)
				}
				if got := count.peak.Load(); got != tt.peak {
					t.Errorf("%d ran at once, want %d", got, tt.peak)
				}
				s := b.Status()
				checkLaws(t, s)
				if len(b.results()) != 96 || s.Slots != nil && (s.Slots.Taken != 0 || s.Slots.Waiting != 0) {
					t.Errorf("%d results; the slots are %+v", len(b.results()), s.Slots)
				}
			})
		})
	}
}

// A lane with many workers and metrics leaves the others their slots.
func TestSlotsGoRoundTheLanesHoweverManyWaitInOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		many := newDouble(good(time.Second), "m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7")
		one := newDouble(good(time.Second), "o")
		many.name, one.name = "many", "one"
		b := newBundle(t, manager.Config{Concurrent: true, Workers: 8, MaxInFlight: 4}, many, one).start(t)
		for i := range 100 {
			b.invoke(fmt.Sprint(i))
		}
		time.Sleep(20*time.Second - time.Millisecond)
		count := map[string]int{}
		for _, r := range b.results() {
			count[r.Evaluator]++
		}
		if count["one"] < 36 || count["many"] < 36 {
			t.Errorf("in 19 rounds of 4 slots: %v", count)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_ = b.Shutdown(ctx)
		checkLaws(t, b.Status())
	})
}

// Who waits for a slow judge holds no slot, and who waits for a slot has not
// taken anything from the queue.
func TestALaneThatWaitsForItsGateHoldsNoSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rate, err := limit.ParseRate("1/min")
		if err != nil {
			t.Fatal(err)
		}
		slow, fast := newDouble(good(time.Second), "s0", "s1", "s2"), newDouble(good(time.Second), "f")
		slow.name, fast.name = "slow", "fast"
		cfg := manager.Config{
			Concurrent: true, Workers: 8, MaxInFlight: 2,
			Gates: map[string]*limit.Gate{"slow": limit.NewGate(limit.WithRate(rate))},
		}
		b := newBundle(t, cfg, slow, fast).start(t)
		for i := range 200 {
			b.invoke(fmt.Sprint(i))
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		s := b.Status()
		checkLaws(t, s)
		if done := s.Lanes[1].Done; done < 115 {
			t.Errorf("the fast lane did %d a minute with 2 slots of 1 s", done)
		}
		if l := s.Lanes[1]; l.InFlight > 2 {
			t.Errorf("%d were taken with 2 slots", l.InFlight)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_ = b.Shutdown(ctx)
	})
}

func TestEvaluateNowTakesASlotAndGivesUpWaitingForOne(t *testing.T) {
	for _, concurrent := range []bool{false, true} {
		t.Run(fmt.Sprint(concurrent), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var count together
				cfg := manager.Config{Concurrent: concurrent, MaxInFlight: 1, Timeout: time.Minute}
				b := newBundle(t, cfg, count.doubles(2, 1, good(10*time.Second))...).start(t)
				inv := b.invoke("x")
				synctest.Wait()
				ctx, cancel := context.WithTimeoutCause(context.Background(), 5*time.Second, errors.New("enough"))
				defer cancel()
				results, err := b.EvaluateNow(ctx, inv)
				if err != nil || len(results) != 2 || results[0].Outcome != evaluators.OutcomeFailed || results[1].Outcome != evaluators.OutcomeFailed {
					t.Errorf("with the slot taken: %v, %v", results, err)
				}
				results, err = b.EvaluateNow(context.Background(), inv)
				if err != nil || len(results) != 2 || results[0].Outcome != evaluators.OutcomeScored || results[1].Outcome != evaluators.OutcomeScored {
					t.Errorf("later: %v, %v", results, err)
				}
				_ = b.Flush(context.Background())
				if count.peak.Load() != 1 {
					t.Errorf("%d ran at once", count.peak.Load())
				}
				checkLaws(t, b.Status())
				if s := b.Status().Slots; s.Taken != 0 || s.Waiting != 0 {
					t.Errorf("the slots are %+v", s)
				}
			})
		})
	}
}

// A slot that is granted to somebody who just gave up goes on to the next.
func TestNoSlotIsLostOrMadeByCancellation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var count together
		const slots = 3
		cfg := manager.Config{Concurrent: true, MaxInFlight: slots, Timeout: time.Minute}
		b := newBundle(t, cfg, count.doubles(3, 2, good(10*time.Millisecond))...).start(t)
		inv := b.invoke("x")
		for i := range 200 { // given up at the moments at which slots are granted
			go func() {
				ctx, cancel := context.WithTimeout(context.Background(), time.Duration(i%20)*5*time.Millisecond)
				defer cancel()
				_, _ = b.EvaluateNow(ctx, inv)
			}()
			b.invoke(fmt.Sprint(i))
			time.Sleep(time.Duration(i%3) * time.Millisecond)
		}
		_ = b.Flush(context.Background())
		time.Sleep(time.Second)
		synctest.Wait()
		if s := b.Status().Slots; s.Taken != 0 || s.Waiting != 0 || count.peak.Load() != slots {
			t.Errorf("the slots are %+v, %d ran at once", s, count.peak.Load())
		}
		checkLaws(t, b.Status())
	})
}

// One that ignores its deadline gives its slot back, and its lane's limit of
// stuck ones bounds it.
func TestTheStuckHoldNoSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		stuck := newDouble(func(_ context.Context, _ *evaluators.Case, m evaluators.Metric) evaluators.Result {
			<-release
			return evaluators.Scored(m.Name, 1, "Good", "")
		}, "s")
		fast := newDouble(good(time.Millisecond), "f")
		stuck.name, fast.name = "stuck", "fast"
		b := newBundle(t, manager.Config{Concurrent: true, Workers: 2, MaxConcurrent: 1, MaxInFlight: 1, Timeout: time.Second}, stuck, fast).start(t)
		for i := range 20 {
			b.invoke(fmt.Sprint(i))
		}
		time.Sleep(time.Minute)
		s := b.Status()
		if l := s.Lanes[1]; l.Done != 20 {
			t.Errorf("the other lane did %d of 20", l.Done)
		}
		if l := s.Lanes[0]; !l.Halted || l.Stuck < l.StuckLimit || s.Slots.Taken != 0 {
			t.Errorf("the lane is %+v, the slots %+v", l, s.Slots)
		}
		close(release)
		_ = b.Flush(context.Background())
		synctest.Wait()
		if s := b.Status(); s.Lanes[0].Halted || s.Slots.Taken != 0 {
			t.Errorf("after they came back: %+v, %+v", s.Lanes[0], s.Slots)
		}
	})
}

func TestShutdownEndsTheWaitForASlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var count together
		b := newBundle(t, manager.Config{Concurrent: true, MaxInFlight: 1, Timeout: time.Hour}, count.doubles(2, 2, good(time.Minute))...)
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
		checkLaws(t, b.Status())
	})
}

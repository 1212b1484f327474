package manager_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/limit"
	"github.com/genaievals/genaievals/manager"
)

func TestALaneGrowsWhileTasksWaitAndAllAreBusyAndShrinksWhenIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDouble(good(time.Second), "quality")
		b := newBundle(t, manager.Config{Concurrent: true, Workers: 2, WorkersMax: 16}, d).start(t)
		crew := func(when string, workers int, added, removed uint64) {
			t.Helper()
			synctest.Wait()
			s := b.Status()
			checkLaws(t, s)
			if l := s.Lanes[0]; l.Workers != workers || l.WorkersAdded != added || l.WorkersRemoved != removed {
				t.Errorf("%s: %d workers, %d added, %d removed; want %d, %d, %d", when, l.Workers, l.WorkersAdded, l.WorkersRemoved, workers, added, removed)
			}
		}
		crew("idle", 2, 0, 0)
		b.invoke("1")
		b.invoke("2")
		crew("all busy, nothing waits", 2, 0, 0)
		b.invoke("3")
		crew("one waits", 3, 1, 0)
		for i := range 100 {
			b.invoke(fmt.Sprint(i))
		}
		crew("many wait", 16, 14, 0)
		_ = b.Flush(context.Background())
		if peak := d.peak.Load(); peak != 16 {
			t.Errorf("%d ran at once, want 16", peak)
		}
		time.Sleep(5 * time.Second)
		crew("soon after", 16, 14, 0)
		time.Sleep(20 * time.Second)
		crew("idle for long", 2, 14, 14)
		for i := range 5 {
			b.invoke(fmt.Sprint(i))
		}
		crew("again", 5, 17, 14)
		time.Sleep(time.Minute)
		crew("and idle", 2, 17, 17)
		_ = b.Shutdown(context.Background())
		crew("after shutdown", 0, 17, 17)
	})
}

// As many leave as the load does not need; the others stay while it lasts.
func TestALaneShrinksToWhatTheLoadNeeds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBundle(t, manager.Config{Concurrent: true, Workers: 1, WorkersMax: 32}, newDouble(good(time.Second), "quality")).start(t)
		for i := range 200 {
			b.invoke(fmt.Sprint(i))
		}
		_ = b.Flush(context.Background())
		if n := b.Status().Lanes[0].Workers; n != 32 {
			t.Errorf("%d workers, want 32", n)
		}
		for range 600 { // ten a second, of a second each
			b.invoke("x")
			time.Sleep(100 * time.Millisecond)
		}
		if l := b.Status().Lanes[0]; l.Workers < 10 || l.Workers > 11 || l.Queued > 0 {
			t.Errorf("a load of 10 has %d workers, and %d tasks wait", l.Workers, l.Queued)
		}
	})
}

func TestALaneDoesNotGrowWhereMoreWorkersDoNotHelp(t *testing.T) {
	slow, err := limit.ParseRate("30/min,burst=1")
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		cfg  manager.Config
		most int // of 64: for a moment, when a permit or a slot goes from one to the next, nobody waits for it
	}{
		"a slow gate":     {manager.Config{Gates: map[string]*limit.Gate{"double": limit.NewGate(limit.WithRate(slow))}}, 4},
		"no slots":        {manager.Config{MaxInFlight: 2}, 6},
		"no room to grow": {manager.Config{WorkersMax: 2}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cfg := tt.cfg
				cfg.Concurrent, cfg.Workers = true, 2
				if cfg.WorkersMax == 0 {
					cfg.WorkersMax = 64
				}
				b := newBundle(t, cfg, newDouble(good(500*time.Millisecond), "a", "b", "c", "d")).start(t)
				for i := range 100 {
					b.invoke(fmt.Sprint(i))
					time.Sleep(100 * time.Millisecond)
				}
				if l := b.Status().Lanes[0]; l.Workers > tt.most {
					t.Errorf("%d workers, want at most %d; the lane is %+v", l.Workers, tt.most, l)
				}
				ctx, cancel := context.WithCancel(context.Background())
				cancel()
				_ = b.Shutdown(ctx)
				checkLaws(t, b.Status())
			})
		})
	}
}

// What is offered before Start waits for the workers that Start starts.
func TestALaneDoesNotGrowBeforeStartOrInSequentialMode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBundle(t, manager.Config{Workers: 2, WorkersMax: 8}, newDouble(good(time.Second), "quality"))
		for i := range 10 {
			b.invoke(fmt.Sprint(i))
		}
		if l := b.Status().Lanes[0]; l.Workers != 0 || l.Queued != 10 {
			t.Errorf("before Start the lane is %+v", l)
		}
		b.start(t)
		_ = b.Flush(context.Background())
		if l := b.Status().Lanes[0]; l.Workers != 1 || l.WorkersAdded != 0 {
			t.Errorf("in sequential mode the lane is %+v", l)
		}
	})
}

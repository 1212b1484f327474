package limit

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A listener may use the gate, hears one event at a time in order, and its
// panic harms nobody.
func TestListener(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g *Gate
		var mu sync.Mutex
		var kinds []EventKind
		g = NewGate(WithBreaker(Breaker{Consecutive: 1}), WithListener(func(e Event) {
			if !mu.TryLock() {
				t.Error("two events at a time")
				return
			}
			defer mu.Unlock()
			kinds = append(kinds, e.Kind)
			if e.Kind == EventOpened && len(kinds) == 2 {
				g.SetCeiling(4)
				// An event from within: it comes after this one.
				if err := g.SetBreaker(Breaker{Consecutive: 1}); err != nil {
					t.Error(err)
				}
			}
			g.Status()
			panic("of the listener")
		}))
		try(t, g, Outcome{Result: ResultUnavailable, Header: headers("retry-after", "1")})
		if want := []EventKind{EventOpened, EventPaused}; !slices.Equal(kinds, want) {
			t.Errorf("events %v, want %v", kinds, want)
		}
		time.Sleep(6 * time.Second)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				p, err := g.Acquire(t.Context())
				if err == nil {
					p.Done(Outcome{Result: ResultFatal})
				}
			})
		}
		wg.Wait()
		if want := []EventKind{EventOpened, EventPaused, EventOpened}; !slices.Equal(kinds, want) {
			t.Errorf("events %v, want %v", kinds, want)
		}
	})
}

func TestNames(t *testing.T) {
	for want, got := range map[string]string{
		"paused": EventPaused.String(), "opened": EventOpened.String(), "closed": EventClosed.String(),
		"spent": EventSpent.String(), "renewed": EventRenewed.String(), "unknown": EventKind(0).String(),
		"neutral": ResultNeutral.String(), "ok": ResultOK.String(), "rate limited": ResultRateLimited.String(),
		"overloaded": ResultOverloaded.String(), "unavailable": ResultUnavailable.String(), "fatal": ResultFatal.String(),
		"open": BreakerOpen.String(), "half-open": BreakerHalfOpen.String(), "closed ": BreakerClosed.String() + " ",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

package limit

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// server answers like a judge that carries so many calls at once and refuses
// what is beyond.
type server struct {
	slots   int
	latency time.Duration

	mu                       sync.Mutex
	busy, peak, refused, all int
}

func (s *server) call(p Permit) bool {
	s.mu.Lock()
	s.all++
	if s.slots > 0 && s.busy >= s.slots {
		s.refused++
		s.mu.Unlock()
		time.Sleep(20 * time.Millisecond)
		p.Done(Outcome{Result: ResultRateLimited, Header: http.Header{}})
		return false
	}
	s.busy++
	s.peak = max(s.peak, s.busy)
	s.mu.Unlock()
	time.Sleep(s.latency)
	s.mu.Lock()
	s.busy--
	s.mu.Unlock()
	p.Done(Outcome{Result: ResultOK, Header: http.Header{}})
	return true
}

// load keeps n workers busy for a time and returns how many calls went well.
func load(t *testing.T, g *Gate, s *server, n int, span time.Duration) int {
	ctx, cancel := context.WithTimeout(t.Context(), span)
	defer cancel()
	var mu sync.Mutex
	var wg sync.WaitGroup
	ok := 0
	for range n {
		wg.Go(func() {
			for {
				ticket, err := g.Admit(ctx)
				if err != nil {
					return
				}
				p, err := g.Acquire(ticket.Context(ctx))
				ticket.Close()
				if err != nil {
					return
				}
				if s.call(p) {
					mu.Lock()
					ok++
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	return ok
}

// Against a judge without limits the gate reaches its ceiling within seconds,
// never goes beyond it, and then costs nothing.
func TestAdaptiveReachesItsCeiling(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, s := NewGate(WithAdaptive(64)), &server{latency: 500 * time.Millisecond}
		load(t, g, s, 100, 10*time.Second)
		if s.peak != 64 {
			t.Errorf("peak %d after 10s, want the ceiling", s.peak)
		}
		if got, want := load(t, g, s, 100, 30*time.Second), 64*2*30; got < want*97/100 {
			t.Errorf("%d calls in 30s, want %d", got, want)
		}
		g.SetCeiling(8)
		s.peak = 0
		load(t, g, s, 100, 30*time.Second)
		if got := g.Status().Adaptive; s.peak != 8 || got.Ceiling != 8 || got.Cap > 8 {
			t.Errorf("peak %d, status %+v, want the new ceiling of 8", s.peak, got)
		}
		g.SetCeiling(0)
		s.peak = 0
		load(t, g, s, 100, 10*time.Second)
		if s.peak != 100 || g.Status().Adaptive != nil {
			t.Errorf("peak %d, want all 100 without a ceiling", s.peak)
		}
	})
}

// A judge that carries four at once: nearly all of that is used, and little is
// refused.
func TestAdaptiveLearnsSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, s := NewGate(WithAdaptive(64), WithBreaker(Breaker{})), &server{slots: 4, latency: time.Second}
		load(t, g, s, 40, 3*time.Minute)
		s.refused, s.all = 0, 0
		ok := load(t, g, s, 40, 10*time.Minute)
		if ok < 4*600*95/100 {
			t.Errorf("%d calls in 10 minutes, want 2400", ok)
		}
		if s.refused*100 > s.all*3 {
			t.Errorf("%d of %d calls refused", s.refused, s.all)
		}
		if st := g.Status(); st.Breaker.State != BreakerClosed || st.Adaptive.Refusals == 0 || st.InFlight != 0 {
			t.Errorf("status %+v, %+v", st, st.Adaptive)
		}
	})
}

// Who only releases teaches nothing, and loses no slot by it.
func TestReleaseAloneLeaksNoSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(WithAdaptive(8), WithBreaker(Breaker{}), WithTokenRate(Rate{PerSecond: 1e4, Burst: 1e4}))
		for range 1000 {
			p, err := g.AcquireFor(t.Context(), Need{Tokens: 1})
			if err != nil {
				t.Fatal(err)
			}
			p.Release()
		}
		if s := g.Status(); s.InFlight != 0 || s.Sends != 1000 || s.Adaptive.Cap < 1 {
			t.Errorf("status %+v", s)
		}
	})
}

// Nobody is let in for a slot that is far from free.
func TestAdmitCountsSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(WithAdaptive(2))
		var flying []Permit
		for range 2 {
			p, err := g.Acquire(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			flying = append(flying, p)
		}
		for range 20 {
			go func() {
				ticket, err := g.Admit(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				defer ticket.Close()
				p, err := g.Acquire(ticket.Context(t.Context()))
				if err != nil {
					t.Error(err)
					return
				}
				time.Sleep(time.Second)
				p.Done(Outcome{Result: ResultOK, Header: http.Header{}})
			}()
		}
		synctest.Wait()
		if s := g.Status(); s.InFlight != 2 || s.Waiting != 1 || s.Admitting != 19 {
			t.Errorf("%d in flight, %d wait, %d at the door; want 2, 1, 19", s.InFlight, s.Waiting, s.Admitting)
		}
		for _, p := range flying {
			p.Done(Outcome{Result: ResultOK, Header: http.Header{}})
		}
		time.Sleep(time.Minute)
		if s := g.Status(); s.Sends != 22 || s.InFlight != 0 || s.Expected+s.Waiting+s.Admitting != 0 {
			t.Errorf("left behind: %+v", s)
		}
	})
}

// A gate becomes adaptive while sends of before are in flight: they count, and
// their end is seen.
func TestSetCeilingCountsWhatIsInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate()
		var flying []Permit
		for range 3 {
			p, err := g.Acquire(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			flying = append(flying, p)
		}
		g.SetCeiling(2)
		time.AfterFunc(time.Second, func() { flying[0].Release() })
		time.AfterFunc(2*time.Second, func() { flying[1].Done(Outcome{Result: ResultOK}) })
		if got := after(t, g); got != 2*time.Second {
			t.Errorf("the next went after %v, want when one is in flight, 2s", got)
		}
		flying[2].Release()
		(*Gate)(nil).SetCeiling(3)
	})
}

// Headers alone, whatever they say, never make the next send wait for much more
// than a minute; and sane ones are kept.
func TestHeadersAloneSlowToOneAMinute(t *testing.T) {
	type answer struct{ limit, reset string }
	tests := []struct {
		name        string
		answers     []answer
		least, most time.Duration
		absurd      uint64
	}{
		{"below one", []answer{{"0.001", "1s"}, {"1e-300", "60s"}}, 0, 0, 2},
		{"one in ten minutes", []answer{{"1", "10m"}}, 59 * time.Second, 61 * time.Second, 0},
		{"again and again", []answer{{"1", "10m"}, {"1", "10m"}, {"1", "9m"}}, 59 * time.Second, 61 * time.Second, 0},
		{"a limit that falls", []answer{{"1e9", "10m"}, {"1", "10m"}}, 59 * time.Second, 61 * time.Second, 0},
		{"and comes back", []answer{{"6000", "10m"}, {"1", "10m"}, {"6000", "10m"}}, 0, time.Second, 0},
		{"one a minute", []answer{{"1", "60s"}}, 60 * time.Second, 63 * time.Second, 0},
		{"three a minute", []answer{{"3", "60s"}}, 20 * time.Second, 22 * time.Second, 0},
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			g := NewGate(WithAdaptive(8))
			for _, a := range tt.answers {
				try(t, g, Outcome{Result: ResultOK, Header: headers("x-ratelimit-limit-requests", a.limit, "x-ratelimit-reset-requests", a.reset)})
			}
			if got := after(t, g); got < tt.least || got > tt.most {
				t.Errorf("%s: the next send waits %v, want %v to %v", tt.name, got, tt.least, tt.most)
			}
			if got := g.Status().Absurd; got != tt.absurd {
				t.Errorf("%s: %d absurd, want %d", tt.name, got, tt.absurd)
			}
		})
	}
}

// A measured rate is not scaled down to nothing by a limit that falls.
func TestHeadersDoNotScaleAMeasuredRateToNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(WithAdaptive(8))
		told := func(limit string) http.Header {
			return headers("x-ratelimit-limit-requests", limit, "x-ratelimit-reset-requests", "1s")
		}
		for range 40 {
			try(t, g, Outcome{Result: ResultOK, Header: told("1e6")})
			time.Sleep(100 * time.Millisecond)
		}
		refused := told("1e6")
		refused.Set("X-Ratelimit-Remaining-Requests", "0")
		try(t, g, Outcome{Result: ResultRateLimited, Header: refused})
		try(t, g, Outcome{Result: ResultOK, Header: told("1e6")})
		if rate := g.Status().Adaptive.Rate; rate <= 0 || rate > 1000 {
			t.Fatalf("rate %v: nothing was measured, so this tests nothing", rate)
		}
		try(t, g, Outcome{Result: ResultOK, Header: told("1")})
		if got := after(t, g); got > 61*time.Second {
			t.Errorf("the next send waits %v", got)
		}
	})
}

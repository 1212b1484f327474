package limit

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// try sends once and reports the outcome.
func try(t *testing.T, g *Gate, o Outcome) {
	t.Helper()
	p, err := g.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p.Done(o)
}

// after says how long a send waits now.
func after(t *testing.T, g *Gate) time.Duration {
	t.Helper()
	start := time.Now()
	try(t, g, Outcome{})
	return time.Since(start)
}

func TestPauseIsNeverShorterThanTold(t *testing.T) {
	gates := map[string]func() *Gate{
		"open":     func() *Gate { return NewGate() },
		"rate":     func() *Gate { return NewGate(WithRate(Rate{PerSecond: 100, Burst: 100})) },
		"adaptive": func() *Gate { return NewGate(WithAdaptive(8)) },
		"breaker":  func() *Gate { return NewGate(WithBreaker(Breaker{})) },
	}
	for name, gate := range gates {
		for _, result := range []Result{ResultRateLimited, ResultOverloaded, ResultUnavailable} {
			t.Run(name+", "+result.String(), func(t *testing.T) {
				for range 20 {
					synctest.Test(t, func(t *testing.T) {
						g := gate()
						told := time.Duration(1+rand.IntN(60)) * time.Second
						try(t, g, Outcome{Result: result, Header: headers("retry-after", told.String())})
						if until := g.Status().PausedUntil; time.Until(until) < told {
							t.Errorf("paused for %v, told %v", time.Until(until), told)
						}
						if got := after(t, g); got < told || got > told+told/20+time.Millisecond {
							t.Errorf("told to wait %v, the next send went after %v", told, got)
						}
						if s := g.Status(); !s.PausedUntil.IsZero() || s.Pauses != 1 {
							t.Errorf("after it: %+v", s)
						}
					})
				}
			})
		}
	}
}

// A later and shorter wish does not shorten a pause; a longer one extends it.
func TestPausesOverlap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate()
		start := time.Now()
		var permits []Permit
		for range 3 {
			p, err := g.Acquire(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			permits = append(permits, p)
		}
		for i, told := range []string{"30", "2", "40"} {
			permits[i].Done(Outcome{Result: ResultRateLimited, Header: headers("retry-after", told)})
			time.Sleep(time.Second)
		}
		after(t, g)
		if got := time.Since(start); got < 42*time.Second || got > 44*time.Second {
			t.Errorf("the next went after %v, want 42s and a little", got)
		}
		if got := g.Status().Pauses; got != 1 {
			t.Errorf("%d pauses, want one that was extended", got)
		}
	})
}

// All who were told the same do not come back at the same moment.
func TestPauseHasJitter(t *testing.T) {
	seen := map[time.Duration]bool{}
	for range 20 {
		var p pause
		p.extend(epoch, time.Minute)
		seen[p.until.Sub(epoch)] = true
	}
	if len(seen) < 10 {
		t.Errorf("20 pauses of a minute have %d lengths", len(seen))
	}
}

// Without a hint, and without a learner that measures, the gate backs off by
// itself: once for all sends that were under way.
func TestBackoffWithoutAHint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(WithRate(Rate{PerSecond: 1000, Burst: 1000}))
		refused := Outcome{Result: ResultRateLimited, Header: http.Header{}}
		for _, want := range []time.Duration{1, 2, 4, 8, 16, 30, 30} {
			var permits []Permit
			for range 5 {
				p, err := g.Acquire(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				permits = append(permits, p)
			}
			time.Sleep(time.Millisecond)
			for _, p := range permits {
				p.Done(refused)
			}
			if got := after(t, g); got < want*time.Second || got > want*time.Second*21/20 {
				t.Errorf("backed off for %v, want %vs", got, int(want))
			}
		}
		try(t, g, Outcome{Result: ResultOK})
		try(t, g, refused)
		if got := after(t, g); got < time.Second || got > 1100*time.Millisecond {
			t.Errorf("backed off for %v after a success, want a second again", got)
		}
	})
}

func TestAbsurdHintsAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate()
		for i, value := range []string{"-1", "1e12", "Thu, 04 Mar 1999 12:00:00 GMT"} {
			try(t, g, Outcome{Result: ResultRateLimited, Header: headers("retry-after", value)})
			if got := g.Status().Absurd; got != uint64(i+1) {
				t.Errorf("%d counted, want %d", got, i+1)
			}
			if got := after(t, g); got > QuotaPause*21/20 {
				t.Errorf("%s: the next send went after %v", value, got)
			}
		}
	})
}

func TestPauseCanBeGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate()
		try(t, g, Outcome{Result: ResultRateLimited, Header: headers("retry-after", "3600")})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				if p, err := g.Acquire(ctx); !errors.Is(err, ErrWait) || p.Waited != time.Minute {
					t.Errorf("%v after %v", err, p.Waited)
				}
			})
			wg.Go(func() {
				if _, err := g.Admit(ctx); !errors.Is(err, ErrWait) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if s := g.Status(); s.Cancelled != 3 || s.Waiting+s.Admitting+s.Expected != 0 || s.InFlight != 0 {
			t.Errorf("status %+v", s)
		}
	})
}

// The storm: for 30 s every answer is 429 with Retry-After: 30. Nothing is sent
// before the end of what was told, and in the end all are through.
func TestStorm(t *testing.T) {
	for name, opts := range map[string][]Option{
		"pause only": nil,
		"all parts": {WithRate(Rate{PerSecond: 20, Burst: 4}), WithTokenRate(Rate{PerSecond: 1e5, Burst: 1e5}), WithAdaptive(16),
			WithBreaker(Breaker{}), WithBudget(Budget{Amount: 1e9, Tokens: true, Per: time.Hour})},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := NewGate(opts...)
				start := time.Now()
				var mu sync.Mutex
				var told time.Time
				early, calls, scored := 0, 0, 0
				item := func() {
					for {
						ticket, err := g.Admit(t.Context())
						if err != nil {
							t.Error(err)
							return
						}
						p, err := g.AcquireFor(ticket.Context(t.Context()), Need{Tokens: 100})
						ticket.Close()
						if err != nil {
							t.Error(err)
							return
						}
						sent := time.Now()
						mu.Lock()
						calls++
						if sent.Before(told) {
							early++
						}
						mu.Unlock()
						time.Sleep(50 * time.Millisecond)
						if sent.Sub(start) < 30*time.Second {
							mu.Lock()
							told = time.Now().Add(30 * time.Second)
							mu.Unlock()
							p.Done(Outcome{Result: ResultRateLimited, Header: headers("retry-after", "30")})
							continue
						}
						p.Done(Outcome{Result: ResultOK, Tokens: 100, Header: http.Header{}})
						mu.Lock()
						scored++
						mu.Unlock()
						return
					}
				}
				var wg sync.WaitGroup
				// One is told; the rest comes during the pause.
				wg.Go(item)
				time.Sleep(60 * time.Millisecond)
				for range 199 {
					wg.Go(item)
				}
				wg.Wait()
				if early > 0 || scored != 200 || calls != 201 {
					t.Errorf("%d sends before the end, %d of 200 scored, %d calls, want 0, 200 and 201", early, scored, calls)
				}
				if s := g.Status(); s.Waiting+s.Admitting+s.Expected != 0 || s.InFlight != 0 {
					t.Errorf("left behind: %+v", s)
				}
			})
		})
	}
}

package limit

import (
	"context"
	"errors"
	"math"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// listen collects the events of a gate.
type listen struct {
	mu     sync.Mutex
	events []Event
}

func (l *listen) hear(e Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, e)
}

func (l *listen) kinds() (kinds []EventKind) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.events {
		kinds = append(kinds, e.Kind)
	}
	return kinds
}

func repeat(n int, results ...Result) (all []Result) {
	for range n {
		all = append(all, results...)
	}
	return all
}

func TestBreakerOpens(t *testing.T) {
	const ok, bad = ResultOK, ResultUnavailable
	tests := []struct {
		name    string
		cfg     Breaker
		results []Result
		open    time.Duration // 0: it stays closed
		quota   bool
	}{
		{"nothing", Breaker{}, nil, 0, false},
		{"answers", Breaker{}, repeat(50, ok), 0, false},
		{"a fatal result", Breaker{}, []Result{ok, ok, ResultFatal}, 30 * time.Second, false},
		{"a fatal result for quota", Breaker{}, []Result{ResultFatal}, time.Minute, true},
		{"four failures in a row", Breaker{}, repeat(4, bad), 0, false},
		{"five failures in a row", Breaker{}, repeat(5, bad), 5 * time.Second, false},
		{"overload counts as failure", Breaker{OpenFor: time.Hour, OpenMax: time.Hour, QuotaMax: time.Hour}, repeat(5, ResultOverloaded), time.Hour, false},
		{"rate limits do not", Breaker{}, repeat(30, ResultRateLimited), 0, false},
		{"neutral results do not", Breaker{}, repeat(30, ResultNeutral), 0, false},
		{"half of ten", Breaker{}, repeat(5, ok, bad), 5 * time.Second, false},
		{"half of nine is too few", Breaker{}, append(repeat(4, ok, bad), bad), 0, false},
		{"less than half", Breaker{}, repeat(10, ok, ok, bad), 0, false},
		{"own numbers", Breaker{FailureRate: 0.3, MinCalls: 3, OpenFor: time.Second}, []Result{ok, ok, bad}, time.Second, false},
		{"own number in a row", Breaker{Consecutive: 1}, []Result{bad}, 5 * time.Second, false},
		{"taken away", Breaker{Off: true}, repeat(10, ResultFatal), 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var l listen
				g := NewGate(WithBreaker(tt.cfg), WithListener(l.hear))
				for _, r := range tt.results {
					time.Sleep(time.Second)
					try(t, g, Outcome{Result: r, Quota: tt.quota, Header: http.Header{}})
				}
				p, err := g.Acquire(t.Context())
				if tt.open == 0 {
					if err != nil {
						t.Errorf("it is open: %v", err)
					}
					p.Release()
					return
				}
				if !errors.Is(err, ErrOpen) || errors.Is(err, ErrWait) || p.Waited != 0 {
					t.Errorf("Acquire: %v after %v, want ErrOpen at once", err, p.Waited)
				}
				s := g.Status()
				if s.Breaker.State != BreakerOpen || s.Breaker.Opened != 1 || s.Refused != 1 || s.Breaker.Quota != tt.quota {
					t.Errorf("status %+v", s.Breaker)
				}
				if got := time.Until(s.Breaker.Until); (got - tt.open).Abs() > time.Microsecond {
					t.Errorf("open for %v, want %v", got, tt.open)
				}
				opened := Event{Kind: EventOpened, At: time.Now(), Until: s.Breaker.Until, Result: s.Breaker.Cause, Quota: tt.quota}
				if !slices.Contains(l.events, opened) {
					t.Errorf("events %+v, want %+v among them", l.events, opened)
				}
			})
		})
	}
}

// What failed long ago no longer counts.
func TestBreakerForgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(WithBreaker(Breaker{Consecutive: 100}))
		for range 20 {
			for _, r := range []Result{ResultOK, ResultUnavailable, ResultUnavailable, ResultOK} {
				try(t, g, Outcome{Result: r})
			}
			time.Sleep(10 * time.Minute)
		}
	})
}

// Who waits when the breaker opens hears it at once.
func TestOpeningSendsAwayWhoWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(WithBreaker(Breaker{}), WithRate(Rate{PerSecond: MinPerSecond, Burst: 1}))
		first, err := g.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				if p, err := g.Acquire(t.Context()); !errors.Is(err, ErrOpen) || p.Waited != 3*time.Second {
					t.Errorf("%v after %v, want ErrOpen after 3s", err, p.Waited)
				}
			})
		}
		time.Sleep(3 * time.Second)
		first.Done(Outcome{Result: ResultFatal})
		wg.Wait()
		if s := g.Status(); s.Refused != 10 || s.Cancelled != 0 || s.Sends != 1 {
			t.Errorf("status %+v", s)
		}
	})
}

func TestOpenTimesGrow(t *testing.T) {
	t.Run("R11_up_to_an_hour", func(t *testing.T) {
		tests := []struct {
			name    string
			outcome Outcome
			want    []time.Duration
		}{
			{"failures", Outcome{Result: ResultUnavailable}, []time.Duration{5, 10, 20, 40, 60, 60}},
			{"fatal", Outcome{Result: ResultFatal}, []time.Duration{30, 60, 120, 240, 480, 600, 600}},
			{"quota", Outcome{Result: ResultFatal, Quota: true}, []time.Duration{60, 120, 240, 480, 960, 1920, 3600, 3600}},
			{"a wait of more than a day", Outcome{Result: ResultRateLimited, Header: headers("retry-after", "90000")}, []time.Duration{60, 120, 240}},
		}
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var l listen
					g := NewGate(WithBreaker(Breaker{Consecutive: 1}), WithListener(l.hear))
					for i, want := range tt.want {
						ticket, err := g.Admit(t.Context()) // waits for the probe's time
						if err != nil {
							t.Fatal(err)
						}
						p, err := g.Acquire(ticket.Context(t.Context()))
						if err != nil {
							t.Fatal(err)
						}
						ticket.Close()
						p.Done(tt.outcome)
						if got := time.Until(g.Status().Breaker.Until); (got - want*time.Second).Abs() > time.Microsecond {
							t.Errorf("open for %v the time number %d, want %v", got, i+1, want*time.Second)
						}
					}
					if s := g.Status().Breaker; s.Opened != uint64(len(tt.want)) || s.Probes != uint64(len(tt.want)-1) {
						t.Errorf("status %+v", s)
					}
					time.Sleep(2 * time.Hour)
					try(t, g, Outcome{Result: ResultOK})
					s := g.Status().Breaker
					if s.State != BreakerClosed || s.Cause != ResultNeutral || !s.Until.IsZero() {
						t.Errorf("after a probe that went well: %+v", s)
					}
					if k := l.kinds(); k[len(k)-1] != EventClosed || len(k) != len(tt.want)+1 {
						t.Errorf("events %v", k)
					}
					try(t, g, tt.outcome)
					if got := time.Until(g.Status().Breaker.Until); (got - tt.want[0]*time.Second).Abs() > time.Microsecond {
						t.Errorf("open for %v after it was closed, want as at first", got)
					}
				})
			})
		}
	})
}

// While it is half open one send goes, and those behind it wait for what it
// tells.
func TestExactlyOneProbe(t *testing.T) {
	for name, verdict := range map[string]Result{"ok": ResultOK, "fails": ResultUnavailable, "neutral": ResultNeutral} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := NewGate(WithBreaker(Breaker{Consecutive: 1}))
				try(t, g, Outcome{Result: ResultUnavailable})
				time.Sleep(6 * time.Second)
				probe, err := g.Acquire(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if s := g.Status().Breaker; s.State != BreakerHalfOpen || s.Probes != 1 {
					t.Errorf("status %+v", s)
				}
				var wg sync.WaitGroup
				var mu sync.Mutex
				var through []Permit
				opened := 0
				for range 5 {
					wg.Go(func() {
						p, err := g.Acquire(t.Context())
						mu.Lock()
						defer mu.Unlock()
						if err == nil {
							through = append(through, p)
						} else if errors.Is(err, ErrOpen) {
							opened++
						}
					})
				}
				time.Sleep(time.Second)
				if s := g.Status(); s.Waiting != 5 || s.InFlight != 1 {
					t.Errorf("%d wait and %d are in flight, want 5 and 1", s.Waiting, s.InFlight)
				}
				probe.Done(Outcome{Result: verdict})
				synctest.Wait()
				mu.Lock()
				want := map[Result][2]int{ResultOK: {5, 0}, ResultUnavailable: {0, 5}, ResultNeutral: {1, 0}}[verdict]
				if len(through) != want[0] || opened != want[1] {
					t.Errorf("%d went and %d heard that it is open, want %v", len(through), opened, want)
				}
				mu.Unlock()
				if verdict == ResultNeutral { // the next one was the probe
					through[0].Done(Outcome{Result: ResultOK})
				}
				wg.Wait()
			})
		})
	}
}

// Nobody is the probe while it waits for something else, and who gives up
// waiting has not used it up.
func TestProbeIsNeverHeldByAWaiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(WithBreaker(Breaker{Consecutive: 1}))
		try(t, g, Outcome{Result: ResultUnavailable, Header: headers("retry-after", "60")})
		time.Sleep(10 * time.Second) // half open, but paused
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		if _, err := g.Acquire(ctx); !errors.Is(err, ErrWait) {
			t.Errorf("Acquire: %v, want that it gave up", err)
		}
		if s := g.Status().Breaker; s.State != BreakerHalfOpen || s.Probes != 0 {
			t.Errorf("status %+v", s)
		}
		try(t, g, Outcome{Result: ResultOK})
		if s := g.Status().Breaker; s.State != BreakerClosed || s.Probes != 1 {
			t.Errorf("status %+v", s)
		}
	})
}

// A probe that never ends counts as failed, and the breaker goes on.
func TestAProbeThatIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(WithBreaker(Breaker{Consecutive: 1}))
		try(t, g, Outcome{Result: ResultUnavailable})
		time.Sleep(6 * time.Second)
		lost, err := g.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		ticket, err := g.Admit(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got, want := time.Since(start), probeLimit+10*time.Second; (got - want).Abs() > time.Microsecond {
			t.Errorf("the next was let in after %v, want %v", got, want)
		}
		p, err := g.Acquire(ticket.Context(t.Context()))
		if err != nil {
			t.Fatal(err)
		}
		lost.Done(Outcome{Result: ResultOK}) // it comes back after all, and decides nothing
		if s := g.Status().Breaker; s.State != BreakerHalfOpen || s.Probes != 2 || s.Opened != 2 {
			t.Errorf("status %+v", s)
		}
		p.Done(Outcome{Result: ResultOK})
		if s := g.Status().Breaker; s.State != BreakerClosed {
			t.Errorf("status %+v", s)
		}
	})
}

// What opened it is told by the caller's own name for it, until it is closed.
func TestBreakerKeepsTheReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l listen
		g := NewGate(WithBreaker(Breaker{Consecutive: 1}), WithListener(l.hear))
		try(t, g, Outcome{Result: ResultUnavailable, Reason: "no_route"})
		if s := g.Status().Breaker; s.Reason != "no_route" {
			t.Errorf("status %+v", s)
		}
		time.Sleep(6 * time.Second)
		try(t, g, Outcome{Result: ResultOK})
		if s := g.Status().Breaker; s.State != BreakerClosed || s.Reason != "" {
			t.Errorf("status %+v", s)
		}
		if e := l.events[0]; e.Kind != EventOpened || e.Reason != "no_route" {
			t.Errorf("event %+v", e)
		}
	})
}

func TestTrip(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(WithBreaker(Breaker{}))
		g.Trip()
		g.Trip() // it is open already
		if s := g.Status().Breaker; s.State != BreakerOpen || s.Opened != 1 {
			t.Errorf("status %+v", s)
		}
		time.Sleep(6 * time.Second)
		try(t, g, Outcome{Result: ResultOK})
		NewGate().Trip()
		(*Gate)(nil).Trip()
	})
}

func TestSetBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l listen
		g := NewGate(WithBreaker(Breaker{}), WithListener(l.hear))
		before, err := g.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		g.Trip()
		if err := g.SetBreaker(Breaker{Consecutive: 2}); err != nil {
			t.Fatal(err)
		}
		before.Done(Outcome{Result: ResultFatal}) // of the one before
		try(t, g, Outcome{Result: ResultUnavailable})
		try(t, g, Outcome{Result: ResultUnavailable})
		if s := g.Status().Breaker; s.State != BreakerOpen {
			t.Errorf("status %+v", s)
		}
		if err := g.SetBreaker(Breaker{Off: true}); err != nil || g.Status().Breaker != nil {
			t.Errorf("%v, %+v", err, g.Status().Breaker)
		}
		try(t, g, Outcome{Result: ResultFatal})
		want := []EventKind{EventOpened, EventClosed, EventOpened, EventClosed}
		if got := l.kinds(); !slices.Equal(got, want) {
			t.Errorf("events %v, want %v", got, want)
		}
		if g.limited.Load() {
			t.Error("a gate without parts takes locks")
		}
	})
}

func TestBadBreakerRefusesEverything(t *testing.T) {
	for _, b := range []Breaker{
		{FailureRate: 1.1}, {FailureRate: -1}, {FailureRate: math.NaN()}, {MinCalls: -1}, {Consecutive: -1}, {Window: -1},
		{OpenFor: -1}, {OpenFor: time.Minute, OpenMax: time.Second}, {QuotaMax: -1},
	} {
		if err := (*Gate)(nil).SetBreaker(b); !errors.Is(err, ErrBreaker) {
			t.Errorf("%+v: %v", b, err)
		}
		if _, err := NewGate(WithBreaker(b)).Acquire(t.Context()); !errors.Is(err, ErrBreaker) {
			t.Errorf("%+v: Acquire: %v", b, err)
		}
	}
}

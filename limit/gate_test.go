package limit

import (
	"context"
	"errors"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func parse(t testing.TB, s string) Rate {
	t.Helper()
	r, err := ParseRate(s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// sends acquires n permits one after the other and returns when each came.
func sends(t *testing.T, g *Gate, n int) []time.Duration {
	t.Helper()
	start := time.Now()
	var at []time.Duration
	for range n {
		p, err := g.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		at = append(at, time.Since(start))
		p.Release()
	}
	return at
}

func TestStrictPacing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(WithRate(parse(t, "strict:2/sec")))
		at := sends(t, g, 10)
		total := at[9] - at[0]
		if ratio := total.Seconds() / 4.5; ratio < 1 || ratio > 1.005 {
			t.Errorf("10 calls took %v, %.4f of the ideal", total, ratio)
		}
		for i := 1; i < len(at); i++ {
			if d := at[i] - at[i-1]; d < 500*time.Millisecond {
				t.Errorf("calls %d and %d are %v apart", i-1, i, d)
			}
		}
	})
}

func TestStrictPacingGrantsNoBurstAfterAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(WithRate(parse(t, "strict:2/sec,margin=0s")))
		sends(t, g, 1)
		time.Sleep(time.Hour)
		if at := sends(t, g, 2); at[0] != 0 || at[1] != 500*time.Millisecond {
			t.Errorf("after a pause calls came at %v", at)
		}
	})
}

func TestBucketBurstThenRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(WithRate(parse(t, "0.5/sec,burst=4")))
		want := []time.Duration{0, 0, 0, 0, 2 * time.Second, 4 * time.Second}
		for i, at := range sends(t, g, 6) {
			if (at - want[i]).Abs() > time.Microsecond {
				t.Errorf("call %d came at %v, want %v", i, at, want[i])
			}
		}
	})
}

func TestWaitersGoInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(WithRate(parse(t, "10/sec,burst=1")))
		start := time.Now()
		var mu sync.Mutex
		var order []int
		var wg sync.WaitGroup
		for i := range 101 {
			wg.Go(func() {
				p, err := g.Acquire(t.Context())
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				order = append(order, i)
				mu.Unlock()
				if want := time.Duration(i) * 100 * time.Millisecond; (p.Waited - want).Abs() > time.Microsecond {
					t.Errorf("waiter %d waited %v, want %v", i, p.Waited, want)
				}
				p.Release()
			})
			synctest.Wait()
		}
		if got := g.Status().Waiting; got != 100 {
			t.Errorf("waiting = %d, want 100", got)
		}
		wg.Wait()
		if took := time.Since(start); (took - 10*time.Second).Abs() > time.Microsecond {
			t.Errorf("101 waiters took %v, want 10s", took)
		}
		for i, got := range order {
			if got != i {
				t.Fatalf("waiter %d went as number %d", got, i)
			}
		}
		s := g.Status()
		if s.Sends != 101 || s.Waiting != 0 || s.InFlight != 0 || (s.WaitedTotal-505*time.Second).Abs() > time.Millisecond {
			t.Errorf("status = %+v", s)
		}
	})
}

func TestCancelledWaiterTakesNothing(t *testing.T) {
	t.Run("R06_cancelled_waiter", func(t *testing.T) {
		for name, which := range map[string]int{"head": 0, "middle": 2, "tail": 4} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					g := NewGate(WithRate(parse(t, "1/sec")))
					sends(t, g, 1)
					start := time.Now()
					cause := errors.New("had enough")
					ctx, cancel := context.WithCancelCause(t.Context())
					var wg sync.WaitGroup
					for i := range 5 {
						wg.Go(func() {
							if i != which {
								if _, err := g.Acquire(t.Context()); err != nil {
									t.Error(err)
								}
								return
							}
							p, err := g.Acquire(ctx)
							for _, want := range []error{ErrWait, cause, context.Canceled} {
								if !errors.Is(err, want) {
									t.Errorf("error %v is not %v", err, want)
								}
							}
							if p.Waited != 500*time.Millisecond {
								t.Errorf("gave up after %v, want 500ms", p.Waited)
							}
							p.Release()
						})
						synctest.Wait()
					}
					time.Sleep(500 * time.Millisecond)
					cancel(cause)
					wg.Wait()
					if took := time.Since(start); (took - 4*time.Second).Abs() > time.Microsecond {
						t.Errorf("the other four took %v, want 4s", took)
					}
					if s := g.Status(); s.Sends != 5 || s.Cancelled != 1 || s.InFlight != 4 {
						t.Errorf("status = %+v", s)
					}
				})
			})
		}
	})
}

// The permit falls due at the very moment when the head gives up: whoever
// wins, the one behind goes as soon as it may.
func TestCancelAtTheMomentThePermitIsDue(t *testing.T) {
	for range 50 {
		synctest.Test(t, func(t *testing.T) {
			g := NewGate(WithRate(parse(t, "1/sec")))
			sends(t, g, 1)
			start := time.Now()
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			var wg sync.WaitGroup
			var headErr error
			wg.Go(func() { _, headErr = g.Acquire(ctx) })
			synctest.Wait()
			wg.Go(func() {
				if _, err := g.Acquire(t.Context()); err != nil {
					t.Error(err)
				}
			})
			wg.Wait()
			want := 2 * time.Second
			if headErr != nil {
				want = time.Second
			}
			if took := time.Since(start); (took - want).Abs() > time.Microsecond {
				t.Errorf("the one behind went after %v, want %v (head: %v)", took, want, headErr)
			}
		})
	}
}

func TestAcquireOnAnEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, g := range []*Gate{nil, NewGate(), NewGate(WithRate(Rate{PerSecond: 1}))} {
		if _, err := g.Acquire(ctx); !errors.Is(err, ErrWait) || !errors.Is(err, context.Canceled) {
			t.Errorf("Acquire: %v", err)
		}
		if _, err := g.Admit(ctx); !errors.Is(err, ErrWait) || !errors.Is(err, context.Canceled) {
			t.Errorf("Admit: %v", err)
		}
		if s := g.Status(); s.Sends != 0 || s.Cancelled != 0 {
			t.Errorf("status = %+v", s)
		}
	}
}

func TestOpenGates(t *testing.T) {
	for name, g := range map[string]*Gate{"nil": nil, "zero": {}, "no options": NewGate()} {
		p, err := g.Acquire(t.Context())
		if err != nil || p.Waited != 0 {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
		if g != nil && (g.Status().InFlight != 1 || g.Status().Sends != 1) {
			t.Errorf("%s: %+v", name, g.Status())
		}
		p.Release()
		ticket, err := g.Admit(t.Context())
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if ctx := ticket.Context(t.Context()); ctx != t.Context() {
			t.Errorf("%s: a ticket of an open gate changes the context", name)
		}
		ticket.Close()
		if s := g.Status(); s.InFlight != 0 || s.Expected != 0 {
			t.Errorf("%s: %+v", name, s)
		}
	}
	if err := (*Gate)(nil).SetRate(Rate{PerSecond: 1}); err != nil {
		t.Error(err)
	}
	Permit{}.Release()
	Ticket{}.Close()
}

func TestOpenGateCostsNoAllocation(t *testing.T) {
	for name, g := range map[string]*Gate{"nil": nil, "open": NewGate()} {
		ctx := t.Context()
		if n := testing.AllocsPerRun(100, func() {
			ticket, _ := g.Admit(ctx)
			p, _ := g.Acquire(ticket.Context(ctx))
			p.Release()
			ticket.Close()
		}); n != 0 {
			t.Errorf("%s gate: %v allocations", name, n)
		}
	}
}

func TestBadRateRefusesEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(WithRate(Rate{PerSecond: math.NaN()}))
		if _, err := g.Acquire(t.Context()); !errors.Is(err, ErrRate) {
			t.Errorf("Acquire: %v", err)
		}
		if _, err := g.Admit(t.Context()); !errors.Is(err, ErrRate) {
			t.Errorf("Admit: %v", err)
		}
		if s := g.Status(); !errors.Is(s.Err, ErrRate) || s.Sends+s.Cancelled != 0 {
			t.Errorf("status = %+v", s)
		}
		if err := g.SetRate(Rate{PerSecond: -1}); !errors.Is(err, ErrRate) {
			t.Errorf("SetRate: %v", err)
		}
		if err := g.SetRate(Rate{PerSecond: 1}); err != nil {
			t.Errorf("SetRate: %v", err)
		}
		sends(t, g, 1)
	})
}

func TestSetRateWakesThoseWhoWait(t *testing.T) {
	for to, want := range map[string]time.Duration{
		"":             10 * time.Second,
		"1/sec":        11 * time.Second,
		"strict:1/sec": 11 * time.Second,
		"strict:2/min": 40 * time.Second,
		"2/hour":       30*time.Minute + 5*time.Second,
	} {
		t.Run(to, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := NewGate(WithRate(parse(t, "1/hour")))
				sends(t, g, 1)
				start := time.Now()
				go func() {
					time.Sleep(10 * time.Second)
					r := Rate{}
					if to != "" {
						r = parse(t, to)
					}
					if err := g.SetRate(r); err != nil {
						t.Error(err)
					}
				}()
				sends(t, g, 1)
				// The 10 s worth of the old rate is kept.
				if took := time.Since(start); (took - want).Abs() > 100*time.Millisecond {
					t.Errorf("the waiter went after %v, want %v", took, want)
				}
			})
		})
	}
}

func TestSetRateGrantsNoBurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(WithRate(parse(t, "1/sec,burst=5")))
		sends(t, g, 5)
		for _, r := range []string{"2/sec,burst=5", "strict:2/sec,margin=0s", "2/sec,burst=5", "strict:2/sec,margin=0s"} {
			if err := g.SetRate(parse(t, r)); err != nil {
				t.Fatal(err)
			}
			if at := sends(t, g, 1); (at[0] - 500*time.Millisecond).Abs() > time.Microsecond {
				t.Errorf("after the change to %s the next went after %v, want 500ms", r, at[0])
			}
		}
		if got, want := g.Status().Rate, parse(t, "strict:2/sec,margin=0s"); got != want {
			t.Errorf("rate in force = %v, want %v", got, want)
		}
		if err := g.SetRate(Rate{PerSecond: 1}); err != nil || g.Status().Rate.Burst != 1 {
			t.Errorf("rate in force = %+v, %v, want its burst filled in", g.Status().Rate, err)
		}
	})
}

// The first send at a strict rate keeps the distance from the one before it,
// whatever that one waited for.
func TestStrictKeepsItsDistanceFromASendBefore(t *testing.T) {
	for _, from := range []string{"unlimited", "100/sec,burst=100", "strict:100/sec,margin=0s"} {
		synctest.Test(t, func(t *testing.T) {
			g := NewGate()
			if from != "unlimited" {
				g = NewGate(WithRate(parse(t, from)))
			}
			time.Sleep(time.Hour)
			sends(t, g, 2)
			time.Sleep(2 * time.Second)
			if err := g.SetRate(parse(t, "strict:0.1/sec,margin=0s")); err != nil {
				t.Fatal(err)
			}
			if got := after(t, g); got != 8*time.Second {
				t.Errorf("from %s: the first send waits %v, want 8s", from, got)
			}
			if err := g.SetRate(Rate{}); err != nil {
				t.Fatal(err)
			}
			if got := after(t, g); got != 0 {
				t.Errorf("from %s: without a limit the next waits %v", from, got)
			}
			time.Sleep(time.Second)
			if err := g.SetRate(parse(t, "strict:0.1/sec,margin=0s")); err != nil {
				t.Fatal(err)
			}
			if got := after(t, g); got != 9*time.Second {
				t.Errorf("from %s: after the limit was taken away and put back a send waits %v, want 9s", from, got)
			}
			time.Sleep(time.Minute)
			if got := after(t, g); got != 0 {
				t.Errorf("from %s: long after, a send waits %v", from, got)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		g := NewGate()
		if err := g.SetRate(parse(t, "strict:0.1/sec")); err != nil {
			t.Fatal(err)
		}
		if got := after(t, g); got != 0 {
			t.Errorf("the first send of all waits %v", got)
		}
	})
}

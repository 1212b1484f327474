package limit

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// pool runs workers × metrics without end: each metric is admitted, works a
// little, sends, and takes its time to answer. It returns the longest wait at
// the gate and how many metrics failed at a deadline that starts with the
// admission.
func pool(ctx context.Context, g *Gate, workers, metrics int, before func() time.Duration) (longest time.Duration, failed int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	metric := func(ctx context.Context) {
		ticket, err := g.Admit(ctx)
		if err != nil {
			return
		}
		defer ticket.Close()
		work, cancel := context.WithTimeout(ticket.Context(context.WithoutCancel(ctx)), 10*time.Second)
		defer cancel()
		time.Sleep(before())
		p, err := g.Acquire(work)
		mu.Lock()
		longest = max(longest, p.Waited)
		if err != nil {
			failed++
		}
		mu.Unlock()
		if err == nil {
			time.Sleep(2 * time.Second)
			p.Release()
		}
	}
	for range workers {
		wg.Go(func() {
			for ctx.Err() == nil {
				var group sync.WaitGroup
				for range metrics {
					group.Go(func() { metric(ctx) })
				}
				group.Wait()
			}
		})
	}
	wg.Wait()
	return longest, failed
}

func TestEveryPermitIsUsedAndNobodyWaitsLong(t *testing.T) {
	tests := []struct {
		rate    string
		span    time.Duration
		sends   uint64
		longest time.Duration
	}{
		{"60/min", time.Hour, 3600, time.Second + 100*time.Millisecond},
		{"1000/hour", time.Hour, 1000, time.Second + 100*time.Millisecond},
		{"60/hour", time.Hour, 60, time.Second + 100*time.Millisecond},
		{"20/sec", 5 * time.Minute, 6001, 150 * time.Millisecond},
		{"0.5/sec,burst=4", time.Hour, 1803, time.Second + 100*time.Millisecond},
		{"strict:2/sec,margin=0s", time.Hour, 7200, 600 * time.Millisecond},
	}
	for _, tt := range tests {
		t.Run(tt.rate, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := NewGate(WithRate(parse(t, tt.rate)))
				ctx, cancel := context.WithTimeout(t.Context(), tt.span-time.Millisecond)
				defer cancel()
				longest, failed := pool(ctx, g, 32, 4, func() time.Duration { return rand.N(20 * time.Millisecond) })
				s := g.Status()
				// Those already let in when the time is over may still send.
				if s.Sends < tt.sends || s.Sends > tt.sends+3 {
					t.Errorf("%d sends in %v, want %d", s.Sends, tt.span, tt.sends)
				}
				if failed > 0 || longest > tt.longest {
					t.Errorf("%d metrics failed at the gate, the longest wait was %v, want at most %v", failed, longest, tt.longest)
				}
				if s.Expected != 0 || s.Waiting != 0 || s.Admitting != 0 || s.InFlight != 0 {
					t.Errorf("left behind: %+v", s)
				}
			})
		})
	}
}

func TestAdmitCountsTheWaitingAndTheExpected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(WithRate(parse(t, "1/sec,burst=2")))
		first, err := g.Admit(t.Context()) // both permits of the burst are due
		if err != nil {
			t.Fatal(err)
		}
		second, err := g.Admit(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		admitted := make(chan time.Duration)
		start := time.Now()
		go func() {
			ticket, err := g.Admit(t.Context())
			if err != nil {
				t.Error(err)
			}
			admitted <- time.Since(start)
			ticket.Close()
		}()
		synctest.Wait()
		if s := g.Status(); s.Expected != 2 || s.Admitting != 1 {
			t.Fatalf("status = %+v, want two expected and one at the door", s)
		}
		// Neither has come to the gate: the third stays out however long.
		time.Sleep(time.Minute)
		if s := g.Status(); s.Admitting != 1 {
			t.Fatal("let in beyond the permits that are due")
		}
		for _, ticket := range []Ticket{first, second} {
			p, err := g.Acquire(ticket.Context(t.Context()))
			if err != nil || p.Waited != 0 {
				t.Fatalf("%+v, %v", p, err)
			}
			p.Release()
			ticket.Close()
			ticket.Close()
		}
		// Both permits gone, the next is due in a second.
		if got := <-admitted; got != time.Minute {
			t.Errorf("the third was let in after %v, want 1m", got)
		}
		if s := g.Status(); s.Expected != 0 {
			t.Errorf("expected = %d after closing all", s.Expected)
		}
	})
}

func TestAnUnusedTicketIsGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(WithRate(parse(t, "1/sec")))
		ticket, err := g.Admit(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		time.AfterFunc(300*time.Millisecond, ticket.Close)
		next, err := g.Admit(t.Context())
		if err != nil || time.Since(start) != 300*time.Millisecond {
			t.Errorf("the next was let in after %v, %v; want 300ms", time.Since(start), err)
		}
		next.Close()
		if s := g.Status(); s.Expected != 0 || s.Sends != 0 {
			t.Errorf("status = %+v", s)
		}
	})
}

// Only the first Acquire below a ticket was expected, and only at its gate.
func TestTicketIsForItsGateAndOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := NewGate(WithRate(parse(t, "1/sec,burst=9"))), NewGate(WithRate(parse(t, "1/sec,burst=9")))
		ticket, err := a.Admit(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ctx := ticket.Context(t.Context())
		for _, step := range []struct {
			gate     *Gate
			expected int
		}{{b, 1}, {a, 0}, {a, 0}} {
			if _, err := step.gate.Acquire(ctx); err != nil {
				t.Fatal(err)
			}
			if got := a.Status().Expected; got != step.expected {
				t.Errorf("expected = %d, want %d", got, step.expected)
			}
		}
		ticket.Close()
		if got := a.Status().Expected; got != 0 {
			t.Errorf("expected = %d after Close", got)
		}
	})
}

func TestAdmitGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(WithRate(parse(t, "1/hour")))
		sends(t, g, 1)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		ticket, err := g.Admit(ctx)
		if !errors.Is(err, ErrWait) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error = %v", err)
		}
		ticket.Close()
		if s := g.Status(); s.Admitting != 0 || s.Expected != 0 || s.Cancelled != 0 {
			t.Errorf("status = %+v", s)
		}
	})
}

func TestSetRateOpensTheDoor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(WithRate(parse(t, "1/hour")))
		sends(t, g, 1)
		time.AfterFunc(time.Minute, func() {
			if err := g.SetRate(Rate{}); err != nil {
				t.Error(err)
			}
		})
		start := time.Now()
		for range 3 {
			if _, err := g.Admit(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(start); took != time.Minute {
			t.Errorf("let in after %v, want 1m", took)
		}
	})
}

func TestAdmitNextDoesNotWaitForABreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(WithBreaker(Breaker{}), WithRate(Rate{PerSecond: 0.1, Burst: 1}))
		first, err := g.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		first.Release()
		// One waits for its permit when the breaker opens.
		waited := make(chan error, 1)
		go func() {
			_, err := g.AdmitNext(t.Context())
			waited <- err
		}()
		synctest.Wait()
		g.Trip()
		synctest.Wait()
		select {
		case err := <-waited:
			if !errors.Is(err, ErrOpen) {
				t.Errorf("who waited when the breaker opened got %v", err)
			}
		default:
			t.Error("who waited when the breaker opened still waits")
		}
		began := time.Now()
		if _, err := g.AdmitNext(t.Context()); !errors.Is(err, ErrOpen) || time.Since(began) != 0 {
			t.Errorf("while it is open AdmitNext gave %v after %v", err, time.Since(began))
		}
		// New work waits until a probe may be sent.
		ticket, err := g.Admit(t.Context())
		if err != nil || time.Since(began) == 0 {
			t.Errorf("Admit gave %v after %v", err, time.Since(began))
		}
		ticket.Close()
	})
}

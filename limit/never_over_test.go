package limit

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// era is a time during which one rate was in force.
type era struct {
	from time.Duration
	rate Rate
}

// history is what happened at a gate under a random schedule.
type history struct {
	eras  []era
	sends []time.Duration
}

// permitted is the most that may be sent in [from, to]: the largest burst in
// force then, plus what each rate permits.
func (h history) permitted(from, to time.Duration) float64 {
	total, burst := 0.0, 1
	for i, e := range h.eras {
		end := time.Duration(1<<63 - 1)
		if i+1 < len(h.eras) {
			end = h.eras[i+1].from
		}
		if end < from || e.from > to {
			continue
		}
		total += e.rate.PerSecond * (min(end, to) - max(e.from, from)).Seconds()
		burst = max(burst, e.rate.burst())
	}
	return total + float64(burst) + 1e-6
}

// run lets random callers loose on a gate: they come in bunches, some with
// tickets, give up at random moments, and the rate changes among rates.
func run(t *testing.T, seed uint64, rates []Rate) history {
	r := rand.New(rand.NewPCG(seed, 1))
	start := time.Now()
	h := history{eras: []era{{rate: rates[0]}}}
	g := NewGate(WithRate(rates[0]))
	var mu sync.Mutex
	var wg sync.WaitGroup
	var gaveUp uint64
	call := func(ctx context.Context, hold time.Duration, early bool) {
		p, err := g.Acquire(ctx)
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err == nil:
			h.sends = append(h.sends, time.Since(start))
			time.AfterFunc(hold, p.Release)
		case !errors.Is(err, ErrWait):
			t.Errorf("seed %d: %v", seed, err)
		case !early:
			gaveUp++
		}
	}
	for range 300 {
		time.Sleep(time.Duration(r.ExpFloat64() * float64(300*time.Millisecond)))
		switch r.IntN(20) {
		case 0:
			next := rates[r.IntN(len(rates))]
			mu.Lock()
			h.eras = append(h.eras, era{time.Since(start), next})
			mu.Unlock()
			if err := g.SetRate(next); err != nil {
				t.Fatal(err)
			}
		case 1:
			time.Sleep(time.Duration(r.IntN(int(20 * time.Second))))
		}
		for range 1 + r.IntN(5) {
			patience := time.Duration(r.IntN(int(10 * time.Second)))
			hold := time.Duration(r.IntN(int(3 * time.Second)))
			ticketed, pre := r.IntN(2) == 0, time.Duration(r.IntN(int(200*time.Millisecond)))
			wg.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				defer cancel()
				if ticketed {
					ticket, err := g.Admit(ctx)
					if err != nil {
						return
					}
					defer ticket.Close()
					time.Sleep(pre)
					ctx = ticket.Context(ctx)
				}
				call(ctx, hold, ctx.Err() != nil)
			})
		}
	}
	wg.Wait()
	time.Sleep(time.Minute)
	s := g.Status()
	if s.Sends != uint64(len(h.sends)) || s.Cancelled != gaveUp || s.Waiting+s.Admitting+s.Expected != 0 || s.InFlight != 0 {
		t.Errorf("seed %d: %d sent, %d gave up, status %+v", seed, len(h.sends), gaveUp, s)
	}
	if len(h.sends) < 20 {
		t.Errorf("seed %d: only %d sends, the schedule tests nothing", seed, len(h.sends))
	}
	slices.Sort(h.sends)
	// Nothing is lost: whoever comes to an idle gate later goes in time.
	sends(t, g, 1)
	return h
}

// Over any window there are never more sends than the rates in force permit,
// and in strict pacing no two are closer than the distance.
func TestNeverOverUnderRandomSchedules(t *testing.T) {
	kinds := map[string][]string{
		"one bucket":   {"2/sec,burst=3"},
		"buckets":      {"2/sec,burst=3", "10/sec", "0.5/sec,burst=8", "90/min"},
		"one strict":   {"strict:2/sec"},
		"stricts":      {"strict:2/sec", "strict:100/min,margin=0s", "strict:5/sec,margin=10ms"},
		"both":         {"strict:2/sec", "3/sec,burst=4", "strict:5/sec", "0.7/sec"},
		"not so often": {"20/min", "strict:30/min"},
	}
	for name, specs := range kinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var rates []Rate
			for _, s := range specs {
				rates = append(rates, parse(t, s))
			}
			for seed := range uint64(25) {
				synctest.Test(t, func(t *testing.T) {
					h := run(t, seed, rates)
					if err := h.check(); err != nil {
						t.Errorf("seed %d: %v", seed, err)
					}
				})
			}
		})
	}
}

func (h history) check() error {
	for i, from := range h.sends {
		for j := i + 1; j < len(h.sends); j++ {
			if n := float64(j - i + 1); n > h.permitted(from, h.sends[j]) {
				return fmt.Errorf("%v sends from %v to %v, at most %v are permitted", n, from, h.sends[j], h.permitted(from, h.sends[j]))
			}
		}
	}
	for i := 1; i < len(h.sends); i++ {
		e := h.eras[0]
		for _, other := range h.eras {
			if other.from <= h.sends[i] {
				e = other
			}
		}
		if d := h.sends[i] - h.sends[i-1]; e.rate.Strict && e.from < h.sends[i] && d < distance(e.rate) {
			return fmt.Errorf("sends at %v and %v under %v", h.sends[i-1], h.sends[i], e.rate)
		}
	}
	return nil
}

// The checks above can fail.
func TestNeverOverCheckSeesTooMany(t *testing.T) {
	s := time.Second
	for name, h := range map[string]history{
		"burst":  {eras: []era{{rate: Rate{PerSecond: 1, Burst: 2}}}, sends: []time.Duration{s, s, s}},
		"window": {eras: []era{{rate: Rate{PerSecond: 1, Burst: 1}}}, sends: []time.Duration{1 * s, 2 * s, 3 * s, 3500 * time.Millisecond}},
		"strict": {eras: []era{{rate: Rate{PerSecond: 1, Strict: true, Margin: s}}}, sends: []time.Duration{1 * s, 2 * s}},
	} {
		if h.check() == nil {
			t.Errorf("%s: not seen", name)
		}
	}
}

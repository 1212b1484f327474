package limit

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// sent is one send of a combined run.
type sent struct {
	at, until    time.Duration
	tokens, cost float64
	window       time.Time // of the budget
}

// told is one Retry-After: when it was heard, and until when it holds.
type told struct{ at, until time.Duration }

// combined is what happened at a gate with all its parts.
type combined struct {
	sends      []sent
	pauses     []told
	rates      []era
	tokenRates []era
	ceilings   []struct {
		at time.Duration
		n  int
	}
	largest float64 // need of tokens
}

// runCombined lets random callers loose on a gate with all parts, while each of
// them is changed at random.
func runCombined(t *testing.T, seed uint64, budget Budget) combined {
	r := rand.New(rand.NewPCG(seed, 7))
	rates := []Rate{parse(t, "4/sec,burst=5"), parse(t, "10/sec,burst=2"), parse(t, "strict:3/sec"), {}}
	tokenRates := []Rate{{PerSecond: 300, Burst: 500}, {PerSecond: 800, Burst: 100}, {PerSecond: 150, Burst: 2000}}
	ceilings := []int{2, 5, 12}
	breaker := Breaker{OpenFor: time.Second, OpenMax: 4 * time.Second, FatalMax: 4 * time.Second}
	g := NewGate(WithRate(rates[0]), WithTokenRate(tokenRates[0]), WithAdaptive(ceilings[2]), WithBreaker(breaker), WithBudget(budget))
	start := time.Now()
	c := combined{rates: []era{{rate: rates[0]}}, tokenRates: []era{{rate: tokenRates[0]}}}
	ceiling := func(n int) {
		c.ceilings = append(c.ceilings, struct {
			at time.Duration
			n  int
		}{time.Since(start), n})
	}
	ceiling(ceilings[2])
	var mu sync.Mutex
	var wg sync.WaitGroup
	var calls, gaveUp, refused uint64

	call := func(patience, work, hold time.Duration, need Need, share float64, o Outcome, ticketed bool) {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		if ticketed {
			ticket, err := g.Admit(ctx)
			if err != nil {
				return
			}
			defer ticket.Close()
			time.Sleep(work)
			ctx = ticket.Context(ctx)
		}
		early := ctx.Err() != nil
		p, err := g.AcquireFor(ctx, need)
		mu.Lock()
		if !early {
			calls++
		}
		switch {
		case err == nil:
		case errors.Is(err, ErrWait):
			if !early {
				gaveUp++
			}
		case errors.Is(err, ErrOpen), errors.Is(err, ErrSpent):
			refused++
		default:
			t.Errorf("seed %d: %v", seed, err)
		}
		if err != nil {
			mu.Unlock()
			return
		}
		s := sent{at: time.Since(start), tokens: float64(need.Tokens), cost: need.Cost, window: g.Status().Budget.Renews}
		mu.Unlock()
		time.Sleep(hold)
		mu.Lock()
		defer mu.Unlock()
		s.until = time.Since(start)
		if o.refusal() {
			s.tokens, s.cost = 0, 0
		} else if o.Result == ResultOK {
			s.tokens, s.cost = max(1, float64(int64(s.tokens*share))), s.cost*share
			o.Tokens, o.Cost, o.HasCost = int64(s.tokens), s.cost, true
		}
		if h := o.Header.Get("Retry-After"); h != "" {
			d, _ := time.ParseDuration(h)
			c.pauses = append(c.pauses, told{s.until, s.until + d})
		}
		c.sends = append(c.sends, s)
		p.Done(o)
	}
	for range 500 {
		time.Sleep(time.Duration(r.ExpFloat64() * float64(200*time.Millisecond)))
		mu.Lock()
		now := time.Since(start)
		switch r.IntN(40) {
		case 0:
			next := rates[r.IntN(len(rates))]
			c.rates = append(c.rates, era{now, next})
			if err := g.SetRate(next); err != nil {
				t.Error(err)
			}
		case 1:
			next := tokenRates[r.IntN(len(tokenRates))]
			c.tokenRates = append(c.tokenRates, era{now, next})
			if err := g.SetTokenRate(next); err != nil {
				t.Error(err)
			}
		case 2:
			n := ceilings[r.IntN(len(ceilings))]
			ceiling(n)
			g.SetCeiling(n)
		case 3:
			if err := g.SetBreaker(breaker); err != nil {
				t.Error(err)
			}
		case 4:
			if err := g.SetBudget(budget); err != nil {
				t.Error(err)
			}
		}
		mu.Unlock()
		for range 1 + r.IntN(3) {
			need := Need{Tokens: 1 + int64(r.ExpFloat64()*60), Cost: r.Float64()}
			c.largest = max(c.largest, float64(need.Tokens))
			o := Outcome{Result: ResultOK, Header: headers()}
			switch r.IntN(30) {
			case 0, 1:
				o.Result = ResultUnavailable
			case 2:
				o = Outcome{Result: ResultRateLimited, Header: headers("Retry-After", []string{"1s", "500ms", "3s"}[r.IntN(3)])}
			case 3:
				o.Result = ResultRateLimited
			case 4:
				o = Outcome{}
			case 5:
				o = Outcome{Result: ResultOverloaded, Header: headers("Retry-After", "2s")}
			case 6:
				if r.IntN(5) == 0 {
					o.Result = ResultFatal
				}
			}
			patience, work := time.Duration(r.IntN(int(12*time.Second))), time.Duration(r.IntN(int(100*time.Millisecond)))
			hold, share, ticketed := time.Duration(r.IntN(int(time.Second))), r.Float64(), r.IntN(2) == 0
			wg.Go(func() { call(patience, work, hold, need, share, o, ticketed) })
		}
	}
	wg.Wait()
	s := g.Status()
	if s.Sends != uint64(len(c.sends)) || s.Cancelled != gaveUp || s.Refused != refused || s.Sends+s.Cancelled+s.Refused != calls {
		t.Errorf("seed %d: %d calls, %d sent, %d gave up, %d refused; status %+v", seed, calls, len(c.sends), gaveUp, refused, s)
	}
	if s.Waiting+s.Admitting+s.Expected != 0 || s.InFlight != 0 {
		t.Errorf("seed %d: left behind: %+v", seed, s)
	}
	if len(c.sends) < 30 {
		t.Errorf("seed %d: only %d sends, the schedule tests little", seed, len(c.sends))
	}
	// Nothing is lost: later the gate goes on.
	time.Sleep(time.Hour)
	try(t, g, Outcome{Result: ResultOK, Header: headers()})
	slices.SortFunc(c.sends, func(a, b sent) int { return int(a.at - b.at) })
	return c
}

// permitted is the most that eras of rates permit in [from, to], besides what
// may come at once.
func permitted(eras []era, from, to time.Duration) (total, burst float64) {
	for i, e := range eras {
		end := time.Duration(1<<63 - 1)
		if i+1 < len(eras) {
			end = eras[i+1].from
		}
		if end < from || e.from > to {
			continue
		}
		if e.rate.Unlimited() {
			total += 1e9
		}
		total += e.rate.PerSecond * (min(end, to) - max(e.from, from)).Seconds()
		burst = max(burst, float64(e.rate.burst()))
	}
	return total, burst
}

func TestNeverOverWithAllParts(t *testing.T) {
	budget := Budget{Amount: 60, Per: time.Minute}
	pauses := 0
	for seed := range uint64(30) {
		synctest.Test(t, func(t *testing.T) {
			c := runCombined(t, seed, budget)
			pauses += len(c.pauses)
			windows := map[time.Time]float64{}
			for i, s := range c.sends {
				windows[s.window] += s.cost
				n, tokens := 0.0, 0.0
				for _, other := range c.sends[i:] {
					n++
					tokens += other.tokens
					if total, burst := permitted(c.rates, s.at, other.at); n > total+max(1, burst)+1e-6 {
						t.Fatalf("seed %d: %v sends from %v to %v", seed, n, s.at, other.at)
					}
					if total, burst := permitted(c.tokenRates, s.at, other.at); tokens > total+max(burst, c.largest)+1e-3 {
						t.Fatalf("seed %d: %v tokens from %v to %v", seed, tokens, s.at, other.at)
					}
				}
				for _, p := range c.pauses {
					if s.at > p.at && s.at < p.until {
						t.Errorf("seed %d: a send at %v in the pause from %v to %v", seed, s.at, p.at, p.until)
					}
				}
				ceiling, flying := 0, 0
				for _, e := range c.ceilings {
					if e.at <= s.at {
						ceiling = e.n
					}
				}
				for _, other := range c.sends[:i+1] {
					if other.until > s.at {
						flying++
					}
				}
				if flying > ceiling {
					t.Errorf("seed %d: %d in flight at %v, the ceiling is %d", seed, flying, s.at, ceiling)
				}
			}
			for end, sum := range windows {
				if sum > budget.Amount*(1+1e-6) {
					t.Errorf("seed %d: %v spent until %v", seed, sum, end)
				}
			}
		})
	}
	if pauses < 100 {
		t.Errorf("only %d pauses in all runs", pauses)
	}
}

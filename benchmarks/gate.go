package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/genaievals/genaievals/limit"
)

func gateClaims() []claim {
	return []claim{
		{name: "gates_cost", bound: 2000, says: "nanoseconds a send through a gate with all its parts, uncontended, and at most 2 allocations",
			measure: gatesCost},
		{name: "never_over", bound: 0, says: "sends beyond what the rate allows over any window, the most of every limiter under random schedules",
			measure: neverOver, bubbles: true},
	}
}

func gatesCost() (float64, error) {
	budget, err := limit.ParseBudget("1000000usd/day")
	if err != nil {
		return 0, err
	}
	gate := limit.NewGate(
		limit.WithRate(limit.Rate{PerSecond: 1e6, Burst: 1e6}),
		limit.WithTokenRate(limit.Rate{PerSecond: 1e6, Burst: 1e6}),
		limit.WithAdaptive(1024), limit.WithBreaker(limit.Breaker{}), limit.WithBudget(budget),
	)
	ctx := context.Background()
	var failed error
	one := func() {
		permit, err := gate.AcquireFor(ctx, limit.Need{Tokens: 1, Cost: 1e-9})
		if err != nil {
			failed = err
			return
		}
		permit.Done(limit.Outcome{Result: limit.ResultOK, Tokens: 1, Cost: 1e-9, HasCost: true})
	}
	for range 10_000 {
		one() // the cap and the rate have been learned
	}
	result := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			one()
		}
	})
	if failed != nil {
		return 0, failed
	}
	allocs := testing.AllocsPerRun(10_000, one)
	open := testing.Benchmark(func(b *testing.B) {
		var none *limit.Gate
		for b.Loop() {
			permit, _ := none.Acquire(ctx)
			permit.Release()
		}
	})
	fmt.Printf("all parts: %d ns and %.2f allocations a send; no gate at all: %d ns\n", result.NsPerOp(), allocs, open.NsPerOp())
	if allocs > 2 {
		return 0, fmt.Errorf("%v allocations a send, want at most 2", allocs)
	}
	return float64(result.NsPerOp()), nil
}

// neverOver counts, for each kind of limit and many random schedules of
// arrivals, cancellations and calls of different length, the sends in every
// window against what the limit allows there.
func neverOver() (worst float64, err error) {
	const schedules, callers = 100, 40
	for _, tt := range []struct {
		name  string
		rate  limit.Rate
		extra []limit.Option
	}{
		{"bucket 10/sec, burst 1", limit.Rate{PerSecond: 10, Burst: 1}, nil},
		{"bucket 2/sec, burst 5", limit.Rate{PerSecond: 2, Burst: 5}, nil},
		{"bucket 1/min, burst 3", limit.Rate{PerSecond: 1.0 / 60, Burst: 3}, nil},
		{"strict 2/sec", limit.Rate{PerSecond: 2, Strict: true}, nil},
		{"strict 10/sec beside all others", limit.Rate{PerSecond: 10, Strict: true},
			[]limit.Option{limit.WithAdaptive(16), limit.WithBreaker(limit.Breaker{})}},
		{"bucket 5/sec, burst 2 beside all others", limit.Rate{PerSecond: 5, Burst: 2},
			[]limit.Option{limit.WithAdaptive(16), limit.WithBreaker(limit.Breaker{}), limit.WithTokenRate(limit.Rate{PerSecond: 1000, Burst: 500})}},
	} {
		most, sends := math.Inf(-1), 0
		for seed := range uint64(schedules) {
			err := bubble(func() error {
				at, err := schedule(limit.NewGate(append(tt.extra, limit.WithRate(tt.rate))...), callers, seed)
				sends += len(at)
				most = max(most, excess(at, tt.rate))
				return err
			})
			if err != nil {
				return 0, err
			}
		}
		fmt.Printf("%-42s %6d sends in %d schedules, at most %+.3f over any window's allowance\n", tt.name, sends, schedules, most)
		worst = max(worst, math.Floor(max(0, most)+1e-6))
	}
	fmt.Println("in real time:")
	rate := limit.Rate{PerSecond: 200, Burst: 20}
	at, err := hammer(limit.NewGate(limit.WithRate(rate), limit.WithAdaptive(64), limit.WithBreaker(limit.Breaker{})), 3*time.Second)
	if err != nil {
		return 0, err
	}
	over := excess(at, rate)
	fmt.Printf("%v: %d sends in 3 s, at most %+.3f over any window's allowance (not part of the claim: a goroutine can be late to say so)\n", rate, len(at), over)
	return worst, nil
}

// hammer has 64 callers send as fast as the gate lets them, and returns when
// the permits were given.
func hammer(gate *limit.Gate, length time.Duration) (at []time.Time, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), length)
	defer cancel()
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for {
				permit, acquireErr := gate.Acquire(ctx)
				mu.Lock()
				switch {
				case acquireErr == nil:
					at = append(at, time.Now())
				case !errors.Is(acquireErr, limit.ErrWait):
					err = acquireErr
				}
				mu.Unlock()
				if acquireErr != nil {
					return
				}
				time.Sleep(time.Millisecond)
				permit.Done(limit.Outcome{Result: limit.ResultOK})
			}
		})
	}
	wg.Wait()
	slices.SortFunc(at, time.Time.Compare)
	return at, err
}

// excess is the most by which the sends of any window exceed burst + rate ×
// its length.
func excess(at []time.Time, rate limit.Rate) float64 {
	most := math.Inf(-1)
	burst := float64(max(1, rate.Burst))
	for i := range at {
		for j := i; j < len(at); j++ {
			allowed := burst + rate.PerSecond*at[j].Sub(at[i]).Seconds()
			most = max(most, float64(j-i+1)-allowed)
		}
	}
	return most
}

func schedule(gate *limit.Gate, callers int, seed uint64) ([]time.Time, error) {
	var mu sync.Mutex
	var at []time.Time
	var failed error
	var wg sync.WaitGroup
	for c := range callers {
		random := rand.New(rand.NewPCG(seed, uint64(c)))
		wg.Go(func() {
			for range 5 {
				time.Sleep(time.Duration(random.Int64N(int64(3 * time.Second))))
				ctx, cancel := context.WithTimeout(context.Background(), time.Duration(random.Int64N(int64(2*time.Minute))))
				permit, err := gate.AcquireFor(ctx, limit.Need{Tokens: random.Int64N(300)})
				cancel()
				switch {
				case errors.Is(err, limit.ErrWait), errors.Is(err, limit.ErrOpen):
					continue
				case err != nil:
					mu.Lock()
					failed = err
					mu.Unlock()
					return
				}
				mu.Lock()
				at = append(at, time.Now())
				mu.Unlock()
				time.Sleep(time.Duration(random.Int64N(int64(2 * time.Second))))
				result := limit.ResultOK
				if random.IntN(20) == 0 {
					result = limit.ResultRateLimited
				}
				permit.Done(limit.Outcome{Result: result, Tokens: random.Int64N(300)})
			}
		})
	}
	wg.Wait()
	slices.SortFunc(at, time.Time.Compare)
	return at, failed
}

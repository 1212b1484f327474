package encoder

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

const ms = time.Millisecond

func TestAllowance(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	type step struct {
		at    time.Duration // since the start
		spend time.Duration
		wait  time.Duration // afterwards
	}
	for name, test := range map[string]struct {
		share float64
		steps []step
	}{
		"a rest after the first burst": {0.5, []step{{0, 200 * ms, 0}, {0, 100 * ms, 200 * ms}, {100 * ms, 0, 100 * ms}, {200 * ms, 0, 0}}},
		"nothing was computed":         {0.5, []step{{0, 0, 0}, {time.Hour, 0, 0}}},
		"credit ends at the burst":     {0.5, []step{{0, 0, 0}, {time.Hour, 300 * ms, 200 * ms}}},
		"a tenth":                      {0.1, []step{{0, 250 * ms, 500 * ms}}},
		"a whole core":                 {1, []step{{0, 200 * ms, 0}, {50 * ms, 50 * ms, 0}, {100 * ms, 50 * ms, 0}}},
		"a year later":                 {1e-6, []step{{0, time.Hour, 999944*time.Hour + 26*time.Minute + 40*time.Second}, {24 * 365 * 200 * time.Hour, 0, 0}}},
		"for ever":                     {1e-300, []step{{0, 300 * ms, math.MaxInt64}, {1e6 * time.Hour, 0, math.MaxInt64}}},
		"the clock goes back":          {0.5, []step{{time.Second, 300 * ms, 200 * ms}, {0, 0, 200 * ms}, {1100 * ms, 0, 100 * ms}}},
		"less than nothing":            {0.5, []step{{0, -time.Hour, 0}, {0, 300 * ms, 200 * ms}}},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAllowance(test.share)
			for i, s := range test.steps {
				now := start.Add(s.at)
				a.wait(now)
				a.spend(now, s.spend)
				if got := a.wait(now); (got - s.wait).Abs() > time.Microsecond {
					t.Errorf("step %d: wait %v, want %v", i, got, s.wait)
				}
			}
		})
	}
}

// In no window is there more than the share, the burst, and the computation
// that was begun last.
func TestShareHoldsOverEveryWindow(t *testing.T) {
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 0))
		share := 0.05 + 0.95*random.Float64()
		a := newAllowance(share)
		now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		type span struct {
			begin time.Time
			took  time.Duration
		}
		var spans []span
		const longest = 30 * ms
		for range 300 {
			if random.IntN(20) == 0 {
				now = now.Add(time.Duration(random.IntN(2000)) * ms)
			}
			now = now.Add(a.wait(now))
			if a.wait(now) > time.Microsecond {
				t.Fatalf("share %v: waited, and has to wait %v more", share, a.wait(now))
			}
			took := time.Duration(1 + random.Int64N(int64(longest)))
			spans = append(spans, span{now, took})
			now = now.Add(took)
			a.spend(now, took)
		}
		for i := range spans {
			var total time.Duration
			for _, s := range spans[i:] {
				total += s.took
				window := s.begin.Add(s.took).Sub(spans[i].begin)
				if allowed := time.Duration(share*float64(window)) + burst + longest; total > allowed {
					t.Fatalf("share %v: %v in %v, allowed %v", share, total, window, allowed)
				}
			}
		}
	}
}

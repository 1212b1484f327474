package adaptive

import (
	"math/rand/v2"
	"testing"
	"time"
)

// The invariants of [Learner], under judges and callers that do anything.
func TestInvariantsUnderAnything(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 0))
		now := time.Unix(1e9, 0)
		ceiling := 1 + r.IntN(40)
		l := New(Config{Ceiling: ceiling, Start: now})
		var (
			open     []Token
			until    time.Time // of every Retry-After
			refuse   = 0.0     // just now
			before   = l.Status(now)
			headers  bool
			undecide = map[uint64]bool{} // trials without an outcome
		)
		for step := range 3000 {
			if r.IntN(200) == 0 {
				refuse = []float64{0, 0.02, 0.5, 1}[r.IntN(4)]
			}
			now = now.Add(time.Duration(r.ExpFloat64() * float64(200*time.Millisecond)))
			headers = false
			refused := false
			at, ok := l.NextSend(now)
			if !ok && !at.IsZero() && !at.After(now) {
				t.Fatalf("seed %d, step %d: told to ask again at once", seed, step)
			}
			switch {
			case ok && r.IntN(4) > 0:
				s := l.Status(now)
				if now.Before(until) || now.Before(s.Until) {
					t.Fatalf("seed %d, step %d: a send inside a pause", seed, step)
				}
				if s.Blocked && len(undecide) > 0 {
					t.Fatalf("seed %d, step %d: two trials", seed, step)
				}
				token := l.Send(now)
				if s.Blocked {
					undecide[token.seq] = true
				}
				open = append(open, token)
			case len(open) > 0:
				i := r.IntN(len(open))
				token := open[i]
				open[i] = open[len(open)-1]
				open = open[:len(open)-1]
				delete(undecide, token.seq)
				switch p := r.Float64(); {
				case p < refuse:
					refused = true
					f := Refusal{Exhausted: r.IntN(8) == 0}
					if r.IntN(2) == 0 {
						f.RetryAfter = time.Duration(r.Int64N(int64(20 * time.Second)))
						if end := now.Add(f.RetryAfter); end.After(until) {
							until = end
						}
					}
					l.Refused(now, token, f)
				case r.IntN(10) == 0:
					l.Abandoned(now, token)
				default:
					l.Answered(now, token, r.IntN(5) > 0)
				}
				if r.IntN(20) == 0 {
					headers = true
					l.Headers(now, Window{Limit: float64(r.IntN(100)), Reset: time.Duration(r.Int64N(int64(time.Minute)))})
				}
			}
			s := l.Status(now)
			if !s.Blocked {
				clear(undecide)
			}
			switch {
			case s.InFlight > s.Cap || s.Cap > ceiling || s.Cap < 1:
				t.Fatalf("seed %d, step %d: in flight ≤ cap ≤ ceiling broken: %+v", seed, step, s)
			case s.InFlight != len(open):
				t.Fatalf("seed %d, step %d: %d in flight, want %d", seed, step, s.InFlight, len(open))
			case s.Until.Before(before.Until) && now.Before(before.Until):
				t.Fatalf("seed %d, step %d: a pause was shortened", seed, step)
			case s.Cap < before.Cap && !refused && before.Blocked == s.Blocked:
				t.Fatalf("seed %d, step %d: the cap fell without a refusal", seed, step)
			case s.Measured < before.Measured && !headers && !before.Blocked:
				t.Fatalf("seed %d, step %d: the rate fell other than by a measurement", seed, step)
			case s.CapEpisodes+s.RateEpisodes > before.CapEpisodes+before.RateEpisodes+1 || s.CapEpisodes+s.RateEpisodes > s.Refusals:
				t.Fatalf("seed %d, step %d: charged twice", seed, step)
			case s.Rate <= 0 || s.Rate != s.Rate:
				t.Fatalf("seed %d, step %d: rate %v", seed, step, s.Rate)
			}
			before = s
		}
	}
}

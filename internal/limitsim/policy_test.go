package limitsim

import (
	"math/rand/v2"
	"testing"
	"time"
)

// A client that asks far too often is let in as often as is permitted.
func TestPoliciesPermitWhatTheySay(t *testing.T) {
	for _, p := range append(Policies(), Variants()[0]) {
		t.Run(p.Name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 1))
			l := p.limiter(r)
			const latency = 2 * time.Second
			var busy []time.Duration // ends of what is in progress
			accepted, half := 0.0, 0.0
			const span, step = time.Hour, 10 * time.Millisecond
			for now := time.Duration(0); now < span; now += step {
				if now == span/2 {
					half = accepted
					l.scale(now, 0.5)
				}
				for len(busy) > 0 && busy[0] <= now {
					busy = busy[1:]
					l.done()
				}
				n := 1.0
				if p.Token {
					n = tokensLeast + float64(r.IntN(tokensMost-tokensLeast+1))
				}
				wait, ok := l.admit(now, n)
				if ok {
					accepted += n
					busy = append(busy, now+latency)
				} else if wait <= 0 {
					t.Fatalf("at %v: refused for %v", now, wait)
				}
			}
			now := l.permitted(latency)
			wantFirst, wantSecond := 2*now*span.Seconds()/2, now*span.Seconds()/2
			if !within(half, wantFirst, 0.04) || // a bucket starts full
				!within(accepted-half, wantSecond, 0.03) {
				t.Errorf("let in %.0f and %.0f, want %.0f and %.0f", half, accepted-half, wantFirst, wantSecond)
			}
		})
	}
}

func within(got, want, share float64) bool {
	return got >= want*(1-share) && got <= want*(1+share)
}

func TestHeadersSayWhatIsLeft(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, tt := range []struct {
		name                      string
		l                         limiter
		limit, remaining, resetIn float64
	}{
		{"window", &window{limit: 60, period: minute, ends: 30 * time.Second}, 60, 57, 30},
		{"sliding, empty log", &sliding{limit: 60, period: minute}, 60, 57, 60},
		{"sliding, next slot", &sliding{limit: 60, period: minute, next: true}, 60, 57, 60},
		{"bucket", &bucket{rate: 1, size: 10, level: 10}, 10, 7, 3},
		{"slots", &slots{limit: 4}, 0, 0, 0},
		{"tokens", &tokens{limiter: newWindow(r, 1e5, minute), requests: &window{limit: 600, period: minute, ends: minute}}, 600, 597, 60},
	} {
		for range 3 {
			if _, ok := tt.l.admit(0, 1); !ok {
				t.Fatal(tt.name, "refused")
			}
		}
		limit, remaining, reset := tt.l.describe(0)
		if limit != tt.limit || remaining != tt.remaining || !within(reset.Seconds(), tt.resetIn, 1e-6) {
			t.Errorf("%s: %v, %v, %v", tt.name, limit, remaining, reset)
		}
	}
}

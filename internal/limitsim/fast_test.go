package limitsim

import (
	"fmt"
	"testing"
	"time"
)

func TestFastJudgesAreUsedAndKept(t *testing.T) {
	for _, e := range Fast() {
		for _, headers := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/%.0f/headers %t", e.Policy.Name, e.Scale, headers), func(t *testing.T) {
				e.Headers = headers
				least := e.Least()
				reports := RunSeeds(e, firstSeed, seeds)
				if got := Median(reports, Report.Share); got < least || got > 1.02 {
					t.Errorf("%.3f of the permitted, want %.2f", got, least)
				}
				if got := Median(reports, Report.RefusedShare); got > 0.025 {
					t.Errorf("%.2f %% refused", 100*got)
				}
				for _, r := range reports {
					if r.Inside != 0 || r.Lost() != 0 {
						t.Errorf("%d sends inside a Retry-After, %d lost", r.Inside, r.Lost())
					}
				}
			})
		}
	}
}

// Calls that all take as long, hardly any network, and a limit on the distance
// between them that lets in up to twice what one slot, or one more, would.
func TestDistanceBetweenCallsIsNoCap(t *testing.T) {
	for _, policy := range []string{"GCRA b1", "GCRA b1, limit 60"} {
		for _, headers := range []bool{true, false} {
			for _, slots := range []float64{1.1, 1.6, 1.9, 2, 2.1, 2.7, 3, 3.9, 8.5} {
				t.Run(fmt.Sprintf("%s/headers %t/%v slots", policy, headers, slots), func(t *testing.T) {
					e := fastest(t, policy)
					latency := seconds(slots / e.Scale)
					e.Headers, e.Latency = headers, Span{latency, latency}
					e.OneWay = Span{100 * time.Microsecond, 100 * time.Microsecond}
					least := 0.84 // a probe of the cap at 0.85 of the distance may be the best
					if got := Median(RunSeeds(e, firstSeed, seeds), Report.Share); got < least {
						t.Errorf("%.3f of the permitted", got)
					}
				})
			}
		}
	}
}

// The first half minute, with all that it takes to learn.
func TestFastJudgeIsLearnedInSeconds(t *testing.T) {
	for _, headers := range []bool{true, false} {
		e := fastest(t, "GCRA b1, limit 60")
		e.Headers, e.Latency = headers, Span{50 * time.Millisecond, 50 * time.Millisecond}
		e.OneWay = Span{100 * time.Microsecond, 100 * time.Microsecond}
		e.Duration, e.Warm = 30*time.Second, 1
		if got := Median(RunSeeds(e, firstSeed, seeds), Report.Share); got < 0.8 {
			t.Errorf("headers %t: %.3f of the permitted", headers, got)
		}
	}
}

// fastest is the last of [Fast] with a policy.
func fastest(t *testing.T, policy string) Experiment {
	t.Helper()
	var last Experiment
	for _, e := range Fast() {
		if e.Policy.Name == policy {
			last = e
		}
	}
	if last.Scale == 0 {
		t.Fatal("no such policy")
	}
	return last
}

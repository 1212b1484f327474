package limitsim

import (
	"testing"
	"time"

	"github.com/genaievals/genaievals/internal/adaptive"
)

// Few seeds here; all of them, and the usual rules beside, in benchmarks.
const (
	firstSeed = 1000
	seeds     = 3
)

func experiment(p Policy, headers bool) Experiment {
	return Experiment{Policy: p, Client: Adaptive(), Headers: headers, Ceiling: 256}
}

func eachPolicy(t *testing.T, check func(t *testing.T, p Policy, headers bool)) {
	for _, p := range Policies() {
		for name, headers := range map[string]bool{"headers": true, "none": false} {
			t.Run(p.Name+"/"+name, func(t *testing.T) { check(t, p, headers) })
		}
	}
}

func TestUnknownLimitIsUsedAndKept(t *testing.T) {
	eachPolicy(t, func(t *testing.T, p Policy, headers bool) {
		share, refused := 0.95, 0.02
		if !headers {
			share = 0.90
			if p.Name == "TPM window" {
				refused = 0.035
			}
		}
		reports := RunSeeds(experiment(p, headers), firstSeed, seeds)
		if got := Median(reports, Report.Share); got < share || got > 1.02 {
			t.Errorf("%.3f of the permitted, want %.2f", got, share)
		}
		if got := Median(reports, Report.RefusedShare); got > refused {
			t.Errorf("%.2f %% refused, want at most %.1f %%", 100*got, 100*refused)
		}
		for _, r := range reports {
			if r.Inside != 0 {
				t.Errorf("%d sends inside a Retry-After", r.Inside)
			}
			if r.Lost() != 0 {
				t.Errorf("%d items lost", r.Lost())
			}
		}
	})
}

func TestChangedLimitIsFollowed(t *testing.T) {
	eachPolicy(t, func(t *testing.T, p Policy, headers bool) {
		e := experiment(p, headers)
		e.Halve, e.Restore = 10*time.Minute, 20*time.Minute
		reports := RunSeeds(e, firstSeed, seeds)
		fall := Median(reports, func(r Report) float64 { return r.Fall.Seconds() })
		switch {
		case p.Name == "GCRA b1" && !headers:
			if got := Median(reports, Report.Share); got < 0.70 {
				t.Errorf("%.2f of the permitted over the run", got)
			}
		case fall > 30:
			t.Errorf("%.0f s after halving", fall)
		}
		if rise := Median(reports, func(r Report) float64 { return r.Rise.Seconds() }); headers && p.Described && rise > 30 {
			t.Errorf("%.0f s after restoring", rise)
		}
		if calls := Median(reports, Report.RiseCalls); calls > 300 {
			t.Errorf("%.0f calls after restoring", calls)
		}
	})
}

// A limit given as double the truth does not hide the true one.
func TestWrongRateLimitDoesNoHarm(t *testing.T) {
	eachPolicy(t, func(t *testing.T, p Policy, headers bool) {
		e := experiment(p, headers)
		e.RateLimit = 2 * e.PermittedCalls()
		reports := RunSeeds(e, firstSeed, seeds)
		share, refused := 0.95, 0.02
		if !headers {
			share = 0.90
		}
		if got := Median(reports, Report.Share); got < share {
			t.Errorf("%.3f of the permitted", got)
		}
		if got := Median(reports, Report.RefusedShare); got > refused {
			t.Errorf("%.2f %% refused", 100*got)
		}
	})
}

func TestStormIsWaitedOut(t *testing.T) {
	for _, p := range Policies() {
		e := experiment(p, true)
		e.Storm, e.StormAfter = Phase{15 * time.Minute, 30 * time.Second}, 30*time.Second
		for _, r := range RunSeeds(e, firstSeed, seeds) {
			if r.Inside != 0 || r.Lost() != 0 {
				t.Errorf("%s: %d sends inside the Retry-After, %d lost", p.Name, r.Inside, r.Lost())
			}
		}
	}
}

func TestFailuresOfTheServerCostNothing(t *testing.T) {
	for _, p := range Policies() {
		e := experiment(p, true)
		e.Errors, e.ErrorShare = Phase{15 * time.Minute, 30 * time.Second}, 0.7
		reports := RunSeeds(e, firstSeed, seeds)
		if got := Median(reports, func(r Report) float64 { return r.Errors.Seconds() }); got > 1 {
			t.Errorf("%s: recovered after %.0f s", p.Name, got)
		}
	}
}

// Against a judge without limits the cap doubles at least once a second,
// whatever the latency.
func TestCapDoublesEachSecondWithoutLimits(t *testing.T) {
	for _, latency := range []time.Duration{50 * time.Millisecond, time.Second, 30 * time.Second} {
		caps := map[int]int{}
		e := Experiment{
			Policy: Unlimited(), Client: Adaptive(), Ceiling: 1024, Duration: 15 * time.Second, Latency: Span{latency, latency},
			check: func(now time.Duration, l *adaptive.Learner) {
				s := l.Status(epoch.Add(now))
				caps[int(now/time.Second)] = s.Cap
			},
		}
		Run(e)
		last := 2
		for second := range 11 {
			if got := caps[second]; got < min(1024, 2*last) && got > 0 {
				t.Errorf("latency %v: %d after %d s, %d a second before", latency, got, second+1, last)
			}
			last = max(last, caps[second])
		}
		if last != 1024 {
			t.Errorf("latency %v: %d after 11 s", latency, last)
		}
	}
}

func TestSameSeedSameRun(t *testing.T) {
	for _, c := range Clients() {
		e := Experiment{Policy: Policies()[0], Client: c, Seed: 7, Duration: 5 * time.Minute}
		a, b := Run(e), Run(e)
		if a.Calls != b.Calls || a.Refused != b.Refused || a.Accepted != b.Accepted {
			t.Errorf("%s: %+v and %+v", c.Name, a, b)
		}
		e.Seed = 8
		if c := Run(e); c.Calls == a.Calls && c.Refused == a.Refused {
			t.Error("the seed does nothing")
		}
	}
}

// The usual rules are refused far more often.
func TestUsualRulesAreWorse(t *testing.T) {
	for _, c := range Clients()[1:] {
		e := Experiment{Policy: Policies()[0], Client: c}
		reports := RunSeeds(e, firstSeed, seeds)
		if got := Median(reports, Report.RefusedShare); got < 0.1 {
			t.Errorf("%s: only %.1f %% refused", c.Name, 100*got)
		}
		for _, r := range reports {
			if r.Lost() != 0 {
				t.Errorf("%s: %d lost", c.Name, r.Lost())
			}
		}
	}
}

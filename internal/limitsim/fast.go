package limitsim

import "time"

// scaled is a limiter whose time runs faster.
type scaled struct {
	limiter
	by float64
}

func (s scaled) there(now time.Duration) time.Duration { return time.Duration(float64(now) * s.by) }

func (s scaled) here(d time.Duration) time.Duration { return seconds(d.Seconds() / s.by) }

func (s scaled) admit(now time.Duration, tokens float64) (wait time.Duration, ok bool) {
	wait, ok = s.limiter.admit(s.there(now), tokens)
	return s.here(wait), ok
}

func (s scaled) scale(now time.Duration, by float64) { s.limiter.scale(s.there(now), by) }

func (s scaled) describe(now time.Duration) (limit, remaining float64, reset time.Duration) {
	limit, remaining, reset = s.limiter.describe(s.there(now))
	return limit, remaining, s.here(reset)
}

func (s scaled) permitted(mean time.Duration) float64 {
	return s.limiter.permitted(s.there(mean)) * s.by
}

// Fast returns experiments with judges 10 and 40 times as fast as those of
// [Policies]: five minutes, of which the first half minute is not counted, with
// calls of 50–300 or 13–75 ms and hardly any network. Headers and Seed are left to set.
func Fast() []Experiment {
	var all []Experiment
	for _, scale := range []float64{10, 40} {
		for _, p := range fastPolicies() {
			all = append(all, Experiment{
				Policy: p, Client: Adaptive(), Scale: scale, Ceiling: 64,
				Duration: 5 * time.Minute, Warm: 30 * time.Second,
			})
		}
	}
	return all
}

// Least is the share of the permitted that the learner is to reach against the
// judges of [Fast]: 0.90 with headers, 0.85 without. Where calls must be 25 ms
// apart and the network moves each by up to 2 ms, no pace above 0.93 is without
// refusals; 0.85 then.
func (e Experiment) Least() float64 {
	if !e.Headers || e.Policy.single && e.withDefaults().Scale >= 40 {
		return 0.85
	}
	return 0.90
}

// fastPolicies are those of [Policies] that count calls or slots, and a bucket
// whose headers tell how many calls it lets in a minute, not its burst, so that
// they bound nothing.
func fastPolicies() []Policy {
	var some []Policy
	for _, p := range Policies() {
		if !p.Token {
			some = append(some, p)
		}
	}
	return append(some, Variants()[2])
}

package encoder

import (
	"math"
	"time"
)

// DefaultShare is how much of one core an [Encoder] uses by default.
const DefaultShare = 0.5

// burst is how much computing may be done at once, after a rest, before the
// share holds: a reply of many sentences shall not wait if nothing else did.
const burst = 200 * time.Millisecond

// allowance keeps computing at a share of the time. It is a credit of computing
// time that grows with the clock, up to burst, and is spent by what was
// computed; while it is negative nothing may begin. So in any window there is
// at most share × window + burst, and the computation that was begun last.
type allowance struct {
	share  float64
	credit time.Duration
	at     time.Time // when credit was that
}

func newAllowance(share float64) allowance { return allowance{share: share, credit: burst} }

// wait returns how long it is until something may begin.
func (a *allowance) wait(now time.Time) time.Duration {
	a.grow(now)
	if a.credit >= 0 {
		return 0
	}
	return max(1, a.earning(-a.credit))
}

// spend takes what was computed from the credit.
func (a *allowance) spend(now time.Time, took time.Duration) {
	a.grow(now)
	a.credit -= max(0, took)
}

// earning is how long it takes until credit has grown by d, or what is as good
// as for ever.
func (a *allowance) earning(d time.Duration) time.Duration {
	if long := float64(d) / a.share; long < math.MaxInt64 {
		return time.Duration(long)
	}
	return math.MaxInt64
}

func (a *allowance) grow(now time.Time) {
	if since := now.Sub(a.at); !a.at.IsZero() && since > 0 {
		if since >= a.earning(burst-a.credit) {
			a.credit = burst
		} else {
			a.credit += time.Duration(float64(since) * a.share)
		}
	}
	if now.After(a.at) {
		a.at = now
	}
}

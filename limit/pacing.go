package limit

import (
	"math"
	"time"
)

// pacing is strict pacing: a send is due a fixed distance after the one before
// it really started, so lateness is never made up for and no window holds more
// sends than the rate.
type pacing struct {
	every time.Duration
	last  time.Time // of the last send; zero before the first
}

// newPacing returns a pacing whose first send comes no sooner after the last
// one than all others will, nor sooner than the credit permits.
func newPacing(r Rate, now, last time.Time, credit float64) *pacing {
	every := distance(r)
	if credit < 1 {
		if asIf := now.Add(-time.Duration(credit * float64(every))); asIf.After(last) {
			last = asIf
		}
	}
	return &pacing{every: every, last: last}
}

// distance between two sends, rounded up.
func distance(r Rate) time.Duration {
	return time.Duration(math.Ceil(float64(time.Second)/r.PerSecond)) + r.Margin
}

func (p *pacing) take(now time.Time) bool {
	if p.due(now, 1).After(now) {
		return false
	}
	p.last = now
	return true
}

func (p *pacing) due(now time.Time, n int) time.Time {
	first := now
	if next := p.last.Add(p.every); !p.last.IsZero() && next.After(now) {
		first = next
	}
	if n-1 > int(farOff/p.every) {
		return first.Add(farOff)
	}
	return first.Add(time.Duration(n-1) * p.every)
}

func (p *pacing) credit(now time.Time) float64 {
	if p.last.IsZero() {
		return 1
	}
	return min(1, now.Sub(p.last).Seconds()/p.every.Seconds())
}

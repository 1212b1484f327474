package adaptive

import (
	"math"
	"time"
)

// pace is the rate at which sends leave, evenly spaced: that suits every kind
// of limiter, so that none needs to be recognised.
//
// measured is the anchor: it changes only to another measurement. After a
// refusal the pace starts below it, by doubt, and rises with the credit of
// those that survived, through the anchor and above it, until the next refusal.
type pace struct {
	measured float64       // +Inf: nothing measured yet
	credit   float64       // survivors that left on their slot since the last episode
	patience float64       // credit at which the pace reaches measured
	doubt    float64       // how far below measured it starts, as a share
	slot     time.Duration // of the last send

	// ramping: measured comes from too few to be one. The pace doubles each few
	// survivors until the next refusal: twice as many as it was measured from.
	ramping bool
	few     float64

	// As told by headers; 0: not told.
	limit    float64       // requests in a window
	window   time.Duration // largest recent reset
	windowAt time.Duration // when it was told

	refused, let int // since patience was last steered
}

const (
	patienceFirst = 16
	patienceMost  = 128
	doubtFirst    = 0.05
	doubtMost     = 0.9
	doubtStep     = 0.75   // what a surprise leaves of the pace
	overshoot     = 0.1    // above measured, when patience has passed twice
	doubling      = 80     // further credit that doubles the pace
	fewLeast      = 4      // the same while ramping, at least
	shareWanted   = 0.0095 // of the calls refused: less than half of what may be

	// arrivalJitter leaves room for arrivals closer than sends.
	arrivalJitter = 0.97
	// windowMost: a limit on more is not spread. A few hundred calls of a day's
	// thousand may go at once.
	windowMost = 10 * time.Minute
)

func newPace() pace {
	return pace{measured: math.Inf(1), patience: patienceFirst, doubt: doubtFirst}
}

// known reports whether there is a measurement.
func (p *pace) known() bool { return !math.IsInf(p.measured, 1) && !p.ramping }

// current is the rate in sends a second; +Inf: not paced.
func (p *pace) current() float64 {
	r := p.measured
	switch a, n := p.credit, p.patience; {
	case math.IsInf(r, 1):
	case p.ramping:
		r *= math.Exp2(min(20, a/p.few))
	case a < n:
		r *= 1 - p.doubt*cube(1-a/n)
	case a < 2*n:
		r *= 1 + overshoot*cube(a/n-1)
	default:
		r *= (1 + overshoot) * math.Exp2(min(10, (a-2*n)/doubling))
	}
	return min(r, p.allowed())
}

// allowed is the most that the headers allow, less the jitter of arrivals. The
// largest recent reset is right whether it means the window's end, a full
// bucket or the next slot: an upper bound under all three.
func (p *pace) allowed() float64 {
	if p.limit <= 0 || p.window <= 0 {
		return math.Inf(1)
	}
	return arrivalJitter * p.limit / p.window.Seconds()
}

func cube(x float64) float64 { return x * x * x }

// gap is the time between two sends.
func (p *pace) gap() time.Duration { return seconds(1 / p.current()) }

// next is when the next send is due.
func (p *pace) next() time.Duration { return p.slot + p.gap() }

// fall takes a smaller measurement.
func (p *pace) fall(rate float64) {
	p.measured = min(p.measured, rate)
	p.doubt, p.patience = doubtFirst, patienceFirst
}

// seconds converts without overflow.
func seconds(s float64) time.Duration {
	return time.Duration(min(max(s, 0), 1e9) * float64(time.Second))
}

// send spends the slot and returns the credit that the send's survival brings:
// none if it did not have to wait for its slot, since it says nothing about the
// pace then. At less than half a send a second each counts for more.
func (p *pace) send(now time.Duration) (credit float64) {
	gap := p.gap()
	if gap > 0 && now-p.next() <= max(gap/4, 5*time.Millisecond) {
		credit = max(1, gap.Seconds()/2)
	}
	p.slot = max(now, p.next())
	return credit
}

// told takes what the headers say.
func (p *pace) told(now time.Duration, w Window) {
	if w.Reset > windowMost {
		return
	}
	if w.Limit > 0 && !math.IsInf(w.Limit, 1) {
		if p.limit > 0 && w.Limit != p.limit {
			p.measured *= w.Limit / p.limit
			p.credit = 0
		}
		p.limit = w.Limit
	}
	if w.Reset > 0 && (w.Reset >= p.window || now-p.windowAt > p.window*3/2) {
		p.window, p.windowAt = w.Reset, now
	}
}

// steer sets the patience so that about one call in a hundred is refused.
func (p *pace) steer(pause time.Duration) {
	most := max(patienceMost, 60*p.measured)
	if p.let >= int(max(2*p.patience, 32)) && p.doubt < 0.3 {
		share := float64(p.refused) / float64(p.refused+p.let)
		p.patience *= min(max(share/shareWanted, 0.5), 4)
		p.patience = min(max(p.patience, patienceFirst), most)
		p.refused, p.let = 0, 0
	}
	// A pause may cost 5 % of the time.
	p.patience = max(p.patience, 20*p.measured*min(1, pause.Seconds()))
}

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
	measured float64 // +Inf: nothing measured yet
	credit   float64 // survivors that left on their slot since the last episode
	patience float64 // credit at which the pace reaches measured
	doubt    float64 // how far below measured it starts, as a share
	next     time.Duration

	limit    float64 // requests in a window, as told; 0: not told
	window   time.Duration
	windowAt time.Duration

	refused, let int // since patience was last steered
}

const (
	patienceFirst = 16
	doubtFirst    = 0.05
	doubtMost     = 0.9
	overshoot     = 0.1
	arrivalJitter = 0.97
	shareWanted   = 0.01 // of the calls refused
)

func newPace() pace {
	return pace{measured: math.Inf(1), patience: patienceFirst, doubt: doubtFirst}
}

// current is the rate in sends a second; +Inf: not paced.
func (p *pace) current() float64 {
	r := p.measured
	switch a, n := p.credit, p.patience; {
	case math.IsInf(r, 1):
	case a < n:
		r *= 1 - p.doubt*cube(1-a/n)
	case a < 2*n:
		r *= 1 + overshoot*cube(a/n-1)
	default:
		r *= (1 + overshoot) * math.Exp2(min(3, (a-2*n)/80))
	}
	return min(r, p.told97())
}

// told97 is the most that the headers allow, less the jitter of arrivals. The
// largest recent reset is right whether it means the window's end, a full
// bucket or the next slot: an upper bound under all three.
func (p *pace) told97() float64 {
	if p.limit <= 0 || p.window <= 0 {
		return math.Inf(1)
	}
	return arrivalJitter * p.limit / p.window.Seconds()
}

func cube(x float64) float64 { return x * x * x }

// gap is the time between two sends.
func (p *pace) gap() time.Duration { return seconds(1 / p.current()) }

// seconds converts without overflow.
func seconds(s float64) time.Duration {
	return time.Duration(min(max(s, 0), 1e9) * float64(time.Second))
}

// send spends the slot and returns the credit that the send's survival brings:
// none if it did not have to wait for its slot, since it says nothing about the
// pace then. At less than half a send a second each counts for more.
func (p *pace) send(now time.Duration) (credit float64) {
	gap := p.gap()
	if gap > 0 && now-p.next <= max(gap/4, 5*time.Millisecond) {
		credit = max(1, gap.Seconds()/2)
	}
	p.next = max(now, p.next) + gap
	return credit
}

// told takes what the headers say.
func (p *pace) told(now time.Duration, w Window) {
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
	most := max(128, 60*p.measured)
	if p.let >= int(max(2*p.patience, 32)) && p.doubt < 0.3 {
		share := float64(p.refused) / float64(p.refused+p.let)
		p.patience *= min(max(share/shareWanted, 0.5), 4)
		p.patience = min(max(p.patience, patienceFirst), most)
		p.refused, p.let = 0, 0
	}
	p.patience = max(p.patience, 20*p.measured*min(1, pause.Seconds()))
}

package adaptive

import (
	"math"
	"slices"
	"time"
)

// accepted remembers when what the server let in was sent. A rate is always
// measured as accepted over elapsed between two moments at which a saturated
// limiter let in again: that is its rate, whatever its kind.
type accepted struct {
	total    int
	opening  int                // total at the last opening
	last     [128]time.Duration // when the last were sent, a ring
	broken   bool               // the first of openings is none
	openings []mark             // latest last
	before   float64            // rate of the last seven before the last refusal
}

// mark is a moment and what had been accepted until then.
type mark struct {
	at    time.Duration
	total int
}

func (a *accepted) add(sent time.Duration) {
	a.last[a.total%len(a.last)] = sent
	a.total++
}

// open notes that the limiter let in again with the survivor sent at this
// moment. Of the openings no more are kept than are needed to look enough
// acceptances back.
func (a *accepted) open(at time.Duration) {
	if a.broken {
		a.openings, a.broken = a.openings[:0], false
	}
	a.opening = a.total
	a.openings = append(a.openings, mark{at, a.total})
	if len(a.openings) > enough+1 {
		a.openings = a.openings[:copy(a.openings, a.openings[1:])]
	}
}

// Acceptances between two openings that make a rate.
const enough = 8

// forget drops the openings: what was before says nothing about now.
func (a *accepted) forget() { a.openings = a.openings[:0] }

// interrupt starts measuring anew at a moment that is not an opening.
func (a *accepted) interrupt(now time.Duration) {
	a.openings, a.broken = append(a.openings[:0], mark{now, a.total}), true
}

// sinceOpening measures up to now from the latest opening with enough accepted
// since, or else from the first that is known.
func (a *accepted) sinceOpening(now time.Duration) (n int, rate float64) {
	m := mark{}
	for _, m = range slices.Backward(a.openings) {
		if a.total-m.total >= enough {
			break
		}
	}
	return a.since(m, now)
}

// sinceLast measures up to now from the latest opening.
func (a *accepted) sinceLast(now time.Duration) (n int, rate float64) {
	m := mark{}
	if i := len(a.openings); i > 0 {
		m = a.openings[i-1]
	}
	return a.since(m, now)
}

func (a *accepted) since(m mark, now time.Duration) (n int, rate float64) {
	n = a.total - m.total
	return n, perSecond(n, now-m.at)
}

// recent is the rate at which the last n survivors followed each other; 0 if
// there were fewer.
func (a *accepted) recent(n int) float64 {
	if n < 4 || n > min(a.total, len(a.last)) {
		return 0
	}
	oldest := a.last[(a.total-n)%len(a.last)]
	newest := a.last[(a.total-1)%len(a.last)]
	return perSecond(n-1, newest-oldest)
}

// tails are the numbers of survivors whose rate is tried: the longest that
// leaves out a slow beginning is nearest to the limit.
var tails = [...]int{32, 64, 128}

// tail is the largest rate of the last survivors since the opening, with the
// pause before the trial, which is the last of them.
func (a *accepted) tail() float64 {
	best := 0.0
	for _, n := range tails {
		best = max(best, a.recent(min(n, a.total-a.opening)))
	}
	return best
}

func perSecond(n int, d time.Duration) float64 {
	return float64(n) / max(d.Seconds(), 1e-3)
}

// decayed counts events a second, older ones less: a time constant of 4 s.
type decayed struct {
	value float64
	when  time.Duration
}

const decay = 4 * time.Second

func (d *decayed) at(now time.Duration) float64 {
	return d.value * math.Exp(-(now-d.when).Seconds()/decay.Seconds())
}

func (d *decayed) add(now time.Duration) {
	d.value, d.when = d.at(now)+1/decay.Seconds(), now
}

package adaptive

import (
	"math"
	"time"
)

// episode is what happens from a refusal until the server lets in again. Only
// its first refusal is reacted to: those that were sent before the reaction say
// the same thing.
type episode struct {
	kind    kind
	blocked bool          // charged to the rate: one trial at a time, after pauses
	trying  bool          // the trial is undecided
	trial   Token         // the last one
	backoff time.Duration // pause before the next trial, unless told
	pause   time.Duration // the first backoff
	react   time.Duration // when the last reaction was
	after   uint64        // number of the first send after it
	row     int           // reactions since a send that survived

	// resume is how many may be undecided at once after a cut of the cap or a
	// strike: one more with each survivor, since what was freed meanwhile would
	// all be refused together if the reaction was wrong; 0: as many as the cap.
	resume int
	struck bool // there was a strike

	// Surprises in a row.
	surprised bool
	first     mark    // the opening after the first of them
	before    float64 // rate just before the last of them, if it tells

	// A rate larger than measured that is being tried.
	fallback      float64 // the rate before; 0: none is tried
	skip, skipFor int     // probes to let pass before the next is tried

	low   bool // a measurement far below was seen once
	rough bool // measured from the start, which holds what was stored then
}

// kind is what a refusal that is charged to the rate tells.
type kind int

const (
	// kindStrike: the first ever. It may still have been about the cap, so
	// that the cap starts again before a rate is measured.
	kindStrike kind = iota
	// kindFirst: no rate is known yet; the reopening gives one.
	kindFirst
	// kindSurprise: below the measured rate. Something else is going on: an
	// echo of earlier bursts, or the limit fell.
	kindSurprise
	// kindProbe: above the measured rate, as was to be expected.
	kindProbe
)

const (
	backoffMost = 15 * time.Second // worst overshoot after an outage
	resumeMost  = 16
	// Sends that the rate would let in during the first pause: headroom for the
	// trial and those after it. Less where the judge said how long, more where
	// the rate is hardly known.
	headroom, headroomTold, headroomRamp = 1.5, 0.5, 2
	// A cap lets in as soon as something has finished: a second refusal in a row
	// is none of it.
	rowMost = 2
	// Survivors that give the rate just before a refusal.
	justBefore = 7
)

func newEpisode() episode { return episode{react: -1, skipFor: 1} }

func (e *episode) isTrial(t Token) bool {
	return e.trying && e.trial.seq == t.seq
}

// proved notes a survivor sent after the last reaction.
func (e *episode) proved() {
	e.row = 0
	if e.resume > 0 {
		if e.resume++; e.resume > resumeMost {
			e.resume = 0
		}
	}
}

// Refused notes a 429. Tell [Learner.Headers] first what its headers said.
func (l *Learner) Refused(now time.Time, t Token, r Refusal) {
	l.advance(now)
	l.leave()
	l.undecided.take(t.seq)
	l.refusals++
	l.rate.refused++

	trip := l.now - t.sent
	l.slowest = max(l.slowest, min(trip, quietMost))
	l.quiet = min(quietMost, max(l.quiet, 3*trip))
	l.pause(r.RetryAfter)

	e := &l.episode
	switch {
	case e.isTrial(t):
		l.trialRefused(t, r)
	case e.blocked || t.seq < e.after:
		// One reaction an episode.
	default:
		l.react(t, r)
	}
}

// pause extends the pause, never shortens it.
func (l *Learner) pause(d time.Duration) {
	if d > 0 {
		l.until = max(l.until, l.now+min(d, math.MaxInt64-l.now))
	}
}

func (l *Learner) trialRefused(t Token, r Refusal) {
	e := &l.episode
	e.trying = false
	longer := time.Duration(2)
	if !l.rate.known() {
		longer = 4 // nothing is known of how long it may be
	}
	e.backoff = min(backoffMost, longer*e.backoff)
	if r.RetryAfter <= 0 {
		l.pause(e.backoff)
	}
	if e.kind == kindStrike && t.others == 0 {
		e.kind = kindFirst // nothing was in flight: not the cap
	}
}

// react charges a refusal to the cap or to the rate.
func (l *Learner) react(t Token, r Refusal) {
	e := &l.episode
	e.react, e.after = l.now, l.seq
	e.row++
	// After a Retry-After sends burst: the larger of the two readings.
	carried := max(t.others, l.inFlight)
	failed := l.cap.trying > 0 && carried >= l.cap.size-l.cap.step
	if failed {
		l.cap.fail()
	}
	unknown := e.row < rowMost && !l.ledger.carries(carried+l.blur())
	if !r.Exhausted && carried > 0 && (failed || unknown) {
		l.capEpisodes++
		l.cap.refused(l.now, carried, failed, r.RetryAfter)
		if !failed {
			e.resume = 1
		}
		return // the wait for something to finish is pause enough
	}
	l.rateEpisodes++
	l.block(carried, r)
}

// block begins an episode that is charged to the rate.
func (l *Learner) block(carried int, r Refusal) {
	e, p := &l.episode, &l.rate
	e.blocked, e.trying, e.resume = true, false, 0
	l.cap.slow = false
	l.accepted.before = l.accepted.recent(min(justBefore, l.accepted.total-l.accepted.opening))
	switch {
	case p.known() && p.credit < p.patience:
		e.kind = kindSurprise
	case p.known():
		e.kind = kindProbe
	case !e.struck && !r.Exhausted && carried > 0 && !p.ramping:
		e.kind, e.struck = kindStrike, true
		l.ledger.clear(l.now)
		l.cap.hold = holdGrown
	default:
		e.kind = kindFirst
	}
	switch {
	case p.ramping:
		e.backoff = min(l.beat(), seconds(headroomRamp/p.current()))
	case p.known():
		sends := headroom
		if r.RetryAfter > 0 {
			sends = headroomTold
		}
		e.backoff = min(backoffMost, seconds(sends/min(p.measured, p.current())))
	case r.RetryAfter > 0:
		e.backoff = min(l.beat(), r.RetryAfter)
	default:
		e.backoff = l.beat()
	}
	e.pause = e.backoff
	l.pause(e.backoff)
}

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
	blocked bool // charged to the rate: one trial at a time, after pauses
	// After a cut of the cap, or a strike, no more may be undecided at once than
	// this, one more for each survivor; 0: as many as the cap.
	proven  int
	trying  bool          // the trial is undecided
	trial   Token         // the last one
	backoff time.Duration // pause before the next trial, unless told
	pause   time.Duration // the first backoff of the episode
	react   time.Duration // when the last reaction was
	row     int           // reactions since the last survivor
	struck  bool          // there was a strike

	surprised bool // the last rate episode was a surprise, and first is set
	twice     float64
	first     mark // the opening after the first surprise in a row

	fallback      float64 // the rate before a larger one was tried; 0: none
	skip, skipFor int     // probes to let pass before trying a larger one again
	low           bool    // a measurement far below was seen once
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
	backoffFirst = time.Second
	backoffMost  = 15 * time.Second // worst overshoot after an outage
	provenMost   = 16
	rowMost      = 4 // a cap lets in once something has finished
)

func newEpisode() episode { return episode{react: -1, skipFor: 1} }

func (e *episode) isTrial(t Token) bool {
	return e.trying && e.trial.seq == t.seq
}

// proved widens what may be undecided at once by one.
func (e *episode) proved() {
	if e.proven > 0 {
		if e.proven++; e.proven > provenMost {
			e.proven = 0
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
	case e.blocked || t.sent <= e.react:
		// One reaction an episode.
	default:
		l.react(t, r)
	}
}

// pause extends the pause, never shortens it.
func (l *Learner) pause(d time.Duration) {
	if d > 0 {
		l.until = max(l.until, l.now+d)
	}
}

func (l *Learner) trialRefused(t Token, r Refusal) {
	e := &l.episode
	e.trying = false
	longer := time.Duration(2)
	if math.IsInf(l.rate.measured, 1) {
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
	e.react = l.now
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
			e.proven = 1
		}
		return // the wait for something to finish is pause enough
	}
	l.rateEpisodes++
	l.block(carried, r)
}

// block begins an episode that is charged to the rate.
func (l *Learner) block(carried int, r Refusal) {
	e, p := &l.episode, &l.rate
	e.blocked, e.trying, e.proven = true, false, 0
	l.cap.slow = false
	l.accepted.before = l.accepted.recent(min(7, l.accepted.total-l.accepted.opening))
	e.backoff = backoffFirst
	switch known := !math.IsInf(p.measured, 1); {
	case known && p.credit < p.patience:
		e.kind = kindSurprise
	case known:
		e.kind = kindProbe
	case !e.struck && !r.Exhausted && carried > 0:
		e.kind, e.struck = kindStrike, true
		l.ledger.clear(l.now)
		l.cap.hold = holdGrown
	default:
		e.kind = kindFirst
	}
	if !math.IsInf(p.measured, 1) {
		// Two sends of headroom.
		e.backoff = min(backoffMost, seconds(2/min(p.measured, p.current())))
	}
	e.pause = e.backoff
	l.pause(e.backoff)
}

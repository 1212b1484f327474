package adaptive

import (
	"math"
	"time"
)

const (
	// Survivors that make an estimate good to ±18 %, and outlast most echoes of
	// a sliding log.
	certain = 32
	// A measurement below this share of the one before may be an outage.
	outage = 0.85
	// Rates within this ratio are the same.
	alike = 1.2
	// A larger rate is tried if it is larger by this, and at most this many
	// times what was measured.
	worthTrying, tryMost = 1.02, 2
	// What a refusal just above a rate says about it.
	justBelow = 0.95
)

// reopen ends an episode: its trial has survived. What was accepted between two
// such moments gives the rate.
func (l *Learner) reopen() {
	e, p := &l.episode, &l.rate
	at := e.trial.sent
	pause := at - e.react
	switch e.kind {
	case kindStrike:
		l.cap.restart(e.trial.others + 1)
		e.resume = 2
	case kindFirst:
		n, rate := l.accepted.sinceOpening(at)
		if n < enough && l.accepted.broken {
			break // there was nothing to send meanwhile: the next one measures
		}
		l.measure(at, n, rate)
	case kindSurprise:
		l.surprise(at)
	case kindProbe:
		l.probed(at)
	}
	p.let += l.accepted.total - l.accepted.opening
	if e.kind == kindSurprise || e.kind == kindProbe {
		p.steer(pause)
	}
	e.blocked, e.trying = false, false
	l.accepted.open(at)
	if e.kind == kindSurprise && !e.surprised {
		e.surprised, e.first = true, mark{at, l.accepted.total}
	} else if e.kind != kindSurprise {
		e.surprised = false
	}
	p.credit = 0
	p.slot = max(p.slot, at)
}

// measure takes the first measurement. If there were too few, it is only where
// the pace begins to rise from.
func (l *Learner) measure(at time.Duration, n int, rate float64) {
	e, p := &l.episode, &l.rate
	before := 0.0
	if p.ramping && l.shortPause(at) {
		// The average holds the slow beginning.
		before = justBelow * l.accepted.before
	}
	ramped := p.ramping
	p.ramping, p.few = n < enough, max(fewLeast, 2*float64(n))
	switch {
	case p.ramping:
		p.measured = max(rate, before)
	case ramped && before > worthTrying*rate:
		e.fallback, p.measured = rate, before
	default:
		p.measured = rate
	}
	p.patience = patienceFirst
	// Measured from the start, which was no opening: the next measurement is
	// believed at once.
	e.low, e.rough = true, true
}

// surprise: refused below the measured rate. If a larger rate was being tried,
// it was too large. Else it is only paced further below, for a while, until
// what was accepted measures a new rate: enough in a row of surprises (few
// after a measurement from the start, which is far too high if a lot was stored
// then), or the same rate just before two of them.
func (l *Learner) surprise(at time.Duration) {
	e, p := &l.episode, &l.rate
	if e.fallback > 0 {
		l.fallBack(at)
		return
	}
	before := 0.0
	if l.shortPause(at) {
		before = l.accepted.before
	}
	last := e.before
	e.before = 0
	if before > 0 && before < outage*p.measured {
		if last > 0 && before < alike*last && last < alike*before {
			p.fall(max(before, last))
			return
		}
		e.before = before
	}
	if e.surprised {
		needed := certain
		if e.rough {
			needed = enough
		}
		if n, rate := l.accepted.since(e.first, at); n >= needed {
			e.rough = false
			p.fall(max(rate, justBelow*before))
			return
		}
	}
	p.doubt = min(doubtMost, 1-doubtStep*(1-p.doubt))
}

// fallBack gives up a larger rate: in one step, or by half if it was much
// larger, so that the next surprise tells.
func (l *Learner) fallBack(at time.Duration) {
	e, p := &l.episode, &l.rate
	n, rate := l.accepted.sinceLast(at)
	switch {
	case n >= enough:
		p.measured = min(max(rate, e.fallback), p.measured)
	case p.measured > 1.3*e.fallback:
		p.measured = math.Sqrt(p.measured * e.fallback)
		return
	default:
		p.measured = e.fallback
	}
	e.fallback = 0
	e.skip, e.skipFor = e.skipFor, min(16, 2*e.skipFor)
}

// probed: refused above the measured rate, as was to be expected. What was
// accepted is the new measurement. Averages are too low where the limiter
// stores no credit, since each pause is lost; then a larger rate is tried, with
// the measured one to fall back to.
func (l *Learner) probed(at time.Duration) {
	e, p := &l.episode, &l.rate
	p.doubt, e.rough = doubtFirst, false
	if e.fallback > 0 {
		e.skipFor, e.fallback = 1, 0 // the larger rate held
	}
	n, rate := l.accepted.sinceOpening(at)
	switch {
	case l.accepted.broken:
		// Too little was offered to say more than that the limit was met.
	case (rate < outage*p.measured || n < enough) && !e.low:
		e.low = true // see it twice
		l.accepted.forget()
	default:
		e.low = false
		p.measured = rate
	}
	try := l.accepted.tail()
	if l.shortPause(at) {
		try = max(try, justBelow*l.accepted.before)
	}
	try = min(try, tryMost*rate)
	switch {
	case e.skip > 0:
		e.skip--
	case try > worthTrying*p.measured:
		e.fallback, p.measured = p.measured, try
	}
}

// shortPause reports whether the limiter let in again after hardly more than a
// distance between sends: then it stores no credit, and the rate just before
// the refusal is nearer to its own than an average that holds the pauses.
func (l *Learner) shortPause(at time.Duration) bool {
	return at-l.episode.react <= max(1300*time.Millisecond, l.episode.pause*3/2)
}

package adaptive

import (
	"math"
	"time"
)

// Survivors that make an estimate good to ±18 %, and outlast most echoes of a
// sliding log.
const certain = 32

// reopen ends an episode: its trial has survived. What was accepted between two
// such moments gives the rate.
func (l *Learner) reopen() {
	e, p := &l.episode, &l.rate
	at := e.trial.sent
	pause := at - e.react
	switch e.kind {
	case kindStrike:
		l.cap.restart(e.trial.others + 1)
		e.proven = 2
	case kindFirst:
		n, rate := l.accepted.sinceOpening(at)
		if n < enough && l.accepted.broken {
			break // there was nothing to send meanwhile: the next one measures
		}
		p.measured, p.patience = rate, patienceFirst
		// Measured from the start, which was no opening: the next measurement
		// is believed at once.
		e.low = true
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
	p.next = max(p.next, at+p.gap())
}

// surprise: refused below the measured rate. If a larger rate was being tried,
// it was too large. Else it is only paced further below, for a while, until
// enough was accepted in a row of surprises to measure a new rate.
func (l *Learner) surprise(at time.Duration) {
	e, p := &l.episode, &l.rate
	if e.fallback > 0 {
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
		e.skip, e.skipFor = e.skipFor, min(16, 2*e.skipFor)
		e.fallback = 0
		return
	}
	n, rate := 0, 0.0
	if e.surprised {
		n, rate = l.accepted.since(e.first, at)
	}
	seen := e.twice
	e.twice = 0
	if r := l.accepted.before; l.shortPause(at) && r > 0 && r < 0.85*p.measured {
		if seen > 0 && r < 1.2*seen && r > seen/1.2 {
			p.measured = max(r, seen)
			p.doubt, p.patience = doubtFirst, patienceFirst
			return
		}
		e.twice = r
	}
	if n < certain {
		p.doubt = min(doubtMost, 1-0.75*(1-p.doubt))
		return
	}
	if l.shortPause(at) {
		rate = max(rate, 0.95*l.accepted.before)
	}
	p.measured = min(p.measured, rate)
	p.doubt, p.patience = doubtFirst, patienceFirst
}

// probed: refused above the measured rate, as was to be expected. What was
// accepted is the new measurement. Averages are too low where the limiter
// stores no credit, since each pause is lost; then a larger rate is tried, with
// the measured one to fall back to.
func (l *Learner) probed(at time.Duration) {
	e, p := &l.episode, &l.rate
	p.doubt = doubtFirst
	if e.fallback > 0 {
		e.skipFor, e.fallback = 1, 0 // the larger rate held
	}
	n, rate := l.accepted.sinceOpening(at)
	if l.accepted.broken {
		// Too little was offered to say more than that the limit was met.
	} else if (rate < 0.85*p.measured || n < enough) && !e.low {
		e.low = true // an outage? see it twice
		l.accepted.forget()
	} else {
		e.low = false
		p.measured = rate
	}
	try := l.accepted.tail()
	if l.shortPause(at) {
		try = max(try, 0.95*l.accepted.before)
	}
	try = min(try, 2*rate)
	switch {
	case e.skip > 0:
		e.skip--
	case try > 1.02*p.measured:
		e.fallback, p.measured = p.measured, try
	}
}

// shortPause reports whether the limiter let in again after hardly more than a
// distance between sends: then it stores no credit, and the rate just before
// the refusal is nearer to its own than an average that holds the pauses.
func (l *Learner) shortPause(at time.Duration) bool {
	return at-l.episode.react <= max(1300*time.Millisecond, l.episode.pause*3/2)
}

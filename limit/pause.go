package limit

import (
	"math/rand/v2"
	"time"
)

// Pauses without a hint from the judge: the first, and the longest.
const (
	backoffFirst = time.Second
	backoffMax   = 30 * time.Second
)

// pause is the one that all who use a gate share: nothing is sent before its
// end. It is arithmetic only; the gate's lock guards it.
type pause struct {
	until   time.Time // only ever moves away
	count   uint64
	backoff time.Duration // the last one without a hint; 0 after a success
	reacted time.Time     // when it began
}

// extend makes the pause last at least d from now; never shorter than d, and a
// little longer, so that not all who were told the same come back at the same
// moment. It reports whether a pause began.
func (p *pause) extend(now time.Time, d time.Duration) (began bool) {
	d += rand.N(min(d/20, time.Second) + 1)
	began = !p.on(now)
	if until := now.Add(d); until.After(p.until) {
		p.until = until
	}
	if began {
		p.count++
	}
	return began
}

// retreat pauses after a refusal that did not say for how long, twice as long
// each time. Refusals of sends that had started before the last pause tell
// nothing new.
func (p *pause) retreat(now, sent time.Time) (began bool) {
	if sent.Before(p.reacted) || p.on(now) {
		return false
	}
	p.backoff = min(backoffMax, max(backoffFirst, 2*p.backoff))
	p.reacted = now
	return p.extend(now, p.backoff)
}

// succeeded notes that a send which started then was answered.
func (p *pause) succeeded(sent time.Time) {
	if !sent.Before(p.until) {
		p.backoff = 0
	}
}

func (p *pause) on(now time.Time) bool { return now.Before(p.until) }

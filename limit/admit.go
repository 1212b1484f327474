package limit

import (
	"context"
	"time"
)

// How long before its permit is due a piece of work is let in. One alone comes
// early, so that what it does before it sends costs no permit; more are let in
// only for permits that are all but due.
const (
	leadAlone = time.Second
	leadMore  = 100 * time.Millisecond
)

// Ticket is one piece of work that [Gate.Admit] let in. The zero Ticket is one
// of a gate that is always open.
type Ticket struct{ state *ticket }

type ticket struct {
	gate     *Gate
	probe    bool
	expected bool // its first Acquire has not come yet; guarded by gate.mu
}

// Probe reports whether the piece of work was let in while the breaker was half
// open: it finds out whether the judge is back.
func (t Ticket) Probe() bool { return t.state != nil && t.state.probe }

type ticketKey struct{ gate *Gate }

// Admit blocks until the gate has room for another piece of work, behind those
// who asked before: until the permits that fall due in the next 100 ms are more
// than the pieces let in that have not yet asked for theirs plus the Acquires
// that wait; one alone is let in when its permit falls due within a second. So
// a piece finds its permit soon after it starts, and none comes due unused.
// Pauses, tokens and what was learned count in the same way; with a learned
// number of slots a few more are let in than are free. While the breaker is open
// nobody is let in, and after that one alone, until the probe has told how the
// judge is. A spent budget does not block: what is let in hears [ErrSpent].
//
// Start the piece's deadline after Admit, pass [Ticket.Context] to it, and call
// [Ticket.Close] when it is over. Admit gives up when ctx ends, with an error
// that wraps [ErrWait], ctx's error and its cause. It returns at once while the
// gate has no limit.
func (g *Gate) Admit(ctx context.Context) (Ticket, error) {
	return g.admitThrough(ctx, func(g *Gate) *line { return &g.door }, (*Gate).admit)
}

// AdmitNext is Admit for more work on what the caller has in hand already: when
// the breaker is open, or opens, it does not wait for the judge to come back but
// fails with an error that wraps [ErrOpen], as an Acquire would.
func (g *Gate) AdmitNext(ctx context.Context) (Ticket, error) {
	return g.admitThrough(ctx, func(g *Gate) *line { return &g.inHand }, (*Gate).admitNext)
}

func (g *Gate) admitThrough(ctx context.Context, through func(*Gate) *line, ready func(*Gate, time.Time) (time.Time, bool, error)) (Ticket, error) {
	if err := ctx.Err(); err != nil {
		return Ticket{}, gaveUp(ctx, err)
	}
	if g == nil || !g.limited.Load() {
		return Ticket{}, nil
	}
	g.mu.Lock()
	defer g.unlock()
	if g.refuse != (refusal{}) {
		return Ticket{}, g.refuse.err()
	}
	if err := g.pass(ctx, through(g), time.Now(), func(now time.Time) (time.Time, bool, error) { return ready(g, now) }); err != nil {
		return Ticket{}, err
	}
	probe := g.breaker != nil && g.breakerState(time.Now()) == BreakerHalfOpen
	return Ticket{&ticket{gate: g, probe: probe, expected: true}}, nil
}

// admit counts one more piece if there is room now, and else says when there
// will be, if nothing changes before; the zero time: not before something
// changes.
func (g *Gate) admit(now time.Time) (at time.Time, ok bool, err error) {
	ahead := g.expected + g.line.len
	lead := leadMore
	if ahead == 0 {
		lead = leadAlone
	}
	w := wait{at: now}
	w.until(g.pause.until.Add(-lead))
	if g.pacer != nil {
		w.until(g.pacer.due(now, ahead+1).Add(-lead))
	}
	if g.meter != nil {
		w.until(g.meter.dueAfter(now, ahead).Add(-lead))
	}
	if g.learner != nil {
		g.awaitSlot(&w, now, ahead, lead)
	}
	if g.breaker != nil {
		g.awaitBreaker(&w, now, ahead)
	}
	if at, ok := w.over(now); !ok {
		return at, false, nil
	}
	g.expected++
	return now, true, nil
}

// admitNext is admit, but fails while the breaker is open.
func (g *Gate) admitNext(now time.Time) (at time.Time, ok bool, err error) {
	if g.breaker != nil && g.breakerState(now) == BreakerOpen {
		return time.Time{}, false, &openError{until: g.breaker.until, cause: g.breaker.cause}
	}
	return g.admit(now)
}

// awaitSlot waits until the learned limits have room for one more than are
// ahead. A few more than there are slots are let in, so that a slot that
// becomes free is used at once: an eighth of the slots, and one, wait for a
// small part of the time that a call takes.
func (g *Gate) awaitSlot(w *wait, now time.Time, ahead int, lead time.Duration) {
	at, ok := g.learner.NextSend(now)
	s := g.learner.Status(now)
	room := 1
	if !s.Blocked {
		inCap := min(s.Cap, g.ceiling)
		room += inCap/8 + max(0, inCap-int(g.inFlight.Load()))
	}
	if ahead >= room {
		w.change()
	}
	if !ok && at.IsZero() {
		return // a slot becomes free when something ends: the room above is for that
	}
	if !ok {
		now = at
	}
	w.until(now.Add(spacing(s.Rate, ahead) - lead))
}

// spacing is the time that n sends take at a rate a second.
func spacing(rate float64, n int) time.Duration {
	seconds := float64(n) / rate
	if !(seconds < farOff.Seconds()) {
		return farOff
	}
	return time.Duration(seconds * float64(time.Second))
}

// awaitBreaker waits until the breaker's open time is over, and then lets in
// one, the probe, until that has told how it is.
func (g *Gate) awaitBreaker(w *wait, now time.Time, ahead int) {
	switch g.breakerState(now) {
	case BreakerOpen:
		w.until(g.breaker.until)
	case BreakerHalfOpen:
		if g.breaker.probe != nil {
			w.until(g.breaker.probe.at.Add(probeLimit)) // or until it is over
		} else if ahead > 0 {
			w.change()
		}
	}
}

// arrive notes that the piece of work which ctx belongs to has come to the
// gate: from here on it is counted in the line. The lock is held.
func (g *Gate) arrive(ctx context.Context) {
	if t, _ := ctx.Value(ticketKey{g}).(*ticket); t != nil && t.expected {
		t.expected = false
		g.expected--
	}
}

// Context returns a context that carries the ticket: the first Acquire below
// it, at the gate that gave it, is the one that was expected. Later ones are
// ordinary.
func (t Ticket) Context(ctx context.Context) context.Context {
	if t.state == nil {
		return ctx
	}
	return context.WithValue(ctx, ticketKey{t.state.gate}, t.state)
}

// Close gives back what was not used: if no Acquire came, none is expected any
// more. Calling it again does nothing.
func (t Ticket) Close() {
	if t.state == nil {
		return
	}
	g := t.state.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	if t.state.expected {
		t.state.expected = false
		g.expected--
		g.wakeDoor()
	}
}

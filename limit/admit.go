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
	expected bool // its first Acquire has not come yet; guarded by gate.mu
}

type ticketKey struct{ gate *Gate }

// Admit blocks until the gate has room for another piece of work, behind those
// who asked before: until the permits that fall due in the next 100 ms are more
// than the pieces let in that have not yet asked for theirs plus the Acquires
// that wait; one alone is let in when its permit falls due within a second. So
// a piece finds its permit soon after it starts, and none comes due unused.
//
// Start the piece's deadline after Admit, pass [Ticket.Context] to it, and call
// [Ticket.Close] when it is over. Admit gives up when ctx ends, with an error
// that wraps [ErrWait], ctx's error and its cause. It returns at once while the
// gate has no limit.
func (g *Gate) Admit(ctx context.Context) (Ticket, error) {
	if err := ctx.Err(); err != nil {
		return Ticket{}, gaveUp(ctx, err)
	}
	if g == nil || !g.limited.Load() {
		return Ticket{}, nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.refuse != nil {
		return Ticket{}, g.refuse
	}
	if err := g.pass(ctx, &g.door, g.admit); err != nil {
		return Ticket{}, err
	}
	return Ticket{&ticket{gate: g, expected: true}}, nil
}

// admit counts one more piece if there is room now, and else says when there
// will be, if nothing changes before.
func (g *Gate) admit(now time.Time) (at time.Time, ok bool) {
	if g.pacer != nil {
		lead := leadMore
		ahead := g.expected + g.line.len
		if ahead == 0 {
			lead = leadAlone
		}
		if at = g.pacer.due(now, ahead+1).Add(-lead); at.After(now) {
			return at, false
		}
	}
	g.expected++
	return now, true
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
		g.door.wakeHead()
	}
}

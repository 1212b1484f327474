package limit

import (
	"math"
	"time"

	"github.com/genaievals/genaievals/internal/adaptive"
)

// send is what the gate remembers of a permitted send until it is done: what
// it took from each part, so that it is given back to that one, even if another
// has taken its place.
type send struct {
	need Need
	at   time.Time
	over bool // guarded by gate.mu

	metered bool
	number  uint64 // of its use, if metered
	learner *adaptive.Learner
	token   adaptive.Token
	breaker *breaker
	answer  func(error) // tells the breaker's circuit
	purse   *purse
	window  uint64
}

// done gives back what s took and tells every part what the outcome means to
// it. s is nil for a permit of a gate that had no limit then.
func (g *Gate) done(s *send, o Outcome) {
	var hint Hint
	if o.refusal() || o.Result == ResultUnavailable {
		hint = ParseRetry(o.Header, o.Body, time.Now())
	}
	g.mu.Lock()
	defer g.unlock()
	if s != nil {
		if s.over {
			return
		}
		s.over = true
	}
	g.inFlight.Add(-1)
	now := time.Now()
	g.absurd += uint64(hint.Absurd)
	if hint.Quota && g.breaker != nil {
		o.Result, o.Quota, hint.HasWait = ResultFatal, true, false
	}
	if s != nil {
		g.settle(now, s, o, hint)
	}
	g.mind(now, s, o, hint)
	g.changed()
}

// settle gives back what s took.
func (g *Gate) settle(now time.Time, s *send, o Outcome, hint Hint) {
	used := o.used(s.need)
	forgiven := used.Tokens < o.Tokens
	if s.metered && g.meter != nil {
		forgiven = g.meter.settle(now, s.number, float64(s.need.Tokens), float64(used.Tokens)) || forgiven
	}
	if forgiven {
		g.absurd++
	}
	if s.purse != nil {
		s.purse.settle(s.window, s.purse.budget.of(s.need), s.purse.budget.of(used))
	}
	if s.learner != nil {
		w, said, absurd := window(o.Header, now)
		g.absurd += uint64(absurd)
		s.teach(now, o, hint, w, said)
	}
	if s.breaker != nil && s.breaker == g.breaker {
		opened, closed := g.breaker.answered(s, o.Result, o.Quota)
		if opened {
			g.breaker.reason = o.Reason
			g.noteOpened(now)
		}
		if closed {
			g.breaker.reason = ""
			g.note(Event{Kind: EventClosed, At: now})
		}
	}
}

// mind pauses where the outcome asks for it.
func (g *Gate) mind(now time.Time, s *send, o Outcome, hint Hint) {
	began := false
	switch {
	case hint.HasWait && hint.Wait > 0:
		began = g.pause.extend(now, hint.Wait)
	case o.Result == ResultOverloaded, o.Result == ResultRateLimited && g.learner == nil:
		// A learner waits by what it has measured.
		sent := now
		if s != nil {
			sent = s.at
		}
		began = g.pause.retreat(now, sent)
	case o.Result == ResultOK && s != nil:
		g.pause.succeeded(s.at)
	}
	if g.pause.on(now) {
		g.limited.Store(true)
	}
	if began {
		g.note(Event{Kind: EventPaused, At: now, Until: g.pause.until, Result: o.Result, Quota: o.Quota || hint.Quota})
	}
}

// refusal reports whether the judge answered without doing the work.
func (o Outcome) refusal() bool {
	return o.Result == ResultRateLimited || o.Result == ResultOverloaded || o.Result == ResultFatal
}

// mostUsed is the most tokens that a call can have used: ten million, more than
// any model takes, or 64 times as many as were expected.
func mostUsed(expected int64) int64 {
	const most = 10_000_000
	return max(most, 64*min(expected, math.MaxInt64/64))
}

// used is what a send used, by what is known of it.
func (o Outcome) used(estimate Need) Need {
	used := estimate
	if o.refusal() {
		used = Need{}
	}
	if o.Tokens > 0 {
		used.Tokens = min(o.Tokens, mostUsed(estimate.Tokens))
	}
	if o.HasCost {
		used.Cost = o.Cost
	}
	return used.sane()
}

// Trip opens the breaker at once, as failures would: for who knows by other
// means that the judge is out of order. Without a breaker, or while it is open,
// it does nothing.
func (g *Gate) Trip() {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.unlock()
	now := time.Now()
	if g.breaker == nil || g.breakerState(now) == BreakerOpen {
		return
	}
	g.breaker.open(ResultUnavailable, false, g.breaker.cause != ResultNeutral)
	g.breaker.reason = ""
	g.noteOpened(now)
	g.changed()
}

// breakerState is the breaker's state; there must be one. The lock is held.
func (g *Gate) breakerState(now time.Time) BreakerState {
	state, reopened := g.breaker.state(now)
	if reopened {
		g.noteOpened(now)
	}
	return state
}

func (g *Gate) noteOpened(now time.Time) {
	g.note(Event{Kind: EventOpened, At: now, Until: g.breaker.until, Result: g.breaker.cause, Quota: g.breaker.quota, Reason: g.breaker.reason})
}

// roll ends the budget's window when it is over; there must be a budget. The
// lock is held.
func (g *Gate) roll(now time.Time) {
	if g.purse.roll(now) {
		g.note(Event{Kind: EventRenewed, At: now})
	}
}

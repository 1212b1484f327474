package limit

import (
	"math"
	"time"

	"github.com/genaievals/genaievals/internal/adaptive"
)

// SetRate changes the rate while the gate is in use; the zero Rate removes it.
// Those who wait go at the new pace at once. What had come due at the old pace
// is carried over, so that changes, however many, never grant more than the
// rates that were in force; and strict pacing keeps its distance from the last
// send even if that went without a limit. A rate that cannot be kept is refused with an error
// wrapping [ErrRate] and changes nothing. On a nil gate it does nothing.
func (g *Gate) SetRate(r Rate) error {
	if err := r.Check(); err != nil || g == nil {
		return err
	}
	g.mu.Lock()
	defer g.unlock()
	now, credit := time.Now(), math.Inf(1)
	if g.pacer != nil {
		credit = g.pacer.credit(now)
	}
	switch {
	case r.Unlimited():
		g.pacer = nil
	case r.Strict:
		g.pacer = newPacing(r, now, g.lastSend(), credit)
	default:
		g.pacer = newBucket(r, now, credit)
	}
	g.rate, g.refuse.rate = r.filled(), nil
	g.reshaped(now)
	return nil
}

// SetTokenRate changes the rate of tokens while the gate is in use, as SetRate
// does that of sends: what the bucket holds, or owes, is carried over, up to the
// new burst, but no more debt than the new rate pays in an hour. What is in
// flight stands as it was reserved, unless it uses more.
func (g *Gate) SetTokenRate(r Rate) error {
	if err := checkTokens(r); err != nil || g == nil {
		return err
	}
	g.mu.Lock()
	defer g.unlock()
	now, level, typical := time.Now(), math.Inf(1), 0.0
	if g.meter != nil {
		level, typical, g.metered = g.meter.level(now), g.meter.typical, g.meter.next()
		g.meter = nil
	}
	if !r.Unlimited() {
		g.meter = newMeter(r, now, level, g.metered)
		g.meter.base = max(g.meter.base, g.meter.deepest())
		g.meter.typical = typical
	}
	g.tokenRate, g.refuse.tokens = r.filled(), nil
	g.reshaped(now)
	return nil
}

// SetCeiling changes the most that an adaptive gate ever has in flight, and
// makes a gate adaptive that was not; below 1 it forgets what was learned and
// limits nothing. What is in flight above it is let finish.
func (g *Gate) SetCeiling(n int) {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.unlock()
	now := time.Now()
	switch {
	case n < 1:
		n, g.learner = 0, nil
	case g.learner == nil:
		g.learner = adaptive.New(adaptive.Config{Ceiling: n, Start: now})
	default:
		g.learner.SetCeiling(n)
	}
	g.ceiling = n
	g.reshaped(now)
}

// SetBreaker puts another breaker, closed, in the place of the one there is;
// with Off it takes it away. One that makes no sense is refused with an error
// wrapping [ErrBreaker] and changes nothing. On a nil gate it does nothing.
func (g *Gate) SetBreaker(b Breaker) error {
	if err := b.Check(); err != nil || g == nil {
		return err
	}
	g.mu.Lock()
	defer g.unlock()
	now := time.Now()
	if g.breaker != nil && g.breakerState(now) != BreakerClosed {
		g.note(Event{Kind: EventClosed, At: now})
	}
	g.breaker = nil
	if !b.Off {
		g.breaker = newBreaker(b)
	}
	g.refuse.breaker = nil
	g.reshaped(now)
	return nil
}

// SetBudget changes the budget while the gate is in use; the zero Budget
// removes it. What was spent in this window still counts, unless the new budget
// is in the other unit. A budget that cannot be kept is refused with an error
// wrapping [ErrBudget] and changes nothing. On a nil gate it does nothing.
func (g *Gate) SetBudget(b Budget) error {
	if err := b.Check(); err != nil || g == nil {
		return err
	}
	g.mu.Lock()
	defer g.unlock()
	now := time.Now()
	old := g.purse
	switch {
	case b.Unlimited():
		g.purse = nil
	case old != nil && old.budget.Tokens == b.Tokens:
		g.roll(now)
		old.budget = b
	default:
		g.purse = &purse{budget: b}
	}
	if old != nil && old.exhausted && (g.purse != old || !old.used()) {
		old.exhausted = false
		g.note(Event{Kind: EventRenewed, At: now})
	}
	g.refuse.budget = nil
	g.reshaped(now)
	return nil
}

// reshaped puts a change of the parts into effect. The lock is held.
func (g *Gate) reshaped(now time.Time) {
	g.limited.Store(g.hasParts() || g.pause.on(now))
	g.changed()
}

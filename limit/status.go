package limit

import (
	"math"
	"time"
)

// Status is a gate at one moment.
type Status struct {
	// Rate in force, its burst filled in; zero without a limit. TokenRate is
	// the one of tokens.
	Rate, TokenRate Rate
	// Err is why nothing can pass: a rate or budget that [NewGate] could not
	// keep. Nil normally.
	Err error
	// Waiting are blocked in Acquire, Admitting in Admit.
	Waiting, Admitting int
	// Expected are pieces of work let in whose first Acquire has not come yet.
	Expected int
	// InFlight are sends whose permit is not released yet.
	InFlight int64
	// Sends counts the permits given, Cancelled the Acquires that gave up
	// waiting, Refused those that the breaker or the budget turned away. Every
	// Acquire that found its context alive is in exactly one of Sends,
	// Cancelled, Refused and Waiting.
	Sends, Cancelled, Refused uint64
	// WaitedTotal is the time spent in Acquire by those who are through with
	// it, permit or not.
	WaitedTotal time.Duration

	// Tokens that may be used now at the token rate; below zero when more was
	// used than was reserved, or by one send than the burst.
	Tokens float64
	// PausedUntil is the end of the pause that the judge asked for; zero
	// without one. Pauses counts them.
	PausedUntil time.Time
	Pauses      uint64
	// Absurd counts values of headers and bodies, and uses of tokens, that were
	// clamped or passed over, since they could not be meant as they stood.
	Absurd uint64
	// Adaptive is what was learned of the judge; nil without [WithAdaptive].
	Adaptive *AdaptiveStatus
	// Breaker is nil without one.
	Breaker *BreakerStatus
	// Budget is nil without one.
	Budget *BudgetStatus
	// Retries counts the retries that were allowed by [Gate.AllowRetry],
	// RetriesRefused those that were not.
	Retries, RetriesRefused uint64
}

// AdaptiveStatus is what a gate has learned of its judge.
type AdaptiveStatus struct {
	// Ceiling of what may be in flight, and Cap, what may be just now.
	Ceiling, Cap int
	// Rate of sends a second that it paces at; 0 while it does not.
	Rate float64
	// Blocked: a refusal is being waited out, one trial at a time.
	Blocked bool
	// Until: no send before; zero if there is nothing to wait for.
	Until time.Time
	// Refusals counts those of the judge (429). CapEpisodes and RateEpisodes
	// count those that lowered the cap, and the rate.
	Refusals, CapEpisodes, RateEpisodes uint64
}

// BreakerState is closed, open, or half open: a probe may go or is on its way.
type BreakerState uint8

const (
	BreakerClosed BreakerState = iota
	BreakerOpen
	BreakerHalfOpen
)

func (s BreakerState) String() string {
	switch s {
	case BreakerOpen:
		return "open"
	case BreakerHalfOpen:
		return "half-open"
	default:
		return "closed"
	}
}

// BreakerStatus is a circuit breaker at one moment.
type BreakerStatus struct {
	State BreakerState
	// Until is the end of the open time; zero unless it is open.
	Until time.Time
	// Cause and Quota are what opened it; neutral while it is closed.
	Cause Result
	Quota bool
	// Opened counts how often it opened, failed probes included; Probes the
	// probes.
	Opened, Probes uint64
}

// BudgetStatus is a budget at one moment.
type BudgetStatus struct {
	// Budget in force.
	Budget Budget
	// Spent in this window, and Reserved by sends that are not done.
	Spent, Reserved float64
	// Exhausted: the budget was spent in this window, and a send refused; see
	// [EventSpent].
	Exhausted bool
	// Renews is when the window ends; zero while nothing was spent.
	Renews time.Time
}

// Left is what may still be spent in this window.
func (s BudgetStatus) Left() float64 { return max(0, s.Budget.Amount-s.Spent-s.Reserved) }

// Status returns the gate's figures; zero for a nil gate.
func (g *Gate) Status() Status {
	if g == nil {
		return Status{}
	}
	g.mu.Lock()
	defer g.unlock()
	now := time.Now()
	s := Status{
		Rate:           g.rate,
		TokenRate:      g.tokenRate,
		Err:            g.refuse.err(),
		Waiting:        g.line.len,
		Admitting:      g.door.len + g.inHand.len,
		Expected:       g.expected,
		InFlight:       g.inFlight.Load(),
		Sends:          g.sends.Load(),
		Cancelled:      g.cancelled,
		Refused:        g.refused,
		WaitedTotal:    g.waited,
		Pauses:         g.pause.count,
		Absurd:         g.absurd,
		Retries:        g.retries.allowed,
		RetriesRefused: g.retries.refused,
	}
	if g.pause.on(now) {
		s.PausedUntil = g.pause.until
	}
	if g.meter != nil {
		s.Tokens = g.meter.level(now)
	}
	if g.learner != nil {
		l := g.learner.Status(now)
		s.Adaptive = &AdaptiveStatus{
			Ceiling: g.ceiling, Cap: min(l.Cap, g.ceiling), Rate: finite(l.Rate), Blocked: l.Blocked, Until: l.Until,
			Refusals: l.Refusals, CapEpisodes: l.CapEpisodes, RateEpisodes: l.RateEpisodes,
		}
	}
	if g.breaker != nil {
		b := g.breaker
		s.Breaker = &BreakerStatus{State: g.breakerState(now), Opened: b.opened, Probes: b.probes, Cause: b.cause, Quota: b.quota}
		if s.Breaker.State == BreakerOpen {
			s.Breaker.Until = b.until
		}
	}
	if g.purse != nil {
		g.roll(now)
		p := g.purse
		s.Budget = &BudgetStatus{Budget: p.budget, Spent: p.spent, Reserved: p.reserved, Exhausted: p.exhausted}
		if p.open {
			s.Budget.Renews = p.ends(now)
		}
	}
	return s
}

// finite is a rate that JSON can say, 0 for none.
func finite(rate float64) float64 {
	if math.IsInf(rate, 0) {
		return 0
	}
	return rate
}

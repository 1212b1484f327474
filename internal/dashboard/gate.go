package dashboard

import (
	"github.com/genaievals/genaievals/limit"
)

func countGate(c counts, evaluator string, g *limit.Status) {
	if g == nil {
		return
	}
	at := "gate/" + evaluator
	c[at+"/sends"] = float64(g.Sends)
	c[at+"/waited"] = g.WaitedTotal.Seconds()
	c[at+"/refusals"] = float64(refusals(g))
}

// refusals are the judge's: those that were learned from, or else the pauses that
// they asked for.
func refusals(g *limit.Status) uint64 {
	if g.Adaptive != nil {
		return g.Adaptive.Refusals
	}
	return g.Pauses
}

func (b *builder) gate(evaluator string, g *limit.Status) *gateState {
	if g == nil {
		return nil
	}
	now := b.history.now.at
	at := "gate/" + evaluator
	out := &gateState{
		Evaluator: evaluator, InFlight: g.InFlight, Waiting: g.Waiting + g.Admitting, Refusals: refusals(g),
		Recent: b.history.recent(at + "/refusals"), Paused: secondsUntil(g.PausedUntil, now),
	}
	if !g.Rate.Unlimited() {
		out.Rate = g.Rate.String()
	}
	if !g.TokenRate.Unlimited() {
		out.TokenRate = g.TokenRate.String()
	}
	if g.Err != nil {
		out.Err = errorText(g.Err)
	}
	if sends := b.history.grown(at+"/sends", rateWindow, 0); sends > 0 {
		mean := b.history.grown(at+"/waited", rateWindow, 0) / sends
		out.Wait = &mean
	}
	if a := g.Adaptive; a != nil {
		out.Cap, out.Ceiling, out.Pace, out.Blocked = a.Cap, a.Ceiling, a.Rate, a.Blocked
	}
	if br := g.Breaker; br != nil {
		out.Breaker = &breakerState{State: br.State.String(), Left: secondsUntil(br.Until, now), Reason: br.Reason, Opened: br.Opened}
	}
	if bu := g.Budget; bu != nil && !bu.Budget.Unlimited() {
		out.Budget = &budgetState{
			Amount: bu.Budget.Amount, Left: bu.Left(), Tokens: bu.Budget.Tokens, Per: bu.Budget.Per.Seconds(), Spent: bu.Exhausted,
		}
		if !bu.Renews.IsZero() {
			out.Budget.Renews = bu.Renews.UnixMilli()
		}
	}
	return out
}

// Shares of a lane's queue and waits from which it is said to be behind.
const (
	fullShare   = 0.8
	behindAfter = 5 // seconds that the oldest waits
	// A lane that a limit keeps back is behind only when it has fallen back so far,
	// and what waits has grown for a minute by this share of what came.
	limitedAfter = 20
	growsBy      = 0.02
)

// laneState is a lane in two words, and how bad that is.
func (b *builder) laneState(l *lane, halted bool) (level, state string) {
	tasks := b.history.recent("lane/" + l.Key + "/tasks")
	if halted {
		return "bad", "halted: evaluations hang"
	}
	for _, g := range l.Gates {
		switch {
		case g.Err != "":
			return "bad", "off: its limit cannot be kept"
		case g.Breaker != nil && g.Breaker.State == "open":
			return "bad", "breaker open"
		case g.Breaker != nil && g.Breaker.State == "half-open":
			return "warn", "breaker half open"
		case g.Budget != nil && g.Budget.Spent:
			return "warn", "budget spent"
		}
	}
	switch {
	case l.Recent > 0 && tasks > 0 && l.Recent >= 0.99*tasks && b.rateOf(l) == 0:
		return "bad", "dropping everything"
	case l.Recent > 0:
		return "warn", "dropping some"
	case l.RoomBytes > 0 && float64(l.QueuedBytes) > fullShare*float64(l.RoomBytes),
		l.Room > 0 && float64(l.Queued) > fullShare*float64(l.Room):
		return "warn", "queue nearly full"
	}
	for _, g := range l.Gates {
		switch {
		case g.Paused >= 1:
			return "warn", "paused by the judge"
		case g.Blocked:
			return "ok", "held back by the judge"
		case l.Queued > 0 && g.Waiting > 0 && !(l.Oldest > limitedAfter && b.grows(l)):
			return "ok", "waits for its limit"
		}
	}
	switch {
	case l.Oldest > behindAfter:
		return "warn", "falling behind"
	case l.Tasks == 0:
		return "ok", "idle"
	}
	return "ok", "keeps up"
}

// grows reports whether more waits in a lane than a minute ago.
func (b *builder) grows(l *lane) bool {
	at := "lane/" + l.Key
	came := b.history.recent(at + "/tasks")
	return came-b.history.recent(at+"/done")-l.Recent > max(3, growsBy*came)
}

func (b *builder) rateOf(l *lane) float64 {
	if l.Rate == nil {
		return 0
	}
	return *l.Rate
}

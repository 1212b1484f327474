package manager

import (
	"time"

	"github.com/genaievals/genaievals/limit"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// gateInstruments report what evaluators' limits do. What a gate does not have
// is not reported.
type gateInstruments struct {
	calls, refused, rateLimited, pauses, clamped, opened, retries          metric.Int64ObservableCounter
	waiting, admitting, inFlight, breaker                                  metric.Int64ObservableUpDownCounter
	wait                                                                   metric.Float64ObservableCounter
	rate, tokenRate, tokens, pause, inFlightCap, ceiling, pace, budgetLeft metric.Float64ObservableGauge
}

// breakerStates are the states' names in telemetry.
var breakerStates = [...]string{
	limit.BreakerClosed: "closed", limit.BreakerOpen: "open", limit.BreakerHalfOpen: "half_open",
}

func (b *builder) gateInstruments() gateInstruments {
	return gateInstruments{
		calls:       b.counter("genaievals.gate.calls", "{call}", "Calls that a limit let through."),
		refused:     b.counter("genaievals.gate.refused", "{call}", "Calls that were turned away: the breaker is open or the budget is spent."),
		waiting:     b.upDown("genaievals.gate.waiting", "{call}", "Calls waiting for a limit."),
		admitting:   b.upDown("genaievals.gate.admitting", "{task}", "Work that waits to be begun until a limit has room for it."),
		wait:        b.floatCounter("genaievals.gate.wait", "s", "Time that calls spent waiting for a limit."),
		inFlight:    b.upDown("genaievals.gate.in_flight", "{call}", "Calls that were let through and are not over."),
		rate:        b.gauge("genaievals.gate.limit", "{call}/s", "Calls a second that a limit allows."),
		tokenRate:   b.gauge("genaievals.gate.token.limit", "{token}/s", "Tokens a second that a limit allows."),
		tokens:      b.gauge("genaievals.gate.token.available", "{token}", "Tokens that may be used now."),
		inFlightCap: b.gauge("genaievals.gate.cap", "{call}", "Calls that may be in flight, as learned."),
		ceiling:     b.gauge("genaievals.gate.ceiling", "{call}", "Calls in flight that the cap never exceeds."),
		pace:        b.gauge("genaievals.gate.pace", "{call}/s", "Calls a second, as learned."),
		rateLimited: b.counter("genaievals.gate.rate_limited", "{call}", "Calls that the judge refused for being too many."),
		pause:       b.gauge("genaievals.gate.pause", "s", "Time left of the pause that the judge asked for."),
		pauses:      b.counter("genaievals.gate.pauses", "{pause}", "Pauses that the judge asked for."),
		breaker:     b.upDown("genaievals.gate.breaker.state", "{breaker}", "1 for the state that the circuit breaker is in."),
		opened:      b.counter("genaievals.gate.breaker.openings", "{opening}", "How often the circuit breaker opened."),
		budgetLeft:  b.gauge("genaievals.gate.budget.left", "1", "Share of the budget that is left in its window."),
		retries:     b.counter("genaievals.gate.retries", "{retry}", "Retries, by outcome: allowed or refused."),
		clamped:     b.counter("genaievals.gate.clamped", "{value}", "Values of a judge's headers that could not be meant as they stood."),
	}
}

func (i *gateInstruments) report(o metric.Observer, g *limit.Status, now time.Time, with func(...attribute.KeyValue) metric.ObserveOption) {
	o.ObserveInt64(i.calls, int64(g.Sends), with())
	o.ObserveInt64(i.refused, int64(g.Refused), with())
	o.ObserveInt64(i.waiting, int64(g.Waiting), with())
	o.ObserveInt64(i.admitting, int64(g.Admitting), with())
	o.ObserveFloat64(i.wait, g.WaitedTotal.Seconds(), with())
	o.ObserveInt64(i.inFlight, g.InFlight, with())
	if !g.Rate.Unlimited() {
		o.ObserveFloat64(i.rate, g.Rate.PerSecond, with())
	}
	if !g.TokenRate.Unlimited() {
		o.ObserveFloat64(i.tokenRate, g.TokenRate.PerSecond, with())
		o.ObserveFloat64(i.tokens, g.Tokens, with())
	}
	until := g.PausedUntil
	if a := g.Adaptive; a != nil {
		o.ObserveFloat64(i.inFlightCap, float64(a.Cap), with())
		o.ObserveFloat64(i.ceiling, float64(a.Ceiling), with())
		if a.Rate > 0 {
			o.ObserveFloat64(i.pace, a.Rate, with())
		}
		o.ObserveInt64(i.rateLimited, int64(a.Refusals), with())
		if a.Until.After(until) {
			until = a.Until
		}
	}
	o.ObserveFloat64(i.pause, max(0, until.Sub(now)).Seconds(), with())
	o.ObserveInt64(i.pauses, int64(g.Pauses), with())
	o.ObserveInt64(i.clamped, int64(g.Absurd), with())
	if b := g.Breaker; b != nil {
		for state, name := range breakerStates {
			var in int64
			if b.State == limit.BreakerState(state) {
				in = 1
			}
			o.ObserveInt64(i.breaker, in, with(keyState.String(name)))
		}
		o.ObserveInt64(i.opened, int64(b.Opened), with())
	}
	if b := g.Budget; b != nil && b.Budget.Amount > 0 {
		o.ObserveFloat64(i.budgetLeft, b.Left()/b.Budget.Amount, with())
	}
	o.ObserveInt64(i.retries, int64(g.Retries), with(keyOutcome.String("allowed")))
	o.ObserveInt64(i.retries, int64(g.RetriesRefused), with(keyOutcome.String("refused")))
}

package limit

import (
	"net/http"
	"time"
)

// Need is what a send is expected to use. It is reserved when the send is
// permitted and replaced by what was really used in [Permit.Done]. The zero
// Need reserves nothing: what it used then counts afterwards.
type Need struct {
	// Tokens, input and output together.
	Tokens int64
	// Cost in the currency of the budget.
	Cost float64
}

// sane is n without what no send can need.
func (n Need) sane() Need {
	n.Tokens = max(0, n.Tokens)
	if !(n.Cost > 0) { // NaN too
		n.Cost = 0
	}
	n.Cost = min(n.Cost, MaxBudget)
	return n
}

// Result says how a send ended, as far as the gate cares.
type Result uint8

const (
	// ResultNeutral tells nothing about the judge: the caller gave up, or the
	// request was at fault. It is the zero Result.
	ResultNeutral Result = iota
	// ResultOK is an answer.
	ResultOK
	// ResultRateLimited is a refusal for too many requests (429) that will
	// pass by itself.
	ResultRateLimited
	// ResultOverloaded is a refusal for the judge's own load (529, or 503 with
	// a Retry-After).
	ResultOverloaded
	// ResultUnavailable is a failure of the judge or on the way to it: 5xx, no
	// connection, a timeout.
	ResultUnavailable
	// ResultFatal is a refusal that no retry will change: credentials,
	// billing, quota, an unknown model.
	ResultFatal
)

func (r Result) String() string {
	switch r {
	case ResultOK:
		return "ok"
	case ResultRateLimited:
		return "rate limited"
	case ResultOverloaded:
		return "overloaded"
	case ResultUnavailable:
		return "unavailable"
	case ResultFatal:
		return "fatal"
	default:
		return "neutral"
	}
}

// Outcome is what a send came to. The zero Outcome is neutral.
type Outcome struct {
	Result Result
	// Quota says of a [ResultFatal] that money or a quota ran out, which may
	// last long: the breaker stays open up to an hour at a time.
	Quota bool
	// Reason is what the caller calls a failure, such as judge_auth: a name, which
	// Status and events repeat where it opened the breaker.
	Reason string
	// Header and Body are the answer's, for limits, resets and Retry-After.
	// Both may be nil; a nil Header means that there was no answer. They are
	// only read during Done.
	Header http.Header
	Body   []byte
	// Tokens used, input and output together; 0 where they are not known. More
	// than ten million, and than 64 times the need, counts as that many, and
	// beyond its need a send leaves the token rate no debt of more than an hour.
	Tokens int64
	// Cost of it, in the currency of the budget, if HasCost.
	Cost    float64
	HasCost bool
}

// Permit is one permitted send. The zero Permit is fine to release.
type Permit struct {
	// Waited is how long Acquire blocked. It is set beside an error too.
	Waited time.Duration
	gate   *Gate
	send   *send // nil at a gate without limits
}

// Release is Done with a neutral outcome: the call is over and tells nothing.
func (p Permit) Release() { p.Done(Outcome{}) }

// Done says that the call which the permit was for is over, and how it went.
// Call it, or Release, exactly once, on every path. It does not block.
//
// What was reserved is settled: with Tokens and Cost where they are given, with
// nothing for a refusal, and else the estimate stands, since the call may have
// been carried out.
func (p Permit) Done(o Outcome) {
	g := p.gate
	if g == nil {
		return
	}
	if p.send == nil && (o.Result == ResultNeutral || o.Result == ResultOK) && !g.limited.Load() {
		g.inFlight.Add(-1)
		return
	}
	g.done(p.send, o)
}

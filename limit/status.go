package limit

import "time"

// Status is a gate at one moment.
type Status struct {
	// Rate in force, its burst filled in; zero without a limit.
	Rate Rate
	// Err is why nothing can pass: a rate that [NewGate] could not keep. Nil
	// normally.
	Err error
	// Waiting are blocked in Acquire, Admitting in Admit.
	Waiting, Admitting int
	// Expected are pieces of work let in whose first Acquire has not come yet.
	Expected int
	// InFlight are sends whose permit is not released yet.
	InFlight int64
	// Sends counts the permits given, Cancelled the Acquires that gave up
	// waiting. Every Acquire that found its context alive is in exactly one of
	// Sends, Cancelled and Waiting.
	Sends, Cancelled uint64
	// WaitedTotal is the time spent in Acquire by those who are through with
	// it, permit or not.
	WaitedTotal time.Duration
}

// Status returns the gate's figures; zero for a nil gate.
func (g *Gate) Status() Status {
	if g == nil {
		return Status{}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return Status{
		Rate:        g.rate,
		Err:         g.refuse,
		Waiting:     g.line.len,
		Admitting:   g.door.len,
		Expected:    g.expected,
		InFlight:    g.inFlight.Load(),
		Sends:       g.sends.Load(),
		Cancelled:   g.cancelled,
		WaitedTotal: g.waited,
	}
}

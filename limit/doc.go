// Package limit keeps what a judge allows: a [Gate] that every single send
// passes, and the [Rate] that it lets through.
//
// A gate is a scheduler, not a chain of semaphores. Those who wait stand in one
// line, first come, first served; the head of the line goes at the moment when
// every condition is met, all looked at together under one lock. So nobody
// holds one permission while waiting for another, and the pace is measured when
// a send really starts. A gate owns no goroutine: the head of the line waits
// for the clock itself, takes its permit while it runs, and wakes the next. A
// waiter that gives up therefore never holds a permit that could be lost.
//
// # Sending
//
// Call [Gate.Acquire] before every attempt, retries and repairs included, and
// [Permit.Release] when the call is over. A gate is shared by all that use the
// same judge. A nil *Gate, and one without options, is always open.
//
// # Taking work in
//
// Whoever starts work in numbers (a pool of workers, a run over a dataset)
// calls [Gate.Admit] before it starts a piece, and a piece's deadline after
// that. Admit blocks while the gate has work enough for the permits that are
// about to come due, so that the surplus waits where it can be bounded, aged
// and dropped, and not at the gate with its deadline running.
//
// The arithmetic of a rate is apart from locks and clocks: the token bucket is
// golang.org/x/time/rate, strict pacing is this package's own.
package limit

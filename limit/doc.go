// Package limit keeps what a judge allows: a [Gate] that every single send
// passes, and the limits that it keeps.
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
// Call [Gate.Acquire], or [Gate.AcquireFor] with what the send will need,
// before every attempt, retries and repairs included, and [Permit.Done] with
// the outcome when the call is over; [Permit.Release] where there is none to
// tell. A gate is shared by all that use the same judge. A nil *Gate, and one
// without options, is always open.
//
// # Parts
//
// Each is optional, can be changed while the gate is in use, and is visible in
// [Gate.Status]:
//
//   - [WithRate]: requests a second, as a token bucket or strictly paced.
//   - [WithTokenRate]: tokens a second; reserved, then settled.
//   - [WithAdaptive]: the number of sends at once and the rate, learned from
//     the answers where nobody said them.
//   - [WithBreaker]: nothing is sent to a judge that is out of order, but for
//     one probe now and then.
//   - [WithBudget]: money or tokens in a window; reserved, then settled.
//   - [WithListener]: hears of changes.
//
// Always there are the pause that a judge asks for (see [ParseRetry]), which all
// who use the gate keep, and the budget of retries, [Gate.AllowRetry].
//
// # Taking work in
//
// Whoever starts work in numbers (a pool of workers, a run over a dataset)
// calls [Gate.Admit] before it starts a piece, and a piece's deadline after
// that. Admit blocks while the gate has work enough for the permits that are
// about to come due, so that the surplus waits where it can be bounded, aged
// and dropped, and not at the gate with its deadline running.
//
// # Arithmetic
//
// What each part computes is apart from locks and clocks: the bucket of
// requests is golang.org/x/time/rate, the breaker counts with
// github.com/sony/gobreaker, learning is internal/adaptive, and strict pacing,
// tokens, pauses and budgets are this package's own. All times are monotonic, so
// that a wall clock that jumps changes nothing; only dates that a judge sends
// are read by a wall clock, its own where it sends that too.
package limit

package judge

import (
	"context"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/waits"
	"github.com/genaievals/genaievals/limit"
)

// A request is sent at most maxSends times. Before each further time the
// conversation waits a random part of backoff, which doubles up to maxBackoff;
// what the judge itself asked for is kept by the gate.
const (
	maxSends   = 3
	backoff    = time.Second
	maxBackoff = 30 * time.Second
)

// ask sends the request, and again after failures that pass by themselves. Each
// time it passes the gate.
func (v *conversation) ask(ctx context.Context) *Error {
	var failure *Error
	for sent := 1; ; sent++ {
		permit, err := v.permit(ctx, failure)
		if err != nil {
			return err
		}
		if failure = v.send(ctx, permit); failure == nil {
			return nil
		}
		if sent >= sends(failure) {
			return failure
		}
		if err := v.pause(ctx, failure, sent); err != nil {
			return err
		}
	}
}

// permit waits at the gate. Failure is that of the send before, if any.
//
//go:noinline
func (v *conversation) permit(ctx context.Context, failure *Error) (limit.Permit, *Error) {
	permit, err := v.evaluator.config.gate.AcquireFor(ctx, v.need())
	v.spent.limitWait += permit.Waited
	if err != nil {
		return limit.Permit{}, gateError(ctx, err, permit.Waited, failure)
	}
	return permit, nil
}

// sends is how often a request that failed so may be sent in all.
func sends(e *Error) int {
	switch e.Type {
	case evaluators.ErrorJudgeRateLimited, evaluators.ErrorJudgeOverloaded:
		return maxSends
	case evaluators.ErrorJudgeUnavailable:
		switch e.Status {
		case http.StatusBadRequest: // it arrived in part; or that is what it is
			return 2
		case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported:
			return 1
		}
		return maxSends
	case evaluators.ErrorJudgeTimeout:
		if e.Status != 0 { // a gateway's
			return maxSends
		}
		return 2
	}
	return 1
}

// pause waits before a request is sent again. It returns why it is not: the
// failure itself when there is no time left for another attempt, or when the
// gate has had enough of them.
//
//go:noinline
func (v *conversation) pause(ctx context.Context, failure *Error, sent int) *Error {
	gate := v.evaluator.config.gate
	wait, told := rand.N(min(maxBackoff, backoff<<(sent-1))), toldToWait(failure)
	if !inTime(ctx, max(wait, told)) {
		return failure
	}
	if gate == nil {
		wait = max(wait, told) // else the gate sees to what the judge asked for
	}
	if !gate.AllowRetry() && !v.allowedLater(ctx, failure, time.Now().Add(told)) {
		return v.givenUp(ctx, failure)
	}
	if !v.sleep(ctx, wait) {
		return v.givenUp(ctx, failure)
	}
	return nil
}

// allowedLater waits until the gate allows another retry. A judge that refused
// for its limits is no worse for being asked later, and what it refused is not
// to be lost while others get through; other failures are not waited for. Where
// nobody else sends, no retry is earned by waiting.
func (v *conversation) allowedLater(ctx context.Context, failure *Error, told time.Time) bool {
	if failure.Type != evaluators.ErrorJudgeRateLimited && failure.Type != evaluators.ErrorJudgeOverloaded {
		return false
	}
	gate := v.evaluator.config.gate
	for poll := backoff; ; poll = min(2*poll, maxBackoff) {
		before := gate.Status()
		wait := poll/2 + rand.N(poll) + max(0, time.Until(told), time.Until(pausedUntil(before)))
		if !inTime(ctx, wait) || !v.sleep(ctx, wait) {
			return false
		}
		if gate.AllowRetry() {
			return true
		}
		if gate.Status().Sends == before.Sends {
			return false
		}
	}
}

// pausedUntil is when a gate lets the next send go, whether the judge said so or
// it was learned.
func pausedUntil(s limit.Status) time.Time {
	if a := s.Adaptive; a != nil && a.Until.After(s.PausedUntil) {
		return a.Until
	}
	return s.PausedUntil
}

// givenUp is the failure, unless the evaluation was called off meanwhile.
func (v *conversation) givenUp(ctx context.Context, failure *Error) *Error {
	if ctx.Err() != nil {
		return sendError(ctx, failure)
	}
	return failure
}

// sleep waits for d, which counts as waiting for limits, and reports whether
// ctx is alive then.
func (v *conversation) sleep(ctx context.Context, d time.Duration) bool {
	defer waits.Begin(ctx)()
	start := time.Now()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	v.spent.limitWait += time.Since(start)
	return ctx.Err() == nil
}

// inTime reports whether there is time left after waiting for d.
func inTime(ctx context.Context, d time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return !ok || time.Until(deadline) > d
}

// toldToWait is how long the judge asks to wait.
func toldToWait(e *Error) time.Duration {
	if e.Header == nil && e.Body == nil {
		return 0
	}
	return limit.ParseRetry(e.Header, e.Body, time.Now()).Wait
}

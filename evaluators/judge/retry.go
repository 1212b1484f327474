package judge

import (
	"context"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/genaievals/genaievals/evaluators"
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
func (v *conversation) ask(ctx context.Context) (Response, *Error) {
	var failure *Error
	for sent := 1; ; sent++ {
		permit, err := v.permit(ctx, failure)
		if err != nil {
			return Response{}, err
		}
		var resp Response
		if resp, failure = v.send(ctx, permit); failure == nil {
			return resp, nil
		}
		if sent >= sends(failure) {
			return Response{}, failure
		}
		if err := v.pause(ctx, failure, sent); err != nil {
			return Response{}, err
		}
	}
}

// permit waits at the gate. Failure is that of the send before, if any.
func (v *conversation) permit(ctx context.Context, failure *Error) (limit.Permit, *Error) {
	permit, err := v.evaluator.config.gate.AcquireFor(ctx, v.need())
	v.limitWait += permit.Waited
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
// gate has had enough of them. A judge that refused for its limits is no worse
// for waiting, so then the wait goes on until the gate allows one.
func (v *conversation) pause(ctx context.Context, failure *Error, sent int) *Error {
	gate := v.evaluator.config.gate
	refused := failure.Type == evaluators.ErrorJudgeRateLimited || failure.Type == evaluators.ErrorJudgeOverloaded
	told := time.Now().Add(toldToWait(failure))
	for ; ; sent++ {
		wait := rand.N(min(maxBackoff, backoff<<min(sent-1, 10)))
		earliest := max(wait, time.Until(told))
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= earliest {
			return failure
		}
		allowed := gate.AllowRetry()
		if !allowed && !refused {
			return failure
		}
		if gate == nil || !allowed {
			wait = earliest // else the gate sees to what the judge asked for
		}
		start := time.Now()
		err := sleep(ctx, wait)
		v.limitWait += time.Since(start)
		if err != nil {
			return sendError(ctx, failure)
		}
		if allowed {
			return nil
		}
	}
}

// toldToWait is how long the judge asks to wait.
func toldToWait(e *Error) time.Duration {
	if e.Header == nil && e.Body == nil {
		return 0
	}
	return limit.ParseRetry(e.Header, e.Body, time.Now()).Wait
}

// sleep waits for d or for the end of ctx, and returns ctx's error then.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

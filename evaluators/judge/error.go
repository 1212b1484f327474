package judge

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/limit"
)

// Error is why a judge gave no usable answer.
//
// Its text is emitted, so it is made of nothing but the type, the status and
// short codes: providers quote prompts in their messages.
type Error struct {
	// Type is one of the evaluators.Error constants.
	Type string
	// Status is the HTTP status; 0 when there was none.
	Status int
	// Code and Param are the provider's own codes, where they are short names.
	Code, Param string
	// Adapted: the client has learned to ask in another way, so that the same
	// request, sent again, may be accepted. Each thing is learned at most once.
	Adapted bool
	// FormatRefused: the provider does not take the request's Format, so that the
	// next one is to be tried.
	FormatRefused bool
	// OutputRefused: the provider does not take as large a MaxOutputTokens, so
	// that a smaller one is to be tried.
	OutputRefused bool
	// Usage is what the call took, where a reply that is no answer says so. It is
	// part of what a result cost.
	Usage Usage
	// Header and Body are those of an HTTP response, the body cut at 64 KiB.
	// They can hold evaluated text and are never emitted, nor marshalled.
	Header http.Header `json:"-"`
	Body   []byte      `json:"-"`
	// Err is what happened, if there is more to say. It must hold neither
	// evaluated text nor keys.
	Err error
}

// Error returns the type, the status, the codes and Err.
func (e *Error) Error() string {
	if e == nil {
		return "<nil>"
	}
	var b strings.Builder
	b.WriteString(e.Type)
	if e.Status != 0 {
		b.WriteString(": status ")
		b.WriteString(strconv.Itoa(e.Status))
	}
	for _, f := range [...]struct{ name, value string }{{"code", e.Code}, {"param", e.Param}} {
		if f.value != "" {
			b.WriteString(", " + f.name + " " + f.value)
		}
	}
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	return b.String()
}

// Unwrap returns Err.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// CalledOff is the error of a call whose context was cancelled: shutdown when
// the cause says more than that, cancelled when the caller just gave up.
func CalledOff(ctx context.Context) *Error {
	cause := context.Cause(ctx)
	if errors.Is(cause, context.Canceled) {
		return &Error{Type: evaluators.ErrorCancelled, Err: cause}
	}
	return &Error{Type: evaluators.ErrorShutdown, Err: cause}
}

// fail returns an error of the evaluator's own making.
func fail(errorType, message string) *Error {
	return &Error{Type: errorType, Err: errors.New(message)}
}

// sendError classifies what a client returned. The parent is the evaluation's
// context, without the timeout of the single call.
func sendError(parent context.Context, err error) *Error {
	if errors.Is(parent.Err(), context.Canceled) {
		return CalledOff(parent)
	}
	if e, ok := errors.AsType[*Error](err); ok {
		switch {
		case e == nil: // an error nevertheless, as Go has it
			return fail(evaluators.ErrorJudgeUnavailable, "the client returned an *Error that is nil")
		case e.Type != "":
			return e
		}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &Error{Type: evaluators.ErrorJudgeTimeout, Err: err}
	}
	return &Error{Type: evaluators.ErrorJudgeUnavailable, Err: err}
}

// gateError classifies why a send was not permitted: the evaluation was
// called off, the breaker is open, the budget is spent, the limits left no room
// before the deadline, or the calls before it had taken all the time. Before is
// the failure of the send that this one was to repeat, or nil.
func gateError(parent context.Context, err error, waited time.Duration, before *Error) *Error {
	if before != nil {
		err = fmt.Errorf("%w; the call before: %w", err, before)
	}
	switch {
	case errors.Is(parent.Err(), context.Canceled):
		return CalledOff(parent)
	case errors.Is(err, limit.ErrOpen):
		return &Error{Type: evaluators.ErrorJudgeCircuitOpen, Err: err}
	case errors.Is(err, limit.ErrSpent):
		return &Error{Type: evaluators.SkipBudget, Err: err}
	case waited == 0 && errors.Is(parent.Err(), context.DeadlineExceeded):
		return &Error{Type: evaluators.ErrorJudgeTimeout, Err: parent.Err()}
	}
	return &Error{Type: evaluators.ErrorJudgeRateLimited, Err: err}
}

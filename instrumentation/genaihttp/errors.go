package genaihttp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// ResponseError is the failure of a call that was answered: by an HTTP status
// of 400 and more, or by an error object where an answer should be. The
// provider's message is left out: it can quote the prompt, or a key.
type ResponseError struct {
	// StatusCode is the HTTP status; below 400 when the failure was in the
	// body only.
	StatusCode int
	// Type is the provider's own code or type of the error, where it looks
	// like an identifier (rate_limit_exceeded), else the status as a string,
	// else _OTHER.
	Type string
}

// Error gives the status and the type.
func (e *ResponseError) Error() string {
	return fmt.Sprintf("the provider answered %d: %s", e.StatusCode, e.Type)
}

// ErrorType is error.type of the failed invocation.
func (e *ResponseError) ErrorType() string { return e.Type }

// The ways in which an answer can be missing or cut short without the
// transport or the provider saying so. The application sees the same bytes; it
// is the invocation that fails with these.
var (
	// ErrMalformed: the body is not JSON. error.type malformed_response.
	ErrMalformed error = &endError{"the response is not readable", "malformed_response", nil}
	// ErrIncomplete: a stream ended without its end mark and without a finish
	// reason. error.type incomplete_stream.
	ErrIncomplete error = &endError{"the stream ended before the answer did", "incomplete_stream", nil}
	// ErrPanicked: the base transport, or the response's body, panicked, which
	// the application sees as it would without this package. error.type
	// transport_panic.
	ErrPanicked error = &endError{"the transport panicked", "transport_panic", nil}
	// ErrAbandoned: the body was closed before the answer was complete. It
	// wraps [context.Canceled]: a cancellation, not a failure.
	ErrAbandoned error = &endError{"the response body was closed before its end", "abandoned", context.Canceled}
)

type endError struct {
	message, errorType string
	cause              error
}

func (e *endError) Error() string     { return e.message }
func (e *endError) ErrorType() string { return e.errorType }
func (e *endError) Unwrap() error     { return e.cause }

// contextError returns err, made to wrap the error of the context or deadline
// that it comes from. net/http reports a cancelled context by its cause, and
// an http.Client's timeout, through a transport that is not its own, as a
// cancelled request.
func contextError(req *http.Request, err error) error {
	ctx := req.Context()
	if ctx.Err() != nil {
		return joined(ctx.Err(), err)
	}
	if deadline, ok := ctx.Deadline(); ok && !time.Now().Before(deadline) {
		return joined(context.DeadlineExceeded, err)
	}
	return err
}

func joined(kind, err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return kind // one kind only: a timeout must not count as a cancellation
	}
	return fmt.Errorf("%w: %w", kind, err)
}

// interrupted reports whether the request was given up or timed out.
func interrupted(req *http.Request) bool { return contextError(req, nil) != nil }

func statusError(status int) *ResponseError {
	return &ResponseError{StatusCode: status, Type: statusType(status)}
}

func statusType(status int) string {
	if status >= 400 {
		return strconv.Itoa(status)
	}
	return "_OTHER"
}

// identifier reports whether s can be an error.type: the shape of an
// identifier, and few digits, so that no request id or time gets in.
func identifier(s string) bool {
	if s == "" || len(s) > 64 || s == "None" || s == "null" {
		return false
	}
	digits := 0
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		case i > 0 && (c == '_' || c == '-' || c == '.'):
		case i > 0 && '0' <= c && c <= '9':
			digits++
		default:
			return false
		}
	}
	return digits <= 4
}

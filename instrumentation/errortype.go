package instrumentation

import (
	"context"
	"errors"
	"fmt"
	"net"
	"reflect"

	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
)

// errorTypeTimeout is error.type of an expired deadline.
const errorTypeTimeout = "timeout"

// classify says how an invocation that got this error ended. The methods of an
// error are the application's code, and contained.
func (h *Handler) classify(err error) (errorType string, cancelled bool) {
	if err == nil {
		return "", false
	}
	if h.canceled(err) {
		return "", true
	}
	if h.errorTypeOf != nil {
		if t := h.ask(h.errorTypeOf, err, h.errorTypeOf); t != "" {
			return clean(t), false
		}
	}
	if t := h.ask(errorTypeOf, err, err); t != "" {
		return clean(t), false
	}
	return semconv.ErrorTypeOther.Value.AsString(), false
}

// message is the error's text; empty when it panics.
func (h *Handler) message(err error) string { return clean(h.ask(error.Error, err, err)) }

// ask calls f with a panic blamed on hook, and then answered with nothing.
func (h *Handler) ask(f func(error) string, err error, hook any) string {
	defer h.contain(hook)
	return f(err)
}

func (h *Handler) canceled(err error) bool {
	defer h.contain(err)
	return errors.Is(err, context.Canceled)
}

// errorTypeOf is the default of [WithErrorType], empty for _OTHER.
func errorTypeOf(err error) string {
	var named interface{ ErrorType() string }
	if errors.As(err, &named) {
		if t := named.ErrorType(); t != "" {
			return t
		}
	}
	var network net.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &network) && network.Timeout() {
		return errorTypeTimeout
	}
	if t := innermost(err); t != nil {
		return t.String()
	}
	return ""
}

// anonymous are the types that say nothing of an error.
var anonymous = func() map[reflect.Type]bool {
	types := make(map[reflect.Type]bool)
	one := errors.New("")
	for _, err := range []error{one, errors.Join(one), fmt.Errorf("%w", one), fmt.Errorf("%w %w", one, one)} {
		types[reflect.TypeOf(err)] = true
	}
	return types
}()

// innermost follows the chain, of several errors the first that leads to one,
// to the last error whose type was made for it.
func innermost(err error) reflect.Type {
	if err == nil {
		return nil
	}
	// The chain is walked by hand: errors.As would find its outermost end.
	if one, ok := err.(interface{ Unwrap() error }); ok { //nolint:errorlint // see above
		if t := innermost(one.Unwrap()); t != nil {
			return t
		}
	}
	if several, ok := err.(interface{ Unwrap() []error }); ok { //nolint:errorlint // see above
		for _, e := range several.Unwrap() {
			if t := innermost(e); t != nil {
				return t
			}
		}
	}
	if t := reflect.TypeOf(err); !anonymous[t] {
		return t
	}
	return nil
}

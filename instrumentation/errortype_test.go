package instrumentation_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"syscall"
	"testing"

	"github.com/genaievals/genaievals/instrumentation"
)

type codedError string

func (e codedError) Error() string     { return "coded: " + string(e) }
func (e codedError) ErrorType() string { return string(e) }

type brokenError struct{}

func (brokenError) Error() string   { panic("in Error") }
func (brokenError) Is(error) bool   { panic("in Is") }
func (brokenError) As(any) bool     { panic("in As") }
func (brokenError) Unwrap() []error { return []error{nil} }

func TestErrorType(t *testing.T) {
	plain := errors.New("plain")
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"plain", plain, "_OTHER"},
		{"wrapped plain", fmt.Errorf("doing: %w", plain), "_OTHER"},
		{"joined plain", errors.Join(plain, plain), "_OTHER"},
		{"sentinel", io.ErrUnexpectedEOF, "_OTHER"},
		{"deadline", fmt.Errorf("doing: %w", context.DeadlineExceeded), "timeout"},
		{"deadline of the file system", &fs.PathError{Op: "read", Path: "/x", Err: os.ErrDeadlineExceeded}, "timeout"},
		{"network timeout", &url.Error{Op: "Post", URL: "/", Err: &net.DNSError{IsTimeout: true}}, "timeout"},
		{"innermost", &url.Error{Op: "Post", URL: "/", Err: &net.OpError{Op: "dial", Err: &net.DNSError{}}}, "*net.DNSError"},
		{"innermost with a type", &url.Error{Op: "Post", URL: "/", Err: plain}, "*url.Error"},
		{"number", &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}, "syscall.Errno"},
		{"first of several that says something", errors.Join(plain, &net.DNSError{}, &url.Error{Err: plain}), "*net.DNSError"},
		{"own type", codedError("rate_limited"), "rate_limited"},
		{"wrapped own type", fmt.Errorf("doing: %w", codedError("rate_limited")), "rate_limited"},
		{"own type beats timeout", errors.Join(context.DeadlineExceeded, codedError("slow")), "slow"},
		{"empty own type", codedError(""), "instrumentation_test.codedError"},
		{"invalid UTF-8", codedError("a\xff"), "a\uFFFD"},
		{"broken", brokenError{}, "_OTHER"},
		{"typed nil", (*url.Error)(nil), "_OTHER"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tel := record(t, instrumentation.WithCaptureMessageContent(instrumentation.CaptureSpanOnly))
			_, inv := tel.StartInference(t.Context(), instrumentation.Inference{})
			inv.Fail(tt.err)
			if got := plainAttributes(tel.span(t).Attributes)["error.type"]; got != tt.want || inv.ErrorType() != tt.want {
				t.Errorf("error.type %v, want %q", got, tt.want)
			}
		})
	}
}

func TestWithErrorType(t *testing.T) {
	tests := []struct {
		name string
		f    func(error) string
		want string
	}{
		{"answers", func(error) string { return "mine" }, "mine"},
		{"has no answer", func(error) string { return "" }, "rate_limited"},
		{"panics", func(err error) string { panic(err) }, "rate_limited"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tel := record(t, instrumentation.WithErrorType(tt.f))
			_, inv := tel.StartInference(t.Context(), instrumentation.Inference{})
			inv.Fail(codedError("rate_limited"))
			if inv.ErrorType() != tt.want {
				t.Errorf("error.type %q, want %q", inv.ErrorType(), tt.want)
			}
			_, inv = tel.StartInference(t.Context(), instrumentation.Inference{})
			inv.Fail(context.Canceled)
			if inv.ErrorType() != "" || !inv.Cancelled() {
				t.Errorf("cancellation got error.type %q", inv.ErrorType())
			}
		})
	}
}

package safelog_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/internal/safelog"
)

// faulty panics in the method named.
type faulty struct {
	slog.Handler
	in string
}

func (f faulty) fail(method string) {
	if f.in == method {
		panic("the handler's own fault")
	}
}

func (f faulty) Enabled(ctx context.Context, l slog.Level) bool {
	f.fail("Enabled")
	return f.Handler.Enabled(ctx, l)
}

func (f faulty) Handle(ctx context.Context, r slog.Record) error {
	f.fail("Handle")
	return f.Handler.Handle(ctx, r)
}

func (f faulty) WithAttrs(a []slog.Attr) slog.Handler {
	f.fail("WithAttrs")
	return faulty{f.Handler.WithAttrs(a), f.in}
}

func (f faulty) WithGroup(name string) slog.Handler {
	f.fail("WithGroup")
	return faulty{f.Handler.WithGroup(name), f.in}
}

func TestAHandlerThatPanicsCostsItsRecordOnly(t *testing.T) {
	for in, want := range map[string]string{
		"":        "level=INFO msg=hello a=1 g.b=2\n",
		"Enabled": "",
		"Handle":  "",
		// The record goes on without what could not be added.
		"WithAttrs": "level=INFO msg=hello g.b=2\n",
		"WithGroup": "level=INFO msg=hello a=1 b=2\n",
	} {
		t.Run(in, func(t *testing.T) {
			var out strings.Builder
			text := slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
				if a.Key == slog.TimeKey {
					return slog.Attr{}
				}
				return a
			}})
			safelog.New(slog.New(faulty{text, in})).With("a", 1).WithGroup("g").Info("hello", "b", 2)
			if out.String() != want {
				t.Errorf("logged %q, want %q", out.String(), want)
			}
		})
	}
}

func TestTheDefaultLoggerIsTaken(t *testing.T) {
	before := slog.Default()
	defer slog.SetDefault(before)
	var out strings.Builder
	slog.SetDefault(slog.New(slog.NewTextHandler(&out, nil)))
	safelog.New(nil).Info("hello")
	if !strings.Contains(out.String(), "hello") {
		t.Errorf("logged %q", out.String())
	}
}

// Package safelog keeps a logger of the application's from harming whoever
// logs: a slog.Handler that panics costs its record only.
package safelog

import (
	"context"
	"fmt"
	"log/slog"
)

// New returns a logger that hands its records to l's handler and contains its
// panics. A nil l is slog.Default as it is now.
func New(l *slog.Logger) *slog.Logger {
	if l == nil {
		l = slog.Default()
	}
	h := l.Handler()
	if _, ok := h.(handler); ok {
		return l
	}
	return slog.New(handler{h})
}

// handler contains the panics of another. It holds nothing else, and is as safe
// for concurrent use as that one.
type handler struct{ of slog.Handler }

func (h handler) Enabled(ctx context.Context, level slog.Level) (enabled bool) {
	defer func() { _ = recover() }()
	return h.of.Enabled(ctx, level)
}

func (h handler) Handle(ctx context.Context, r slog.Record) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the slog handler panicked (%T)", p)
		}
	}()
	return h.of.Handle(ctx, r)
}

func (h handler) WithAttrs(attrs []slog.Attr) (with slog.Handler) {
	defer h.unlessMade(&with)
	return handler{h.of.WithAttrs(attrs)}
}

func (h handler) WithGroup(name string) (with slog.Handler) {
	defer h.unlessMade(&with)
	return handler{h.of.WithGroup(name)}
}

// unlessMade stands in for a handler that could not be made. Use it deferred.
func (h handler) unlessMade(with *slog.Handler) {
	if recover() != nil {
		*with = h
	}
}

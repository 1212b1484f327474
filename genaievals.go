// Package genaievals scores the answers that a GenAI application gives, inside
// the process that gave them, and reports the scores through OpenTelemetry.
//
// Instrument the HTTP client that calls the model, and start:
//
//	client := &http.Client{Transport: genaihttp.NewTransport(nil)}
//	evals, err := genaievals.Start(ctx)
//	…
//	defer evals.Shutdown(ctx)
//
// From then on each completed call is offered to a bounded queue, which never
// blocks the application; workers score it on several metrics; and every result
// becomes an OpenTelemetry event, a histogram point and a span, tied to the
// call's own span. What runs, and how, is set by environment variables (see
// docs/configuration.md) or by the options here, which beat them.
//
// An application that has no OpenTelemetry providers uses package bootstrap
// instead, which installs them.
package genaievals

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/manager"
)

// running is the process's one instance that evaluates.
var running struct {
	sync.Mutex
	evals *Evals
}

// Start reads the environment, lays the options over it, and starts evaluating
// what the handler records (instrumentation.Default, see [WithHandler]).
//
// A bad option is an error, and nothing is started. A bad variable never is:
// it is warned about once and its default used, or what depends on it is off,
// and the application goes on. When nothing is evaluated (OTEL_SDK_DISABLED,
// EVALUATORS=none, a judge without a key), Start says so in one line and
// returns an Evals whose methods do nothing.
//
// While one instance evaluates, a second Start returns it with a warning; after
// its Shutdown Start begins anew. Start does not block, keeps nothing of ctx
// but its values, and makes no call of a judge.
func Start(ctx context.Context, options ...Option) (*Evals, error) {
	s, err := newSettings(options)
	if err != nil {
		return nil, fmt.Errorf("starting genaievals: %w", err)
	}
	running.Lock()
	defer running.Unlock()
	if running.evals != nil {
		s.logger.WarnContext(ctx, "genaievals: already started; the running instance goes on and the new options have no effect")
		return running.evals, nil
	}
	s.warnOfVariables(ctx)
	if s.env.SDKDisabled {
		return s.off(ctx, &reason{slog.LevelDebug, "OTEL_SDK_DISABLED is true"}), nil
	}
	page, err := s.openPage(ctx)
	if err != nil {
		return nil, fmt.Errorf("starting genaievals: %w", err)
	}
	assignments, m, why, err := s.build(ctx)
	if err == nil && why == nil {
		err = m.Start()
	}
	switch {
	case err != nil:
		page.end(ctx)
		return nil, fmt.Errorf("starting genaievals: %w", err)
	case why != nil:
		page.end(ctx)
		return s.off(ctx, why), nil
	}
	page.show(ctx, m, s.logger)
	e := &Evals{manager: m, handler: s.handlerToUse(), gates: s.made, page: page}
	e.unregister = e.handler.Register(m)
	running.evals = e
	s.announce(ctx, assignments)
	return e, nil
}

// build makes the manager, or says why there is nothing for it to do. It asks
// the application's evaluators about themselves, and contains their panics.
func (s *settings) build(ctx context.Context) (assignments []evaluators.Assignment, m *manager.Manager, why *reason, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("an evaluator panicked when asked about itself (%T)", r)
		}
	}()
	if assignments, why, err = s.assign(ctx); err != nil || why != nil {
		return nil, nil, why, err
	}
	m, err = s.newManager(ctx, assignments)
	return assignments, m, nil, err
}

// handlerToUse is the one passed, or one made for the providers passed, which
// becomes the default, or the default.
func (s *settings) handlerToUse() *instrumentation.Handler {
	switch {
	case s.handler != nil:
		return s.handler
	case s.tracerProvider == nil && s.meterProvider == nil && s.loggerProvider == nil:
		return instrumentation.Default()
	}
	h := instrumentation.NewHandler(
		instrumentation.WithTracerProvider(s.tracerProvider),
		instrumentation.WithMeterProvider(s.meterProvider),
		instrumentation.WithLoggerProvider(s.loggerProvider),
		instrumentation.WithLogger(s.logger),
	)
	instrumentation.SetDefault(h)
	return h
}

// reason is why nothing is evaluated: debug where that was asked for, a warning
// where something is missing, an error where the plan is broken.
type reason struct {
	level slog.Level
	text  string
}

// off returns an instance that does nothing, after saying why in one line.
func (s *settings) off(ctx context.Context, why *reason) *Evals {
	s.logger.Log(ctx, why.level, "genaievals: nothing is evaluated", "reason", why.text)
	return &Evals{why: why.text}
}

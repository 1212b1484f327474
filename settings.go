package genaievals

import (
	"context"
	"errors"
	"log/slog"

	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/manager"
	"go.opentelemetry.io/otel/log"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"
)

// settings are the environment with the options laid over it.
type settings struct {
	env            envconfig.Config
	warnings       []envconfig.Warning
	planFromOption bool

	own            []evaluators.Evaluator
	client         judge.Client
	sampler        manager.Sampler
	resultHandlers []manager.ResultHandler
	dropHandlers   []manager.DropHandler
	redactor       manager.Redactor

	handler        *instrumentation.Handler
	tracerProvider trace.TracerProvider
	meterProvider  metric.MeterProvider
	loggerProvider log.LoggerProvider
	logger         *slog.Logger
}

func newSettings(options []Option) (*settings, error) {
	s := &settings{}
	s.env, s.warnings = envconfig.Load()
	var errs []error
	for _, o := range options {
		if o != nil {
			errs = append(errs, o.apply(s))
		}
	}
	if s.logger == nil {
		s.logger = slog.Default()
	}
	errs = append(errs, s.env.Validate())
	if s.planFromOption {
		_, err := evaluators.Parse(s.env.Evaluators)
		errs = append(errs, err)
	}
	return s, errors.Join(errs...)
}

func (s *settings) warnOfVariables(ctx context.Context) {
	for _, w := range s.warnings {
		s.logger.Log(ctx, w.Level, "genaievals: "+w.Message, "variable", w.Name)
	}
}

package instrumentation

import (
	"log/slog"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/log"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"
)

// Option configures a [Handler].
type Option interface{ apply(config) config }

type optionFunc func(config) config

func (f optionFunc) apply(c config) config { return f(c) }

type config struct {
	tracerProvider trace.TracerProvider
	meterProvider  metric.MeterProvider
	loggerProvider log.LoggerProvider
	capture        CaptureMode
	captureSet     bool
	logger         *slog.Logger
	errorType      func(error) string
}

func newConfig(opts []Option) config {
	var c config
	for _, o := range opts {
		if o != nil {
			c = o.apply(c)
		}
	}
	if c.tracerProvider == nil {
		c.tracerProvider = otel.GetTracerProvider()
	}
	if c.meterProvider == nil {
		c.meterProvider = otel.GetMeterProvider()
	}
	if c.loggerProvider == nil {
		c.loggerProvider = otel.GetLoggerProvider()
	}
	return c
}

// WithTracerProvider sets where spans go. Default, also for nil: the global
// provider of package otel, whether it is set before or after.
func WithTracerProvider(p trace.TracerProvider) Option {
	return optionFunc(func(c config) config { c.tracerProvider = p; return c })
}

// WithMeterProvider sets where metrics go. Default, also for nil: the global
// provider of package otel, whether it is set before or after.
func WithMeterProvider(p metric.MeterProvider) Option {
	return optionFunc(func(c config) config { c.meterProvider = p; return c })
}

// WithLoggerProvider sets where content events go. Default, also for nil: the
// global provider of package otel, whether it is set before or after.
func WithLoggerProvider(p log.LoggerProvider) Option {
	return optionFunc(func(c config) config { c.loggerProvider = p; return c })
}

// WithCaptureMessageContent says whether content is put into telemetry. It
// beats the environment variable [EnvCaptureMessageContent], which is the
// default; without either, content is left out.
func WithCaptureMessageContent(m CaptureMode) Option {
	return optionFunc(func(c config) config {
		c.capture, c.captureSet = m&CaptureSpanAndEvent, true
		return c
	})
}

// WithLogger sets where the handler reports its own trouble, never content.
// Default, also for nil: [slog.Default] at the time of the report.
func WithLogger(l *slog.Logger) Option {
	return optionFunc(func(c config) config { c.logger = l; return c })
}

// WithErrorType sets how the error given to [Invocation.Fail] becomes
// error.type, which should have few distinct values. Where f returns the empty
// string or panics, the default applies:
//
//   - what the error's, or a wrapped error's, method ErrorType() string returns;
//   - timeout, for [context.DeadlineExceeded] and network timeouts;
//   - the Go type of the innermost error that has a type of its own, such as
//     *net.DNSError;
//   - _OTHER, for what [errors.New] and [fmt.Errorf] made.
//
// f is not asked about cancellation. It runs on the application's goroutine.
func WithErrorType(f func(err error) string) Option {
	return optionFunc(func(c config) config { c.errorType = f; return c })
}

package emit

import (
	"context"
	"errors"
	"fmt"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/log"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"
)

// SpanMode says where the spans of evaluations belong.
type SpanMode uint8

// The modes.
const (
	SpanChild SpanMode = iota // children of the evaluated span
	SpanLink                  // roots of traces of their own, linked to it
	SpanOff                   // none
)

// String returns child, link or off.
func (m SpanMode) String() string {
	switch m {
	case SpanLink:
		return "link"
	case SpanOff:
		return "off"
	}
	return "child"
}

// Config says where and what to emit. Its zero value emits to the global
// providers: child spans, a histogram for each metric, no explanations, no
// baggage, no monitoring.
type Config struct {
	// Providers; nil is OpenTelemetry's global one, whether it is set before or
	// after.
	TracerProvider trace.TracerProvider
	MeterProvider  metric.MeterProvider
	LoggerProvider log.LoggerProvider
	// SingleMetric records all scores in one histogram instead of one for each
	// metric.
	SingleMetric bool
	Span         SpanMode
	// Explanation emits explanations and the texts of errors, which can quote
	// content; without it they go nowhere.
	Explanation bool
	// Baggage copies baggage and association properties onto events and spans.
	Baggage bool
	// Aggregate emits one event for all results of a Publish.
	Aggregate bool
	// Monitoring records the durations and the costs of evaluations.
	Monitoring bool
}

// Emitter turns results into telemetry. Make it with [New]; it is safe for
// concurrent use and holds nothing that needs closing. A panic of a provider it
// was given reaches the caller, after everything else was emitted.
type Emitter struct {
	config Config
	tracer trace.Tracer
	logger log.Logger
	scores scores
	// duration and cost are nil without monitoring.
	duration, cost metric.Float64Histogram
}

// New returns an emitter. It works also beside an error, but for the
// instruments that the meter provider did not make.
func New(c Config) (*Emitter, error) {
	if c.TracerProvider == nil {
		c.TracerProvider = otel.GetTracerProvider()
	}
	if c.MeterProvider == nil {
		c.MeterProvider = otel.GetMeterProvider()
	}
	if c.LoggerProvider == nil {
		c.LoggerProvider = otel.GetLoggerProvider()
	}
	e := &Emitter{
		config: c,
		tracer: c.TracerProvider.Tracer(ScopeName, trace.WithSchemaURL(semconv.SchemaURL)),
		logger: c.LoggerProvider.Logger(ScopeName, log.WithSchemaURL(semconv.SchemaURL)),
	}
	meter := c.MeterProvider.Meter(ScopeName, metric.WithSchemaURL(semconv.SchemaURL))
	var errs [3]error
	if e.scores, errs[0] = newScores(meter, c.SingleMetric); errs[0] != nil {
		errs[0] = fmt.Errorf("making the score histogram: %w", errs[0])
	}
	if c.Monitoring {
		if e.duration, errs[1] = newDuration(meter); errs[1] != nil {
			errs[1] = fmt.Errorf("making the duration histogram: %w", errs[1])
		}
		if e.cost, errs[2] = newCost(meter); errs[2] != nil {
			errs[2] = fmt.Errorf("making the cost histogram: %w", errs[2])
		}
	}
	return e, errors.Join(errs[:]...)
}

// Publish emits the results of an invocation: an event for each, or one for all
// when aggregating, and the points of the histograms. Each is emitted whether
// or not another panics, and the first panic then goes on.
func (e *Emitter) Publish(inv *instrumentation.Invocation, results []evaluators.Result) {
	if len(results) == 0 {
		return
	}
	ctx := trace.ContextWithSpanContext(context.Background(), inv.SpanContext())
	cleaned := make([]evaluators.Result, len(results))
	for i, r := range results {
		cleaned[i] = sound(r)
	}
	var a attempts
	if e.config.Aggregate {
		a.try(func() {
			e.emit(ctx, eventResults, severity(cleaned...), func(a *attributes) { e.aggregated(a, inv, cleaned) })
		})
	}
	for _, r := range cleaned {
		if !e.config.Aggregate {
			a.try(func() { e.event(ctx, inv, r) })
		}
		a.try(func() { e.scores.record(ctx, inv, r) })
		a.try(func() { e.recordDuration(ctx, r) })
		a.try(func() { e.recordCost(ctx, r) })
	}
	a.raise()
}

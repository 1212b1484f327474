package instrumentation_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	otellog "go.opentelemetry.io/otel/log"
	logembedded "go.opentelemetry.io/otel/log/embedded"
	"go.opentelemetry.io/otel/metric"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/trace"

	"github.com/genaievals/genaievals/instrumentation"
)

// strictMeters and strictLogs stand for a pipeline that drops what comes with
// a cancelled context, as some do.
type strictMeters struct {
	metricnoop.MeterProvider
	recorded map[string]int
}

type strictMeter struct {
	metricnoop.Meter
	recorded map[string]int
}

type strictSeconds struct {
	metricnoop.Float64Histogram
	record func(ctx context.Context)
}

type strictTokens struct {
	metricnoop.Int64Histogram
	record func(ctx context.Context)
}

func (m strictMeters) Meter(string, ...metric.MeterOption) metric.Meter {
	return strictMeter{recorded: m.recorded}
}

func (m strictMeter) recorder(name string) func(context.Context) {
	return func(ctx context.Context) {
		if ctx.Err() == nil {
			m.recorded[name]++
		}
	}
}

func (m strictMeter) Float64Histogram(name string, _ ...metric.Float64HistogramOption) (metric.Float64Histogram, error) {
	return strictSeconds{record: m.recorder(name)}, nil
}

func (m strictMeter) Int64Histogram(name string, _ ...metric.Int64HistogramOption) (metric.Int64Histogram, error) {
	return strictTokens{record: m.recorder(name)}, nil
}

func (strictSeconds) Enabled(ctx context.Context) bool { return ctx.Err() == nil }
func (strictTokens) Enabled(ctx context.Context) bool  { return ctx.Err() == nil }
func (s strictSeconds) Record(ctx context.Context, _ float64, _ ...metric.RecordOption) {
	s.record(ctx)
}
func (s strictTokens) Record(ctx context.Context, _ int64, _ ...metric.RecordOption) { s.record(ctx) }

type strictLogs struct {
	logembedded.LoggerProvider
	emitted *[]otellog.Record
}

func (l strictLogs) Logger(string, ...otellog.LoggerOption) otellog.Logger {
	return strictLogger{emitted: l.emitted}
}

type strictLogger struct {
	logembedded.Logger
	emitted *[]otellog.Record
}

func (strictLogger) Enabled(ctx context.Context, _ otellog.EnabledParameters) bool {
	return ctx.Err() == nil && trace.SpanContextFromContext(ctx).IsValid()
}
func (l strictLogger) Emit(_ context.Context, r otellog.Record) { *l.emitted = append(*l.emitted, r) }

func TestTelemetrySurvivesACancelledContext(t *testing.T) {
	recorded := make(map[string]int)
	var emitted []otellog.Record
	tel := record(t, instrumentation.WithCaptureMessageContent(instrumentation.CaptureEventOnly),
		instrumentation.WithMeterProvider(strictMeters{recorded: recorded}),
		instrumentation.WithLoggerProvider(strictLogs{emitted: &emitted}))
	ctx, cancel := context.WithCancel(t.Context())
	_, inv := tel.StartInference(ctx, instrumentation.Inference{Provider: "p"})
	inv.Chunk()
	cancel()
	inv.Chunk()
	inv.SetUsage(instrumentation.Usage{InputTokens: 3, OutputTokens: 4})
	inv.End()
	want := map[string]int{
		"gen_ai.client.operation.duration": 1, "gen_ai.client.token.usage": 2,
		"gen_ai.client.operation.time_to_first_chunk": 1, "gen_ai.client.operation.time_per_output_chunk": 1,
	}
	if diff := cmp.Diff(want, recorded); diff != "" || len(emitted) != 1 {
		t.Errorf("%d events; points (-want +got):\n%s", len(emitted), diff)
	}
	tel.span(t)
}

package instrumentation_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/genaievals/genaievals/instrumentation"
)

// telemetry is a handler on real SDK providers and all that they exported.
type telemetry struct {
	*instrumentation.Handler
	spans  *tracetest.InMemoryExporter
	reader *sdkmetric.ManualReader
	events *eventExporter
}

func record(t testing.TB, opts ...instrumentation.Option) *telemetry {
	return recordSampled(t, sdktrace.AlwaysSample(), opts...)
}

func recordSampled(t testing.TB, sampler sdktrace.Sampler, opts ...instrumentation.Option) *telemetry {
	t.Helper()
	tel := &telemetry{
		spans:  tracetest.NewInMemoryExporter(),
		reader: sdkmetric.NewManualReader(),
		events: &eventExporter{},
	}
	tracers := sdktrace.NewTracerProvider(sdktrace.WithSyncer(tel.spans), sdktrace.WithSampler(sampler))
	meters := sdkmetric.NewMeterProvider(sdkmetric.WithReader(tel.reader))
	loggers := sdklog.NewLoggerProvider(sdklog.WithProcessor(sdklog.NewSimpleProcessor(tel.events)))
	t.Cleanup(func() {
		ctx := context.Background()
		for _, shutdown := range []func(context.Context) error{tracers.Shutdown, meters.Shutdown, loggers.Shutdown} {
			if err := shutdown(ctx); err != nil {
				t.Error(err)
			}
		}
	})
	tel.Handler = instrumentation.NewHandler(append([]instrumentation.Option{
		instrumentation.WithTracerProvider(tracers),
		instrumentation.WithMeterProvider(meters),
		instrumentation.WithLoggerProvider(loggers),
		instrumentation.WithLogger(slog.New(slog.NewTextHandler(io.Discard, nil))),
	}, opts...)...)
	return tel
}

// eventExporter keeps what was logged.
type eventExporter struct {
	mu      sync.Mutex
	records []sdklog.Record
}

func (e *eventExporter) Export(_ context.Context, records []sdklog.Record) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, r := range records {
		e.records = append(e.records, r.Clone())
	}
	return nil
}

func (e *eventExporter) Shutdown(context.Context) error   { return nil }
func (e *eventExporter) ForceFlush(context.Context) error { return nil }

// span returns the only span, or the last one of that name.
func (tel *telemetry) span(t testing.TB, name ...string) tracetest.SpanStub {
	t.Helper()
	spans := tel.spans.GetSpans()
	for _, s := range slices.Backward(spans) {
		if len(name) > 0 && s.Name == name[0] || len(name) == 0 && len(spans) == 1 {
			return s
		}
	}
	t.Fatalf("no span %v among %d", name, len(spans))
	return tracetest.SpanStub{}
}

func (tel *telemetry) event(t testing.TB) sdklog.Record {
	t.Helper()
	if n := len(tel.events.records); n != 1 {
		t.Fatalf("%d events, want 1", n)
	}
	return tel.events.records[0]
}

func (tel *telemetry) metrics(t testing.TB) map[string]metricdata.Metrics {
	t.Helper()
	var rm metricdata.ResourceMetrics
	if err := tel.reader.Collect(t.Context(), &rm); err != nil {
		t.Fatal(err)
	}
	out := make(map[string]metricdata.Metrics)
	for _, scope := range rm.ScopeMetrics {
		for _, m := range scope.Metrics {
			out[m.Name] = m
		}
	}
	return out
}

// point is one data point of a histogram.
type point struct {
	attributes map[string]any
	count      uint64
	sum        float64
	bounds     []float64
}

func (tel *telemetry) points(t testing.TB, name string) []point {
	t.Helper()
	var out []point
	switch data := tel.metrics(t)[name].Data.(type) {
	case metricdata.Histogram[float64]:
		for _, p := range data.DataPoints {
			out = append(out, point{plainAttributes(p.Attributes.ToSlice()), p.Count, p.Sum, p.Bounds})
		}
	case metricdata.Histogram[int64]:
		for _, p := range data.DataPoints {
			out = append(out, point{plainAttributes(p.Attributes.ToSlice()), p.Count, float64(p.Sum), p.Bounds})
		}
	}
	return out
}

// everything is all that was exported, as text.
func (tel *telemetry) everything(t testing.TB) string {
	t.Helper()
	var b strings.Builder
	for _, s := range tel.spans.GetSpans() {
		writeJSON(t, &b, s.Name, plainAttributes(s.Attributes), s.Status.Description)
		for _, e := range s.Events {
			writeJSON(t, &b, e.Name, plainAttributes(e.Attributes))
		}
	}
	for name := range tel.metrics(t) {
		for _, p := range tel.points(t, name) {
			writeJSON(t, &b, name, p.attributes)
		}
	}
	for _, r := range tel.events.records {
		writeJSON(t, &b, r.EventName(), plain(r.Body()), eventAttributes(r))
	}
	return b.String()
}

func writeJSON(t testing.TB, b *strings.Builder, values ...any) {
	t.Helper()
	text, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	b.Write(text)
	b.WriteByte('\n')
}

func eventAttributes(r sdklog.Record) map[string]any {
	var kvs []attribute.KeyValue
	r.WalkAttributes(func(kv attribute.KeyValue) bool { kvs = append(kvs, kv); return true })
	return plainAttributes(kvs)
}

// plainAttributes gives attributes as JSON decodes them, for comparing.
func plainAttributes(kvs []attribute.KeyValue) map[string]any {
	out := make(map[string]any, len(kvs))
	for _, kv := range kvs {
		out[string(kv.Key)] = plain(kv.Value)
	}
	return out
}

func plain(v attribute.Value) any {
	switch v.Type() {
	case attribute.EMPTY:
		return nil
	case attribute.INT64:
		return float64(v.AsInt64())
	case attribute.STRINGSLICE:
		out := []any{}
		for _, s := range v.AsStringSlice() {
			out = append(out, s)
		}
		return out
	case attribute.SLICE:
		out := []any{}
		for _, e := range v.AsSlice() {
			out = append(out, plain(e))
		}
		return out
	case attribute.MAP:
		return plainAttributes(v.AsMap())
	}
	return v.AsInterface()
}

// completed registers a callback that keeps what it is told.
func completed(h *instrumentation.Handler) *[]*instrumentation.Invocation {
	var all []*instrumentation.Invocation
	h.Register(instrumentation.CompletionCallbackFunc(func(inv *instrumentation.Invocation) {
		all = append(all, inv)
	}))
	return &all
}

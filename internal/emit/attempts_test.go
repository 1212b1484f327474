package emit

import (
	"context"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// panics runs f and returns what it panicked with.
func panics(f func()) (cause any) {
	defer func() { cause = recover() }()
	f()
	return nil
}

type brokenLog struct{ records }

func (r *brokenLog) OnEmit(ctx context.Context, rec *sdklog.Record) error {
	_ = r.records.OnEmit(ctx, rec)
	panic("the log processor")
}

// brokenMeters is a meter provider whose histograms panic.
type (
	brokenMeters    struct{ metricnoop.MeterProvider }
	brokenMeter     struct{ metricnoop.Meter }
	brokenHistogram struct{ metricnoop.Float64Histogram }
)

func (brokenMeters) Meter(string, ...metric.MeterOption) metric.Meter { return brokenMeter{} }
func (brokenMeter) Float64Histogram(string, ...metric.Float64HistogramOption) (metric.Float64Histogram, error) {
	return brokenHistogram{}, nil
}
func (brokenHistogram) Enabled(context.Context) bool { return true }
func (brokenHistogram) Record(context.Context, float64, ...metric.RecordOption) {
	panic("the histogram")
}

func TestASignalThatPanicsCostsNoOther(t *testing.T) {
	for _, aggregate := range []bool{false, true} {
		b := newBackend(t)
		broken := &brokenLog{}
		e := b.emitter(t, func(c *Config) {
			c.Aggregate = aggregate
			c.LoggerProvider = sdklog.NewLoggerProvider(sdklog.WithProcessor(broken))
		})
		if cause := panics(func() { e.Publish(b.answered(t), results()) }); cause != "the log processor" {
			t.Errorf("panicked with %v", cause)
		}
		if want := map[bool]int{false: len(results()), true: 1}[aggregate]; len(broken.all) != want {
			t.Errorf("aggregate %t: %d events tried, want %d", aggregate, len(broken.all), want)
		}
		if points := b.points(t); len(points) != 3 {
			t.Errorf("aggregate %t: points %v, want those of all three histograms", aggregate, points)
		}
	}

	b := newBackend(t)
	e := b.emitter(t, func(c *Config) { c.MeterProvider = brokenMeters{} })
	if cause := panics(func() { e.Publish(b.answered(t), results()) }); cause != "the histogram" {
		t.Errorf("panicked with %v", cause)
	}
	if len(b.records.all) != len(results()) {
		t.Errorf("%d events, want %d", len(b.records.all), len(results()))
	}
}

// brokenSpans is a span processor that panics at one metric's span.
type brokenSpans struct {
	sdktrace.SpanProcessor // nil: the rest is not called

	startOf, endOf string
}

func (p brokenSpans) OnStart(_ context.Context, s sdktrace.ReadWriteSpan) {
	if s.Name() == p.startOf {
		panic("the span processor")
	}
}

func (p brokenSpans) OnEnd(s sdktrace.ReadOnlySpan) {
	if s.Name() == p.endOf {
		panic("the span processor")
	}
}

func TestASpanThatPanicsCostsNoOther(t *testing.T) {
	for name, broken := range map[string]brokenSpans{
		"start": {startOf: "evaluate toxicity"}, // the second of three
		"end":   {endOf: "evaluate bias"},       // the first of three
	} {
		t.Run(name, func(t *testing.T) {
			b := newBackend(t)
			inv := b.answered(t)
			p := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(broken), sdktrace.WithSyncer(b.spans))
			e := b.emitter(t, func(c *Config) { c.TracerProvider = p })
			cause := panics(func() {
				_, spans := e.Start(t.Context(), inv, judge{}, asked())
				spans.End(results())
			})
			if cause != "the span processor" {
				t.Errorf("panicked with %v", cause)
			}
			var ended []string
			for _, s := range b.spans.GetSpans() {
				ended = append(ended, s.Name)
			}
			if want := map[string]int{"start": 1, "end": 2}[name]; len(ended) != want {
				t.Errorf("ended %v, want %d", ended, want)
			}
		})
	}
}

func TestEvaluatorsHaveTheirOwnNamesInOurNamespace(t *testing.T) {
	b := newBackend(t)
	r := evaluators.Scored("bias", 0, "", "")
	r.Attributes = []attribute.KeyValue{
		attribute.String("genaievals.method", "lexicon"), attribute.String("genaievals.limit.wait", "forged"),
		attribute.String("server.port", "forged"), attribute.String("gen_ai.usage.input_tokens", "forged"),
	}
	for name, change := range map[string]func(*Config){
		"single":     func(*Config) {},
		"aggregated": func(c *Config) { c.Aggregate = true },
	} {
		set := event(t, b, b.emitter(t, change), b.answered(t), r)
		if v, ok := set.Value(keyEvaluations); ok {
			set = attribute.NewSet(v.AsSlice()[0].AsMap()...)
		}
		if v, _ := set.Value("genaievals.method"); v.AsString() != "lexicon" {
			t.Errorf("%s: the evaluator's own attribute is missing", name)
		}
		for _, k := range []attribute.Key{"genaievals.limit.wait", "server.port", "gen_ai.usage.input_tokens"} {
			if set.HasValue(k) {
				t.Errorf("%s: %s is forged", name, k)
			}
		}
	}
}

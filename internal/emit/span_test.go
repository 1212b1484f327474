package emit

import (
	"context"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

type judge struct{ evaluators.Evaluator }

func (judge) Name() string    { return "judge" }
func (judge) Version() string { return "1" }
func (judge) Type() string    { return evaluators.TypeLLMJudge }

// asked are the metrics that results are of.
func asked() []evaluators.Metric {
	var metrics []evaluators.Metric
	for _, r := range results() {
		metrics = append(metrics, evaluators.Metric{Name: r.Metric, Threshold: r.Threshold, Direction: r.Direction})
	}
	return metrics
}

// evaluate opens spans, calls a judge below the context, and ends the spans.
func evaluate(ctx context.Context, e *Emitter, inv *instrumentation.Invocation) {
	ctx, spans := e.Start(ctx, inv, judge{}, asked())
	_, call := trace.SpanFromContext(ctx).TracerProvider().Tracer("judge").Start(ctx, "chat judge-1")
	call.End()
	spans.End(results())
}

func byName(stubs tracetest.SpanStubs) map[string]tracetest.SpanStub {
	m := map[string]tracetest.SpanStub{}
	for _, s := range stubs {
		m[s.Name] = s
	}
	return m
}

func TestChildSpans(t *testing.T) {
	b := newBackend(t)
	inv := b.answered(t)
	evaluate(t.Context(), b.emitter(t), inv)
	spans := byName(b.spans.GetSpans())
	if len(spans) != 4 {
		t.Fatalf("spans %v, want three and the judge's call", spans)
	}
	for _, r := range results() {
		s := spans["evaluate "+r.Metric]
		diff(t, r.Metric, sorted("gen_ai.operation.name=evaluation", golden[r.Metric], whose), lines(s.Attributes))
		if s.SpanKind != trace.SpanKindInternal || s.InstrumentationScope.Name != ScopeName || len(s.Links) != 0 {
			t.Errorf("%s: %+v", r.Metric, s)
		}
		if s.Parent.SpanID() != inv.SpanContext().SpanID() || s.SpanContext.TraceID() != inv.SpanContext().TraceID() {
			t.Errorf("%s: child of %v, want the evaluated span", r.Metric, s.Parent.SpanID())
		}
		want := sdktrace.Status{}
		if r.Outcome == evaluators.OutcomeFailed {
			want = sdktrace.Status{Code: codes.Error, Description: evaluators.ErrorJudgeRateLimited}
		}
		if s.Status != want {
			t.Errorf("%s: status %+v, want %+v", r.Metric, s.Status, want)
		}
	}
	if parent := spans["chat judge-1"].Parent.SpanID(); parent != spans["evaluate bias"].SpanContext.SpanID() {
		t.Errorf("the judge's call is below %v, want the first metric's span", parent)
	}
}

func TestLinkedSpans(t *testing.T) {
	b := newBackend(t)
	inv := b.answered(t)
	evaluate(t.Context(), b.emitter(t, func(c *Config) { c.Span = SpanLink }), inv)
	spans := byName(b.spans.GetSpans())
	traces := map[trace.TraceID]bool{inv.SpanContext().TraceID(): true}
	for _, r := range results() {
		s := spans["evaluate "+r.Metric]
		if s.Parent.IsValid() || traces[s.SpanContext.TraceID()] {
			t.Errorf("%s: no trace of its own: %+v", r.Metric, s.SpanContext)
		}
		traces[s.SpanContext.TraceID()] = true
		if len(s.Links) != 1 || s.Links[0].SpanContext.SpanID() != inv.SpanContext().SpanID() {
			t.Errorf("%s: links %+v", r.Metric, s.Links)
		}
	}
	if spans["chat judge-1"].Parent.SpanID() != spans["evaluate bias"].SpanContext.SpanID() {
		t.Error("the judge's call is not below the evaluation")
	}
}

func TestNoSpans(t *testing.T) {
	b := newBackend(t)
	inv := b.answered(t)
	e := b.emitter(t, func(c *Config) { c.Span = SpanOff })
	ctx, spans := e.Start(t.Context(), inv, judge{}, asked())
	if !trace.SpanContextFromContext(ctx).Equal(inv.SpanContext()) {
		t.Error("the context does not carry the evaluated span's context")
	}
	spans.End(results())
	evaluate(t.Context(), e, inv)
	if got := b.spans.GetSpans(); len(got) != 0 {
		t.Errorf("spans %v, want none, nor the judge's", got)
	}
}

func TestStartKeepsTheContext(t *testing.T) {
	b := newBackend(t)
	member, _ := baggage.NewMember("k", "v")
	bags, _ := baggage.New(member)
	type key struct{}
	ctx := baggage.ContextWithBaggage(context.WithValue(t.Context(), key{}, 1), bags)
	for mode, want := range map[SpanMode]int{SpanChild: 3, SpanLink: 3, SpanOff: 0} {
		inv := b.answered(t)
		got, spans := b.emitter(t, func(c *Config) { c.Span = mode }).Start(ctx, inv, judge{}, asked())
		if got.Value(key{}) != 1 || baggage.FromContext(got).Member("k").Value() != "v" {
			t.Errorf("%v: context lost its values", mode)
		}
		spans.End(nil)
		if n := len(b.spans.GetSpans()); n != want {
			t.Errorf("%v: %d spans, want %d", mode, n, want)
		}
	}
}

// An unsampled span has no evaluation spans below it, but its results are not
// lost.
func TestUnsampledInvocation(t *testing.T) {
	b := newBackend(t, sdktrace.WithSampler(sdktrace.ParentBased(sdktrace.NeverSample())))
	inv := b.answered(t)
	e := b.emitter(t)
	evaluate(t.Context(), e, inv)
	e.Publish(inv, results())
	if got := b.spans.GetSpans(); len(got) != 0 {
		t.Errorf("spans %v below an unsampled one", got)
	}
	if len(b.records.all) != 3 || b.records.all[0].SpanID() != inv.SpanContext().SpanID() {
		t.Errorf("events %v, want three of the evaluated span", b.records.all)
	}
}

func TestSpansWithoutAResultEnd(t *testing.T) {
	b := newBackend(t)
	_, spans := b.emitter(t).Start(t.Context(), b.answered(t), judge{}, asked())
	spans.End(results()[:1])
	if got := len(b.spans.GetSpans()); got != 3 {
		t.Errorf("%d spans ended, want 3", got)
	}
	Spans{}.End(results())
	ctx, none := b.emitter(t).Start(t.Context(), b.answered(t), judge{}, nil)
	none.End(nil)
	if !trace.SpanContextFromContext(ctx).IsValid() {
		t.Error("without metrics the context lost the evaluated span")
	}
}

func TestSpanModeNames(t *testing.T) {
	for mode, want := range map[SpanMode]string{SpanChild: "child", SpanLink: "link", SpanOff: "off"} {
		if mode.String() != want {
			t.Errorf("%d is %q, want %q", mode, mode, want)
		}
	}
}

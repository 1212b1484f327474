package instrumentation

import (
	"context"
	"errors"
	"testing"

	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

func TestSummarySaysWhatDecidesAnEvaluation(t *testing.T) {
	h := NewHandler(WithTracerProvider(noop.NewTracerProvider()))
	sampled := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{1}, TraceFlags: trace.FlagsSampled})
	within := func(sc trace.SpanContext) context.Context {
		return trace.ContextWithSpanContext(context.Background(), sc)
	}
	for name, tt := range map[string]struct {
		ctx  context.Context
		end  func(*Invocation)
		want Flags
	}{
		"plain":              {end: (*Invocation).End},
		"sampled span":       {ctx: within(sampled), end: (*Invocation).End},
		"unsampled span":     {ctx: within(sampled.WithTraceFlags(0)), end: (*Invocation).End, want: FlagUnsampled},
		"without evaluation": {ctx: WithoutEvaluation(context.Background()), end: (*Invocation).End, want: FlagSuppressed},
		"failed":             {end: func(inv *Invocation) { inv.Fail(errors.New("x")) }, want: FlagFailed},
		"cancelled":          {end: func(inv *Invocation) { inv.Fail(context.Canceled) }, want: FlagCancelled},
		"tool call": {end: func(inv *Invocation) {
			inv.SetOutput(Message{Parts: []Part{ToolCall("1", "f", nil)}})
			inv.End()
		}, want: FlagToolCallOnly},
		"truncated": {end: func(inv *Invocation) {
			inv.SetTruncated()
			inv.End()
		}, want: FlagTruncated},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := tt.ctx
			if ctx == nil {
				ctx = context.Background()
			}
			_, inv := h.StartInference(ctx, Inference{})
			tt.end(inv)
			s := inv.Summary()
			if s.Flags != tt.want || s.Kind != KindInference || s.Size != inv.Size() || !s.End.Equal(inv.EndTime()) {
				t.Errorf("summary is %+v, want flags %b", s, tt.want)
			}
		})
	}
	_, created := h.StartAgent(context.Background(), Agent{Create: true})
	created.End()
	if !created.Summary().Has(FlagUnsupported) {
		t.Error("create_agent is not marked as never evaluated")
	}
}

func TestSamplingKeyIsTheTracesElseTheResponsesElseRandom(t *testing.T) {
	h := NewHandler(WithTracerProvider(noop.NewTracerProvider()))
	key := func(traceID trace.TraceID, responseID string) [2]uint64 {
		sc := trace.NewSpanContext(trace.SpanContextConfig{TraceID: traceID, SpanID: trace.SpanID{1}})
		_, inv := h.StartInference(trace.ContextWithSpanContext(context.Background(), sc), Inference{})
		inv.SetResponse(responseID, "")
		inv.End()
		return inv.Summary().Key
	}
	a, b, none := trace.TraceID{1}, trace.TraceID{2}, trace.TraceID{}
	if key(a, "x") != key(a, "y") || key(a, "x") == key(b, "x") {
		t.Error("the key is not the trace's")
	}
	first, again := key(none, "x"), key(none, "x")
	if first != again || first == key(none, "y") {
		t.Error("without a trace the key is not the response's")
	}
	first, again = key(none, ""), key(none, "")
	if first == again {
		t.Error("with neither the key is not random")
	}
}

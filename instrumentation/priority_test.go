package instrumentation

import (
	"context"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/sdk/trace"
	oteltrace "go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

func TestPriorityIsInheritedAndTheInvocationsOwnCountsFirst(t *testing.T) {
	h := NewHandler(WithTracerProvider(noop.NewTracerProvider()))
	background := context.Background()
	for name, tt := range map[string]struct {
		start func() *Invocation
		want  Priority
		flags Flags
	}{
		"none": {func() *Invocation { _, inv := h.StartInference(background, Inference{}); return inv }, PriorityNormal, 0},
		"context": {func() *Invocation {
			_, inv := h.StartInference(WithPriority(background, PriorityHigh), Inference{})
			return inv
		}, PriorityHigh, FlagPrioritized},
		"nested": {func() *Invocation {
			ctx, _ := h.StartAgent(WithPriority(background, PriorityLow), Agent{Name: "a"})
			ctx, _ = h.StartWorkflow(ctx, Workflow{Name: "w"})
			_, inv := h.StartInference(ctx, Inference{})
			return inv
		}, PriorityLow, FlagPrioritized},
		"innermost context": {func() *Invocation {
			_, inv := h.StartInference(WithPriority(WithPriority(background, PriorityHigh), PriorityNormal), Inference{})
			return inv
		}, PriorityNormal, FlagPrioritized},
		"own": {func() *Invocation {
			_, inv := h.StartInference(WithPriority(background, PriorityLow), Inference{})
			inv.SetPriority(PriorityHigh)
			return inv
		}, PriorityHigh, FlagPrioritized},
		"own of the agent, not of what is below": {func() *Invocation {
			ctx, agent := h.StartAgent(background, Agent{Name: "a"})
			agent.SetPriority(PriorityHigh)
			_, inv := h.StartInference(ctx, Inference{})
			return inv
		}, PriorityNormal, 0},
		"unknown": {func() *Invocation {
			_, inv := h.StartInference(WithPriority(WithPriority(background, PriorityLow), 7), Inference{})
			inv.SetPriority(-2)
			return inv
		}, PriorityLow, FlagPrioritized},
	} {
		t.Run(name, func(t *testing.T) {
			inv := tt.start()
			inv.End()
			inv.SetPriority(PriorityHigh) // too late
			if s := inv.Summary(); s.Priority != tt.want || s.Flags != tt.flags {
				t.Errorf("priority %v with flags %b, want %v with %b", s.Priority, s.Flags, tt.want, tt.flags)
			}
		})
	}
	(*Invocation)(nil).SetPriority(PriorityHigh)
}

func TestParsePriority(t *testing.T) {
	for _, p := range []Priority{PriorityLow, PriorityNormal, PriorityHigh} {
		if got, err := ParsePriority(" " + strings.ToUpper(p.String())); got != p || err != nil {
			t.Errorf("%v is read as %v, %v", p, got, err)
		}
	}
	if Priority(0) != PriorityNormal {
		t.Error("the zero value is not normal")
	}
	for _, s := range []string{"", "urgent", "1"} {
		if _, err := ParsePriority(s); err == nil || !strings.Contains(err.Error(), `"`+s+`", want low, normal or high`) {
			t.Errorf("%q: %v", s, err)
		}
	}
	if got := Priority(7).String(); got != "Priority(7)" {
		t.Errorf("7 is called %q", got)
	}
}

func TestASpanHandedOnIsNotTheInvocationsOwn(t *testing.T) {
	around := oteltrace.NewSpanContext(oteltrace.SpanContextConfig{TraceID: oteltrace.TraceID{1}, SpanID: oteltrace.SpanID{1}})
	within := oteltrace.ContextWithSpanContext(context.Background(), around)
	own := NewHandler(WithTracerProvider(trace.NewTracerProvider()))
	none := NewHandler(WithTracerProvider(noop.NewTracerProvider()))
	for name, tt := range map[string]struct {
		handler *Handler
		ctx     context.Context
		want    bool
	}{
		"SDK":                  {own, context.Background(), true},
		"SDK, below a span":    {own, within, true},
		"no SDK":               {none, context.Background(), false},
		"no SDK, below a span": {none, within, false},
	} {
		_, inv := tt.handler.StartInference(tt.ctx, Inference{})
		if inv.HasOwnSpan() != tt.want {
			t.Errorf("%s: HasOwnSpan() is %t", name, !tt.want)
		}
		inv.End()
	}
}

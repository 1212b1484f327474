package instrumentation_test

import (
	"testing"

	tracenoop "go.opentelemetry.io/otel/trace/noop"

	"github.com/genaievals/genaievals/instrumentation"
)

func BenchmarkInference(b *testing.B) {
	input := []instrumentation.Message{
		instrumentation.SystemMessage("You are terse."), instrumentation.UserMessage("What is the capital of France?"),
	}
	for name, h := range map[string]*instrumentation.Handler{
		"NoSDK":   instrumentation.NewHandler(instrumentation.WithTracerProvider(tracenoop.NewTracerProvider())),
		"SDK":     record(b).Handler,
		"Content": record(b, instrumentation.WithCaptureMessageContent(instrumentation.CaptureSpanOnly)).Handler,
	} {
		b.Run(name, func(b *testing.B) {
			h.Register(callback(func(inv *instrumentation.Invocation) { inv.MarkEvaluation(true, "") }))
			b.ReportAllocs()
			for b.Loop() {
				_, inv := h.StartInference(b.Context(), instrumentation.Inference{Provider: "openai", Model: "gpt-5", Input: input})
				inv.SetOutput(instrumentation.AssistantMessage("Paris."))
				inv.End()
			}
		})
	}
}

func BenchmarkChunk(b *testing.B) {
	_, inv := record(b).StartInference(b.Context(), instrumentation.Inference{Provider: "openai", Stream: true})
	b.ReportAllocs()
	for b.Loop() {
		inv.Chunk()
	}
}

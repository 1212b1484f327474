package judge_test

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
)

func attributesOf(s sdktrace.ReadOnlySpan) map[string]any {
	m := map[string]any{}
	for _, kv := range s.Attributes() {
		m[string(kv.Key)] = kv.Value.AsInterface()
	}
	return m
}

func TestEveryCallHasASpan(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder))
	ctx, parent := provider.Tracer("test").Start(t.Context(), "evaluate bias")

	j := judgetest.NewJudge(judgetest.WithAnswers("bias",
		judgetest.Text("rubbish").Model("small-1").Usage(judge.Usage{InputTokens: 10, OutputTokens: 2}),
		judgetest.Label("biased", "why").Model("small-1").Usage(judge.Usage{InputTokens: 30, OutputTokens: 4, CachedTokens: 8, ReasoningTokens: 3}),
	))
	e := newEvaluator(t, j, judge.WithModel("small"), judge.WithTemperature(0))
	if r := ask(ctx, t, e, "bias"); r.JudgeModel != "small-1" {
		t.Errorf("judge model %q", r.JudgeModel)
	}
	spans := recorder.Ended()
	if len(spans) != 2 {
		t.Fatalf("%d spans, want one a call", len(spans))
	}
	for _, s := range spans {
		if s.Name() != "chat small" || s.SpanKind() != trace.SpanKindClient || s.Parent().SpanID() != parent.SpanContext().SpanID() {
			t.Errorf("span %q, kind %v, parent %v", s.Name(), s.SpanKind(), s.Parent().SpanID())
		}
		if s.InstrumentationScope().Name != "github.com/genaievals/genaievals/evaluators/judge" {
			t.Errorf("scope %q", s.InstrumentationScope().Name)
		}
		if s.Status().Code != codes.Unset {
			t.Errorf("status %v", s.Status())
		}
	}
	want := map[string]any{
		"gen_ai.operation.name":                "chat",
		"gen_ai.provider.name":                 "scripted",
		"gen_ai.request.model":                 "small",
		"gen_ai.request.max_tokens":            int64(2048),
		"gen_ai.request.temperature":           0.0,
		"gen_ai.output.type":                   "json",
		"gen_ai.response.id":                   "scripted-response",
		"gen_ai.response.model":                "small-1",
		"gen_ai.response.finish_reasons":       []string{"stop"},
		"gen_ai.usage.input_tokens":            int64(30),
		"gen_ai.usage.output_tokens":           int64(4),
		"gen_ai.usage.cache_read.input_tokens": int64(8),
		"gen_ai.usage.reasoning.output_tokens": int64(3),
	}
	if diff := cmp.Diff(want, attributesOf(spans[1])); diff != "" {
		t.Errorf("attributes (-want +got):\n%s", diff)
	}
}

func TestSpanOfAFailedCall(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer judgetest.Answer
		want   string
	}{
		{"error", judgetest.Fail(evaluators.ErrorJudgeQuota), evaluators.ErrorJudgeQuota},
		{"unusable", judgetest.Refuse("no"), evaluators.ErrorJudgeRefused},
	} {
		t.Run(tt.name, func(t *testing.T) {
			recorder := tracetest.NewSpanRecorder()
			provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder))
			ctx, _ := provider.Tracer("test").Start(t.Context(), "evaluate bias")
			ask(ctx, t, newEvaluator(t, judgetest.NewJudge(judgetest.WithAnswers("", tt.answer))), "bias")
			s := recorder.Ended()[0]
			if got := attributesOf(s)["error.type"]; got != tt.want || s.Status().Code != codes.Error {
				t.Errorf("error.type %v, status %v", got, s.Status())
			}
		})
	}
}

// TestNoSpanWithoutOneToBelongTo: where evaluations have no spans of their own,
// ctx carries the evaluated one's context only, and calls start none either.
func TestNoSpanWithoutOneToBelongTo(t *testing.T) {
	t.Run("X02", func(t *testing.T) {
		remote := trace.NewSpanContext(trace.SpanContextConfig{
			TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}, TraceFlags: trace.FlagsSampled,
		})
		var seen trace.SpanContext
		c := clientFunc(func(ctx context.Context, _ judge.Request) (judge.Response, error) {
			seen = trace.SpanContextFromContext(ctx)
			return judge.Response{Text: `{"reason":"r","label":"biased"}`}, nil
		})
		ask(trace.ContextWithSpanContext(t.Context(), remote), t, newEvaluator(t, c), "bias")
		if !seen.Equal(remote) {
			t.Errorf("the call ran in span %v, want the evaluated %v", seen.SpanID(), remote.SpanID())
		}
	})
}

// TestNamesOnSpansAreClipped: they are the server's, and can be of any length.
func TestNamesOnSpansAreClipped(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder))
	ctx, _ := provider.Tracer("test").Start(t.Context(), "evaluate bias")
	c := clientFunc(func(context.Context, judge.Request) (judge.Response, error) {
		return judge.Response{Text: `{"reason":"r","label":"biased"}`, ID: strings.Repeat("i", 100_000), Model: strings.Repeat("ü", 100_000)}, nil
	})
	ask(ctx, t, newEvaluator(t, c), "bias")
	attrs := attributesOf(recorder.Ended()[0])
	for _, name := range []string{"gen_ai.response.id", "gen_ai.response.model"} {
		if s, _ := attrs[name].(string); s == "" || len(s) > 256 || !utf8.ValidString(s) {
			t.Errorf("%s has %d bytes", name, len(s))
		}
	}
}

// TestFailedCallsSayWhatTheyUsed on their spans, too.
func TestFailedCallsSayWhatTheyUsed(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder))
	ctx, _ := provider.Tracer("test").Start(t.Context(), "evaluate bias")
	ask(ctx, t, newEvaluator(t, after(&judge.Error{Type: evaluators.ErrorJudgeEmptyOutput, Status: 200, Usage: judge.Usage{InputTokens: 7, OutputTokens: 3}})), "bias")
	attrs := attributesOf(recorder.Ended()[0])
	if attrs["gen_ai.usage.input_tokens"] != int64(7) || attrs["gen_ai.usage.output_tokens"] != int64(3) {
		t.Errorf("%v", attrs)
	}
}

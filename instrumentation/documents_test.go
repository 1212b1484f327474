package instrumentation_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/trace"
	tracenoop "go.opentelemetry.io/otel/trace/noop"

	"github.com/genaievals/genaievals/instrumentation"
)

func retrieve(ctx context.Context, h *instrumentation.Handler, texts ...string) {
	_, inv := h.StartRetrieval(ctx, instrumentation.Retrieval{})
	docs := make([]instrumentation.Document, len(texts))
	for i, text := range texts {
		docs[i].Text = text
	}
	inv.SetDocuments(docs...)
	inv.End()
}

func infer(ctx context.Context, h *instrumentation.Handler, input ...instrumentation.Message) []string {
	_, inv := h.StartInference(ctx, instrumentation.Inference{Input: input})
	inv.End()
	return texts(inv)
}

func texts(inv *instrumentation.Invocation) []string {
	var out []string
	for _, d := range inv.Documents() {
		out = append(out, d.Text)
	}
	return out
}

// inTrace begins a trace with a span of the application's own.
func inTrace(ctx context.Context, n int) context.Context {
	return trace.ContextWithSpanContext(ctx, trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{14: byte(n >> 8), 15: byte(n), 0: 1}, SpanID: trace.SpanID{1}, TraceFlags: trace.FlagsSampled,
	}))
}

func TestDocumentsOfInference(t *testing.T) {
	type handler = *instrumentation.Handler
	answer := func(id, text string) instrumentation.Message {
		return instrumentation.Message{Role: "tool", Parts: []instrumentation.Part{instrumentation.ToolResponse(id, text)}}
	}
	tests := []struct {
		name string
		run  func(ctx context.Context, h handler) []string
		want []string
	}{
		{"none", func(ctx context.Context, h handler) []string { return infer(ctx, h) }, nil},
		{"given", func(ctx context.Context, h handler) []string {
			ctx = instrumentation.WithDocuments(ctx, instrumentation.Document{Text: "a"}, instrumentation.Document{Text: " "})
			return infer(instrumentation.WithDocuments(ctx, instrumentation.Document{Text: "b"}), h)
		}, []string{"a", "b"}},
		{"earlier in the trace", func(ctx context.Context, h handler) []string {
			retrieve(ctx, h, "a", "b")
			return infer(ctx, h)
		}, []string{"a", "b"}},
		{"not of another trace", func(ctx context.Context, h handler) []string {
			retrieve(inTrace(ctx, 2), h, "a")
			return infer(ctx, h)
		}, nil},
		{"not later", func(ctx context.Context, h handler) []string {
			_, inv := h.StartInference(ctx, instrumentation.Inference{})
			retrieve(ctx, h, "a")
			inv.End()
			return texts(inv)
		}, nil},
		{"not before the retrieval ended", func(ctx context.Context, h handler) []string {
			_, inv := h.StartRetrieval(ctx, instrumentation.Retrieval{})
			inv.SetDocuments(instrumentation.Document{Text: "a"})
			return infer(ctx, h)
		}, nil},
		{"a tool's result", func(ctx context.Context, h handler) []string {
			_, inv := h.StartTool(ctx, instrumentation.Tool{Name: "f"})
			inv.SetToolResult(map[string]any{"a": "<1>"})
			inv.End()
			_, empty := h.StartTool(ctx, instrumentation.Tool{Name: "g"})
			empty.End()
			return infer(ctx, h)
		}, []string{`{"a":"<1>"}`}},
		{"a tool's result that comes back in the input is listed once", func(ctx context.Context, h handler) []string {
			_, inv := h.StartTool(ctx, instrumentation.Tool{Name: "f"})
			inv.SetToolResult(map[string]any{"a": 1})
			inv.End()
			return infer(ctx, h, answer("1", `{"a": 1}`), answer("2", "seven"))
		}, []string{`{"a":1}`, "seven"}},
		{"found twice is listed once", func(ctx context.Context, h handler) []string {
			retrieve(ctx, h, "a", "b")
			retrieve(ctx, h, "a")
			return infer(instrumentation.WithDocuments(ctx, instrumentation.Document{Text: "b"}), h)
		}, []string{"b", "a"}},
		{"below the same agent", func(ctx context.Context, h handler) []string {
			ctx, _ = h.StartAgent(ctx, instrumentation.Agent{})
			retrieve(ctx, h, "a")
			return infer(ctx, h)
		}, []string{"a"}},
		{"within a tool of the same agent", func(ctx context.Context, h handler) []string {
			ctx, _ = h.StartAgent(ctx, instrumentation.Agent{})
			below, tool := h.StartTool(ctx, instrumentation.Tool{})
			retrieve(below, h, "a")
			tool.End()
			return infer(ctx, h)
		}, []string{"a"}},
		{"not of another agent in the trace", func(ctx context.Context, h handler) []string {
			other, _ := h.StartAgent(ctx, instrumentation.Agent{})
			retrieve(other, h, "a")
			ctx, _ = h.StartAgent(ctx, instrumentation.Agent{})
			return infer(ctx, h)
		}, nil},
		{"of the enclosing workflow", func(ctx context.Context, h handler) []string {
			ctx, _ = h.StartWorkflow(ctx, instrumentation.Workflow{})
			retrieve(ctx, h, "a")
			ctx, _ = h.StartAgent(ctx, instrumentation.Agent{})
			retrieve(ctx, h, "b")
			return infer(ctx, h)
		}, []string{"a", "b"}},
		{"of an agent within the same workflow", func(ctx context.Context, h handler) []string {
			ctx, _ = h.StartWorkflow(ctx, instrumentation.Workflow{})
			inner, _ := h.StartAgent(ctx, instrumentation.Agent{})
			retrieve(inner, h, "a")
			return infer(ctx, h)
		}, []string{"a"}},
		{"found before the agent began", func(ctx context.Context, h handler) []string {
			retrieve(ctx, h, "a")
			ctx, _ = h.StartAgent(ctx, instrumentation.Agent{})
			return infer(ctx, h)
		}, []string{"a"}},
		{"found by an agent, asked without one", func(ctx context.Context, h handler) []string {
			inner, _ := h.StartAgent(ctx, instrumentation.Agent{})
			retrieve(inner, h, "a")
			return infer(ctx, h)
		}, []string{"a"}},
		{"making an agent encloses nothing", func(ctx context.Context, h handler) []string {
			below, _ := h.StartAgent(ctx, instrumentation.Agent{Create: true})
			retrieve(below, h, "a")
			ctx, _ = h.StartAgent(ctx, instrumentation.Agent{})
			return infer(ctx, h)
		}, []string{"a"}},
		{"not below Suppress", func(ctx context.Context, h handler) []string {
			retrieve(instrumentation.Suppress(ctx), h, "a")
			return infer(ctx, h)
		}, nil},
		{"below WithoutEvaluation", func(ctx context.Context, h handler) []string {
			retrieve(instrumentation.WithoutEvaluation(ctx), h, "a")
			return infer(ctx, h)
		}, []string{"a"}},
		{"sources that came with the answer", func(ctx context.Context, h handler) []string {
			retrieve(ctx, h, "a")
			_, inv := h.StartInference(ctx, instrumentation.Inference{})
			inv.SetDocuments(instrumentation.Document{Text: "b"})
			inv.SetDocuments(instrumentation.Document{Text: "c"}, instrumentation.Document{Text: "a"})
			inv.End()
			return texts(inv)
		}, []string{"a", "b", "c"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := instrumentation.NewHandler(instrumentation.WithTracerProvider(tracenoop.NewTracerProvider()))
			if diff := cmp.Diff(tt.want, tt.run(inTrace(t.Context(), 1), h)); diff != "" {
				t.Errorf("documents (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDocumentsOfAnAgentAreThoseWhenItEnds(t *testing.T) {
	h := instrumentation.NewHandler(instrumentation.WithTracerProvider(tracenoop.NewTracerProvider()))
	ctx := inTrace(t.Context(), 1)
	retrieve(ctx, h, "before")
	given := instrumentation.WithDocuments(ctx, instrumentation.Document{ID: "g", Text: "given"})
	outerCtx, outer := h.StartWorkflow(given, instrumentation.Workflow{})
	ctx, agent := h.StartAgent(outerCtx, instrumentation.Agent{Input: []instrumentation.Message{
		{Role: "tool", Parts: []instrumentation.Part{instrumentation.ToolResponse("1", "history")}},
	}})
	retrieve(ctx, h, "within")
	retrieve(outerCtx, h, "beside")
	agent.SetDocuments(instrumentation.Document{Text: "source"})
	agent.End()
	retrieve(outerCtx, h, "after")
	outer.End()
	if diff := cmp.Diff([]string{"given", "before", "within", "beside", "history", "source"}, texts(agent)); diff != "" {
		t.Errorf("agent's documents (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"given", "before", "within", "beside", "after"}, texts(outer)); diff != "" {
		t.Errorf("workflow's documents (-want +got):\n%s", diff)
	}
}

func TestDocumentsWithoutATraceIDNeedAnAgent(t *testing.T) {
	h := instrumentation.NewHandler(instrumentation.WithTracerProvider(tracenoop.NewTracerProvider()))
	retrieve(t.Context(), h, "a")
	if got := infer(t.Context(), h); got != nil {
		t.Errorf("documents %v from nowhere", got)
	}
	ctx, _ := h.StartAgent(t.Context(), instrumentation.Agent{})
	retrieve(ctx, h, "a")
	if got := infer(ctx, h); len(got) != 1 {
		t.Errorf("documents %v", got)
	}
}

func TestRetrievalKeepsWhatItFound(t *testing.T) {
	tel := record(t)
	found := []instrumentation.Document{{ID: "1", Text: "a", Score: 0.5}, {ID: "2"}, {ID: "1", Text: "a"}}
	_, inv := tel.StartRetrieval(t.Context(), instrumentation.Retrieval{Query: "q"})
	inv.SetDocuments(instrumentation.Document{Text: "replaced"})
	inv.SetDocuments(found...)
	inv.End()
	want := []instrumentation.Document{{ID: "1", Text: "a", Score: 0.5}, {ID: "2"}, {ID: "1", Text: "a"}}
	found[0].Text = "changed"
	if diff := cmp.Diff(want, inv.Documents()); diff != "" || inv.Query() != "q" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
}

func TestDocumentsAreBounded(t *testing.T) {
	for _, scope := range []string{"agent", "trace"} {
		t.Run(scope, func(t *testing.T) {
			start := func() (context.Context, *instrumentation.Handler) {
				h := instrumentation.NewHandler(instrumentation.WithTracerProvider(tracenoop.NewTracerProvider()))
				ctx := inTrace(t.Context(), 1)
				if scope == "agent" {
					ctx, _ = h.StartWorkflow(ctx, instrumentation.Workflow{})
					ctx, _ = h.StartAgent(ctx, instrumentation.Agent{})
				}
				return ctx, h
			}

			ctx, h := start()
			for i := range 100 {
				retrieve(ctx, h, fmt.Sprint("document ", i))
			}
			got := infer(ctx, h)
			if len(got) != 64 || got[0] != "document 36" || got[63] != "document 99" {
				t.Errorf("%d documents, %q to %q; want the last 64", len(got), got[0], got[len(got)-1])
			}

			ctx, h = start()
			for i := range 10 {
				retrieve(ctx, h, fmt.Sprint(i, strings.Repeat("x", 63<<10)))
			}
			if got := infer(ctx, h); len(got) != 4 || got[0][0] != '6' || got[3][0] != '9' {
				t.Errorf("%d documents, want the last 4", len(got))
			}

			ctx, h = start()
			retrieve(ctx, h, "small", strings.Repeat("x", 256<<10+1))
			if got := infer(ctx, h); len(got) != 1 || got[0] != "small" {
				t.Errorf("%d documents, want only the small one", len(got))
			}
		})
	}
}

func TestDocumentsFoundAgainAreNewest(t *testing.T) {
	h := instrumentation.NewHandler(instrumentation.WithTracerProvider(tracenoop.NewTracerProvider()))
	ctx := inTrace(t.Context(), 1)
	retrieve(ctx, h, "kept")
	for i := range 100 {
		retrieve(ctx, h, fmt.Sprint(i), "kept")
	}
	if got := infer(ctx, h); len(got) != 64 || got[63] != "kept" {
		t.Errorf("documents %v", got)
	}
}

func TestInnermostDocumentsAreLastToGo(t *testing.T) {
	h := instrumentation.NewHandler(instrumentation.WithTracerProvider(tracenoop.NewTracerProvider()))
	outer, _ := h.StartWorkflow(t.Context(), instrumentation.Workflow{})
	inner, _ := h.StartAgent(outer, instrumentation.Agent{})
	retrieve(inner, h, "near")
	for i := range 64 {
		retrieve(outer, h, fmt.Sprint("far ", i))
	}
	if got := infer(inner, h); len(got) != 64 || got[63] != "near" {
		t.Errorf("documents %v", got)
	}
}

func TestToolResponsesInTheInputAreBounded(t *testing.T) {
	var history []instrumentation.Message
	for i := range 100 {
		history = append(history, instrumentation.Message{Role: "tool", Parts: []instrumentation.Part{
			instrumentation.ToolResponse("", fmt.Sprint("result ", i)),
		}})
	}
	h := instrumentation.NewHandler(instrumentation.WithTracerProvider(tracenoop.NewTracerProvider()))
	if got := infer(t.Context(), h, history...); len(got) != 64 || got[63] != "result 99" {
		t.Errorf("%d documents", len(got))
	}
}

func TestTracesAreForgotten(t *testing.T) {
	h := instrumentation.NewHandler(instrumentation.WithTracerProvider(tracenoop.NewTracerProvider()))
	t.Run("the least recently used", func(t *testing.T) {
		for i := range 1024 {
			retrieve(inTrace(t.Context(), i), h, fmt.Sprint("document ", i))
		}
		infer(inTrace(t.Context(), 0), h)
		retrieve(inTrace(t.Context(), 1024), h, "one more")
		for i, want := range map[int]int{0: 1, 1: 0, 2: 1, 1024: 1} {
			if got := infer(inTrace(t.Context(), i), h); len(got) != want {
				t.Errorf("trace %d has %d documents, want %d", i, len(got), want)
			}
		}
	})
	t.Run("beyond 16 MiB", func(t *testing.T) {
		for i := range 100 {
			retrieve(inTrace(t.Context(), i), h, fmt.Sprint(i, strings.Repeat("x", 255<<10)))
		}
		kept := 0
		for i := range 100 {
			kept += len(infer(inTrace(t.Context(), i), h))
		}
		if kept < 60 || kept > 64 {
			t.Errorf("%d documents of 255 KiB are kept", kept)
		}
	})
	t.Run("unused for ten minutes", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			h := instrumentation.NewHandler(instrumentation.WithTracerProvider(tracenoop.NewTracerProvider()))
			retrieve(inTrace(t.Context(), 1), h, "a")
			retrieve(inTrace(t.Context(), 2), h, "b")
			time.Sleep(9 * time.Minute)
			infer(inTrace(t.Context(), 1), h)
			time.Sleep(time.Minute + time.Second)
			if got := infer(inTrace(t.Context(), 1), h); len(got) != 1 {
				t.Errorf("in use, %d documents", len(got))
			}
			if got := infer(inTrace(t.Context(), 2), h); len(got) != 0 {
				t.Errorf("unused, %d documents", len(got))
			}
		})
	})
}

package instrumentation_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"weak"

	tracenoop "go.opentelemetry.io/otel/trace/noop"

	"github.com/genaievals/genaievals/instrumentation"
)

func sized(t *testing.T, r instrumentation.Inference, output ...instrumentation.Message) *instrumentation.Invocation {
	t.Helper()
	h := instrumentation.NewHandler(instrumentation.WithTracerProvider(tracenoop.NewTracerProvider()))
	_, inv := h.StartInference(t.Context(), r)
	inv.SetOutput(output...)
	inv.End()
	return inv
}

func TestSizeCountsEveryByteOfContent(t *testing.T) {
	const n = 10000
	long := strings.Repeat("x", n)
	part := func(p instrumentation.Part) []instrumentation.Message {
		return []instrumentation.Message{{Parts: []instrumentation.Part{p}}}
	}
	empty := sized(t, instrumentation.Inference{}).Size()
	if empty < 1000 || empty > 4000 {
		t.Errorf("an empty invocation has %d bytes", empty)
	}
	tests := map[string]*instrumentation.Invocation{
		"input":         sized(t, instrumentation.Inference{Input: part(instrumentation.Text(long))}),
		"system":        sized(t, instrumentation.Inference{SystemInstructions: []instrumentation.Part{instrumentation.Text(long)}}),
		"output":        sized(t, instrumentation.Inference{}, part(instrumentation.Text(long))...),
		"reasoning":     sized(t, instrumentation.Inference{}, part(instrumentation.Reasoning(long))...),
		"second choice": sized(t, instrumentation.Inference{}, append(part(instrumentation.Text("")), part(instrumentation.Text(long))...)...),
		"tool call":     sized(t, instrumentation.Inference{}, part(instrumentation.ToolCall("", "", long))...),
		"URI":           sized(t, instrumentation.Inference{}, part(instrumentation.URI("", "", long))...),
		"raw":           sized(t, instrumentation.Inference{}, part(instrumentation.Raw("x", []byte(long)))...),
		"tools":         sized(t, instrumentation.Inference{Tools: []instrumentation.ToolDefinition{{Parameters: []byte(long)}}}),
	}
	for name, inv := range tests {
		if got := inv.Size() - empty; got < n || got > n+1000 {
			t.Errorf("%s of %d bytes adds %d", name, n, got)
		}
	}

	h := instrumentation.NewHandler(instrumentation.WithTracerProvider(tracenoop.NewTracerProvider()))
	ctx := instrumentation.WithDocuments(t.Context(), instrumentation.Document{Text: long})
	_, inv := h.StartInference(ctx, instrumentation.Inference{})
	inv.End()
	_, tool := h.StartTool(ctx, instrumentation.Tool{Arguments: long})
	tool.SetToolResult(long)
	tool.End()
	if inv.Size()-empty < n || tool.Size()-empty < 2*n {
		t.Errorf("documents add %d, a tool's arguments and result %d", inv.Size()-empty, tool.Size()-empty)
	}
	if many := sized(t, instrumentation.Inference{Input: make([]instrumentation.Message, 1000)}).Size(); many < 50*1000 {
		t.Errorf("a thousand empty messages have %d bytes", many)
	}
	if blob := sized(t, instrumentation.Inference{Input: part(instrumentation.Blob("image", "", 1<<30))}).Size(); blob > 5000 {
		t.Errorf("a blob that is not kept has %d bytes", blob)
	}
}

func TestFirstChoice(t *testing.T) {
	call, text := instrumentation.ToolCall("1", "f", nil), instrumentation.Text
	tests := []struct {
		name     string
		first    []instrumentation.Part
		toolOnly bool
		textSize int
	}{
		{"nothing", nil, false, 0},
		{"text", []instrumentation.Part{text("abc"), text("d")}, false, 4},
		{"tool call", []instrumentation.Part{call, call}, true, 0},
		{"tool call after thinking", []instrumentation.Part{instrumentation.Reasoning("hm"), call}, true, 0},
		{"tool call and blank text", []instrumentation.Part{text(" \n"), call}, true, 2},
		{"tool call and text", []instrumentation.Part{text("let me see"), call}, false, 10},
		{"tool call and image", []instrumentation.Part{instrumentation.Blob("image", "", 1), call}, false, 0},
		{"tool call and something unknown", []instrumentation.Part{call, instrumentation.Raw("refusal", nil)}, false, 0},
		{"thinking", []instrumentation.Part{instrumentation.Reasoning("hm")}, false, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inv := sized(t, instrumentation.Inference{}, instrumentation.Message{Parts: tt.first}, instrumentation.AssistantMessage("other choice"))
			if inv.ToolCallOnly() != tt.toolOnly || inv.OutputTextSize() != tt.textSize {
				t.Errorf("tool call only %v, %d bytes of text", inv.ToolCallOnly(), inv.OutputTextSize())
			}
		})
	}
	if inv := sized(t, instrumentation.Inference{}); inv.ToolCallOnly() || inv.OutputTextSize() != 0 {
		t.Error("no output says something")
	}
}

func TestFinishReasons(t *testing.T) {
	choices := []instrumentation.Message{{FinishReason: "stop"}, {}, {FinishReason: "length"}}
	if got := sized(t, instrumentation.Inference{}, choices...).FinishReasons(); len(got) != 2 || got[1] != "length" {
		t.Errorf("finish reasons %v", got)
	}
	h := instrumentation.NewHandler()
	_, inv := h.StartInference(t.Context(), instrumentation.Inference{})
	inv.SetOutput(choices...)
	inv.SetResponse("", "", "said")
	inv.End()
	if got := inv.FinishReasons(); len(got) != 1 || got[0] != "said" {
		t.Errorf("finish reasons %v", got)
	}
}

// TestEndedInvocationLetsGo: what waits to be evaluated must not keep the
// request's context, nor the agent around it.
func TestEndedInvocationLetsGo(t *testing.T) {
	h := instrumentation.NewHandler(instrumentation.WithTracerProvider(tracenoop.NewTracerProvider()))
	type key struct{}
	request := new([1 << 16]byte)
	keptRequest := weak.Make(request)
	ctx := context.WithValue(context.Background(), key{}, request)
	ctx, agent := h.StartAgent(ctx, instrumentation.Agent{})
	keptAgent := weak.Make(agent)
	_, inv := h.StartInference(ctx, instrumentation.Inference{})
	agent.End()
	inv.End()
	request, agent, ctx = nil, nil, nil
	_, _, _ = request, agent, ctx
	runtime.GC()
	if keptRequest.Value() != nil || keptAgent.Value() != nil {
		t.Errorf("kept: request %v, agent %v", keptRequest.Value() != nil, keptAgent.Value() != nil)
	}
	runtime.KeepAlive(inv)
}

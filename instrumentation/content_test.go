package instrumentation_test

import (
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"go.opentelemetry.io/otel/attribute"
	otellog "go.opentelemetry.io/otel/log"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/genaievals/genaievals/instrumentation"
)

const planted = "PLANTED"

// run has every kind of invocation with the planted text wherever content can
// be.
func run(t *testing.T, tel *telemetry) {
	t.Helper()
	ctx := instrumentation.WithDocuments(t.Context(), instrumentation.Document{ID: "d", Text: planted + " given"})
	parts := []instrumentation.Part{
		instrumentation.Text(planted), instrumentation.Reasoning(planted),
		instrumentation.ToolCall("t1", "f", map[string]any{"q": planted, "n": 1, "deep": []any{nil, true, 1.5}}),
		instrumentation.ToolResponse("t1", planted),
		instrumentation.ToolResponse("t2", nil),
		instrumentation.Blob("image", "image/png", 12345),
		instrumentation.File("image", "", planted),
		instrumentation.URI("image", "image/png", planted),
		instrumentation.Raw("refusal", json.RawMessage(`{"type":"refusal","refusal":"`+planted+`"}`)),
		instrumentation.Raw("odd", json.RawMessage(`["`+planted+`"]`)),
		instrumentation.Raw("odd", nil),
	}
	input := []instrumentation.Message{{Role: "user", Name: planted, Parts: parts}, {Role: "tool"}}
	tools := []instrumentation.ToolDefinition{{
		Name: planted, Description: planted, Parameters: json.RawMessage(`{"type":"object","description":"` + planted + `"}`),
	}, {Type: "web_search", Name: planted}}

	ctx, workflow := tel.StartWorkflow(ctx, instrumentation.Workflow{Name: "w", Input: input})
	ctx, agent := tel.StartAgent(ctx, instrumentation.Agent{
		Name: "a", SystemInstructions: parts, Input: input, Tools: tools,
	})
	_, retrieval := tel.StartRetrieval(ctx, instrumentation.Retrieval{DataSourceID: "s", Query: planted})
	retrieval.SetDocuments(instrumentation.Document{ID: "1", Text: planted, Score: 0.5}, instrumentation.Document{ID: "2"})
	retrieval.End()
	_, tool := tel.StartTool(ctx, instrumentation.Tool{Name: "f", Arguments: map[string]any{"q": planted}})
	tool.SetToolResult(planted)
	tool.End()
	_, inference := tel.StartInference(ctx, instrumentation.Inference{
		Provider: "openai", Model: "m", SystemInstructions: parts, Input: input, Tools: tools,
	})
	inference.SetOutput(
		instrumentation.Message{Role: "assistant", Parts: parts, FinishReason: "stop"},
		instrumentation.Message{Parts: parts},
	)
	inference.End()
	_, failed := tel.StartInference(ctx, instrumentation.Inference{Input: input})
	failed.SetOutput(instrumentation.AssistantMessage(planted))
	failed.Fail(errors.New(planted))
	_, embeddings := tel.StartEmbeddings(ctx, instrumentation.Embeddings{})
	embeddings.Fail(errors.New(planted))
	agent.SetOutput(instrumentation.AssistantMessage(planted))
	agent.End()
	workflow.SetOutput(instrumentation.AssistantMessage(planted))
	workflow.End()
}

func TestContentGoesOnlyWhereTheModeAllows(t *testing.T) {
	for mode := instrumentation.CaptureNoContent; mode <= instrumentation.CaptureSpanAndEvent; mode++ {
		t.Run(mode.String(), func(t *testing.T) {
			tel := record(t, instrumentation.WithCaptureMessageContent(mode))
			told := completed(tel.Handler)
			run(t, tel)

			inSpans, inEvents := 0, 0
			for _, s := range tel.spans.GetSpans() {
				var b strings.Builder
				writeJSON(t, &b, plainAttributes(s.Attributes), s.Name, s.Status.Description)
				if strings.Contains(b.String(), planted) {
					inSpans++
				}
			}
			for _, r := range tel.events.records {
				var b strings.Builder
				writeJSON(t, &b, eventAttributes(r), plain(r.Body()))
				if strings.Contains(b.String(), planted) {
					inEvents++
				}
			}
			wantSpans, wantEvents := 0, 0
			if mode&instrumentation.CaptureSpanOnly != 0 {
				wantSpans = len(tel.spans.GetSpans())
			}
			if mode&instrumentation.CaptureEventOnly != 0 {
				wantEvents = 2
			}
			if inSpans != wantSpans || inEvents != wantEvents || len(tel.events.records) != wantEvents {
				t.Errorf("content in %d spans and %d of %d events, want %d and %d",
					inSpans, inEvents, len(tel.events.records), wantSpans, wantEvents)
			}
			for _, inv := range *told {
				if inv.Kind() != instrumentation.KindEmbeddings && inv.Size() < 2*len(planted) {
					t.Errorf("the callback of %v saw no content", inv.Kind())
				}
			}
			if all := tel.everything(t); mode == instrumentation.CaptureNoContent && strings.Contains(all, planted) {
				t.Errorf("content leaked:\n%s", all)
			}
		})
	}
}

func TestEventCarriesWhatTheSpanDoes(t *testing.T) {
	tel := record(t, instrumentation.WithCaptureMessageContent(instrumentation.CaptureSpanAndEvent))
	ctx := instrumentation.WithProperties(t.Context(), attribute.String("tenant", "t1"))
	_, inv := tel.StartInference(ctx, instrumentation.Inference{
		Provider: "openai", Model: "m", Temperature: new(0.5),
		Input: []instrumentation.Message{instrumentation.UserMessage("Q")},
	})
	inv.SetOutput(instrumentation.AssistantMessage("A"))
	inv.SetResponse("r1", "m1", "stop")
	inv.Fail(errors.New("x"))
	event, span := tel.event(t), tel.span(t)
	if event.EventName() != "gen_ai.client.inference.operation.details" || event.Severity() != otellog.SeverityDebug {
		t.Errorf("event %q of severity %v", event.EventName(), event.Severity())
	}
	if event.TraceID() != span.SpanContext.TraceID() || event.SpanID() != span.SpanContext.SpanID() {
		t.Error("the event is not tied to the span")
	}
	if !event.Timestamp().Equal(inv.EndTime()) {
		t.Errorf("event at %v, invocation ended at %v", event.Timestamp(), inv.EndTime())
	}
	if diff := cmp.Diff(plainAttributes(span.Attributes), eventAttributes(event)); diff != "" {
		t.Errorf("attributes (-span +event):\n%s", diff)
	}
}

func TestEventsDoNotNeedASampledSpan(t *testing.T) {
	tel := recordSampled(t, sdktrace.NeverSample(), instrumentation.WithCaptureMessageContent(instrumentation.CaptureEventOnly))
	_, inv := tel.StartInference(t.Context(), instrumentation.Inference{Provider: "openai", Temperature: new(0.5)})
	inv.End()
	if got := eventAttributes(tel.event(t)); got["gen_ai.request.temperature"] != 0.5 {
		t.Errorf("event %v", got)
	}
}

// TestContentFollowsTheSchemas validates against the conventions' own JSON
// schemas (open-telemetry/semantic-conventions v1.41.0, Apache-2.0).
func TestContentFollowsTheSchemas(t *testing.T) {
	tel := record(t, instrumentation.WithCaptureMessageContent(instrumentation.CaptureSpanOnly))
	run(t, tel)
	schemas := map[string]*jsonschema.Resolved{
		"gen_ai.input.messages":      schema(t, "gen-ai-input-messages.json"),
		"gen_ai.output.messages":     schema(t, "gen-ai-output-messages.json"),
		"gen_ai.system_instructions": schema(t, "gen-ai-system-instructions.json"),
		"gen_ai.tool.definitions":    schema(t, "gen-ai-tool-definitions.json"),
		"gen_ai.retrieval.documents": schema(t, "gen-ai-retrieval-documents.json"),
	}
	validated := make(map[string]int)
	for _, s := range tel.spans.GetSpans() {
		for key, value := range plainAttributes(s.Attributes) {
			if schemas[key] == nil {
				continue
			}
			validated[key]++
			if err := schemas[key].Validate(value); err != nil {
				t.Errorf("%s of %q: %v\n%v", key, s.Name, err, value)
			}
		}
	}
	for key := range schemas {
		if validated[key] == 0 {
			t.Errorf("%s was never emitted", key)
		}
	}
}

// schema reads a schema and makes it strict: a part or tool of a known type
// must have that type's shape, instead of passing as a generic one.
func schema(t *testing.T, file string) *jsonschema.Resolved {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "schemas", file))
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	var known []any
	for name, def := range s.Defs {
		if p := def.Properties["type"]; p != nil && p.Const != nil && !strings.HasPrefix(name, "Generic") {
			known = append(known, *p.Const)
		}
	}
	for name, def := range s.Defs {
		if (name == "GenericPart" || name == "GenericToolDefinition") && len(known) > 0 {
			def.Properties["type"].Not = &jsonschema.Schema{Enum: known}
		}
	}
	resolved, err := s.Resolve(&jsonschema.ResolveOptions{Loader: func(*url.URL) (*jsonschema.Schema, error) {
		return &jsonschema.Schema{}, nil // the meta-schema of parameters
	}})
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

func TestJSONBecomesStructured(t *testing.T) {
	tests := []struct {
		name   string
		result any
		want   any
	}{
		{"object", map[string]any{"a": 1, "b": nil}, map[string]any{"a": 1.0, "b": nil}},
		{"text", "plain text", "plain text"},
		{"JSON text", `{"a":"<b>"}`, map[string]any{"a": "<b>"}},
		{"number beyond an integer", json.RawMessage("1e30"), 1e30},
		{"number beyond a float", json.RawMessage("1e999"), "1e999"},
		{"bytes", []byte("\xff\xfe"), "\uFFFD\uFFFD"},
		{"null", json.RawMessage("null"), nil},
		{"empty text", "", ""},
		{"error", errors.New("no such file"), "no such file"},
		{"not renderable", func() {}, "unrenderable value: json: unsupported type: func()"},
		{"panics", panicky{}, "unrenderable value: instrumentation_test.panicky panicked"},
		{"nil pointer error", (*url.Error)(nil), "unrenderable value: *url.Error panicked"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tel := record(t, instrumentation.WithCaptureMessageContent(instrumentation.CaptureSpanOnly))
			_, inv := tel.StartTool(t.Context(), instrumentation.Tool{Name: "f"})
			inv.SetToolResult(tt.result)
			inv.End()
			got, ok := plainAttributes(tel.span(t).Attributes)["gen_ai.tool.call.result"]
			if diff := cmp.Diff(tt.want, got); diff != "" || !ok {
				t.Errorf("result (-want +got):\n%s", diff)
			}
			if !json.Valid(inv.Result()) {
				t.Errorf("recorded %q", inv.Result())
			}
		})
	}
}

type panicky struct{}

func (panicky) MarshalJSON() ([]byte, error) { panic("in MarshalJSON") }

func TestDeepJSONEndsAsText(t *testing.T) {
	const depth = 5000
	deep := strings.Repeat("[", depth) + strings.Repeat("]", depth)
	tel := record(t, instrumentation.WithCaptureMessageContent(instrumentation.CaptureSpanAndEvent))
	_, inv := tel.StartInference(t.Context(), instrumentation.Inference{})
	inv.SetOutput(instrumentation.Message{Parts: []instrumentation.Part{instrumentation.ToolCall("1", "f", deep)}})
	inv.End()
	value := plainAttributes(tel.span(t).Attributes)["gen_ai.output.messages"]
	value = value.([]any)[0].(map[string]any)["parts"].([]any)[0].(map[string]any)["arguments"]
	nested := 0
	for {
		list, ok := value.([]any)
		if !ok {
			break
		}
		nested++
		value = list[0]
	}
	if text, _ := value.(string); nested == 0 || len(text) != 2*(depth-nested) {
		t.Errorf("%d levels, then %.20v", nested, value)
	}
}

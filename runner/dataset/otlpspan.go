package dataset

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel/trace"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/runner"
)

// span is what is read of one in OTLP/JSON.
type span struct {
	TraceID    string     `json:"traceId"`
	SpanID     string     `json:"spanId"`
	Attributes attributes `json:"attributes"`
	Events     []struct {
		Name       string     `json:"name"`
		Attributes attributes `json:"attributes"`
	} `json:"events"`
	Status struct {
		Code json.RawMessage `json:"code"`
	} `json:"status"`
}

// attributes are those of a span, an event or a resource.
type attributes []struct {
	Key   string   `json:"key"`
	Value anyValue `json:"value"`
}

// anyValue is one of OTLP's values.
type anyValue struct {
	StringValue *string         `json:"stringValue"`
	BoolValue   *bool           `json:"boolValue"`
	IntValue    json.RawMessage `json:"intValue"` // a text or a number
	DoubleValue json.RawMessage `json:"doubleValue"`
	ArrayValue  *struct {
		Values []anyValue `json:"values"`
	} `json:"arrayValue"`
	KvlistValue *struct {
		Values attributes `json:"values"`
	} `json:"kvlistValue"`
}

func (a attributes) value(key string) *anyValue {
	for i := range a {
		if a[i].Key == key {
			return &a[i].Value
		}
	}
	return nil
}

// text returns a value that is a text, empty without.
func (a attributes) text(keys ...string) string {
	for _, key := range keys {
		if v := a.value(key); v != nil && v.StringValue != nil {
			return *v.StringValue
		}
	}
	return ""
}

// json returns a value as JSON: a text may hold it.
func (a attributes) json(key string) json.RawMessage {
	v := a.value(key)
	if v == nil {
		return nil
	}
	if v.StringValue != nil && json.Valid([]byte(*v.StringValue)) {
		return json.RawMessage(strings.TrimSpace(*v.StringValue))
	}
	b, err := json.Marshal(v.plain())
	if err != nil {
		return nil
	}
	return b
}

// plain is the value without OTLP's wrapping.
func (v *anyValue) plain() any {
	switch {
	case v.StringValue != nil:
		return *v.StringValue
	case v.BoolValue != nil:
		return *v.BoolValue
	case v.IntValue != nil:
		if text, err := textOf(v.IntValue); err == nil {
			if _, err := strconv.ParseInt(text, 10, 64); err == nil {
				return json.RawMessage(text)
			}
			return text
		}
		return v.IntValue
	case v.DoubleValue != nil:
		return v.DoubleValue
	case v.ArrayValue != nil:
		list := make([]any, len(v.ArrayValue.Values))
		for i := range v.ArrayValue.Values {
			list[i] = v.ArrayValue.Values[i].plain()
		}
		return list
	case v.KvlistValue != nil:
		object := make(map[string]any, len(v.KvlistValue.Values))
		for i := range v.KvlistValue.Values {
			object[v.KvlistValue.Values[i].Key] = v.KvlistValue.Values[i].Value.plain()
		}
		return object
	}
	return nil
}

// id is that of the item.
func (s *span) id() string {
	if s.TraceID == "" && s.SpanID == "" {
		return ""
	}
	return strings.ToLower(s.TraceID) + "/" + strings.ToLower(s.SpanID)
}

func (s *span) failed() bool {
	code := string(s.Status.Code)
	return code == "2" || code == `"STATUS_CODE_ERROR"` || s.Attributes.text("error.type") != ""
}

var errNoOutput = errors.New("expected gen_ai.output.messages, on the span or an event of it: was content captured?")

// item makes the item of a span; ok is false for one that is passed over. What a
// retrieval or a tool found is kept for the calls of the same trace that come later
// in the file.
func (s *span) item(h *instrumentation.Handler, service string, outputOptional bool) (item runner.Item, ok bool, err error) {
	kind := kindOf(s.Attributes.text("gen_ai.operation.name"))
	ctx := s.context()
	switch kind {
	case 0:
		return item, false, nil
	case instrumentation.KindRetrieval:
		docs, err := documentsOf(cmpJSON(s.Attributes.json("gen_ai.retrieval.documents"), "[]"), true)
		if err == nil { // otherwise they are of a form that is not known here
			_, inv := h.StartRetrieval(ctx, instrumentation.Retrieval{})
			inv.SetDocuments(docs...)
			inv.End()
		}
		return item, false, nil
	case instrumentation.KindTool:
		if result := s.Attributes.json("gen_ai.tool.call.result"); result != nil {
			_, inv := h.StartTool(ctx, instrumentation.Tool{Name: s.Attributes.text("gen_ai.tool.name")})
			inv.SetToolResult(result)
			inv.End()
		}
		return item, false, nil
	}
	said, err := s.conversation()
	if err != nil {
		return item, true, err
	}
	if len(said.output) == 0 && s.failed() {
		return item, false, nil
	}
	if len(said.output) == 0 && !outputOptional {
		return item, true, errNoOutput
	}
	c := evaluators.CaseOf(s.invocation(ctx, h, kind, said))
	item = runner.Item{
		ID: s.id(), Input: c.Input, Output: c.Output, System: c.System,
		Documents: c.Documents, History: c.History, Case: c, Metadata: s.metadata(service),
	}
	return item, true, nil
}

func kindOf(operation string) instrumentation.Kind {
	switch operation {
	case "chat", "text_completion", "generate_content":
		return instrumentation.KindInference
	case "invoke_agent":
		return instrumentation.KindAgent
	case "invoke_workflow":
		return instrumentation.KindWorkflow
	case "retrieval":
		return instrumentation.KindRetrieval
	case "execute_tool":
		return instrumentation.KindTool
	}
	return 0
}

// context places what is recorded in the span's trace.
func (s *span) context() context.Context {
	var config trace.SpanContextConfig
	if b, err := hex.DecodeString(s.TraceID); err == nil && len(b) == len(config.TraceID) {
		copy(config.TraceID[:], b)
	}
	if b, err := hex.DecodeString(s.SpanID); err == nil && len(b) == len(config.SpanID) {
		copy(config.SpanID[:], b)
	}
	return trace.ContextWithSpanContext(context.Background(), trace.NewSpanContext(config))
}

func (s *span) invocation(ctx context.Context, h *instrumentation.Handler, kind instrumentation.Kind, said said) *instrumentation.Invocation {
	var inv *instrumentation.Invocation
	provider := s.Attributes.text("gen_ai.provider.name", "gen_ai.system")
	model := s.Attributes.text("gen_ai.request.model")
	switch kind {
	case instrumentation.KindAgent:
		_, inv = h.StartAgent(ctx, instrumentation.Agent{
			Name: s.Attributes.text("gen_ai.agent.name"), Provider: provider, Model: model,
			SystemInstructions: said.system, Input: said.input,
		})
	case instrumentation.KindWorkflow:
		_, inv = h.StartWorkflow(ctx, instrumentation.Workflow{Name: s.Attributes.text("gen_ai.workflow.name"), Input: said.input})
	default:
		_, inv = h.StartInference(ctx, instrumentation.Inference{
			Provider: provider, Model: model, SystemInstructions: said.system, Input: said.input,
		})
	}
	inv.SetOutput(said.output...)
	var reasons []string
	_ = json.Unmarshal(cmpJSON(s.Attributes.json("gen_ai.response.finish_reasons"), "[]"), &reasons)
	inv.SetResponse(s.Attributes.text("gen_ai.response.id"), s.Attributes.text("gen_ai.response.model"), reasons...)
	inv.End()
	return inv
}

func (s *span) metadata(service string) map[string]string {
	metadata := map[string]string{}
	for _, key := range []string{"gen_ai.request.model", "gen_ai.provider.name", "gen_ai.agent.name", "gen_ai.conversation.id"} {
		if text := s.Attributes.text(key); text != "" {
			metadata[key] = text
		}
	}
	if service != "" {
		metadata["service.name"] = service
	}
	if len(metadata) == 0 {
		return nil
	}
	return metadata
}

func cmpJSON(value json.RawMessage, otherwise string) json.RawMessage {
	return json.RawMessage(cmp.Or(string(value), otherwise))
}

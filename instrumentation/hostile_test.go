package instrumentation_test

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"
	"unicode/utf8"

	"go.opentelemetry.io/otel/attribute"

	"github.com/genaievals/genaievals/instrumentation"
)

// fill sets every string below v to invalid UTF-8 and every float to NaN.
func fill(v reflect.Value) {
	const bad = "\xffbad\xc3"
	switch v.Kind() {
	case reflect.String:
		v.SetString(bad)
	case reflect.Float64:
		v.SetFloat(math.NaN())
	case reflect.Int:
		v.SetInt(-1)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Interface:
		v.Set(reflect.ValueOf(bad))
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			v.SetBytes([]byte(bad))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			fill(field)
		}
	}
}

func hostile[T any]() T {
	var v T
	fill(reflect.ValueOf(&v).Elem())
	return v
}

// parts of every type, each with nothing but garbage.
func hostileMessages() []instrumentation.Message {
	m := hostile[instrumentation.Message]()
	m.Parts = []instrumentation.Part{{}}
	for _, typ := range []instrumentation.PartType{
		"text", "reasoning", "tool_call", "tool_call_response", "blob", "file", "uri", "\xff",
	} {
		p := hostile[instrumentation.Part]()
		p.Type = typ
		m.Parts = append(m.Parts, p, instrumentation.Part{Type: typ})
	}
	return []instrumentation.Message{m, {}}
}

func TestHostileValuesNeitherPanicNorSpoilTelemetry(t *testing.T) {
	tel := record(t, instrumentation.WithCaptureMessageContent(instrumentation.CaptureSpanAndEvent))
	ctx := instrumentation.WithConversationID(t.Context(), "\xff")
	ctx = instrumentation.WithDocuments(ctx, hostile[instrumentation.Document]())
	ctx = instrumentation.WithProperties(ctx,
		attribute.KeyValue{}, attribute.String("\xff", "\xff"), attribute.StringSlice("list", []string{"\xff"}),
		attribute.Slice("slice", attribute.StringValue("\xff"), attribute.Value{}),
		attribute.Map("map", attribute.String("\xff", "\xff")), attribute.KeyValue{Key: "empty"})

	inference := hostile[instrumentation.Inference]()
	inference.Input = hostileMessages()
	agent := hostile[instrumentation.Agent]()
	agent.Input = hostileMessages()
	workflow := hostile[instrumentation.Workflow]()
	workflow.Input = hostileMessages()

	ctx, w := tel.StartWorkflow(ctx, workflow)
	ctx, a := tel.StartAgent(ctx, agent)
	_, i := tel.StartInference(ctx, inference)
	_, to := tel.StartTool(ctx, hostile[instrumentation.Tool]())
	_, e := tel.StartEmbeddings(ctx, hostile[instrumentation.Embeddings]())
	_, r := tel.StartRetrieval(ctx, hostile[instrumentation.Retrieval]())
	tel.Register(callback(func(inv *instrumentation.Invocation) { inv.MarkEvaluation(false, "\xff") }))
	for _, inv := range []*instrumentation.Invocation{i, to, e, r, a, w} {
		inv.SetOutput(hostileMessages()...)
		inv.SetResponse("\xff", "\xff", "\xff")
		inv.SetUsage(instrumentation.Usage{InputTokens: -1, OutputTokens: math.MinInt64})
		inv.SetDocuments(hostile[instrumentation.Document]())
		inv.SetToolResult(map[string]any{"\xff": "\xff"})
		inv.Chunk()
		inv.Fail(codedError("\xff"))
	}

	spans := tel.spans.GetSpans()
	if len(spans) != 6 {
		t.Fatalf("%d spans, want 6", len(spans))
	}
	for _, s := range spans {
		checkText(t, s.Name, s.Name)
		checkText(t, s.Name, s.Status.Description)
		for _, kv := range s.Attributes {
			checkAttribute(t, s.Name, kv)
		}
	}
	for _, p := range tel.points(t, "gen_ai.client.operation.duration") {
		for key, value := range p.attributes {
			checkText(t, "metric", key+asText(value))
		}
	}
	if len(tel.points(t, "gen_ai.client.token.usage")) != 0 {
		t.Error("negative tokens were counted")
	}
	tel.event(t)
	if tel.Panics() != 0 {
		t.Errorf("%d panics", tel.Panics())
	}
}

func checkText(t *testing.T, where, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Errorf("%q: invalid UTF-8 in %q", where, s)
	}
}

func checkAttribute(t *testing.T, where string, kv attribute.KeyValue) {
	t.Helper()
	checkText(t, where, string(kv.Key))
	checkValue(t, where+" "+string(kv.Key), kv.Value)
}

func checkValue(t *testing.T, where string, v attribute.Value) {
	t.Helper()
	switch v.Type() {
	case attribute.STRING:
		checkText(t, where, v.AsString())
	case attribute.STRINGSLICE:
		for _, s := range v.AsStringSlice() {
			checkText(t, where, s)
		}
	case attribute.FLOAT64:
		if f := v.AsFloat64(); math.IsNaN(f) || math.IsInf(f, 0) {
			t.Errorf("%s is %v", where, f)
		}
	case attribute.SLICE:
		for _, e := range v.AsSlice() {
			checkValue(t, where, e)
		}
	case attribute.MAP:
		for _, e := range v.AsMap() {
			checkAttribute(t, where, e)
		}
	}
}

func FuzzRawPart(f *testing.F) {
	f.Add("refusal", []byte(`{"type":"refusal","refusal":"no"}`))
	f.Add("", []byte(`{"type":1,"":[{}]}`))
	f.Add("text", []byte("\xff[["))
	f.Add("tool_call", []byte(`1e999`))
	f.Fuzz(func(t *testing.T, typ string, raw []byte) {
		tel := record(t, instrumentation.WithCaptureMessageContent(instrumentation.CaptureSpanOnly))
		_, inv := tel.StartInference(t.Context(), instrumentation.Inference{})
		inv.SetOutput(instrumentation.Message{Parts: []instrumentation.Part{
			instrumentation.Raw(typ, raw),
			{Type: instrumentation.PartType(typ), Value: raw, Content: string(raw)},
			instrumentation.ToolCall(typ, typ, raw), instrumentation.ToolResponse(typ, string(raw)),
		}})
		inv.End()
		for _, kv := range tel.span(t).Attributes {
			checkAttribute(t, typ, kv)
		}
	})
}

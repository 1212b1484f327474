package dataset_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/runner"
	"github.com/genaievals/genaievals/runner/dataset"
)

// attr is an attribute in OTLP/JSON; a value that is no text is given as OTLP has it.
func attr(key string, value any) map[string]any {
	if text, ok := value.(string); ok {
		value = map[string]any{"stringValue": text}
	}
	return map[string]any{"key": key, "value": value}
}

func spanOf(id string, attributes ...any) map[string]any {
	return map[string]any{
		"traceId": "0AF7651916CD43DD8448EB211C80319C", "spanId": id, "name": "chat", "kind": 3,
		"startTimeUnixNano": "1700000000000000000", "attributes": attributes, "flags": 256, "future": map[string]any{"a": []int{1}},
	}
}

func requestOf(spans ...any) map[string]any {
	return map[string]any{"resourceSpans": []any{map[string]any{
		"resource":   map[string]any{"attributes": []any{attr("service.name", "shop")}},
		"scopeSpans": []any{map[string]any{"scope": map[string]any{"name": "x"}, "spans": spans}, map[string]any{}},
		"schemaUrl":  "u",
	}}}
}

func text(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// structured is a list of messages as OTLP values.
var structured = map[string]any{"arrayValue": map[string]any{"values": []any{map[string]any{"kvlistValue": map[string]any{"values": []any{
	attr("role", "assistant"),
	attr("parts", map[string]any{"arrayValue": map[string]any{"values": []any{map[string]any{"kvlistValue": map[string]any{"values": []any{
		attr("type", "text"), attr("content", "Within 30 days."),
	}}}}}}),
	attr("finish_reason", "stop"),
}}}}}}

func chat(id string) map[string]any {
	return spanOf(id, attr("gen_ai.operation.name", "chat"), attr("gen_ai.request.model", "m"), attr("gen_ai.response.id", "r-"+id),
		attr("gen_ai.usage.input_tokens", map[string]any{"intValue": "12"}),
		attr("gen_ai.system_instructions", `[{"type":"text","content":"Be kind."}]`),
		attr("gen_ai.input.messages", `[{"role":"user","parts":[{"type":"text","content":"Until when can I return it?"}]}]`),
		attr("gen_ai.output.messages", structured))
}

func TestSpansBecomeItems(t *testing.T) {
	retrieval := spanOf("00000000000000aa", attr("gen_ai.operation.name", "retrieval"),
		attr("gen_ai.retrieval.documents", `[{"id":"p","score":0.9,"content":"Returns are free for 30 days."}]`))
	http := spanOf("00000000000000bb", attr("http.request.method", "GET"))
	failed := spanOf("00000000000000cc", attr("gen_ai.operation.name", "chat"), attr("error.type", "timeout"))
	want := []runner.Item{{
		ID: "0af7651916cd43dd8448eb211c80319c/00000000000000dd", Input: "Until when can I return it?", Output: "Within 30 days.", System: "Be kind.",
		Documents: []instrumentation.Document{{ID: "p", Text: "Returns are free for 30 days."}},
		Metadata:  map[string]string{"gen_ai.request.model": "m", "service.name": "shop"},
		Case: &evaluators.Case{
			ID: "r-00000000000000dd", Kind: instrumentation.KindInference, Output: "Within 30 days.", Choices: 1,
			Input: "Until when can I return it?", System: "Be kind.", Model: "m",
			Documents: []instrumentation.Document{{ID: "p", Text: "Returns are free for 30 days."}},
		},
	}}
	all := requestOf(retrieval, http, failed, chat("00000000000000dd"))
	indented, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		text string
		line int
	}{
		"one line":      {text(t, all), 1},
		"lines":         {text(t, requestOf(retrieval, http)) + "\r\n\n" + text(t, map[string]any{"resourceLogs": []any{}}) + "\n" + text(t, requestOf(failed, chat("00000000000000dd"))) + "\n", 4},
		"several lines": {string(indented), 0},
		"gzip":          {packed(text(t, all)), 1},
	} {
		t.Run(name, func(t *testing.T) {
			want[0].Line = tt.line
			counts := &dataset.Counts{}
			items, err := dataset.Read(iotest.HalfReader(strings.NewReader(tt.text)), "spans.json", dataset.Options{Counts: counts})
			if err != nil {
				t.Fatal(err)
			}
			got, errs := collect(t, items)
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || errs != nil {
				t.Errorf("-want +got:\n%s%q", diff, errs)
			}
			if counts.PassedOver() != 3 || counts.Items() != 1 {
				t.Errorf("%d passed over, %d items", counts.PassedOver(), counts.Items())
			}
		})
	}
}

func TestContentOnEvents(t *testing.T) {
	details := spanOf("1", attr("gen_ai.operation.name", "invoke_agent"), attr("gen_ai.agent.name", "helper"))
	details["events"] = []any{map[string]any{"name": "gen_ai.client.inference.operation.details", "attributes": []any{
		attr("gen_ai.input.messages", `[{"role":"user","content":"Q"}]`), attr("gen_ai.output.messages", `[{"role":"assistant","content":"A"}]`),
	}}}
	older := spanOf("2", attr("gen_ai.operation.name", "chat"))
	older["events"] = []any{
		map[string]any{"name": "gen_ai.system.message", "attributes": []any{attr("content", "S")}},
		map[string]any{"name": "gen_ai.user.message", "attributes": []any{attr("content", "42")}},
		map[string]any{"name": "gen_ai.choice", "attributes": []any{attr("message", `{"role":"assistant","content":"A"}`), attr("finish_reason", "length")}},
	}
	got, errs := read(t, "f", text(t, requestOf(details, older)), dataset.Options{})
	if len(got) != 2 || errs != nil {
		t.Fatalf("%d items, %q", len(got), errs)
	}
	if g := got[0]; g.Input != "Q" || g.Output != "A" || g.Case.Kind != instrumentation.KindAgent || g.Metadata["gen_ai.agent.name"] != "helper" {
		t.Errorf("details: %+v", g)
	}
	if g := got[1]; g.Input != "42" || g.Output != "A" || g.System != "S" || !g.Case.Truncated {
		t.Errorf("older: %+v", g)
	}
}

func TestBadRequestsAndSpans(t *testing.T) {
	silent := spanOf("00000000000000ee", attr("gen_ai.operation.name", "chat"))
	odd := spanOf("00000000000000ff", attr("gen_ai.operation.name", "chat"), attr("gen_ai.output.messages", `{"secret":1}`))
	good := text(t, requestOf(chat("00000000000000dd")))
	lines := good + "\n{\"resourceSpans\":[{\n" + text(t, requestOf(silent, odd, chat("00000000000000dd"))) + "\n{\"resourceSpans\":7}\n[]\n" +
		text(t, requestOf("no span", chat("00000000000000dd"))) + "\n"
	want := []string{
		"f:2: expected an OTLP request with resourceSpans: unexpected EOF",
		"f:3: span 1: expected gen_ai.output.messages, on the span or an event of it: was content captured?",
		"f:3: span 2: gen_ai.output.messages: expected a list of messages, found an object",
		"f:4: expected an OTLP request with resourceSpans: found no list",
		"f:5: expected an OTLP request with resourceSpans: found no object",
		"f:6: span 1: found a text where it is something else",
	}
	got, errs := read(t, "f", lines, dataset.Options{})
	if diff := cmp.Diff(want, errs); diff != "" || len(got) != 3 {
		t.Errorf("%d items, -want +got:\n%s", len(got), diff)
	}
	if got, errs := read(t, "f", text(t, requestOf(silent)), dataset.Options{OutputOptional: true}); len(got) != 1 || errs != nil {
		t.Errorf("optional: %d items, %q", len(got), errs)
	}
	if _, err := dataset.Read(strings.NewReader(good), "f", dataset.Options{Fields: map[string]string{"input": "x"}}); err == nil {
		t.Error("fields of spans were mapped")
	}
	long := strings.Replace(good, "Until when", strings.Repeat("x", 17<<20), 1)
	got, errs = read(t, "f", good+"\n"+long+"\n"+good, dataset.Options{})
	if len(got) != 2 || len(errs) != 1 || !strings.HasPrefix(errs[0], "f:2: ") || !strings.HasSuffix(errs[0], "longer than 16 MiB") {
		t.Errorf("a huge span: %d items, %.200q", len(got), errs)
	}
}

package anthropic_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/anthropic"
)

const okBody = `{"id":"msg_1","type":"message","role":"assistant","model":"m-1","content":[{"type":"text","text":"hello"}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":7,"output_tokens":3}}`

func newClient(t *testing.T, cfg anthropic.Config) *anthropic.Client {
	t.Helper()
	c, err := anthropic.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.CloseIdleConnections)
	return c
}

func asError(t *testing.T, err error) *judge.Error {
	t.Helper()
	var e *judge.Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v is no *judge.Error", err)
	}
	return e
}

// serve returns a client of a server that always answers that.
func serve(t *testing.T, status int, body string) *anthropic.Client {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}))
	t.Cleanup(srv.Close)
	return newClient(t, anthropic.Config{Model: "m", BaseURL: srv.URL})
}

func TestRequestBody(t *testing.T) {
	warm, schema := 0.5, json.RawMessage(`{"type":"object"}`)
	talk := []judge.Message{
		{Role: judge.RoleSystem, Text: "The rubric."}, {Role: judge.RoleUser, Text: "<u> & \u2028"},
		{Role: judge.RoleAssistant, Text: "a"}, {Role: judge.RoleUser, Text: "again"},
	}
	const said = `"system":"The rubric.","messages":[{"role":"user","content":"<u> & \u2028"},{"role":"assistant","content":"a"},{"role":"user","content":"again"}]`
	for _, tt := range []struct {
		name    string
		request judge.Request
		want    string
	}{
		{
			"C08_strict_schema_without_a_temperature", judge.Request{Metrics: []string{"bias"}, Messages: talk, MaxOutputTokens: 64, Schema: schema},
			`{"model":"m","max_tokens":64,` + said + `,"output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}}}`,
		},
		{
			"P21_tool", judge.Request{Metrics: []string{"bias"}, Messages: talk, MaxOutputTokens: 64, Schema: schema, Format: judge.FormatTool},
			`{"model":"m","max_tokens":64,` + said + `,"tools":[{"name":"bias","description":"Takes the answer.","input_schema":{"type":"object"},"strict":true}],"tool_choice":{"type":"tool","name":"bias","disable_parallel_tool_use":true}}`,
		},
		{
			"none_with_a_temperature", judge.Request{Model: "other", Messages: talk, MaxOutputTokens: 64, Format: judge.FormatNone, Schema: schema, Temperature: &warm},
			`{"model":"other","max_tokens":64,` + said + `,"temperature":0.5}`,
		},
		{
			"formats_that_it_does_not_know_are_none", judge.Request{Messages: talk, MaxOutputTokens: 64, Format: judge.FormatJSONObject, Schema: schema},
			`{"model":"m","max_tokens":64,` + said + `}`,
		},
		{"max_tokens_have_to_be_there", judge.Request{Format: judge.FormatNone}, `{"model":"m","max_tokens":2048,"messages":[]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got bytes.Buffer
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = got.ReadFrom(r.Body)
				fmt.Fprint(w, okBody)
			}))
			defer srv.Close()
			if _, err := newClient(t, anthropic.Config{Model: "m", BaseURL: srv.URL}).Complete(t.Context(), tt.request); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got.String()); diff != "" {
				t.Errorf("body (-want +got):\n%s", diff)
			}
		})
	}
}

func TestResponse(t *testing.T) {
	message := func(stop, content string) string {
		return `{"type":"message","stop_reason":` + stop + `,"content":` + content + `}`
	}
	const call = `{"type":"tool_use","id":"t","name":"bias","input":{"label":"biased"}}`
	for _, tt := range []struct {
		name   string
		format judge.Format
		body   string
		want   judge.Response
	}{
		{"plain", judge.FormatNone, okBody, judge.Response{Text: "hello", ID: "msg_1", Model: "m-1", Usage: judge.Usage{InputTokens: 7, OutputTokens: 3}}},
		{"P08_thinking_comes_first", judge.FormatStrictSchema, message(`"end_turn"`, `[{"type":"thinking","thinking":"{\"label\":\"not_biased\"}","signature":"x"},{"type":"redacted_thinking","data":"x"},{"type":"text","text":"{\"label\":\"biased\"}"}]`), judge.Response{Text: `{"label":"biased"}`}},
		{"P07_thinking_is_no_answer", judge.FormatStrictSchema, message(`"end_turn"`, `[{"type":"thinking","thinking":"{\"label\":\"biased\"}","text":"{}"}]`), judge.Response{}},
		{"several_texts", judge.FormatNone, message(`"end_turn"`, `[{"type":"text","text":"a"},{"type":"text","text":"b"}]`), judge.Response{Text: "ab"}},
		{"P21_tool", judge.FormatTool, message(`"tool_use"`, `[{"type":"text","text":"I will call it."},`+call+`]`), judge.Response{Text: `{"label":"biased"}`}},
		{"first_of_two_tools", judge.FormatTool, message(`"tool_use"`, `[`+call+`,{"type":"tool_use","input":{}}]`), judge.Response{Text: `{"label":"biased"}`}},
		{"tool_cut", judge.FormatTool, message(`"max_tokens"`, `[{"type":"tool_use","input":{}}]`), judge.Response{Text: "{}", Finish: judge.FinishLength}},
		{"text_where_a_tool_was_forced", judge.FormatTool, message(`"end_turn"`, `[{"type":"text","text":"{}"}]`), judge.Response{Text: "{}"}},
		{"tool_that_was_not_asked_for", judge.FormatNone, message(`"tool_use"`, `[`+call+`]`), judge.Response{Finish: judge.FinishToolCalls}},
		{"stop_sequence", judge.FormatNone, message(`"stop_sequence"`, `[{"type":"text","text":"a"}]`), judge.Response{Text: "a"}},
		{"pause_turn", judge.FormatNone, message(`"pause_turn"`, `[{"type":"text","text":"a"}]`), judge.Response{Text: "a"}},
		{"P11_max_tokens_without_content", judge.FormatNone, message(`"max_tokens"`, `[]`), judge.Response{Finish: judge.FinishLength}},
		{"P25_refusal", judge.FormatNone, message(`"refusal"`, `[]`), judge.Response{Finish: judge.FinishRefusal}},
		{"P25_refusal_without_content", judge.FormatNone, `{"type":"message","stop_reason":"refusal","content":null}`, judge.Response{Finish: judge.FinishRefusal}},
		{"F03_nothing", judge.FormatNone, message(`"end_turn"`, `[]`), judge.Response{}},
		{"stop_reason_null", judge.FormatNone, message(`null`, `[{"type":"text","text":"a"}]`), judge.Response{Text: "a"}},
		{"stop_reason_to_come", judge.FormatNone, message(`"novel"`, `[{"type":"text","text":"a"}]`), judge.Response{Text: "a"}},
		{"content_as_text", judge.FormatNone, message(`"end_turn"`, `"a"`), judge.Response{Text: "a"}},
		{"error_null", judge.FormatNone, `{"error":null,"content":[{"type":"text","text":"a"}]}`, judge.Response{Text: "a"}},
		{"usage_with_cache", judge.FormatNone, `{"content":[],"usage":{"input_tokens":7,"cache_creation_input_tokens":100,"cache_read_input_tokens":20,"output_tokens":9,"output_tokens_details":{"thinking_tokens":6}}}`,
			judge.Response{Usage: judge.Usage{InputTokens: 127, OutputTokens: 9, CachedTokens: 20, ReasoningTokens: 6}}},
		{"usage_null_caches", judge.FormatNone, `{"content":[],"usage":{"input_tokens":7,"cache_creation_input_tokens":null,"output_tokens":9,"output_tokens_details":null}}`,
			judge.Response{Usage: judge.Usage{InputTokens: 7, OutputTokens: 9}}},
		{"hostile_usage", judge.FormatNone, `{"content":[],"usage":{"input_tokens":7,"cache_read_input_tokens":-1,"output_tokens":9e30}}`, judge.Response{}},
		{"odd_usage", judge.FormatNone, `{"content":[],"usage":[1]}`, judge.Response{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := serve(t, 200, tt.body).Complete(t.Context(), judge.Request{Format: tt.format})
			if err != nil {
				t.Fatal(err)
			}
			got.Header = nil
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("response (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFormats(t *testing.T) {
	c := newClient(t, anthropic.Config{Model: "m", APIKey: "k"})
	want := []judge.Format{judge.FormatStrictSchema, judge.FormatTool, judge.FormatNone}
	got := c.Formats()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got[0] = judge.FormatNone
	if diff := cmp.Diff(want, c.Formats()); diff != "" {
		t.Errorf("a caller can change them:\n%s", diff)
	}
}

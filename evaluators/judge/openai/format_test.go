package openai_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
)

// capture returns a client of a server that answers all, and the last body that
// it was sent.
func capture(t *testing.T) (*openai.Client, *bytes.Buffer) {
	t.Helper()
	var got bytes.Buffer
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got.Reset()
		_, _ = got.ReadFrom(r.Body)
		fmt.Fprint(w, okBody)
	}))
	t.Cleanup(srv.Close)
	return newClient(t, openai.Config{Model: "m", BaseURL: srv.URL}), &got
}

func TestFormats(t *testing.T) {
	const schema = `{"type":"object"}`
	for _, tt := range []struct {
		format  judge.Format
		metrics []string
		want    string // what is sent beside the model and the messages
	}{
		{judge.FormatStrictSchema, []string{"bias"}, `,"response_format":{"type":"json_schema","json_schema":{"name":"bias","strict":true,"schema":{"type":"object"}}}`},
		{judge.FormatSchema, []string{"bias", "toxicity"}, `,"response_format":{"type":"json_schema","json_schema":{"name":"bias_toxicity","schema":{"type":"object"}}}`},
		{judge.FormatJSONObject, nil, `,"response_format":{"type":"json_object"}`},
		{judge.FormatTool, []string{"my metric/é"}, `,"tools":[{"type":"function","function":{"name":"my_metric__","description":"Takes the answer.","parameters":{"type":"object"}}}],"tool_choice":{"type":"function","function":{"name":"my_metric__"}}`},
		{judge.FormatTool, nil, `,"tools":[{"type":"function","function":{"name":"answer","description":"Takes the answer.","parameters":{"type":"object"}}}],"tool_choice":{"type":"function","function":{"name":"answer"}}`},
		{judge.FormatSchema, []string{strings.Repeat("long", 40)}, `,"response_format":{"type":"json_schema","json_schema":{"name":"` + strings.Repeat("long", 16) + `","schema":{"type":"object"}}}`},
		{judge.FormatNone, []string{"bias"}, ""},
	} {
		t.Run(tt.format.String(), func(t *testing.T) {
			c, got := capture(t)
			if _, err := c.Complete(t.Context(), judge.Request{Metrics: tt.metrics, Format: tt.format, Schema: json.RawMessage(schema)}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(`{"model":"m","messages":[]`+tt.want+`}`, got.String()); diff != "" {
				t.Errorf("body (-want +got):\n%s", diff)
			}
		})
	}
}

func TestToolCallIsTheAnswer(t *testing.T) {
	choice := func(finish, message string) string {
		return `{"choices":[{"finish_reason":"` + finish + `","message":` + message + `}]}`
	}
	const verdict = `{"label":"biased"}`
	for _, tt := range []struct {
		name, body string
		want       judge.Response
	}{
		{"P21_forced_tool", choice("stop", `{"content":null,"tool_calls":[{"type":"function","function":{"name":"bias","arguments":"{\"label\":\"biased\"}"}}]}`), judge.Response{Text: verdict}},
		{"finish_tool_calls", choice("tool_calls", `{"content":null,"tool_calls":[{"function":{"arguments":"{\"label\":\"biased\"}"}}]}`), judge.Response{Text: verdict}},
		{"arguments_as_an_object", choice("stop", `{"content":"","tool_calls":[{"function":{"arguments":{"label":"biased"}}}]}`), judge.Response{Text: verdict}},
		{"legacy_function_call", choice("function_call", `{"content":null,"function_call":{"name":"bias","arguments":"{\"label\":\"biased\"}"}}`), judge.Response{Text: verdict}},
		{"prose_beside_the_call", choice("tool_calls", `{"content":"I think {\"label\":\"not_biased\"}","tool_calls":[{"function":{"arguments":"{\"label\":\"biased\"}"}}]}`), judge.Response{Text: verdict}},
		{"first_of_two", choice("tool_calls", `{"tool_calls":[{"function":{"arguments":"{\"label\":\"biased\"}"}},{"function":{"arguments":"{}"}}]}`), judge.Response{Text: verdict}},
		{"no_call_but_text", choice("stop", `{"content":"{\"label\":\"biased\"}"}`), judge.Response{Text: verdict}},
		{"P09_cut", choice("length", `{"tool_calls":[{"function":{"arguments":"{\"lab"}}]}`), judge.Response{Text: `{"lab`, Finish: judge.FinishLength}},
		{"odd_calls", choice("stop", `{"content":"x","tool_calls":"none","function_call":[]}`), judge.Response{Text: "x"}},
		{"empty_call", choice("tool_calls", `{"content":null,"tool_calls":[{"function":{"arguments":""}}]}`), judge.Response{Finish: judge.FinishToolCalls}},
		{"P25_refusal", choice("stop", `{"content":null,"refusal":"no","tool_calls":[]}`), judge.Response{Refusal: "no"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := serve(t, 200, nil, tt.body).Complete(t.Context(), judge.Request{Format: judge.FormatTool})
			if err != nil {
				t.Fatal(err)
			}
			got.Header = nil
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("response (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("not_of_other_formats", func(t *testing.T) {
		body := choice("tool_calls", `{"content":null,"tool_calls":[{"function":{"arguments":"{\"label\":\"biased\"}"}}]}`)
		got, err := serve(t, 200, nil, body).Complete(t.Context(), judge.Request{Format: judge.FormatNone})
		if err != nil || got.Text != "" || got.Finish != judge.FinishToolCalls {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

// TestFormatRefused: whatever the words, a refusal that is about the format says
// so, and no other does.
func TestFormatRefused(t *testing.T) {
	const (
		strict = judge.FormatStrictSchema
		loose  = judge.FormatSchema
		object = judge.FormatJSONObject
		tool   = judge.FormatTool
		none   = judge.FormatNone
	)
	plain := func(message string) string {
		b, _ := json.Marshal(map[string]any{"error": map[string]any{"message": message, "type": "invalid_request_error", "param": nil, "code": nil}})
		return string(b)
	}
	for _, tt := range []struct {
		name   string
		format judge.Format
		status int
		body   string
		want   bool
	}{
		{"C04_openai_json_schema", strict, 400, `{"error":{"message":"Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.","type":"invalid_request_error","param":"response_format","code":null}}`, true},
		{"C04_deepseek", strict, 400, plain("This response_format type is unavailable now"), true},
		{"C04_azure_old_version", loose, 400, `{"error":{"code":"BadRequest","message":"response_format value as json_schema is enabled only for api versions 2024-08-01-preview and later"}}`, true},
		{"C04_json_object", object, 400, plain("Invalid parameter: 'response_format' of type 'json_object' is not supported with this model."), true},
		{"C05_other_words", strict, 400, plain("Model qwen does not support feature: structured-outputs"), true},
		{"C05_param_alone", strict, 400, `{"error":{"message":"Bad value.","param":"response_format.type"}}`, true},
		{"C05_tool_choice_param", tool, 400, `{"error":{"message":"Bad value.","param":"tool_choice"}}`, true},
		{"C05_code_alone", strict, 400, `{"error":{"message":"m","param":"response_format","code":"unsupported_value"}}`, true},
		{"C06_output_config", strict, 400, plain("output_config.format: Extra inputs are not permitted"), true},
		{"C06_tools_anthropic_gateway", tool, 400, plain("tools.0.custom.input_schema: JSON schema is invalid"), true},
		{"C07_schema_subset", strict, 400, `{"error":{"message":"Invalid schema for response_format 'bias': In context=(), 'additionalProperties' is required to be supplied and to be false.","type":"invalid_request_error","param":"response_format","code":null}}`, true},
		{"C07_gemini_schema", strict, 400, `[{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"additionalProperties\" at 'generation_config.response_schema': Cannot find field.","status":"INVALID_ARGUMENT"}}]`, true},
		{"C07_tool_parameters", tool, 400, `{"error":{"message":"Invalid schema for function 'bias': schema must be a JSON Schema of 'type: \"object\"', got 'type: \"None\"'.","param":"tools[0].function.parameters","code":"invalid_function_parameters"}}`, true},
		{"lm_studio_object", object, 400, `{"error":"'response_format.type' must be 'json_schema' or 'text'"}`, true},
		{"llama_cpp_grammar", strict, 400, `{"error":{"code":400,"message":"Failed to parse grammar","type":"invalid_request_error"}}`, true},
		{"llama_cpp_grammar_500", strict, 500, `{"error":{"code":500,"message":"failed to initialize samplers: Failed to parse grammar","type":"server_error"}}`, true},
		{"llama_cpp_tools_without_jinja", tool, 500, `{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}`, true},
		{"vllm_guided", strict, 400, `{"object":"error","message":"The provided JSON schema contains features not supported by xgrammar.","type":"BadRequestError","param":null,"code":400}`, true},
		{"vllm_tool_choice", tool, 400, `{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","type":"BadRequestError","param":null,"code":400}`, true},
		{"fastapi_loc", object, 422, `{"detail":[{"type":"literal_error","loc":["body","response_format","type"],"msg":"Input should be 'text' or 'json_schema'","input":"json_object"}]}`, true},
		{"fastapi_loc_tools", tool, 422, `{"detail":[{"type":"extra_forbidden","loc":["body","tools"],"msg":"Extra inputs are not permitted"}]}`, true},
		{"openrouter_404", tool, 404, `{"error":{"message":"No endpoints found that support tool use. To learn more about provider routing, visit https://openrouter.ai","code":404}}`, true},
		{"openrouter_200", strict, 200, `{"error":{"message":"Provider does not support structured outputs","code":400}}`, true},
		{"ollama_string", tool, 400, `{"error":"registry.ollama.ai/library/tiny does not support tools"}`, true},
		{"ollama_schema", strict, 400, `{"error":"invalid JSON schema in format"}`, true},
		{"ollama_schema_500", strict, 500, `{"error":"invalid JSON schema in format"}`, true},
		{"501", strict, 501, plain("structured output is not implemented"), true},
		{"405_functions", tool, 405, plain("function calling is not enabled for this model"), true},
		{"415_json_mode", object, 415, plain("JSON mode is not supported"), true},
		{"mistral", loose, 422, `{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","response_format","json_schema"],"msg":"Extra inputs are not permitted"}]},"type":"invalid_request_error","param":null,"code":null}`, true},
		{"thinking_forbids_it", tool, 400, plain("Thinking may not be enabled when tool_choice forces tool use."), true},

		{"not_with_no_format", none, 400, plain("This response_format type is unavailable now"), false},
		{"context_length", strict, 400, `{"error":{"message":"This model's maximum context length is 8192 tokens, including the tools and response_format, which are not supported beyond","code":"context_length_exceeded"}}`, false},
		{"context_length_words", tool, 400, plain("Invalid request: the prompt and tools exceed the maximum context length"), false},
		{"content_filter", strict, 400, `{"error":{"message":"The response_format was not allowed by the content management policy","code":"content_filter"}}`, false},
		{"auth", strict, 401, plain("Your key does not allow response_format: invalid"), false},
		{"auth_403", tool, 403, plain("tools are not allowed for this key"), false},
		{"quota", strict, 429, `{"error":{"message":"structured outputs are not available","code":"insufficient_quota"}}`, false},
		{"rate_limit", strict, 429, plain("response_format is unavailable"), false},
		{"model_not_found", strict, 404, `{"error":{"message":"The model does not exist or does not support response_format","code":"model_not_found"}}`, false},
		{"model_not_found_by_status", strict, 404, plain("The model `m` does not exist"), false},
		{"no_route", strict, 404, "404 page not found", false},
		{"overloaded", strict, 503, plain("tools are unavailable"), false},
		{"other_500", strict, 500, plain("Internal server error"), false},
		{"other_400", strict, 400, plain("Invalid value for 'messages': expected an array"), false},
		{"other_param", strict, 400, `{"error":{"message":"Invalid 'messages': the tool is unknown","param":"messages"}}`, false},
		{"temperature", strict, 400, `{"error":{"message":"Unsupported value: 'temperature' is only supported with the default.","param":"temperature","code":"unsupported_value"}}`, false},
		{"far_away", strict, 400, plain("Invalid request. " + strings.Repeat("And so on and on. ", 20) + "It had a schema."), false},
		{"end_of_a_word", strict, 400, plain("Invalid stools of pools"), false},
		{"beginning_of_a_word", strict, 400, plain("Invalid toolbox of pools"), false},
		{"quoted_input_is_not_read", strict, 422, `{"detail":[{"loc":["body","messages"],"msg":"Input should be a list","input":"response_format is not supported"}]}`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := serve(t, tt.status, nil, tt.body).Complete(t.Context(), judge.Request{Format: tt.format, Metrics: []string{"bias"}})
			e := asError(t, err)
			if e.FormatRefused != tt.want || e.Adapted || e.Status != tt.status {
				t.Errorf("%+v: format refused %v, want %v", e, e.FormatRefused, tt.want)
			}
			if tt.want && e.Type != evaluators.ErrorJudgeBadRequest {
				t.Errorf("type %s: it would be sent again as it is, or open the circuit", e.Type)
			}
		})
	}
}

package judgetest_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
)

const (
	openAIPath    = "/v1/chat/completions"
	anthropicPath = "/v1/messages"
	helloClaude   = `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Hello"}]}`
	closedSchema  = `{"type":"object","properties":{"reason":{"type":"string"},"label":{"type":"string","enum":["fine","odd"]}},"required":["reason","label"],"additionalProperties":false}`
)

// send posts a request with the headers that its format needs, then with those
// given, of which an empty one is taken away.
func send(t *testing.T, s *judgetest.Server, path, body string, header ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.AnthropicURL()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if path == anthropicPath {
		req.Header.Set("Anthropic-Version", "2023-06-01")
	}
	for i := 0; i+1 < len(header); i += 2 {
		if req.Header.Set(header[i], header[i+1]); header[i+1] == "" {
			req.Header.Del(header[i])
		}
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(b)
}

// openAIWith and anthropicWith are small valid requests and more members.
func openAIWith(members string) string {
	return `{"model":"m","messages":[{"role":"system","content":"Reply in JSON."},{"role":"user","content":"Hello \"you\" \\"}],` + members + `}`
}

func anthropicWith(members string) string {
	return `{"model":"m","max_tokens":9,"system":"Be brief.","messages":[{"role":"user","content":"Hello"}],` + members + `}`
}

func responseFormat(name, strict, schema string) string {
	return openAIWith(`"response_format":{"type":"json_schema","json_schema":{"name":"` + name + `","strict":` + strict + `,"schema":` + schema + `}}`)
}

func TestRequestsAreHeldToTheirFormat(t *testing.T) {
	property := func(p string) string {
		return `{"type":"object","properties":{"score":` + p + `},"required":["score"],"additionalProperties":false}`
	}
	openTool := `"tools":[{"type":"function","function":{"name":"own","parameters":{}}}],"tool_choice":`
	claudeFormat := func(schema string) string {
		return anthropicWith(`"output_config":{"format":{"type":"json_schema","schema":` + schema + `}}`)
	}
	claudeTool := `"tools":[{"name":"own","input_schema":{}}],"tool_choice":`
	for _, tt := range []struct {
		name, path, body string
		header           []string
		status           int
		says             []string // all are in the body
	}{
		{"valid", openAIPath, openAIWith(`"max_tokens":9,"temperature":0,"seed":1,"stop":["x"]`), nil, 200, nil},
		{"valid_null_is_absent", openAIPath, openAIWith(`"temperature":null,"response_format":null`), nil, 200, nil},
		{"valid_spaced", openAIPath, " {\n \"model\" : \"m\" , \"messages\" : [ { \"role\" : \"user\" , \"content\" : [ { \"type\" : \"text\" , \"text\" : \"a\" } ] } ] , \"n\" : 1 }\n", nil, 200, nil},
		{"valid_schema", openAIPath, responseFormat("own", "true", closedSchema), nil, 200, nil},
		{"valid_loose_schema", openAIPath, responseFormat("own", "false", `{"type":"object"}`), nil, 200, nil},
		{"valid_tool", openAIPath, openAIWith(openTool + `{"type":"function","function":{"name":"own"}}`), nil, 200, nil},
		{"valid_json_object", openAIPath, openAIWith(`"response_format":{"type":"json_object"}`), nil, 200, nil},

		{"extra", openAIPath, openAIWith(`"top_k":1`), nil, 400, []string{"Unrecognized request argument supplied: top_k"}},
		{"extra_system", openAIPath, openAIWith(`"system":"Be brief."`), nil, 400, []string{"Unrecognized request argument supplied: system"}},
		{"extra_within", openAIPath, `{"model":"m","messages":[{"role":"user","content":"a","cache_control":{}}]}`, nil, 400, []string{"Unknown parameter: 'messages[0].cache_control'.", `"unknown_parameter"`, `"param":"messages[0].cache_control"`}},
		{"misplaced_strict", openAIPath, openAIWith(`"response_format":{"type":"json_schema","strict":true,"json_schema":{"name":"own"}}`), nil, 400, []string{"response_format.strict"}},
		{"missing_model", openAIPath, `{"messages":[{"role":"user","content":"a"}]}`, nil, 400, []string{"Missing required parameter: 'model'", "missing_required_parameter"}},
		{"missing_role", openAIPath, `{"model":"m","messages":[{"content":"a"}]}`, nil, 400, []string{"messages[0].role"}},
		{"missing_schema_name", openAIPath, openAIWith(`"response_format":{"type":"json_schema","json_schema":{"schema":{}}}`), nil, 400, []string{"response_format.json_schema.name"}},
		{"empty_messages", openAIPath, `{"model":"m","messages":[]}`, nil, 400, []string{"Invalid 'messages': empty array"}},
		{"wrong_type", openAIPath, openAIWith(`"temperature":"0"`), nil, 400, []string{"Invalid type for 'temperature': expected a decimal, but got a string instead.", "invalid_type"}},
		{"wrong_role", openAIPath, `{"model":"m","messages":[{"role":"model","content":"a"}]}`, nil, 400, []string{"Invalid value: 'model'"}},
		{"temperature_above", openAIPath, openAIWith(`"temperature":2.5`), nil, 400, []string{"decimal_above_max_value", `"param":"temperature"`}},
		{"temperature_below", openAIPath, openAIWith(`"temperature":-0.1`), nil, 400, []string{"decimal_below_min_value"}},
		{"no_room", openAIPath, openAIWith(`"max_tokens":0`), nil, 400, []string{"integer_below_min_value"}},
		{"half_a_token", openAIPath, openAIWith(`"max_tokens":1.5`), nil, 400, []string{"expected an integer, but got a decimal"}},
		{"both_budgets", openAIPath, openAIWith(`"max_tokens":9,"max_completion_tokens":9`), nil, 400, []string{"'max_tokens' and 'max_completion_tokens'"}},
		{"long_schema_name", openAIPath, responseFormat(strings.Repeat("n", 65), "true", closedSchema), nil, 400, []string{"maximum length 64"}},
		{"open_object", openAIPath, responseFormat("own", "true", `{"type":"object","properties":{},"required":[]}`), nil, 400, []string{"Invalid schema for response_format 'own': In context=(), 'additionalProperties' is required to be supplied and to be false."}},
		{"optional_property", openAIPath, responseFormat("own", "true", `{"type":"object","properties":{"a":{"type":"string"}},"required":[],"additionalProperties":false}`), nil, 400, []string{"Missing 'a'"}},
		{"bounds", openAIPath, responseFormat("own", "true", property(`{"type":"integer","minimum":1}`)), nil, 400, []string{"In context=('properties', 'score'), 'minimum' is not permitted."}},
		{"reference", openAIPath, responseFormat("own", "true", property(`{"type":"array","items":{"$ref":"#"}}`)), nil, 400, []string{"'properties', 'score', 'items'), '$ref' is not permitted"}},
		{"unknown_type", openAIPath, responseFormat("own", "true", property(`{"type":"float"}`)), nil, 400, []string{"'float'"}},
		{"not_an_object", openAIPath, responseFormat("own", "true", `{"type":"string"}`), nil, 400, []string{`got 'type: \"string\"'`}},
		{"missing_tool", openAIPath, openAIWith(openTool + `{"type":"function","function":{"name":"other"}}`), nil, 400, []string{"no function named 'other'", `"tool_choice"`}},
		{"anthropic_tool_choice", openAIPath, openAIWith(openTool + `{"type":"tool","name":"own"}`), nil, 400, []string{"Invalid value: 'tool'"}},
		{"no_word_json", openAIPath, `{"model":"m","messages":[{"role":"user","content":"Hello"}],"response_format":{"type":"json_object"}}`, nil, 400, []string{"must contain the word 'json'"}},
		{"content_type", openAIPath, openAIWith(`"n":1`), []string{"Content-Type", "text/plain"}, 400, []string{"Content-Type"}},
		{"no_content_type", openAIPath, openAIWith(`"n":1`), []string{"Content-Type", ""}, 400, []string{"Content-Type"}},
		{"anthropic_key", openAIPath, openAIWith(`"n":1`), []string{"X-Api-Key", "k"}, 401, []string{"invalid_api_key"}},

		{"valid", anthropicPath, anthropicWith(`"temperature":1,"stop_sequences":["x"],"thinking":{"type":"adaptive"}`), nil, 200, nil},
		{"valid_blocks", anthropicPath, `{"model":"m","max_tokens":9,"system":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":[{"type":"text","text":"a"}]}]}`, nil, 200, nil},
		{"valid_schema", anthropicPath, claudeFormat(closedSchema), nil, 200, nil},
		{"valid_tool", anthropicPath, anthropicWith(claudeTool + `{"type":"tool","name":"own"}`), nil, 200, nil},

		{"extra", anthropicPath, anthropicWith(`"response_format":{"type":"json_object"}`), nil, 400, []string{`"type":"error"`, `"invalid_request_error"`, "response_format: Extra inputs are not permitted"}},
		{"extra_within", anthropicPath, `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"a","name":"b"}]}`, nil, 400, []string{"messages.0.name: Extra inputs are not permitted"}},
		{"max_tokens_missing", anthropicPath, `{"model":"m","messages":[{"role":"user","content":"a"}]}`, nil, 400, []string{"max_tokens: Field required"}},
		{"empty_messages", anthropicPath, `{"model":"m","max_tokens":9,"messages":[]}`, nil, 400, []string{"messages: at least 1 message is required"}},
		{"system_message", anthropicPath, `{"model":"m","max_tokens":9,"messages":[{"role":"system","content":"a"},{"role":"user","content":"b"}]}`, nil, 400, []string{`Unexpected role \"system\"`}},
		{"wrong_role", anthropicPath, `{"model":"m","max_tokens":9,"messages":[{"role":"developer","content":"a"}]}`, nil, 400, []string{"messages.0.role: Input should be 'user', 'assistant'"}},
		{"assistant_first", anthropicPath, `{"model":"m","max_tokens":9,"messages":[{"role":"assistant","content":"a"},{"role":"user","content":"b"}]}`, nil, 400, []string{"first message"}},
		{"prefill", anthropicPath, `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"{"}]}`, nil, 400, []string{"prefill"}},
		{"blank_message", anthropicPath, `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":""}]}`, nil, 400, []string{"must be non-empty"}},
		{"temperature_above", anthropicPath, anthropicWith(`"temperature":1.5`), nil, 400, []string{"temperature: Input should be less than or equal to 1"}},
		{"wrong_type", anthropicPath, anthropicWith(`"stop_sequences":"x"`), nil, 400, []string{"stop_sequences: Input should be a valid list"}},
		{"open_object", anthropicPath, claudeFormat(`{"type":"object"}`), nil, 400, []string{"output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false"}},
		{"bounds", anthropicPath, claudeFormat(property(`{"type":"integer","maximum":5}`)), nil, 400, []string{"'maximum' is not supported"}},
		{"missing_tool", anthropicPath, anthropicWith(claudeTool + `{"type":"tool","name":"other"}`), nil, 400, []string{"Tool 'other' not found"}},
		{"strict_tool", anthropicPath, anthropicWith(`"tools":[{"name":"own","strict":true,"input_schema":{"type":"object"}}],"tool_choice":{"type":"any"}`), nil, 400, []string{"tools.0.custom.input_schema"}},
		{"no_version", anthropicPath, helloClaude, []string{"Anthropic-Version", ""}, 400, []string{"anthropic-version: header is required"}},
		{"content_type", anthropicPath, helloClaude, []string{"Content-Type", "text/plain"}, 400, []string{"content-type"}},
		{"openai_key", anthropicPath, helloClaude, []string{"Authorization", "Bearer k"}, 401, []string{"authentication_error"}},
		{"no_json", anthropicPath, "hello", nil, 400, []string{"invalid_request_error"}},

		{"other_path", "/v1/responses", openAIWith(`"n":1`), nil, 404, []string{"unknown_url"}},
	} {
		t.Run(tt.name+strings.ReplaceAll(tt.path, "/", "_"), func(t *testing.T) {
			s := newServer(t)
			resp, body := send(t, s, tt.path, tt.body, tt.header...)
			if resp.StatusCode != tt.status {
				t.Errorf("status %d, want %d: %s", resp.StatusCode, tt.status, body)
			}
			for _, words := range tt.says {
				if !strings.Contains(body, words) {
					t.Errorf("%s lacks %s", body, words)
				}
			}
			if refused := s.Requests()[0].Played.Kind == "refused"; refused != (tt.status != 200) {
				t.Errorf("played %+v", s.Requests()[0].Played)
			}
		})
	}
}

func TestALenientServerTakesWhatOthersRefuse(t *testing.T) {
	s := newServer(t, judgetest.WithLenient())
	for _, tt := range []struct {
		path, body string
		header     []string
	}{
		{openAIPath, openAIWith(`"top_k":1,"temperature":9`), []string{"Content-Type", "text/plain"}},
		{openAIPath, responseFormat("own", "true", `{"type":"object"}`), []string{"X-Api-Key", "k"}},
		{anthropicPath, `{"model":"m","messages":[{"role":"system","content":""}]}`, []string{"Anthropic-Version", ""}},
	} {
		if resp, body := send(t, s, tt.path, tt.body, tt.header...); resp.StatusCode != 200 {
			t.Errorf("%s: status %d, %s", tt.body, resp.StatusCode, body)
		}
	}
	if resp, _ := send(t, s, openAIPath, "hello"); resp.StatusCode != 400 {
		t.Errorf("status %d for what is no JSON", resp.StatusCode)
	}
}

func TestTheKeyIsWhereTheFormatHasIt(t *testing.T) {
	s := newServer(t, judgetest.WithAPIKey("k"))
	for _, tt := range []struct {
		path, name, value string
		status            int
	}{
		{openAIPath, "Authorization", "Bearer k", 200},
		{openAIPath, "Api-Key", "k", 200},
		{openAIPath, "X-Api-Key", "k", 401},
		{anthropicPath, "X-Api-Key", "k", 200},
		{anthropicPath, "X-Api-Key", "other", 401},
		{anthropicPath, "Authorization", "Bearer k", 401},
		{anthropicPath, "X-Other", "", 401},
	} {
		body := hello
		if tt.path == anthropicPath {
			body = helloClaude
		}
		if resp, b := send(t, s, tt.path, body, tt.name, tt.value); resp.StatusCode != tt.status {
			t.Errorf("%s with %s %s: status %d, want %d: %s", tt.path, tt.name, tt.value, resp.StatusCode, tt.status, b)
		}
	}
}

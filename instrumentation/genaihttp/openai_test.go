package genaihttp

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/instrumentation"
)

func TestOpenAIMatches(t *testing.T) {
	tests := []struct {
		method, url, contentType string
		want                     bool
	}{
		{"POST", "https://api.openai.com/v1/chat/completions", "application/json", true},
		{"POST", "https://api.openai.com/v1/chat/completions/", "application/json; charset=utf-8", true},
		{"POST", "https://api.deepseek.com/chat/completions", "", true},
		{"POST", "https://x.openai.azure.com/openai/deployments/gpt/chat/completions?api-version=1", "application/json", true},
		{"POST", "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions", "Application/JSON", true},
		{"POST", "https://api.openai.com/v1/completions", "application/json", false},
		{"POST", "https://api.openai.com/v1/mychat/completions", "application/json", false},
		{"POST", "https://api.openai.com/v1/chat/completions", "multipart/form-data", false},
		{"GET", "https://api.openai.com/v1/chat/completions", "", false},
		{"", "https://api.openai.com/v1/chat/completions", "", false},
	}
	for _, tt := range tests {
		u, err := url.Parse(tt.url)
		if err != nil {
			t.Fatal(err)
		}
		r := &http.Request{Method: tt.method, URL: u, Header: http.Header{"Content-Type": {tt.contentType}}}
		if got := (openAI{}).matches(r); got != tt.want {
			t.Errorf("%s %s (%s): %t, want %t", tt.method, tt.url, tt.contentType, got, tt.want)
		}
	}
	if match(&http.Request{Method: "POST"}) != nil {
		t.Error("a request without a URL matches")
	}
}

// request reads a request's body.
func request(body string) instrumentation.Inference {
	var i instrumentation.Inference
	readOpenAIRequest(content{json: []byte(body)}, &i)
	return i
}

func TestOpenAIRequestParameters(t *testing.T) {
	got := request(`{
		"model": "gpt-5", "stream": true, "temperature": 0.5, "top_p": 0.9, "top_k": 40,
		"frequency_penalty": -1, "presence_penalty": 1, "max_tokens": 10, "max_completion_tokens": 20,
		"seed": 7, "n": 2, "stop": ["a", "b", 3], "response_format": {"type": "json_schema", "json_schema": {}},
		"modalities": ["text", "audio"],
		"tools": [
			{"type": "function", "function": {"name": "f", "description": "does f", "parameters": {"type": "object"}}},
			{"type": "custom", "custom": {"name": "c", "description": "does c"}},
			{"type": "web_search"}],
		"functions": [{"name": "old", "parameters": null}],
		"metadata": {"model": "not this"}
	}`)
	number := func(f float64) *float64 { return &f }
	whole := func(i int) *int { return &i }
	want := instrumentation.Inference{
		Model: "gpt-5", Stream: true, Temperature: number(0.5), TopP: number(0.9), TopK: number(40),
		FrequencyPenalty: number(-1), PresencePenalty: number(1), MaxTokens: whole(20),
		Seed: whole(7), ChoiceCount: whole(2), StopSequences: []string{"a", "b"}, OutputType: "json",
		Tools: []instrumentation.ToolDefinition{
			{Type: "function", Name: "f", Description: "does f", Parameters: json.RawMessage(`{"type": "object"}`)},
			{Type: "custom", Name: "c", Description: "does c"},
			{Type: "web_search", Name: "web_search"},
			{Type: "function", Name: "old"},
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestOpenAIRequestParametersOfTheWrongType(t *testing.T) {
	got := request(`{"model": 5, "messages": "hi", "stream": "yes", "temperature": "hot", "max_tokens": 1.5,
		"seed": [], "n": {}, "stop": "end", "response_format": "json", "modalities": "audio", "tools": {}, "functions": 1}`)
	want := instrumentation.Inference{StopSequences: []string{"end"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for _, body := range []string{"", "null", "[]", `"text"`, "5", "{", `{"model`, "\x00"} {
		if d := cmp.Diff(instrumentation.Inference{}, request(body)); d != "" {
			t.Errorf("%q: %s", body, d)
		}
	}
	if got := request(`{"model":"m","messages":[{"role":"user","con`).Model; got != "m" {
		t.Errorf("model of a request that breaks off = %q, want m", got)
	}
	for modality, want := range map[string]string{"audio": "speech", "image": "image", "text": ""} {
		if got := request(`{"modalities":["` + modality + `"]}`).OutputType; got != want {
			t.Errorf("output type of %s = %q, want %q", modality, got, want)
		}
	}
}

func TestOpenAIMessages(t *testing.T) {
	text, reasoning := instrumentation.Text, instrumentation.Reasoning
	image := "data:image/png;base64," + strings.Repeat("QUJD", 100)
	tests := map[string]struct {
		message string
		role    string
		parts   []instrumentation.Part
	}{
		"text":      {`{"role":"user","content":"hi"}`, "user", []instrumentation.Part{text("hi")}},
		"system":    {`{"role":"system","content":"be kind"}`, "system", []instrumentation.Part{text("be kind")}},
		"developer": {`{"role":"developer","content":"be kind"}`, "system", []instrumentation.Part{text("be kind")}},
		"parts": {`{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":""},"b",{"text":"c"}]}`, "user",
			[]instrumentation.Part{text("a"), text("b"), text("c")}},
		"one part":    {`{"role":"user","content":{"type":"text","text":"a"}}`, "user", []instrumentation.Part{text("a")}},
		"no content":  {`{"role":"assistant","content":null}`, "assistant", nil},
		"escapes":     {`{"role":"user","content":"a\n\"b\" \u00e9 \ud83d\ude00"}`, "user", []instrumentation.Part{text("a\n\"b\" é 😀")}},
		"not UTF-8":   {"{\"role\":\"user\",\"content\":\"a\xffb\"}", "user", []instrumentation.Part{text("a\uFFFDb")}},
		"image":       {`{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://x/y.png","detail":"low"}}]}`, "user", []instrumentation.Part{instrumentation.URI("image", "", "https://x/y.png")}},
		"image, flat": {`{"role":"user","content":[{"type":"image_url","image_url":"https://x/y.png"}]}`, "user", []instrumentation.Part{instrumentation.URI("image", "", "https://x/y.png")}},
		"image, here": {`{"role":"user","content":[{"type":"image_url","image_url":{"url":"` + image + `"}}]}`, "user", []instrumentation.Part{instrumentation.Blob("image", "image/png", 300)}},
		"image, escaped": {`{"role":"user","content":[{"type":"image_url","image_url":{"url":"DATA:image\/svg+xml,%3Csvg%3E"}}]}`, "user",
			[]instrumentation.Part{instrumentation.Blob("image", "image/svg+xml", 5)}},
		"video": {`{"role":"user","content":[{"type":"video_url","video_url":{"url":"https://x/y.mp4"}}]}`, "user", []instrumentation.Part{instrumentation.URI("video", "", "https://x/y.mp4")}},
		"sound": {`{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"QUI=","format":"mp3"}}]}`, "user", []instrumentation.Part{instrumentation.Blob("audio", "audio/mpeg", 2)}},
		"file":  {`{"role":"user","content":[{"type":"file","file":{"file_id":"file-1","filename":"a.pdf"}}]}`, "user", []instrumentation.Part{instrumentation.File("document", "", "file-1")}},
		"file, here": {`{"role":"user","content":[{"type":"file","file":{"file_data":"data:application/pdf;base64,QQ=="}},{"type":"file","file":{"file_data":"QUJD"}}]}`, "user",
			[]instrumentation.Part{instrumentation.Blob("document", "application/pdf", 1), instrumentation.Blob("document", "", 3)}},
		"unknown part": {`{"role":"user","content":[{"type":"hologram","x":[1,{"y":"]"}]}]}`, "user",
			[]instrumentation.Part{instrumentation.Raw("hologram", json.RawMessage(`{"type":"hologram","x":[1,{"y":"]"}]}`))}},
		"tool calls": {`{"role":"assistant","content":"","tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}},{"id":"2","type":"custom","custom":{"name":"g","input":"free text"}},{"id":"3","function":{"name":"h","arguments":{"b":2}}},{"id":"4","function":{"name":"i","arguments":""}}]}`, "assistant",
			[]instrumentation.Part{
				instrumentation.ToolCall("1", "f", `{"a":1}`), instrumentation.ToolCall("2", "g", "free text"),
				instrumentation.ToolCall("3", "h", `{"b":2}`), instrumentation.ToolCall("4", "i", nil),
			}},
		"function call": {`{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}}`, "assistant", []instrumentation.Part{instrumentation.ToolCall("", "f", "{}")}},
		"no function":   {`{"role":"assistant","content":"x","function_call":null}`, "assistant", []instrumentation.Part{text("x")}},
		"tool": {`{"role":"tool","tool_call_id":"1","content":[{"type":"text","text":"12"},{"type":"text","text":"degrees"}]}`, "tool",
			[]instrumentation.Part{instrumentation.ToolResponse("1", "12\ndegrees")}},
		"tool, JSON": {`{"role":"tool","tool_call_id":"1","content":"{\"t\":12}"}`, "tool", []instrumentation.Part{instrumentation.ToolResponse("1", `{"t":12}`)}},
		"function":   {`{"role":"function","name":"f","content":"12"}`, "function", []instrumentation.Part{{Type: instrumentation.PartToolResponse, Name: "f", Value: json.RawMessage("12")}}},
		"thinking": {`{"role":"assistant","reasoning_content":"hm","reasoning":"hm","content":[{"type":"thinking","thinking":[{"type":"text","text":"well"}]},{"type":"text","text":"yes"}]}`, "assistant",
			[]instrumentation.Part{reasoning("hm"), reasoning("well"), text("yes")}},
		"refusal":       {`{"role":"assistant","content":null,"refusal":"I cannot"}`, "assistant", []instrumentation.Part{text("I cannot")}},
		"refusal part":  {`{"role":"assistant","content":[{"type":"refusal","refusal":"no"}]}`, "assistant", []instrumentation.Part{text("no")}},
		"earlier audio": {`{"role":"assistant","audio":{"id":"audio_1"}}`, "assistant", []instrumentation.Part{instrumentation.File("audio", "", "audio_1")}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			input := request(`{"messages":[` + tt.message + `]}`).Input
			if len(input) != 1 {
				t.Fatalf("input = %v", input)
			}
			if input[0].Role != tt.role {
				t.Errorf("role = %q, want %q", input[0].Role, tt.role)
			}
			if d := cmp.Diff(tt.parts, input[0].Parts); d != "" {
				t.Error(d)
			}
		})
	}
	if got := request(`{"messages":[1,"x",null,{},[],{"role":"user","content":"ok"}]}`).Input; len(got) != 1 {
		t.Errorf("input = %v, want the one message", got)
	}
}

func TestDeployment(t *testing.T) {
	for path, want := range map[string]string{
		"/openai/deployments/gpt-4o/chat/completions": "gpt-4o",
		"/v1/chat/completions":                        "",
		"/openai/deployments/gpt-4o":                  "",
	} {
		if got := deployment(path); got != want {
			t.Errorf("deployment(%q) = %q, want %q", path, got, want)
		}
	}
}

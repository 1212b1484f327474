package genaihttp

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/genaievals/genaievals/instrumentation"
)

var compareAnswers = []cmp.Option{cmp.AllowUnexported(answer{}), cmpopts.EquateEmpty()}

func document(body string) answer {
	r := openAI{}.newReply(200, DefaultMaxBody)
	r.document([]byte(body))
	return r.answer()
}

func stream(events ...string) answer {
	r := openAI{}.newReply(200, DefaultMaxBody)
	for _, e := range events {
		r.event("", []byte(e))
	}
	return r.answer()
}

// say is a message as an assistant's output.
func say(finish string, parts ...instrumentation.Part) instrumentation.Message {
	return instrumentation.Message{Role: "assistant", Parts: parts, FinishReason: finish}
}

func TestOpenAIDocuments(t *testing.T) {
	text := instrumentation.Text
	tests := map[string]struct {
		body string
		want answer
	}{
		"all there is": {
			`{"id":"c1","model":"m","choices":[
				{"index":1,"message":{"role":"assistant","content":"B"},"finish_reason":"length"},
				{"index":0,"message":{"role":"assistant","reasoning_content":"hm","content":"A","refusal":null,"tool_calls":[
					{"id":"t","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}]},"finish_reason":"tool_calls"}],
			"usage":{"prompt_tokens":100,"completion_tokens":50,"total_tokens":150,
				"prompt_tokens_details":{"cached_tokens":80},"completion_tokens_details":{"reasoning_tokens":30}}}`,
			answer{
				id: "c1", model: "m", finishReasons: []string{"tool_calls", "length"}, finished: true,
				choices: []instrumentation.Message{
					say("tool_calls", instrumentation.Reasoning("hm"), text("A"), instrumentation.ToolCall("t", "f", `{"x":1}`)),
					say("length", text("B")),
				},
				usage: instrumentation.Usage{InputTokens: 100, OutputTokens: 50, CacheReadTokens: 80, ReasoningTokens: 30},
			},
		},
		"no indexes": {
			`{"choices":[{"message":{"content":"A"}},{"message":{"content":"B"}}]}`,
			answer{choices: []instrumentation.Message{say("", text("A")), say("", text("B"))}},
		},
		"content in parts": {
			`{"choices":[{"message":{"content":[{"type":"text","text":"A"}]},"finish_reason":"stop"}]}`,
			answer{choices: []instrumentation.Message{say("stop", text("A"))}, finishReasons: []string{"stop"}, finished: true},
		},
		"sound": {
			`{"choices":[{"message":{"content":null,"audio":{"id":"a","data":"QUJD","transcript":"A"}}}]}`,
			answer{choices: []instrumentation.Message{say("", text("A"), instrumentation.Blob("audio", "", 3))}},
		},
		"pictures": {
			`{"choices":[{"message":{"content":"see","images":[{"type":"image_url","image_url":{"url":"data:image/png;base64,QUJD"}}]}}]}`,
			answer{choices: []instrumentation.Message{say("", text("see"), instrumentation.Blob("image", "image/png", 3))}},
		},
		"broken off":    {`{"id":"c1","model":"m","choices":[{"mess`, answer{id: "c1", model: "m"}},
		"more after it": {`{"id":"c1"}{"id":"c2"}`, answer{id: "c1"}},
		"wrong types": {
			`{"id":7,"model":[],"choices":[1,null,"x",{"index":"1","message":"hi","finish_reason":4}],"usage":[1]}`,
			answer{choices: []instrumentation.Message{say(""), say(""), say("")}},
		},
		"choices are not a list": {`{"id":"c1","choices":{"0":{}}}`, answer{id: "c1"}},
		"not an object":          {`"hello"`, answer{}},
		"nothing":                {``, answer{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, document(tt.body), compareAnswers...); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestOpenAIUsage(t *testing.T) {
	tests := map[string]struct {
		usage string
		want  instrumentation.Usage
	}{
		"reasoning inside":  {`{"prompt_tokens":1,"completion_tokens":400,"total_tokens":401,"completion_tokens_details":{"reasoning_tokens":386}}`, instrumentation.Usage{InputTokens: 1, OutputTokens: 400, ReasoningTokens: 386}},
		"reasoning beside":  {`{"prompt_tokens":12,"completion_tokens":1,"total_tokens":399,"completion_tokens_details":{"reasoning_tokens":386}}`, instrumentation.Usage{InputTokens: 12, OutputTokens: 387, ReasoningTokens: 386}},
		"DeepSeek's cache":  {`{"prompt_tokens":10,"completion_tokens":1,"prompt_cache_hit_tokens":8,"prompt_cache_miss_tokens":2}`, instrumentation.Usage{InputTokens: 10, OutputTokens: 1, CacheReadTokens: 8}},
		"written to cache":  {`{"prompt_tokens":10,"prompt_tokens_details":{"cached_tokens":1,"cache_write_tokens":5}}`, instrumentation.Usage{InputTokens: 10, CacheReadTokens: 1, CacheWriteTokens: 5}},
		"numbers as text":   {`{"prompt_tokens":"10","completion_tokens":2.0}`, instrumentation.Usage{InputTokens: 10, OutputTokens: 2}},
		"negative, too big": {`{"prompt_tokens":-5,"completion_tokens":1e300}`, instrumentation.Usage{}},
		"null":              {`null`, instrumentation.Usage{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, document(`{"usage":`+tt.usage+`}`).usage); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestOpenAIStreams(t *testing.T) {
	text := instrumentation.Text
	call := instrumentation.ToolCall
	delta := func(index int, d string) string {
		return fmt.Sprintf(`{"choices":[{"index":%d,"delta":%s}]}`, index, d)
	}
	finish := func(index int, reason string) string {
		return fmt.Sprintf(`{"choices":[{"index":%d,"delta":{},"finish_reason":%q}]}`, index, reason)
	}
	tests := map[string]struct {
		events   []string
		want     []instrumentation.Message
		finished bool
	}{
		"text": {
			[]string{delta(0, `{"role":"assistant","content":""}`), delta(0, `{"content":"Hel"}`), delta(0, `{"content":"lo"}`), finish(0, "stop"), "[DONE]"},
			[]instrumentation.Message{say("stop", text("Hello"))}, true,
		},
		"choices interleaved": {
			[]string{delta(1, `{"content":"b"}`), delta(0, `{"content":"a"}`), delta(1, `{"content":"B"}`), finish(1, "stop"), delta(0, `{"content":"A"}`)},
			[]instrumentation.Message{say("", text("aA")), say("stop", text("bB"))}, false,
		},
		"thinking, then refusal": {
			[]string{delta(0, `{"reasoning":"h"}`), delta(0, `{"reasoning_content":"m"}`), delta(0, `{"refusal":"I can"}`), delta(0, `{"refusal":"not"}`)},
			[]instrumentation.Message{say("", instrumentation.Reasoning("hm"), text("I cannot"))}, false,
		},
		"content in parts": {
			[]string{delta(0, `{"content":[{"type":"thinking","thinking":[{"type":"text","text":"h"}]}]}`), delta(0, `{"content":[{"type":"text","text":"A"},{"type":"reference","ids":[1]}]}`)},
			[]instrumentation.Message{say("", instrumentation.Reasoning("h"), text("A"), instrumentation.Raw("reference", []byte(`{"type":"reference","ids":[1]}`)))}, false,
		},
		"tool calls by index": {
			[]string{
				delta(0, `{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}]}`),
				delta(0, `{"tool_calls":[{"index":0,"function":{"arguments":"{\"x\""}},{"index":1,"id":"b","function":{"name":"g","arguments":"{"}}]}`),
				delta(0, `{"tool_calls":[{"index":1,"function":{"arguments":"}"}},{"index":0,"function":{"arguments":":1}"}}]}`),
				finish(0, "tool_calls"),
			},
			[]instrumentation.Message{say("tool_calls", call("a", "f", `{"x":1}`), call("b", "g", `{}`))}, true,
		},
		"tool calls without index": {
			[]string{
				delta(0, `{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}},{"id":"b","function":{"name":"f","arguments":"[]"}}]}`),
				delta(0, `{"tool_calls":[{"id":"c","function":{"name":"f","arguments":"{"}}]}`), delta(0, `{"tool_calls":[{"function":{"arguments":"}"}}]}`),
			},
			[]instrumentation.Message{say("", call("a", "f", `{}`), call("b", "f", `[]`), call("c", "f", `{}`))}, false,
		},
		"tool calls without index and id": {
			[]string{delta(0, `{"tool_calls":[{"function":{"name":"f","arguments":"1"}}]}`), delta(0, `{"tool_calls":[{"function":{"name":"f","arguments":"2"}}]}`)},
			[]instrumentation.Message{say("", call("", "f", `1`), call("", "f", `2`))}, false,
		},
		"tool calls all of index 0": {
			[]string{delta(0, `{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"1"}}]}`), delta(0, `{"tool_calls":[{"index":0,"id":"b","function":{"name":"f","arguments":"2"}}]}`)},
			[]instrumentation.Message{say("", call("a", "f", `1`), call("b", "f", `2`))}, false,
		},
		"tool call with a new id in every piece": {
			[]string{delta(0, `{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}]}`), delta(0, `{"tool_calls":[{"index":0,"id":"b","function":{"arguments":"}"}}]}`)},
			[]instrumentation.Message{say("", call("a", "f", `{}`))}, false,
		},
		"function call": {
			[]string{delta(0, `{"function_call":{"name":"f","arguments":"{"}}`), delta(0, `{"function_call":{"arguments":"}"}}`)},
			[]instrumentation.Message{say("", call("", "f", `{}`))}, false,
		},
		"sound": {
			[]string{delta(0, `{"audio":{"id":"a","transcript":"A"}}`), delta(0, `{"audio":{"data":"QUJD"}}`), delta(0, `{"audio":{"data":"QUI=","transcript":"B"}}`)},
			[]instrumentation.Message{say("", text("AB"), instrumentation.Blob("audio", "", 5))}, false,
		},
		"a whole answer as an event": {
			[]string{`{"choices":[{"message":{"role":"assistant","content":"A"},"finish_reason":"stop"}]}`},
			[]instrumentation.Message{say("stop", text("A"))}, true,
		},
		"huge and negative indexes": {
			[]string{delta(0, `{"content":"0"}`), `{"choices":[{"index":9223372036854775807,"delta":{"content":"h"}}]}`, delta(-5, `{"content":"n"}`),
				delta(0, `{"tool_calls":[{"index":9000000000000000000,"id":"a","function":{"name":"f","arguments":"{}"}}]}`)},
			[]instrumentation.Message{say("", text("n")), say("", text("0"), call("a", "f", `{}`)), say("", text("h"))}, false,
		},
		"rubbish in between": {
			[]string{"", "{", "null", "5", `"x"`, "[]", `{"choices":5}`, `{"choices":[5]}`, delta(0, `5`), delta(0, `{"content":5,"tool_calls":"x","role":[]}`), delta(0, `{"content":"A"}`)},
			[]instrumentation.Message{say("", text("A"))}, false,
		},
		"after [DONE]": {
			[]string{delta(0, `{"content":"A"}`), "[DONE]", delta(0, `{"content":"B"}`)},
			[]instrumentation.Message{say("", text("A"))}, true,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := stream(tt.events...)
			if d := cmp.Diff(tt.want, got.choices, compareAnswers...); d != "" {
				t.Error(d)
			}
			if got.finished != tt.finished {
				t.Errorf("finished = %t", got.finished)
			}
		})
	}
}

func TestOpenAIStreamHead(t *testing.T) {
	got := stream(
		`{"id":"","model":"","choices":[],"prompt_filter_results":[{}]}`, // Azure's first
		`{"id":"c1","model":"m","choices":[{"delta":{"content":"A"}}],"usage":{"prompt_tokens":3,"completion_tokens":1}}`,
		`{"id":"c2","model":"m2","choices":[{"delta":{},"finish_reason":"stop"}],"usage":null}`,
		`{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2}}`,
		"[DONE]")
	want := answer{id: "c1", model: "m", choices: []instrumentation.Message{say("stop", instrumentation.Text("A"))},
		finishReasons: []string{"stop"}, usage: instrumentation.Usage{InputTokens: 3, OutputTokens: 2}, finished: true}
	if d := cmp.Diff(want, got, compareAnswers...); d != "" {
		t.Error(d)
	}
	groq := stream(`{"id":"c1","x_groq":{"id":"r","usage":{"prompt_tokens":3,"completion_tokens":2}},"choices":[]}`)
	if groq.usage.InputTokens != 3 {
		t.Errorf("usage = %v", groq.usage)
	}
}

func TestOnlyContentIsAChunk(t *testing.T) {
	r := openAI{}.newReply(200, DefaultMaxBody)
	for event, want := range map[string]eventKind{
		`{"choices":[{"delta":{"role":"assistant","content":""}}]}`:                  eventOther,
		`{"choices":[{"delta":{"content":"A"}}]}`:                                    eventContent,
		`{"choices":[{"delta":{"reasoning":"A"}}]}`:                                  eventContent,
		`{"choices":[{"delta":{"refusal":"A"}}]}`:                                    eventContent,
		`{"choices":[{"delta":{"tool_calls":[{"index":0}]}}]}`:                       eventContent,
		`{"choices":[{"delta":{"audio":{"data":"QQ=="}}}]}`:                          eventContent,
		`{"choices":[{"delta":{"content":[{"type":"image_url","image_url":"u"}]}}]}`: eventContent,
		`{"choices":[{"delta":{},"finish_reason":"stop"}]}`:                          eventOther,
		`{"choices":[],"usage":{}}`:                                                  eventOther,
		`{"choices":[`:                                                               unread,
		`ping`:                                                                       unread,
	} {
		if got := r.event("", []byte(event)); got != want {
			t.Errorf("%s: %d, want %d", event, got, want)
		}
	}
}

func TestHostileRepliesAreBounded(t *testing.T) {
	const limit = 1 << 16
	many := func(s string) string { return strings.Repeat(s+",", limit/2/(len(s)+1)) + s }
	long := strings.Repeat("L", limit/2)
	hostile := map[string]func(i int) string{
		"choices":         func(i int) string { return fmt.Sprintf(`{"choices":[{"index":%d,"delta":{"content":"x"}}]}`, i) },
		"choices at once": func(int) string { return `{"choices":[` + many(`{}`) + `]}` },
		"text":            func(int) string { return `{"choices":[{"delta":{"content":"` + long + `"}}]}` },
		"messages":        func(i int) string { return fmt.Sprintf(`{"choices":[{"index":%d,"message":{"content":%q}}]}`, i, long) },
		"calls": func(i int) string {
			return fmt.Sprintf(`{"choices":[{"delta":{"tool_calls":[{"index":%d,"id":%q}]}}]}`, i, long)
		},
		"calls at once": func(int) string { return `{"choices":[{"delta":{"tool_calls":[` + many(`{}`) + `]}}]}` },
		"parts":         func(int) string { return `{"choices":[{"delta":{"content":[` + many(`{"type":"q"}`) + `]}}]}` },
		"long parts":    func(int) string { return `{"choices":[{"delta":{"content":[{"type":"q","q":"` + long + `"}]}}]}` },
		"roles, reasons": func(i int) string {
			return fmt.Sprintf(`{"choices":[{"index":%d,"finish_reason":%q,"delta":{"role":%q}}]}`, i, long, long)
		},
		"ids": func(int) string { return `{"id":"` + long + `","model":"` + long + `"}` },
	}
	for name, event := range hostile {
		t.Run(name, func(t *testing.T) {
			r := openAI{}.newReply(200, limit)
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			for i := range 150 {
				r.event("", []byte(event(i)))
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 8*limit {
				t.Errorf("holds %d bytes after 150 events, bound %d", grown, limit)
			}
			runtime.KeepAlive(r)
		})
	}
}

func TestOpenAIErrors(t *testing.T) {
	tests := map[string]struct {
		status int
		body   string
		want   string // error.type; empty: no error
	}{
		"OpenAI, code":       {429, `{"error":{"message":"m","type":"requests","param":null,"code":"rate_limit_exceeded"}}`, "rate_limit_exceeded"},
		"OpenAI, no code":    {400, `{"error":{"message":"m","type":"invalid_request_error","param":null,"code":null}}`, "invalid_request_error"},
		"Azure":              {404, `{"error":{"code":"DeploymentNotFound","message":"m"}}`, "DeploymentNotFound"},
		"Azure, number":      {404, `{"error":{"code":"404","message":"Resource not found"}}`, "404"},
		"Azure, filtered":    {400, `{"error":{"code":"content_filter","innererror":{"code":"ResponsibleAIPolicyViolation"}}}`, "content_filter"},
		"API gateway":        {401, `{"statusCode":401,"message":"Access denied"}`, "401"},
		"Gemini":             {429, `[{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED"}}]`, "RESOURCE_EXHAUSTED"},
		"Ollama":             {404, `{"error":"model 'x' not found"}`, "404"},
		"vLLM":               {400, `{"object":"error","message":"m","type":"BadRequestError","param":null,"code":400}`, "BadRequestError"},
		"LiteLLM":            {429, `{"error":{"message":"m","type":"None","param":"None","code":"429"}}`, "429"},
		"FastAPI":            {422, `{"detail":[{"loc":["body"]}]}`, "422"},
		"OAuth":              {401, `{"error":"invalid_token","error_description":"m"}`, "invalid_token"},
		"page":               {502, `<html>502</html>`, "502"},
		"nothing":            {500, ``, "500"},
		"a code like an id":  {500, `{"error":{"code":"req_8f14e45fceea167a5a36dedd4bea2543"}}`, "500"},
		"a code like a text": {500, `{"error":{"code":"Something broke: sk-123"}}`, "500"},
		"OpenRouter":         {200, `{"error":{"code":402,"message":"m"}}`, "402"},
		"odd, well":          {200, `{"error":{"message":"m"}}`, "_OTHER"},
		"null":               {200, `{"error":null}`, ""},
		"empty":              {200, `{"error":"","choices":[]}`, ""},
		"empty object":       {200, `{"error":{}}`, ""},
		"flat, well":         {200, `{"object":"error","code":500}`, "500"},
		"no error":           {200, `{"object":"chat.completion","type":"x","code":"y"}`, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := openAI{}.newReply(tt.status, DefaultMaxBody)
			r.document([]byte(tt.body))
			got := ""
			if f := r.answer().failure; f != nil {
				got = f.Type
				if f.ErrorType() != f.Type || f.StatusCode != tt.status || strings.Contains(f.Error(), "sk-") {
					t.Errorf("error = %v", f)
				}
			}
			if got != tt.want {
				t.Errorf("error.type = %q, want %q", got, tt.want)
			}
		})
	}
}

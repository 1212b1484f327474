package judgetest_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
)

func decoded(t *testing.T, body string) map[string]any {
	t.Helper()
	var got map[string]any
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return got
}

func TestServerAnswersInTheAnthropicFormat(t *testing.T) {
	s := newServer(t, judgetest.WithAnswers("", judgetest.Text("hi there").Thought("hm").Parts().Model("m-1").
		Finish(judge.FinishLength).Usage(judge.Usage{InputTokens: 5, OutputTokens: 4, CachedTokens: 2, ReasoningTokens: 1})))
	resp, body := send(t, s, anthropicPath, helloClaude)
	want := map[string]any{
		"id": "msg_scripted", "type": "message", "role": "assistant", "model": "m-1",
		"content": []any{
			map[string]any{"type": "thinking", "thinking": "hm", "signature": "c2NyaXB0ZWQ="},
			map[string]any{"type": "text", "text": "hi t"},
			map[string]any{"type": "text", "text": "here"},
		},
		"stop_reason": "max_tokens", "stop_sequence": nil,
		"usage": map[string]any{
			"input_tokens": 3.0, "cache_read_input_tokens": 2.0, "cache_creation_input_tokens": 0.0, "output_tokens": 4.0,
			"output_tokens_details": map[string]any{"thinking_tokens": 1.0},
		},
	}
	if diff := cmp.Diff(want, decoded(t, body)); diff != "" || resp.StatusCode != 200 || resp.Header.Get("Request-Id") == "" {
		t.Errorf("status %d, %v; body (-want +got):\n%s", resp.StatusCode, resp.Header, diff)
	}
	r := s.Requests()[0]
	if r.API != judgetest.Anthropic || r.Model != "m" || r.User != "Hello" || r.MaxOutputTokens != 9 || r.Format != judge.FormatNone {
		t.Errorf("recorded %+v", r)
	}
}

// TestAForcedToolIsCalled: what the tool is given is the answer, and what is no
// input is said beside it.
func TestAForcedToolIsCalled(t *testing.T) {
	openAITool := `{"model":"m","messages":[{"role":"user","content":"a"}],"tools":[{"type":"function","function":{"name":"own","parameters":` + closedSchema + `}}],"tool_choice":{"type":"function","function":{"name":"own"}}}`
	claudeTool := `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"a"}],"tools":[{"name":"own","input_schema":` + closedSchema + `}],"tool_choice":{"type":"tool","name":"own"}}`
	for _, tt := range []struct {
		name, path, body string
		answer           judgetest.Answer
		has              []string
	}{
		{"openai", openAIPath, openAITool, judgetest.Valid(), []string{`"finish_reason":"tool_calls"`, `"content":null`, `"name":"own","arguments":"{\"reason\":\"Scripted.\",\"label\":\"fine\"}"`}},
		{"openai_prose", openAIPath, openAITool, judgetest.Text("No."), []string{`"finish_reason":"stop"`, `"content":"No."`}},
		{"openai_cut", openAIPath, openAITool, judgetest.Valid().UntilBudget(99).Finish(judge.FinishLength), []string{`"finish_reason":"length"`, `"arguments":"{`}},
		{"anthropic", anthropicPath, claudeTool, judgetest.Valid(), []string{`"stop_reason":"tool_use"`, `"type":"tool_use"`, `"name":"own","input":{"reason":"Scripted.","label":"fine"}`}},
		{"anthropic_prose", anthropicPath, claudeTool, judgetest.Text("No."), []string{`"stop_reason":"end_turn"`, `"text":"No."`}},
		{"anthropic_cut", anthropicPath, claudeTool, judgetest.Valid().UntilBudget(99), []string{`"stop_reason":"max_tokens"`, `"input":{}`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newServer(t, judgetest.WithAnswers("", tt.answer))
			_, body := send(t, s, tt.path, tt.body)
			for _, part := range tt.has {
				if !strings.Contains(body, part) {
					t.Errorf("%s lacks %s", body, part)
				}
			}
			if r := s.Requests()[0]; r.Format != judge.FormatTool || r.Question.Metric != "own" {
				t.Errorf("recorded %v, %+v", r.Format, r.Question)
			}
		})
	}
}

func TestTheFormatIsRecorded(t *testing.T) {
	for _, tt := range []struct {
		path, body string
		want       judge.Format
	}{
		{openAIPath, responseFormat("own", "true", closedSchema), judge.FormatStrictSchema},
		{openAIPath, responseFormat("own", "false", closedSchema), judge.FormatSchema},
		{openAIPath, openAIWith(`"response_format":{"type":"json_object"}`), judge.FormatJSONObject},
		{openAIPath, openAIWith(`"tools":[{"type":"function","function":{"name":"own"}}],"tool_choice":"required"`), judge.FormatTool},
		{openAIPath, openAIWith(`"tools":[{"type":"function","function":{"name":"own"}}],"tool_choice":"auto"`), judge.FormatNone},
		{openAIPath, hello, judge.FormatNone},
		{anthropicPath, anthropicWith(`"output_config":{"format":{"type":"json_schema","schema":` + closedSchema + `}}`), judge.FormatStrictSchema},
		{anthropicPath, anthropicWith(`"tools":[{"name":"own","input_schema":{}}],"tool_choice":{"type":"any"}`), judge.FormatTool},
		{anthropicPath, helloClaude, judge.FormatNone},
	} {
		s := newServer(t)
		if resp, body := send(t, s, tt.path, tt.body); resp.StatusCode != 200 || s.Requests()[0].Format != tt.want {
			t.Errorf("%s: status %d, %v, want %v: %s", tt.body, resp.StatusCode, s.Requests()[0].Format, tt.want, body)
		}
	}
}

func TestServerFailsInTheAnthropicFormat(t *testing.T) {
	for errorType, want := range map[string]struct {
		status int
		says   string
	}{
		evaluators.ErrorJudgeRateLimited:     {429, "rate_limit_error"},
		evaluators.ErrorJudgeOverloaded:      {529, "overloaded_error"},
		evaluators.ErrorJudgeUnavailable:     {502, "api_error"},
		evaluators.ErrorJudgeAuth:            {401, "authentication_error"},
		evaluators.ErrorJudgeQuota:           {402, "billing_error"},
		evaluators.ErrorJudgeModelNotFound:   {404, "not_found_error"},
		evaluators.ErrorJudgeBadRequest:      {400, "invalid_request_error"},
		evaluators.ErrorJudgeInputTooLong:    {400, "prompt is too long"},
		evaluators.ErrorJudgeContentFiltered: {400, "content filtering"},
		evaluators.ErrorJudgeRefused:         {200, `"stop_reason":"refusal"`},
		evaluators.ErrorJudgeEmptyOutput:     {200, `"content":[]`},
		evaluators.ErrorJudgeTruncated:       {200, `"stop_reason":"max_tokens"`},
		evaluators.ErrorJudgeMalformedOutput: {200, "I would rather"},
	} {
		s := newServer(t, judgetest.WithAnswers("", judgetest.Fail(errorType)))
		resp, body := send(t, s, anthropicPath, helloClaude)
		if resp.StatusCode != want.status || !strings.Contains(body, want.says) || (want.status != 200) != strings.Contains(body, `{"type":"error","error":{"type":`) {
			t.Errorf("%s: status %d, %s; want %d, %s", errorType, resp.StatusCode, body, want.status, want.says)
		}
		if p := s.Requests()[0].Played; p.Kind != "failure" || p.ErrorType != errorType {
			t.Errorf("%s: played %+v", errorType, p)
		}
	}
}

func TestServerTellsItsLimitsAsAnthropicDoes(t *testing.T) {
	s := newServer(t, judgetest.WithLimitHeaders(judgetest.HeaderRetryAfter|judgetest.HeaderRateLimits),
		judgetest.WithPolicies(judgetest.FixedWindow(1, time.Hour), judgetest.FixedWindow(1000, time.Hour).Tokens()))
	first, _ := send(t, s, anthropicPath, helloClaude)
	second, body := send(t, s, anthropicPath, helloClaude)
	if second.StatusCode != 429 || second.Header.Get("Retry-After") == "" || !strings.Contains(body, "rate_limit_error") {
		t.Errorf("status %d, %v, %s", second.StatusCode, second.Header, body)
	}
	h := first.Header
	if h.Get("Anthropic-Ratelimit-Requests-Limit") != "1" || h.Get("Anthropic-Ratelimit-Requests-Remaining") != "0" || h.Get("Anthropic-Ratelimit-Tokens-Remaining") != "880" || h.Get("X-Ratelimit-Limit-Requests") != "" {
		t.Errorf("%v", h)
	}
	if at, err := time.Parse(time.RFC3339, h.Get("Anthropic-Ratelimit-Requests-Reset")); err != nil || time.Until(at) < 59*time.Minute || time.Until(at) > time.Hour+2*time.Second {
		t.Errorf("reset %v, %v", at, err)
	}
}

// TestAFilteredFinishIsARefusal: the Anthropic format has no reason of its own
// for it.
func TestAFilteredFinishIsARefusal(t *testing.T) {
	s := newServer(t, judgetest.WithAnswers("", judgetest.FaultFilteredFinish.Answer()))
	_, body := send(t, s, anthropicPath, helloClaude)
	if p := s.Requests()[0].Played; !strings.Contains(body, `"stop_reason":"refusal"`) || p.ErrorType != evaluators.ErrorJudgeRefused {
		t.Errorf("played %+v: %s", p, body)
	}
	if send(t, s, openAIPath, hello); s.Requests()[1].Played.ErrorType != evaluators.ErrorJudgeContentFiltered {
		t.Errorf("played %+v", s.Requests()[1].Played)
	}
}

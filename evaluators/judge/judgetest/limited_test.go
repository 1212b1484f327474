package judgetest_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
)

func TestUnknownFormatsAreRefusedInTheWordsOfServers(t *testing.T) {
	s := newServer(t, judgetest.WithFormats(judge.FormatJSONObject), judgetest.WithUnsupported("seed"), judgetest.WithWordings(judgetest.Wordings()...))
	var got []string
	for range judgetest.Wordings() {
		resp, body := send(t, s, openAIPath, responseFormat("own", "true", closedSchema))
		got = append(got, body)
		if resp.StatusCode != 400 && resp.StatusCode != 422 || !strings.Contains(body, "response_format") && !strings.Contains(body, "structured-outputs") || strings.Contains(body, "%") {
			t.Errorf("status %d, %s", resp.StatusCode, body)
		}
	}
	for i, body := range got {
		for _, other := range got[:i] {
			if body == other {
				t.Errorf("said twice: %s", body)
			}
		}
	}
	for _, body := range []string{hello, openAIWith(`"response_format":{"type":"json_object"}`), helloClaude} {
		path := openAIPath
		if body == helloClaude {
			path = anthropicPath
		}
		if resp, b := send(t, s, path, body); resp.StatusCode != 200 {
			t.Errorf("status %d for what is known: %s", resp.StatusCode, b)
		}
	}
	for _, param := range []string{"native", "value"} {
		if resp, body := send(t, s, openAIPath, openAIWith(`"seed":1`)); resp.StatusCode != 400 || !strings.Contains(body, `"param":"seed"`) {
			t.Errorf("%s: status %d, %s", param, resp.StatusCode, body)
		}
	}
}

func TestAnthropicRefusesFormatsAndParameters(t *testing.T) {
	s := newServer(t, judgetest.WithFormats(), judgetest.WithUnsupported("temperature"))
	for members, words := range map[string]string{
		`"output_config":{"format":{"type":"json_schema","schema":` + closedSchema + `}}`:       "output_config: Extra inputs are not permitted",
		`"tools":[{"name":"own","input_schema":{}}],"tool_choice":{"type":"tool","name":"own"}`: "tool_choice: forced tool use is not supported",
		`"temperature":0`: "temperature: Extra inputs are not permitted",
	} {
		if resp, body := send(t, s, anthropicPath, anthropicWith(members)); resp.StatusCode != 400 || !strings.Contains(body, words) {
			t.Errorf("status %d, %s; want %s", resp.StatusCode, body, words)
		}
	}
}

func TestAJudgeRefusesFormats(t *testing.T) {
	j := judgetest.NewJudge(judgetest.WithFormats(judge.FormatTool))
	var refused []judge.Format
	for f := judge.FormatStrictSchema; f <= judge.FormatNone; f++ {
		_, err := j.Complete(t.Context(), judge.Request{Format: f})
		if e, ok := errors.AsType[*judge.Error](err); ok && e.FormatRefused && e.Type == evaluators.ErrorJudgeBadRequest {
			refused = append(refused, f)
		} else if err != nil {
			t.Error(err)
		}
	}
	if diff := cmp.Diff([]judge.Format{judge.FormatStrictSchema, judge.FormatSchema, judge.FormatJSONObject}, refused); diff != "" {
		t.Errorf("refused (-want +got):\n%s", diff)
	}
}

func TestIgnoredFormatsAreAnsweredInProse(t *testing.T) {
	s := newServer(t, judgetest.WithFormatIgnored(), judgetest.WithAnswers("", judgetest.Text("{}")))
	_, prose := send(t, s, openAIPath, responseFormat("own", "true", closedSchema))
	_, plain := send(t, s, openAIPath, hello)
	if strings.Contains(content(t, prose), "{") || content(t, plain) != "{}" {
		t.Errorf("under a schema %q, without %q", content(t, prose), content(t, plain))
	}
	j := judgetest.NewJudge(judgetest.WithFormatIgnored(judge.FormatJSONObject))
	for f, valid := range map[judge.Format]bool{judge.FormatStrictSchema: true, judge.FormatJSONObject: false} {
		if resp, err := j.Complete(t.Context(), judge.Request{Format: f}); err != nil || strings.HasPrefix(resp.Text, "{") != valid {
			t.Errorf("%v: %q, %v", f, resp.Text, err)
		}
	}
}

func TestPromptsBeyondTheContextAreRefused(t *testing.T) {
	long := strings.Repeat("x", 400) // 100 tokens
	openai := `{"model":"m","messages":[{"role":"user","content":"` + long + `"}]}`
	claude := `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"` + long + `"}]}`
	for _, tt := range []struct {
		tokens, status int
		openai, claude string
	}{
		{100, 200, "", ""},
		{99, 400, "maximum context length is 99 tokens. However, your messages resulted in 100", "prompt is too long: 100 tokens > 99 maximum"},
	} {
		s := newServer(t, judgetest.WithContextLength(tt.tokens))
		if resp, body := send(t, s, openAIPath, openai); resp.StatusCode != tt.status || !strings.Contains(body, tt.openai) {
			t.Errorf("status %d, %s", resp.StatusCode, body)
		}
		if resp, body := send(t, s, anthropicPath, claude); resp.StatusCode != tt.status || !strings.Contains(body, tt.claude) {
			t.Errorf("status %d, %s", resp.StatusCode, body)
		}
		_, err := judgetest.NewJudge(judgetest.WithContextLength(tt.tokens)).Complete(t.Context(), judge.Request{Messages: []judge.Message{{Role: judge.RoleUser, Text: long}}})
		if got := typeOf(err); (got == evaluators.ErrorJudgeInputTooLong) != (tt.status == 400) {
			t.Errorf("%d tokens: %q", tt.tokens, got)
		}
	}
}

func TestUntilTheBudgetIsEnough(t *testing.T) {
	j := judgetest.NewJudge(judgetest.WithAnswers("", judgetest.Text(`{"ä":1}`).UntilBudget(100)))
	for _, tt := range []struct {
		budget int
		text   string
		finish judge.Finish
	}{{99, `{"`, judge.FinishLength}, {100, `{"ä":1}`, judge.FinishStop}, {0, `{"ä":1}`, judge.FinishStop}} {
		if resp, err := j.Complete(t.Context(), judge.Request{MaxOutputTokens: tt.budget}); err != nil || !strings.HasPrefix(resp.Text, tt.text) || resp.Finish != tt.finish {
			t.Errorf("%d: %q, %v, %v", tt.budget, resp.Text, resp.Finish, err)
		}
	}
}

func TestUsageAsItIsCounted(t *testing.T) {
	s := newServer(t, judgetest.WithAnswers("",
		judgetest.Valid().Usage(judge.Usage{InputTokens: 10, OutputTokens: 8, ReasoningTokens: 6, Cost: 0.25, HasCost: true}).UsageBeside(),
		judgetest.Valid().NoUsage()))
	_, first := send(t, s, openAIPath, hello)
	_, second := send(t, s, openAIPath, hello)
	for _, part := range []string{`"completion_tokens":2`, `"total_tokens":18`, `"reasoning_tokens":6`, `"cost":0.25`} {
		if !strings.Contains(first, part) {
			t.Errorf("%s lacks %s", first, part)
		}
	}
	if strings.Contains(second, "usage") {
		t.Errorf("usage in %s", second)
	}
}

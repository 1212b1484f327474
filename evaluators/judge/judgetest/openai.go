package judgetest

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/genaievals/genaievals/evaluators/judge"
)

// openAI is the chat completions format.
type openAI struct{}

func (openAI) api() API      { return OpenAI }
func (openAI) shape() *shape { return openAIRequest }
func (openAI) rules() []rule { return openAIRules }

// chat is what the server reads of a request.
type chat struct {
	Model    string `json:"model"`
	Messages []struct {
		Role    string `json:"role"`
		Content any    `json:"content"`
	} `json:"messages"`
	MaxTokens           *int `json:"max_tokens"`
	MaxCompletionTokens *int `json:"max_completion_tokens"`
	ResponseFormat      struct {
		Type       string `json:"type"`
		JSONSchema struct {
			Name   string          `json:"name"`
			Strict bool            `json:"strict"`
			Schema json.RawMessage `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
	Tools []struct {
		Function struct {
			Name       string          `json:"name"`
			Strict     bool            `json:"strict"`
			Parameters json.RawMessage `json:"parameters"`
		} `json:"function"`
	} `json:"tools"`
	ToolChoice toolChoice `json:"tool_choice"`
}

// toolChoice is a mode or names a function.
type toolChoice struct{ mode, name string }

func (t *toolChoice) UnmarshalJSON(b []byte) error {
	if b[0] == '"' {
		return json.Unmarshal(b, &t.mode)
	}
	var c struct {
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	}
	err := json.Unmarshal(b, &c)
	t.name = c.Function.Name
	return err
}

func (openAI) read(body []byte) (asked, bool) {
	var c chat
	err := json.Unmarshal(body, &c)
	a := asked{model: c.Model, name: c.ResponseFormat.JSONSchema.Name, schema: c.ResponseFormat.JSONSchema.Schema, format: judge.FormatNone}
	for _, m := range c.Messages {
		a.add(m.Role, contentText(m.Content))
	}
	for _, n := range []*int{c.MaxTokens, c.MaxCompletionTokens} {
		if n != nil {
			a.budget = *n
			a.budgets++
		}
	}
	switch f := c.ResponseFormat; {
	case f.Type == "json_schema" && f.JSONSchema.Strict:
		a.format, a.strict = judge.FormatStrictSchema, true
	case f.Type == "json_schema":
		a.format = judge.FormatSchema
	case f.Type == "json_object":
		a.format = judge.FormatJSONObject
		for _, m := range c.Messages {
			a.saysJSON = a.saysJSON || strings.Contains(strings.ToLower(contentText(m.Content)), "json")
		}
	}
	for _, t := range c.Tools {
		a.tools = append(a.tools, t.Function.Name)
	}
	if a.choice = c.ToolChoice.name; c.ToolChoice.mode == "required" && len(a.tools) > 0 {
		a.choice = a.tools[0]
	}
	for _, t := range c.Tools {
		if a.choice != "" && t.Function.Name == a.choice {
			a.format, a.strict = judge.FormatTool, t.Function.Strict
			a.name, a.schema = t.Function.Name, t.Function.Parameters
		}
	}
	return a, err == nil && c.Model != "" && len(c.Messages) > 0
}

func (openAI) authorized(h http.Header, key string) bool {
	return key == "" || h.Get("Authorization") == "Bearer "+key || h.Get("Api-Key") == key
}

func (openAI) misplacedKey(h http.Header) bool {
	return h.Get("X-Api-Key") != "" && h.Get("Authorization") == "" && h.Get("Api-Key") == ""
}

type completion struct {
	ID      string          `json:"id"`
	Object  string          `json:"object"`
	Created int64           `json:"created"`
	Model   string          `json:"model"`
	Choices []choice        `json:"choices"`
	Usage   *completedUsage `json:"usage,omitempty"`
}

type choice struct {
	Index        int       `json:"index"`
	Message      completed `json:"message"`
	FinishReason string    `json:"finish_reason"`
}

type completed struct {
	Role      string     `json:"role"`
	Content   any        `json:"content"`
	Refusal   *string    `json:"refusal"`
	Reasoning string     `json:"reasoning_content,omitempty"`
	ToolCalls []toolCall `json:"tool_calls,omitempty"`
}

type toolCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type completedUsage struct {
	Prompt     int64 `json:"prompt_tokens"`
	Completion int64 `json:"completion_tokens"`
	Total      int64 `json:"total_tokens"`
	PromptD    struct {
		Cached int64 `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
	CompletionD struct {
		Reasoning int64 `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
	Cost *float64 `json:"cost,omitempty"`
}

// complete sends a chat completion with one choice.
func (openAI) complete(w http.ResponseWriter, a Answer, req Request) {
	m := completed{Role: "assistant", Reasoning: a.thought}
	finish := a.finish.String()
	switch {
	case a.kind == kindRefusal:
		m.Refusal = &a.text
	case a.null:
	case req.Format == judge.FormatTool && startsObject(a.text):
		call := toolCall{ID: "call_scripted", Type: "function"}
		call.Function.Name, call.Function.Arguments = req.tool, a.text
		m.ToolCalls = []toolCall{call}
		if a.finish == judge.FinishStop {
			finish = judge.FinishToolCalls.String()
		}
	case a.parts:
		type part struct {
			Type string `json:"type"`
			Text string `json:"text"`
		}
		first, second := halves(a.text)
		m.Content = []part{{"text", first}, {"text", second}}
	default:
		m.Content = a.text
	}
	writeRaw(w, http.StatusOK, a.header, encode(completion{
		ID:      "chatcmpl-scripted",
		Object:  "chat.completion",
		Created: req.Arrived.Unix(),
		Model:   a.modelOr(req.Model),
		Choices: []choice{{Message: m, FinishReason: finish}},
		Usage:   a.completedUsage(),
	}))
}

func (a Answer) completedUsage() *completedUsage {
	if a.noUsage {
		return nil
	}
	u := a.usageOr()
	c := &completedUsage{Prompt: u.InputTokens, Completion: u.OutputTokens, Total: u.InputTokens + u.OutputTokens}
	if a.usageBeside {
		c.Completion -= u.ReasoningTokens
	}
	c.PromptD.Cached, c.CompletionD.Reasoning = u.CachedTokens, u.ReasoningTokens
	if u.HasCost {
		c.Cost = &u.Cost
	}
	return c
}

func (a Answer) modelOr(asked string) string {
	if a.model != "" {
		return a.model
	}
	return asked
}

// startsObject reports whether a message is, or was to be, a tool's input. What
// is not is said in place of the call.
func startsObject(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), "{") }

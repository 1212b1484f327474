package judgetest

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/genaievals/genaievals/evaluators/judge"
)

// anthropic is the messages format.
type anthropic struct{}

func (anthropic) api() API      { return Anthropic }
func (anthropic) shape() *shape { return anthropicRequest }
func (anthropic) rules() []rule { return anthropicRules }

func (anthropic) read(body []byte) (asked, bool) {
	var c struct {
		Model    string `json:"model"`
		System   any    `json:"system"`
		Messages []struct {
			Role    string `json:"role"`
			Content any    `json:"content"`
		} `json:"messages"`
		MaxTokens    int `json:"max_tokens"`
		OutputConfig struct {
			Format struct {
				Type   string          `json:"type"`
				Schema json.RawMessage `json:"schema"`
			} `json:"format"`
		} `json:"output_config"`
		Tools []struct {
			Name        string          `json:"name"`
			Strict      bool            `json:"strict"`
			InputSchema json.RawMessage `json:"input_schema"`
		} `json:"tools"`
		ToolChoice struct {
			Type string `json:"type"`
			Name string `json:"name"`
		} `json:"tool_choice"`
	}
	err := json.Unmarshal(body, &c)
	a := asked{model: c.Model, budget: c.MaxTokens, format: judge.FormatNone, choice: c.ToolChoice.Name}
	for _, m := range c.Messages {
		a.add(m.Role, contentText(m.Content))
	}
	a.system = contentText(c.System)
	a.prompt += len(a.system)
	if f := c.OutputConfig.Format; f.Type == "json_schema" {
		a.format, a.strict, a.schema = judge.FormatStrictSchema, true, f.Schema
		a.name = strings.Join(sectionNames(a.instructions()), "_") // the format has no name for it
	}
	for _, t := range c.Tools {
		a.tools = append(a.tools, t.Name)
	}
	if c.ToolChoice.Type == "any" && len(a.tools) > 0 {
		a.choice = a.tools[0]
	}
	for _, t := range c.Tools {
		if a.choice != "" && t.Name == a.choice {
			a.format, a.strict, a.name, a.schema = judge.FormatTool, t.Strict, t.Name, t.InputSchema
		}
	}
	return a, err == nil && c.Model != "" && len(c.Messages) > 0
}

func (anthropic) authorized(h http.Header, key string) bool {
	return key == "" || h.Get("X-Api-Key") == key
}

func (anthropic) misplacedKey(h http.Header) bool {
	return h.Get("X-Api-Key") == "" && (h.Get("Authorization") != "" || h.Get("Api-Key") != "")
}

type block struct {
	Type      string          `json:"type"`
	Text      *string         `json:"text,omitempty"`
	Thinking  string          `json:"thinking,omitempty"`
	Signature string          `json:"signature,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
}

type messageReply struct {
	ID           string        `json:"id"`
	Type         string        `json:"type"`
	Role         string        `json:"role"`
	Model        string        `json:"model"`
	Content      []block       `json:"content"`
	StopReason   string        `json:"stop_reason"`
	StopSequence *string       `json:"stop_sequence"`
	Usage        *messageUsage `json:"usage,omitempty"`
}

type messageUsage struct {
	Input    int64 `json:"input_tokens"`
	Creation int64 `json:"cache_creation_input_tokens"`
	Read     int64 `json:"cache_read_input_tokens"`
	Output   int64 `json:"output_tokens"`
	OutputD  *struct {
		Thinking int64 `json:"thinking_tokens"`
	} `json:"output_tokens_details,omitempty"`
}

// complete sends a message: the thought, then the text or the tool's input.
func (anthropic) complete(w http.ResponseWriter, a Answer, req Request) {
	blocks, stop := []block{}, stopReason(a.finish)
	say := func(text string) { blocks = append(blocks, block{Type: "text", Text: &text}) }
	if a.thought != "" {
		blocks = append(blocks, block{Type: "thinking", Thinking: a.thought, Signature: "c2NyaXB0ZWQ="})
	}
	switch {
	case a.kind == kindRefusal:
		stop = "refusal" // and nothing said
	case a.null || a.text == "":
	case req.Format == judge.FormatTool && startsObject(a.text):
		input := json.RawMessage(a.text)
		if !json.Valid(input) {
			input = json.RawMessage("{}") // what became of an input that was cut
		}
		blocks = append(blocks, block{Type: "tool_use", ID: "toolu_scripted", Name: req.tool, Input: input})
		if a.finish == judge.FinishStop {
			stop = stopReason(judge.FinishToolCalls)
		}
	case a.parts:
		first, second := halves(a.text)
		say(first)
		say(second)
	default:
		say(a.text)
	}
	writeRaw(w, http.StatusOK, a.header, encode(messageReply{
		ID: "msg_scripted", Type: "message", Role: "assistant",
		Model:      a.modelOr(req.Model),
		Content:    blocks,
		StopReason: stop,
		Usage:      a.messageUsage(),
	}))
}

func stopReason(f judge.Finish) string {
	switch f {
	case judge.FinishLength:
		return "max_tokens"
	case judge.FinishContentFilter, judge.FinishRefusal:
		return "refusal"
	case judge.FinishToolCalls:
		return "tool_use"
	}
	return "end_turn"
}

// messageUsage counts the cached input apart.
func (a Answer) messageUsage() *messageUsage {
	if a.noUsage {
		return nil
	}
	u := a.usageOr()
	m := &messageUsage{Input: u.InputTokens - u.CachedTokens, Read: u.CachedTokens, Output: u.OutputTokens}
	if u.ReasoningTokens > 0 {
		m.OutputD = &struct {
			Thinking int64 `json:"thinking_tokens"`
		}{u.ReasoningTokens}
	}
	return m
}

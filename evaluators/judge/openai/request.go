package openai

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/internal/wire"
)

// completionRequest is the body of a chat completions request.
type completionRequest struct {
	Model               string          `json:"model"`
	Messages            []message       `json:"messages"`
	MaxTokens           int             `json:"max_tokens,omitempty"`
	MaxCompletionTokens int             `json:"max_completion_tokens,omitempty"`
	Temperature         *float64        `json:"temperature,omitempty"`
	ResponseFormat      *responseFormat `json:"response_format,omitempty"`
	Tools               []tool          `json:"tools,omitempty"`
	ToolChoice          *tool           `json:"tool_choice,omitempty"`
}

// message has content that is a string, or parts where what is said has to
// stay apart.
type message struct {
	Role    judge.Role `json:"role"`
	Content any        `json:"content"`
}

type part struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type responseFormat struct {
	Type       string      `json:"type"`
	JSONSchema *jsonSchema `json:"json_schema,omitempty"`
}

type jsonSchema struct {
	Name   string          `json:"name"`
	Strict bool            `json:"strict,omitempty"`
	Schema json.RawMessage `json:"schema"`
}

// tool is a tool, or with nothing but a name the choice of one.
type tool struct {
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
}

// encode writes a request in the dialect that the model is known to take.
func encode(r *judge.Request, d dialect) ([]byte, error) {
	body := completionRequest{Model: r.Model, Messages: messages(r.Messages, d)}
	if d.completionTokens {
		body.MaxCompletionTokens = r.MaxOutputTokens
	} else {
		body.MaxTokens = r.MaxOutputTokens
	}
	if !d.noTemperature {
		body.Temperature = r.Temperature
	}
	switch name := wire.AnswerName(r); r.Format {
	case judge.FormatStrictSchema, judge.FormatSchema:
		body.ResponseFormat = &responseFormat{
			Type:       "json_schema",
			JSONSchema: &jsonSchema{Name: name, Strict: r.Format == judge.FormatStrictSchema, Schema: r.Schema},
		}
	case judge.FormatJSONObject:
		body.ResponseFormat = &responseFormat{Type: "json_object"}
	case judge.FormatTool:
		body.Tools = []tool{{Type: "function", Function: function{name, wire.ToolDescription, r.Schema}}}
		body.ToolChoice = &tool{Type: "function", Function: function{Name: name}}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(body); err != nil {
		return nil, fmt.Errorf("encode request: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// messages are those of a request. For a model that takes no system message
// that becomes the first part of the first user message, and the evaluated text
// the next: a part of its own, so that nothing in it runs on from the rubric.
func messages(ms []judge.Message, d dialect) []message {
	out := make([]message, 0, len(ms))
	var rubric []part
	for _, m := range ms {
		switch {
		case d.noSystem && m.Role == judge.RoleSystem:
			rubric = append(rubric, part{"text", m.Text})
		case rubric != nil && m.Role == judge.RoleUser:
			out = append(out, message{m.Role, append(rubric, part{"text", m.Text})})
			rubric = nil
		default:
			out = append(out, message{m.Role, m.Text})
		}
	}
	if rubric != nil { // nobody to speak after it
		out = append(out, message{judge.RoleUser, rubric})
	}
	return out
}

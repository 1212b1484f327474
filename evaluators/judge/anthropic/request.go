package anthropic

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/internal/wire"
)

// messagesRequest is the body of a Messages request.
type messagesRequest struct {
	Model        string        `json:"model"`
	MaxTokens    int           `json:"max_tokens"`
	System       string        `json:"system,omitempty"`
	Messages     []message     `json:"messages"`
	Temperature  *float64      `json:"temperature,omitempty"`
	OutputConfig *outputConfig `json:"output_config,omitempty"`
	Tools        []tool        `json:"tools,omitempty"`
	ToolChoice   *toolChoice   `json:"tool_choice,omitempty"`
}

type message struct {
	Role    judge.Role `json:"role"`
	Content string     `json:"content"`
}

type outputConfig struct {
	Format outputFormat `json:"format"`
}

type outputFormat struct {
	Type   string          `json:"type"`
	Schema json.RawMessage `json:"schema"`
}

type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"input_schema"`
	Strict      bool            `json:"strict,omitempty"`
}

type toolChoice struct {
	Type string `json:"type"`
	Name string `json:"name"`
	// One answer is wanted.
	DisableParallelToolUse bool `json:"disable_parallel_tool_use"`
}

// encode writes a request in the dialect that the model is known to take.
func encode(r *judge.Request, d dialect) ([]byte, error) {
	body := messagesRequest{
		Model:     r.Model,
		MaxTokens: r.MaxOutputTokens, // has to be there
		Messages:  []message{},
	}
	if body.MaxTokens == 0 {
		body.MaxTokens = judge.DefaultMaxOutputTokens
	}
	var system []string
	for _, m := range r.Messages {
		if m.Role == judge.RoleSystem {
			system = append(system, m.Text)
			continue
		}
		body.Messages = append(body.Messages, message{m.Role, m.Text})
	}
	body.System = strings.Join(system, "\n\n")
	if !d.noTemperature {
		body.Temperature = r.Temperature
	}
	switch name := wire.AnswerName(r); r.Format {
	case judge.FormatStrictSchema:
		body.OutputConfig = &outputConfig{outputFormat{"json_schema", r.Schema}}
	case judge.FormatTool:
		body.Tools = []tool{{Name: name, Description: wire.ToolDescription, InputSchema: r.Schema, Strict: !d.looseTool}}
		body.ToolChoice = &toolChoice{Type: "tool", Name: name, DisableParallelToolUse: true}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(body); err != nil {
		return nil, fmt.Errorf("encode request: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

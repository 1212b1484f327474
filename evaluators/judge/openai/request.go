package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/genaievals/genaievals/evaluators/judge"
)

// completionRequest is the body of a chat completions request.
type completionRequest struct {
	Model               string          `json:"model"`
	Messages            []message       `json:"messages"`
	MaxTokens           int             `json:"max_tokens,omitempty"`
	MaxCompletionTokens int             `json:"max_completion_tokens,omitempty"`
	Temperature         *float64        `json:"temperature,omitempty"`
	ResponseFormat      *responseFormat `json:"response_format,omitempty"`
}

type message struct {
	Role    judge.Role `json:"role"`
	Content string     `json:"content"`
}

type responseFormat struct {
	Type       string      `json:"type"`
	JSONSchema *jsonSchema `json:"json_schema,omitempty"`
}

type jsonSchema struct {
	Name   string          `json:"name"`
	Strict bool            `json:"strict"`
	Schema json.RawMessage `json:"schema"`
}

// encode writes a request in the dialect that the model is known to take.
func encode(r *judge.Request, d dialect) ([]byte, error) {
	body := completionRequest{Model: r.Model, Messages: make([]message, len(r.Messages))}
	for i, m := range r.Messages {
		body.Messages[i] = message{m.Role, m.Text}
	}
	if d.completionTokens {
		body.MaxCompletionTokens = r.MaxOutputTokens
	} else {
		body.MaxTokens = r.MaxOutputTokens
	}
	if !d.noTemperature {
		body.Temperature = r.Temperature
	}
	switch r.Format {
	case judge.FormatStrictSchema:
		body.ResponseFormat = &responseFormat{
			Type:       "json_schema",
			JSONSchema: &jsonSchema{Name: schemaName(r.Metrics), Strict: true, Schema: r.Schema},
		}
	case judge.FormatJSONObject:
		body.ResponseFormat = &responseFormat{Type: "json_object"}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(body); err != nil {
		return nil, fmt.Errorf("encode request: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// schemaName names the schema. OpenAI refuses names of more than 64 bytes, which
// those of six metrics have.
func schemaName(metrics []string) string {
	const most = 64
	name := strings.Join(metrics, "_")
	return name[:min(len(name), most)]
}

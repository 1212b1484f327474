package judgetest

import (
	"encoding/json"
	"net/http"
	"slices"
)

// chat is what the server reads of a chat completions request.
type chat struct {
	Model    string `json:"model"`
	Messages []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"messages"`
	ResponseFormat struct {
		Type       string `json:"type"`
		JSONSchema struct {
			Name   string          `json:"name"`
			Schema json.RawMessage `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
}

// parseChat reads a request; ok says that it has what the format requires.
func parseChat(body []byte) (c chat, ok bool) {
	err := json.Unmarshal(body, &c)
	return c, err == nil && c.Model != "" && len(c.Messages) > 0
}

// text returns the last message of a role.
func (c chat) text(role string) string {
	for _, m := range slices.Backward(c.Messages) {
		if m.Role == role {
			return m.Content
		}
	}
	return ""
}

// writeCompletion sends a chat completion with one choice.
func writeCompletion(w http.ResponseWriter, a Answer, req Request) {
	type message struct {
		Role      string  `json:"role"`
		Content   *string `json:"content"`
		Refusal   *string `json:"refusal"`
		Reasoning string  `json:"reasoning_content,omitempty"`
	}
	m := message{Role: "assistant", Reasoning: a.thought}
	switch a.kind {
	case kindRefusal:
		m.Refusal = &a.text
	case kindText:
		m.Content = &a.text
	default:
		text := req.Question.validAnswer()
		m.Content = &text
	}
	model := a.model
	if model == "" {
		model = req.Model
	}
	u := a.usageOr()
	writeRaw(w, http.StatusOK, a.header, encode(map[string]any{
		"id":      "chatcmpl-scripted",
		"object":  "chat.completion",
		"created": req.Arrived.Unix(),
		"model":   model,
		"choices": []any{map[string]any{
			"index":         0,
			"message":       m,
			"finish_reason": a.finish.String(),
		}},
		"usage": map[string]any{
			"prompt_tokens":             u.InputTokens,
			"completion_tokens":         u.OutputTokens,
			"total_tokens":              u.InputTokens + u.OutputTokens,
			"prompt_tokens_details":     map[string]any{"cached_tokens": u.CachedTokens},
			"completion_tokens_details": map[string]any{"reasoning_tokens": u.ReasoningTokens},
		},
	}))
}

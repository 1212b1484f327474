package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

// completion is what is read of a chat completion. Fields that only describe
// are kept raw, so that an odd one does not cost the answer. Reasoning is not
// read at all.
type completion struct {
	ID      json.RawMessage `json:"id"`
	Model   json.RawMessage `json:"model"`
	Choices []struct {
		FinishReason json.RawMessage `json:"finish_reason"`
		Message      struct {
			Content json.RawMessage `json:"content"`
			Refusal json.RawMessage `json:"refusal"`
		} `json:"message"`
		Error json.RawMessage `json:"error"` // OpenRouter
	} `json:"choices"`
	Usage json.RawMessage `json:"usage"`
}

// decode reads a reply with a status of success. That status is no promise:
// gateways send errors, proxies send pages.
func decode(status int, header http.Header, reply []byte) (judge.Response, *apiError) {
	bad := func(errorType, what string) (judge.Response, *apiError) {
		return judge.Response{}, &apiError{Error: judge.Error{
			Type: errorType, Status: status, Header: header,
			Body: reply[:min(len(reply), maxErrorBody)], Err: errors.New(what),
		}}
	}
	if len(reply) > maxBody {
		return bad(evaluators.ErrorJudgeMalformedOutput, "the reply is longer than 1 MiB")
	}
	if len(bytes.TrimSpace(reply)) == 0 {
		return bad(evaluators.ErrorJudgeEmptyOutput, "the reply is empty")
	}
	var c completion
	err := json.Unmarshal(reply, &c)
	if err != nil || len(c.Choices) == 0 {
		if body, ok := parseErrorBody(reply); ok {
			return judge.Response{}, newAPIError(status, body.statusOr(http.StatusInternalServerError), header, reply, body)
		}
	}
	switch {
	case err != nil:
		return bad(evaluators.ErrorJudgeMalformedOutput, "the reply is not a chat completion")
	case len(c.Choices) == 0:
		return bad(evaluators.ErrorJudgeEmptyOutput, "the reply has no choices")
	}
	choice := c.Choices[0]
	if body, ok := parseErrorValue(choice.Error); ok {
		return judge.Response{}, newAPIError(status, body.statusOr(http.StatusInternalServerError), header, reply, body)
	}
	content, refusal, ok := contentText(choice.Message.Content)
	if !ok {
		return bad(evaluators.ErrorJudgeMalformedOutput, "the message's content is neither text nor parts")
	}
	if refusal == "" {
		refusal = text(choice.Message.Refusal)
	}
	return judge.Response{
		Text:    content,
		Refusal: refusal,
		Finish:  finish(text(choice.FinishReason)),
		ID:      text(c.ID),
		Model:   text(c.Model),
		Usage:   usage(c.Usage),
		Header:  header,
	}, nil
}

// contentText reads a message's content: a string, null, or a list of parts,
// of which text parts are joined and others, such as reasoning, left out.
func contentText(raw json.RawMessage) (content, refusal string, ok bool) {
	if len(raw) == 0 || json.Unmarshal(raw, &content) == nil {
		return content, "", true
	}
	var parts []struct {
		Type    string `json:"type"`
		Text    string `json:"text"`
		Refusal string `json:"refusal"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return "", "", false
	}
	var b strings.Builder
	for _, p := range parts {
		switch p.Type {
		case "text", "output_text":
			b.WriteString(p.Text)
		case "refusal":
			refusal += p.Refusal
		}
	}
	return b.String(), refusal, true
}

// finish reads the finish reasons of the format and those that gateways pass
// on from others.
func finish(reason string) judge.Finish {
	switch strings.ToLower(reason) {
	case "length", "max_tokens", "model_length":
		return judge.FinishLength
	case "content_filter", "safety", "prohibited_content", "blocklist", "recitation":
		return judge.FinishContentFilter
	case "refusal":
		return judge.FinishRefusal
	case "tool_calls", "function_call", "tool_use":
		return judge.FinishToolCalls
	}
	return judge.FinishStop
}

// usage reads the token counts. Reasoning that a server counts outside of the
// completion's tokens, as Gemini's compatible endpoint can, is found in the
// difference to the total.
func usage(raw json.RawMessage) judge.Usage {
	var u struct {
		Prompt     json.Number `json:"prompt_tokens"`
		Completion json.Number `json:"completion_tokens"`
		Total      json.Number `json:"total_tokens"`
		PromptD    struct {
			Cached json.Number `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
		CompletionD struct {
			Reasoning json.Number `json:"reasoning_tokens"`
		} `json:"completion_tokens_details"`
	}
	if len(raw) == 0 || json.Unmarshal(raw, &u) != nil {
		return judge.Usage{}
	}
	input, inputOK := count(u.Prompt)
	output, outputOK := count(u.Completion)
	if !inputOK || !outputOK {
		return judge.Usage{} // half of it would be taken for the whole
	}
	total, _ := count(u.Total)
	cached, _ := count(u.PromptD.Cached)
	reasoning, _ := count(u.CompletionD.Reasoning)
	return judge.Usage{
		InputTokens:     input,
		OutputTokens:    max(output, total-input),
		CachedTokens:    cached,
		ReasoningTokens: reasoning,
	}
}

// count reads a token count; none is 0. A number beyond any real one, of models
// that take millions, is none and not ok, so that the caller's estimate stands.
func count(n json.Number) (tokens int64, ok bool) {
	const most = 1 << 24
	if n == "" {
		return 0, true
	}
	f, err := n.Float64()
	if err != nil || f < 0 || f > most {
		return 0, false
	}
	return int64(f), true
}

package openai

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/internal/wire"
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
			Content      json.RawMessage `json:"content"`
			Refusal      json.RawMessage `json:"refusal"`
			ToolCalls    json.RawMessage `json:"tool_calls"`
			FunctionCall json.RawMessage `json:"function_call"`
		} `json:"message"`
		Error json.RawMessage `json:"error"` // OpenRouter
	} `json:"choices"`
	Usage json.RawMessage `json:"usage"`
	Error json.RawMessage `json:"error"`
}

// decode reads a reply. A status of success is no promise: gateways send
// errors, proxies send pages.
func decode(r wire.Reply, format judge.Format) (judge.Response, *wire.Failure) {
	fail := func(f *wire.Failure) (judge.Response, *wire.Failure) { return judge.Response{}, f }
	if !r.OK() {
		return fail(r.Failure())
	}
	if len(r.Body) > wire.MaxReply {
		return fail(r.Bad(evaluators.ErrorJudgeMalformedOutput, "the reply is longer than 1 MiB"))
	}
	if len(bytes.TrimSpace(r.Body)) == 0 {
		return fail(r.Bad(evaluators.ErrorJudgeEmptyOutput, "the reply is empty"))
	}
	var c completion
	err := json.Unmarshal(r.Body, &c)
	if err != nil || len(c.Choices) == 0 {
		if f := r.FailureWithin(); f != nil {
			return fail(f)
		}
	}
	switch {
	case err != nil:
		return fail(r.Bad(evaluators.ErrorJudgeMalformedOutput, "the reply is not a chat completion"))
	case len(c.Choices) == 0:
		return fail(r.Bad(evaluators.ErrorJudgeEmptyOutput, "the reply has no choices"))
	}
	choice := c.Choices[0]
	for _, stated := range [...]json.RawMessage{choice.Error, c.Error} {
		if f := r.FailureOf(stated); f != nil {
			return fail(f)
		}
	}
	reason := wire.Text(choice.FinishReason)
	if reason == "error" { // OpenRouter: the provider behind it broke off
		return fail(r.Bad(evaluators.ErrorJudgeUnavailable, "the answer was broken off"))
	}
	content, refusal, ok := contentText(choice.Message.Content)
	if !ok {
		return fail(r.Bad(evaluators.ErrorJudgeMalformedOutput, "the message's content is neither text nor parts"))
	}
	if refusal == "" {
		refusal = wire.Text(choice.Message.Refusal)
	}
	answer := judge.Response{
		Text:    content,
		Refusal: refusal,
		Finish:  finish(reason),
		ID:      wire.Text(c.ID),
		Model:   wire.Text(c.Model),
		Usage:   usage(c.Usage),
		Header:  r.Header,
	}
	if format == judge.FormatTool {
		if arguments := arguments(choice.Message.ToolCalls, choice.Message.FunctionCall); arguments != "" {
			answer.Text = arguments
			if answer.Finish == judge.FinishToolCalls { // as it was told to
				answer.Finish = judge.FinishStop
			}
		}
	}
	return answer, nil
}

// arguments are those of the first call that has any: only one tool was
// offered. They are text that has JSON, or with some servers JSON.
func arguments(calls, legacy json.RawMessage) string {
	type call struct {
		Arguments json.RawMessage `json:"arguments"`
	}
	var list []struct {
		Function call `json:"function"`
	}
	if json.Unmarshal(calls, &list) == nil {
		for _, c := range list {
			if s := wire.Text(c.Function.Arguments); s != "" {
				return s
			}
		}
	}
	var c call
	if json.Unmarshal(legacy, &c) != nil {
		return ""
	}
	return wire.Text(c.Arguments)
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
// on from others; Gemini's compatible endpoint says more after a colon.
func finish(reason string) judge.Finish {
	reason, _, _ = strings.Cut(strings.ToLower(reason), ":")
	switch reason {
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

package openai

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/internal/wire"
)

// decode reads a reply. A status of success is no promise: gateways send
// errors, proxies send pages. Members that only describe are read for what they
// are worth, so that an odd one does not cost the answer. Reasoning is not read
// at all. The tool is the name of the one that was offered, if any.
func decode(r wire.Reply, tool string) (judge.Response, *wire.Failure) {
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
	completion, ok := wire.MembersOf(r.Body)
	choices, isList := wire.ListOf(completion["choices"])
	fail = func(f *wire.Failure) (judge.Response, *wire.Failure) {
		f.Usage = usage(completion["usage"]) // it was paid for
		return judge.Response{}, f
	}
	if len(choices) == 0 {
		if f := r.FailureWithin(); f != nil {
			return fail(f)
		}
	}
	switch {
	case !ok || !isList:
		return fail(r.Bad(evaluators.ErrorJudgeMalformedOutput, "the reply is not a chat completion"))
	case len(choices) == 0:
		return fail(r.Bad(evaluators.ErrorJudgeEmptyOutput, "the reply has no choices"))
	}
	choice := choices[0]
	for _, stated := range [...]json.RawMessage{choice["error"], completion["error"]} { // the former is OpenRouter's
		if f := r.FailureOf(stated); f != nil {
			return fail(f)
		}
	}
	reason := choice.Text("finish_reason")
	if reason == "error" { // OpenRouter: the provider behind it broke off
		return fail(r.Bad(evaluators.ErrorJudgeUnavailable, "the answer was broken off"))
	}
	message, ok := wire.MembersOf(choice["message"])
	if !ok {
		return fail(r.Bad(evaluators.ErrorJudgeMalformedOutput, "the reply is not a chat completion"))
	}
	content, refusal, ok := contentText(message["content"])
	if !ok {
		return fail(r.Bad(evaluators.ErrorJudgeMalformedOutput, "the message's content is neither text nor parts"))
	}
	if refusal == "" {
		refusal = refusalText(message)
	}
	answer := judge.Response{
		Text:    content,
		Refusal: refusal,
		Finish:  finish(reason),
		ID:      completion.Text("id"),
		Model:   completion.Text("model"),
		Usage:   usage(completion["usage"]),
		Header:  r.Header,
	}
	if arguments := arguments(message, tool); tool != "" && arguments != "" {
		answer.Text = arguments
		if answer.Finish == judge.FinishToolCalls { // as it was told to
			answer.Finish = judge.FinishStop
		}
	}
	return answer, nil
}

// arguments are those of a message's calls of a tool. They are text that has
// JSON, or with some servers JSON.
func arguments(message wire.Members, tool string) string {
	called := wire.ToolNamed(tool)
	calls, _ := wire.ListOf(message["tool_calls"])
	for _, c := range calls {
		f := c.Object("function")
		called.Add(f.Text("name"), f["arguments"])
	}
	if called.String() == "" { // as it was done before tools
		f := message.Object("function_call")
		called.Add(f.Text("name"), f["arguments"])
	}
	return called.String()
}

// refusalText is what a message or a part says in refusal, if it is one: some
// servers have the member in all, with false or an empty list.
func refusalText(m wire.Members) string {
	if wire.SaysNothing(m["refusal"]) {
		return ""
	}
	return m.Text("refusal")
}

// contentText reads a message's content: a string, null, or a list of parts,
// of which text parts are joined and others, such as reasoning, left out.
func contentText(raw json.RawMessage) (content, refusal string, ok bool) {
	if len(raw) == 0 || json.Unmarshal(raw, &content) == nil {
		return content, "", true
	}
	parts, ok := wire.ListOf(raw)
	if !ok {
		return "", "", false
	}
	var b strings.Builder
	for _, p := range parts {
		switch p.Text("type") {
		case "text", "output_text":
			text, ok := p.String("text")
			if !ok {
				return "", "", false
			}
			b.WriteString(text)
		case "refusal":
			refusal += refusalText(p)
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

package anthropic

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
// are worth, so that an odd one does not cost the answer. The tool is the name of
// the one that was offered, if any.
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
	m, ok := wire.MembersOf(r.Body)
	fail = func(f *wire.Failure) (judge.Response, *wire.Failure) {
		f.Usage = usage(m["usage"]) // it was paid for
		return judge.Response{}, f
	}
	if !ok || len(m["content"]) == 0 || m.Text("type") == "error" {
		if f := r.FailureWithin(); f != nil {
			return fail(f)
		}
	}
	if !ok {
		return fail(r.Bad(evaluators.ErrorJudgeMalformedOutput, "the reply is not a message"))
	}
	if f := r.FailureOf(m["error"]); f != nil {
		return fail(f)
	}
	stop := m.Text("stop_reason")
	switch {
	case strings.EqualFold(stop, "model_context_window_exceeded"):
		// More room for the answer would not help: there is none.
		return fail(r.Bad(evaluators.ErrorJudgeInputTooLong, "the model's context window is full"))
	case len(m["content"]) == 0 && stop == "":
		return fail(r.Bad(evaluators.ErrorJudgeEmptyOutput, "the reply has no content"))
	}
	text, input, ok := content(m["content"], tool)
	if !ok {
		return fail(r.Bad(evaluators.ErrorJudgeMalformedOutput, "the message's content is not a list of blocks"))
	}
	answer := judge.Response{
		Text:   text,
		Finish: finish(stop),
		ID:     m.Text("id"),
		Model:  m.Text("model"),
		Usage:  usage(m["usage"]),
		Header: r.Header,
	}
	if tool != "" && input != "" {
		answer.Text = input
		if answer.Finish == judge.FinishToolCalls { // as it was told to
			answer.Finish = judge.FinishStop
		}
	}
	return answer, nil
}

// content reads the blocks of a message: its text, of which thinking is no
// part, and the input of its uses of a tool.
func content(raw json.RawMessage, tool string) (text, input string, ok bool) {
	if len(raw) == 0 || json.Unmarshal(raw, &text) == nil { // null is neither, gateways send text
		return text, "", true
	}
	blocks, ok := wire.ListOf(raw)
	if !ok {
		return "", "", false
	}
	var b strings.Builder
	called := wire.ToolNamed(tool)
	for _, block := range blocks {
		switch block.Text("type") {
		case "text":
			said, ok := block.String("text")
			if !ok {
				return "", "", false
			}
			b.WriteString(said)
		case "tool_use":
			called.Add(block.Text("name"), block["input"])
		}
	}
	return b.String(), called.String(), true
}

// finish reads why a message ended. A turn that was paused, which only happens
// with tools of the provider's, counts as ended: what there is of it is read.
func finish(reason string) judge.Finish {
	switch strings.ToLower(reason) {
	case "max_tokens":
		return judge.FinishLength
	case "refusal":
		return judge.FinishRefusal
	case "tool_use":
		return judge.FinishToolCalls
	}
	return judge.FinishStop // end_turn, stop_sequence, pause_turn
}

// usage reads the token counts. The input's are those that were neither read
// from a cache nor written to one; thinking is part of the output's.
func usage(raw json.RawMessage) judge.Usage {
	said, ok := wire.MembersOf(raw)
	if !ok {
		return judge.Usage{}
	}
	input, inputOK := said.Count("input_tokens")
	created, createdOK := said.Count("cache_creation_input_tokens")
	read, readOK := said.Count("cache_read_input_tokens")
	output, outputOK := said.Count("output_tokens")
	if !inputOK || !createdOK || !readOK || !outputOK {
		return judge.Usage{} // half of it would be taken for the whole
	}
	thinking, _ := said.Object("output_tokens_details").Count("thinking_tokens")
	return judge.Usage{
		InputTokens:     input + created + read,
		OutputTokens:    output,
		CachedTokens:    read,
		ReasoningTokens: thinking,
	}
}

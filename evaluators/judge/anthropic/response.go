package anthropic

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/internal/wire"
)

// reply is what is read of a message. Fields that only describe are kept raw,
// so that an odd one does not cost the answer.
type reply struct {
	Type       json.RawMessage `json:"type"`
	ID         json.RawMessage `json:"id"`
	Model      json.RawMessage `json:"model"`
	Content    json.RawMessage `json:"content"`
	StopReason json.RawMessage `json:"stop_reason"`
	Usage      json.RawMessage `json:"usage"`
	Error      json.RawMessage `json:"error"`
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
	var m reply
	err := json.Unmarshal(r.Body, &m)
	if err != nil || len(m.Content) == 0 || wire.Text(m.Type) == "error" {
		if f := r.FailureWithin(); f != nil {
			return fail(f)
		}
	}
	if err != nil {
		return fail(r.Bad(evaluators.ErrorJudgeMalformedOutput, "the reply is not a message"))
	}
	if f := r.FailureOf(m.Error); f != nil {
		return fail(f)
	}
	stop := wire.Text(m.StopReason)
	switch {
	case strings.EqualFold(stop, "model_context_window_exceeded"):
		// More room for the answer would not help: there is none.
		return fail(r.Bad(evaluators.ErrorJudgeInputTooLong, "the model's context window is full"))
	case len(m.Content) == 0 && stop == "":
		return fail(r.Bad(evaluators.ErrorJudgeEmptyOutput, "the reply has no content"))
	}
	text, input, ok := content(m.Content)
	if !ok {
		return fail(r.Bad(evaluators.ErrorJudgeMalformedOutput, "the message's content is not a list of blocks"))
	}
	answer := judge.Response{
		Text:   text,
		Finish: finish(stop),
		ID:     wire.Text(m.ID),
		Model:  wire.Text(m.Model),
		Usage:  usage(m.Usage),
		Header: r.Header,
	}
	if format == judge.FormatTool && input != "" {
		answer.Text = input
		if answer.Finish == judge.FinishToolCalls { // as it was told to
			answer.Finish = judge.FinishStop
		}
	}
	return answer, nil
}

// content reads the blocks of a message: its text, of which thinking is no
// part, and the input of the first use of a tool, of which one was offered.
func content(raw json.RawMessage) (text, input string, ok bool) {
	if len(raw) == 0 || json.Unmarshal(raw, &text) == nil { // null is neither, gateways send text
		return text, "", true
	}
	var blocks []struct {
		Type  string          `json:"type"`
		Text  string          `json:"text"`
		Input json.RawMessage `json:"input"`
	}
	if json.Unmarshal(raw, &blocks) != nil {
		return "", "", false
	}
	var b strings.Builder
	for _, block := range blocks {
		switch block.Type {
		case "text":
			b.WriteString(block.Text)
		case "tool_use":
			if input == "" {
				input = wire.Text(block.Input)
			}
		}
	}
	return b.String(), input, true
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
	var said struct {
		Input   json.Number `json:"input_tokens"`
		Created json.Number `json:"cache_creation_input_tokens"`
		Read    json.Number `json:"cache_read_input_tokens"`
		Output  json.Number `json:"output_tokens"`
		OutputD struct {
			Thinking json.Number `json:"thinking_tokens"`
		} `json:"output_tokens_details"`
	}
	if len(raw) == 0 || json.Unmarshal(raw, &said) != nil {
		return judge.Usage{}
	}
	input, inputOK := wire.Count(said.Input)
	created, createdOK := wire.Count(said.Created)
	read, readOK := wire.Count(said.Read)
	output, outputOK := wire.Count(said.Output)
	if !inputOK || !createdOK || !readOK || !outputOK {
		return judge.Usage{} // half of it would be taken for the whole
	}
	thinking, _ := wire.Count(said.OutputD.Thinking)
	return judge.Usage{
		InputTokens:     input + created + read,
		OutputTokens:    output,
		CachedTokens:    read,
		ReasoningTokens: thinking,
	}
}

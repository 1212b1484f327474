package openai

import (
	"encoding/json"
	"math"

	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/internal/wire"
)

// usage reads what a call took. Reasoning is part of the completion's tokens,
// and not added to them; a server that counts it outside, as Gemini's
// compatible endpoint can, has it in the difference to the total.
func usage(raw json.RawMessage) judge.Usage {
	var u judge.Usage
	u.Cost, u.HasCost = cost(raw)
	var said struct {
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
	if len(raw) == 0 || json.Unmarshal(raw, &said) != nil {
		return u
	}
	input, inputOK := wire.Count(said.Prompt)
	output, outputOK := wire.Count(said.Completion)
	if !inputOK || !outputOK {
		return u // half of it would be taken for the whole
	}
	total, _ := wire.Count(said.Total)
	u.InputTokens, u.OutputTokens = input, max(output, total-input)
	u.CachedTokens, _ = wire.Count(said.PromptD.Cached)
	u.ReasoningTokens, _ = wire.Count(said.CompletionD.Reasoning)
	return u
}

// maxCost of a call, in US dollars; more is no cost, and sums stay finite.
const maxCost = 1e6

// cost is what OpenRouter says that a call cost.
func cost(raw json.RawMessage) (dollars float64, ok bool) {
	var u struct {
		Cost json.RawMessage `json:"cost"`
	}
	var said *float64
	if json.Unmarshal(raw, &u) != nil || json.Unmarshal(u.Cost, &said) != nil || said == nil {
		return 0, false
	}
	if math.IsNaN(*said) || *said < 0 || *said > maxCost {
		return 0, false
	}
	return *said, true
}

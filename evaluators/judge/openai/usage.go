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
	said, _ := wire.MembersOf(raw)
	input, inputOK := said.Count("prompt_tokens")
	output, outputOK := said.Count("completion_tokens")
	if !inputOK || !outputOK {
		return u // half of it would be taken for the whole
	}
	total, _ := said.Count("total_tokens")
	u.InputTokens, u.OutputTokens = input, max(output, total-input)
	u.CachedTokens, _ = said.Object("prompt_tokens_details").Count("cached_tokens")
	u.ReasoningTokens, _ = said.Object("completion_tokens_details").Count("reasoning_tokens")
	return u
}

// maxCost of a call, in US dollars; more is no cost, and sums stay finite.
const maxCost = 1e6

// cost is what OpenRouter says that a call cost.
func cost(raw json.RawMessage) (dollars float64, ok bool) {
	u, _ := wire.MembersOf(raw)
	var said *float64
	if len(u["cost"]) == 0 || json.Unmarshal(u["cost"], &said) != nil || said == nil {
		return 0, false
	}
	if math.IsNaN(*said) || *said < 0 || *said > maxCost {
		return 0, false
	}
	return *said, true
}

package judge

import (
	"math"

	"github.com/genaievals/genaievals/limit"
)

// price is what a million tokens cost in US dollars.
type price struct {
	input, output float64
	known         bool
}

func (p price) valid() bool {
	for _, v := range [...]float64{p.input, p.output} {
		if math.IsNaN(v) || v < 0 || v > maxPrice {
			return false
		}
	}
	return true
}

// maxPrice is the most that a million tokens can cost; more is a slip of the
// pen.
const maxPrice = 1e6

func (p price) of(input, output int64) float64 {
	return (float64(input)*p.input + float64(output)*p.output) / 1e6
}

// maxCost of an answer, in US dollars; more is a mistake, and sums stay finite.
const maxCost = 1e6

// cost is what an answer cost: what the provider says, or else the tokens by
// the price. Without either it is not known, which is not nothing.
func (p price) cost(u Usage) (dollars float64, known bool) {
	if u.HasCost && u.Cost >= 0 && u.Cost <= maxCost {
		return u.Cost, true
	}
	input, output := max(0, u.InputTokens), max(0, u.OutputTokens)
	if !p.known || input+output == 0 {
		return 0, false
	}
	return p.of(input, output), true
}

// bytesPerToken is what English text and JSON have for most models. Other
// scripts have more bytes in a token, so that they are overestimated.
const bytesPerToken = 4

// need is what the next call is expected to use: the bytes of what is sent by
// bytesPerToken, and an answer as long as those before, at most all of the
// output budget.
func (v *conversation) need() limit.Need {
	bytes := len(v.request.Schema)
	for _, m := range v.request.Messages {
		bytes += len(m.Text)
	}
	input, output := int64(bytes+bytesPerToken-1)/bytesPerToken, v.evaluator.outputs.estimate(v.form.name, v.request.MaxOutputTokens)
	n := limit.Need{Tokens: input + output}
	if p := v.evaluator.config.price; p.known {
		n.Cost = p.of(input, output)
	}
	return n
}

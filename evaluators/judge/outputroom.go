package judge

import (
	"sync"

	"github.com/genaievals/genaievals/evaluators"
)

// minOutputTokens is the least output budget that is tried: a verdict with its
// reason has a tenth of it, a list of claims fits most times.
const minOutputTokens = 256

// outputRoom remembers the most output budget that models take, where one was
// refused as too much: by itself, or together with the prompt. It is safe for
// concurrent use.
type outputRoom struct {
	mu      sync.Mutex
	byModel map[string]int
}

// of is as much of the wanted budget as the model is known to take.
func (o *outputRoom) of(model string, want int) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	if most, ok := o.byModel[model]; ok {
		return min(want, most)
	}
	return want
}

// took notes the budget of a request that was taken, after a larger one was
// refused.
func (o *outputRoom) took(model string, budget int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	most, known := o.byModel[model]
	if known && most <= budget {
		return
	}
	if o.byModel == nil {
		o.byModel = make(map[string]int)
	}
	if !known {
		makeRoom(o.byModel)
	}
	o.byModel[model] = budget
}

// lower lowers the output budget that a model refused, and reports whether there
// is one left to ask for. A refusal for length counts as one of the budget where
// that is the larger part of what the request takes of the window: then the text
// is not what is too long.
func (v *conversation) lower(failure *Error) bool {
	budget := v.request.MaxOutputTokens
	switch {
	case failure.OutputRefused:
		budget /= 2
	case failure.Type == evaluators.ErrorJudgeInputTooLong && v.promptTokens() < int64(budget):
		budget /= 4
	default:
		return false
	}
	if budget < minOutputTokens {
		return false
	}
	v.request.MaxOutputTokens, v.lowered = budget, true
	return true
}

// refusedRoom reports whether a failure is about the budget that was doubled
// after an answer had been cut off. There is no more room then, and the text is
// not too long: with less it was taken.
func (v *conversation) refusedRoom(failure *Error) bool {
	return v.enlarged && (failure.OutputRefused || failure.Type == evaluators.ErrorJudgeInputTooLong)
}

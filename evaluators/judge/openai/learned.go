package openai

import (
	"slices"

	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/internal/wire"
)

// dialect is how a model wants to be asked. The zero dialect comes first:
// max_tokens is what most servers know, and one that ignored its newer name
// would write without a limit, where one that refuses the older says so.
type dialect struct {
	budget        budget
	noTemperature bool
	noSystem      bool // the rubric begins the first user message
}

// budget is how the output budget is sent. A model goes from each to the next
// when that one is refused, and never back: no two refusals can make it swing,
// and one that was a mistake leaves no model without a way to be asked.
type budget uint8

const (
	maxTokens budget = iota
	maxCompletionTokens
	// noBudget: both names were refused.
	noBudget
	// maxTokensAfterAll: a request without a budget was refused, too, for lacking
	// one.
	maxTokensAfterAll
)

// name is the member that a budget is sent in.
func (b budget) name() string {
	switch b {
	case maxCompletionTokens:
		return "max_completion_tokens"
	case noBudget:
		return ""
	}
	return "max_tokens"
}

// refused reports whether a failure is about how the budget was sent.
func (b budget) refused(f *wire.Failure) bool {
	switch b {
	case maxTokens, maxCompletionTokens:
		return f.Refuses(b.name())
	case noBudget:
		return f.Lacks("max_tokens") || f.Lacks("max_completion_tokens")
	}
	return false // there is nothing left to try
}

// learn changes the model's dialect if a part of it was refused, and reports
// whether the same request would now be sent differently: because it changed
// just now, or because another call's refusal changed it meanwhile.
func (x *exchange) learn(f *wire.Failure) bool {
	var change func(*dialect)
	switch {
	case x.request.MaxOutputTokens > 0 && x.asked.budget.refused(f):
		next := x.asked.budget + 1
		change = func(d *dialect) { d.budget = max(d.budget, next) }
	case !x.asked.noTemperature && x.request.Temperature != nil && f.Refuses("temperature"):
		change = func(d *dialect) { d.noTemperature = true }
	case !x.asked.noSystem && slices.ContainsFunc(x.request.Messages, isSystem) && f.RefusesSystem():
		change = func(d *dialect) { d.noSystem = true }
	default:
		return false
	}
	x.client.learned.Change(x.request.Model, change)
	return true
}

func isSystem(m judge.Message) bool { return m.Role == judge.RoleSystem }

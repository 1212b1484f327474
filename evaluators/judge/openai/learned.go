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
	completionTokens bool // max_completion_tokens in place of max_tokens
	noTemperature    bool
	noSystem         bool // the rubric begins the first user message
}

// learn changes the model's dialect if a part of it was refused, and reports
// whether the same request would now be sent differently: because it changed
// just now, or because another call's refusal changed it meanwhile.
func (x *exchange) learn(f *wire.Failure) bool {
	var change func(*dialect)
	switch {
	case !x.asked.completionTokens && x.request.MaxOutputTokens > 0 && f.Refuses("max_tokens"):
		change = func(d *dialect) { d.completionTokens = true }
	case x.asked.completionTokens && f.Refuses("max_completion_tokens"):
		return false // max_tokens was refused before
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

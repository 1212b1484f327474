package anthropic

import (
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/internal/wire"
)

// dialect is how a model wants to be asked.
type dialect struct {
	noTemperature bool
	looseTool     bool // the tool's schema is not enforced, but the tool is
}

// learn changes the model's dialect if a part of it was refused, and reports
// whether the same request would now be sent differently.
func (x *exchange) learn(f *wire.Failure) bool {
	var change func(*dialect)
	switch {
	case !x.asked.noTemperature && x.request.Temperature != nil && f.Refuses("temperature"):
		change = func(d *dialect) { d.noTemperature = true }
	case !x.asked.looseTool && x.request.Format == judge.FormatTool && f.Refuses("strict"):
		change = func(d *dialect) { d.looseTool = true }
	default:
		return false
	}
	x.client.learned.Change(x.request.Model, change)
	return true
}

package wire

import "github.com/genaievals/genaievals/evaluators"

// outputParameters are what the output budget is called.
var outputParameters = []string{"max_tokens", "max_completion_tokens"}

// tooMuch are words for a number that is too large, in plain text.
var tooMuch = []string{
	"too large", "too high", "too big", "at most", "maximum", "exceed", "less than", "smaller than", "not be greater",
	"out of range", "up to", "limit",
}

// judgeOutput sets OutputRefused if a failure says that the output budget is too
// large. Where the budget and the prompt together exceed the window, some servers
// name it, too; it is the easier to change.
func (f *Failure) judgeOutput() {
	switch f.Type {
	case evaluators.ErrorJudgeBadRequest, evaluators.ErrorJudgeInputTooLong:
	default:
		return
	}
	if f.FormatRefused {
		return
	}
	for _, name := range outputParameters {
		if (f.param == name || mentions(f.message, name)) && containsAny(plain(f.message), tooMuch...) {
			f.OutputRefused = true
		}
	}
}

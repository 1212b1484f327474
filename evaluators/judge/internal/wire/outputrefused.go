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
	f.OutputRefused = f.tooMuchOutput()
}

// tooMuchOutput reports whether a failure names the output budget and says that
// it is too large, in whatever words beside: "larger values are not supported"
// does not mean the parameter, which "unsupported parameter" does.
func (f *Failure) tooMuchOutput() bool {
	m := plain(f.message)
	if containsAny(m, "unsupported parameter", "unrecognized request argument", "use max completion tokens") {
		return false
	}
	for _, name := range outputParameters {
		if (f.param == name || mentions(f.message, name)) && containsAny(m, tooMuch...) {
			return true
		}
	}
	return false
}

package judge

import (
	"slices"

	"github.com/genaievals/genaievals/evaluators"
)

// minRoom is the least room, in bytes, that a document is cut to: what is
// refused when shorter than twice that is not refused for its length alone.
const minRoom = MinMaxInputTokens * bytesPerToken

// view is what a judge is shown of a case.
type view struct {
	c     *evaluators.Case
	shown fields
	// cut is how many bytes of the text are not in the document for its length.
	cut int64
	// shortened: the document was cut again, after the judge refused it.
	shortened bool
}

// view renders the document of a case.
func (e *Evaluator) view(c *evaluators.Case, shown fields) (view, string, error) {
	text, cut, err := renderDocument(c, shown, e.config.maxInputTokens*bytesPerToken)
	return view{c: c, shown: shown, cut: cut}, text, err
}

// shorten halves the document that a judge refused as too long, once, and
// reports whether there is a shorter one to ask about. Half of what was sent is
// enough where the estimate of a token was the reason, and where the window is
// half of what was configured; how long it is is in no refusal that could be
// relied on.
func (v *conversation) shorten(failure *Error) bool {
	if failure.Type != evaluators.ErrorJudgeInputTooLong || v.view.shortened {
		return false
	}
	const document = 1 // after the system message
	room := len(v.request.Messages[document].Text) / 2
	if room < minRoom {
		return false
	}
	text, cut, err := renderDocument(v.view.c, v.view.shown, room)
	if err != nil {
		return false
	}
	v.view.cut, v.view.shortened = cut, true
	v.request.Messages = slices.Clone(v.request.Messages) // a client may have kept them
	v.request.Messages[document].Text = text
	return true
}

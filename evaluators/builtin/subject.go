package builtin

import (
	"github.com/genaievals/genaievals/evaluators"
)

// subject is a case being judged: its texts are read once, when first asked
// for. It belongs to one call of Evaluate.
type subject struct {
	c      *evaluators.Case
	limits *Evaluator

	out *passage
	// vectors of parts of out, by their texts.
	vectors map[string]Vector
	// truncated is set when the metric being judged rests on a cut text.
	truncated bool
	// method is how the metric came to its result, where that is not the usual
	// way.
	method string
}

// output returns the text that is judged.
func (s *subject) output() *passage {
	if s.out == nil {
		p := read(s.c.Output, s.limits.maxOutput)
		s.out = &p
	}
	s.truncated = s.truncated || s.out.cut
	return s.out
}

// lacks repeats what the manager checks before it calls, for callers that have
// no manager.
func (s *subject) lacks(needs evaluators.Need) (evaluators.Result, bool) {
	if s.c == nil {
		return evaluators.Skipped("", evaluators.SkipEmptyOutput, "no case"), true
	}
	reason, missing := evaluators.NeedsMissing(s.c, needs)
	if !missing {
		return evaluators.Result{}, false
	}
	return evaluators.Skipped("", reason, lacking[reason]), true
}

// lacking says in words why a case is skipped.
var lacking = map[string]string{
	evaluators.SkipSuppressed:       "recorded without evaluation",
	evaluators.SkipToolCallOnly:     "asks for tools and says nothing",
	evaluators.SkipNonTextOutput:    "no text in the output",
	evaluators.SkipEmptyOutput:      "nothing was answered",
	evaluators.SkipContentTruncated: "the input was not recorded to its end",
	evaluators.SkipEmptyInput:       "nothing was asked",
	evaluators.SkipNoDocuments:      "nothing to check against",
	evaluators.SkipNoExpected:       "no expected output to compare with",
}

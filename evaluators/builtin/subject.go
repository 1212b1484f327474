package builtin

import (
	"strings"

	"github.com/genaievals/genaievals/evaluators"
)

// subject is a case being judged: its texts are read once, when first asked
// for. It belongs to one call of Evaluate.
type subject struct {
	c      *evaluators.Case
	limits *Evaluator

	out *passage
	// vectors of sentences of out, by their places.
	vectors map[int]Vector
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

// unjudgeable repeats what the manager checks before it calls, for callers
// that have no manager.
func (s *subject) unjudgeable(metric string) (evaluators.Result, bool) {
	skip := func(reason, why string) (evaluators.Result, bool) {
		return evaluators.Skipped(metric, reason, why), true
	}
	switch {
	case s.c == nil:
		return skip(evaluators.SkipEmptyOutput, "no case")
	case s.c.ToolCallOnly:
		return skip(evaluators.SkipToolCallOnly, "asks for tools and says nothing")
	case s.c.NonText:
		return skip(evaluators.SkipNonTextOutput, "no text in the output")
	case blank(s.c.Output):
		return skip(evaluators.SkipEmptyOutput, "nothing was answered")
	case s.c.InputTruncated && (metric == MetricAnswerRelevancy || metric == MetricFaithfulness):
		return skip(evaluators.SkipContentTruncated, "the input was not recorded to its end")
	case metric == MetricAnswerRelevancy && blank(s.c.Input):
		return skip(evaluators.SkipEmptyInput, "nothing was asked")
	case metric == MetricFaithfulness && !s.hasDocuments():
		return skip(evaluators.SkipNoDocuments, "nothing to check against")
	}
	return evaluators.Result{}, false
}

func (s *subject) hasDocuments() bool {
	for _, d := range s.c.Documents {
		if !blank(d.Text) {
			return true
		}
	}
	return false
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

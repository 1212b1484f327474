package semantic_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
	"github.com/genaievals/genaievals/instrumentation"
)

// Whatever comes, each metric gives a result or a reason, in bounded time: the
// model reads so many sentences and no more.
func TestHostileTextsAreBounded(t *testing.T) {
	for name, output := range map[string]string{
		"invalid UTF-8":       "You can \xff\xfe return \xc3\x28 them within 30 days.",
		"nothing but bad":     strings.Repeat("\xff", 1000),
		"5 MB":                strings.Repeat("The tent stands in the field, and the rain falls on it. ", 5<<20/56),
		"5 MB, one word":      strings.Repeat("a", 5<<20),
		"10,000 sentences":    strings.Repeat("It rains. ", 10_000),
		"one long sentence":   strings.Repeat("the rain and ", 5_000),
		"emoji":               strings.Repeat("Well done 🎉👍🏽 :) ", 200),
		"emoji only":          strings.Repeat("🎉", 500),
		"right to left":       "يمكنك إرجاع الحذاء خلال ثلاثين يومًا.",
		"right to left marks": "You can return \u202ethem\u202c within 30 days.",
		"markup":              strings.Repeat("<div><b>You</b> can <i>return</i> them.</div>", 300),
		"open markup":         strings.Repeat("<", 20_000),
		"table":               strings.Repeat("| tent | 30 | green |\n", 2_000),
		"zero bytes":          "You can\x00 return\x00 them.",
		"combining marks":     "You can return them" + strings.Repeat("\u0301", 10_000) + " within 30 days.",
	} {
		t.Run(name, func(t *testing.T) {
			e := builtin.New(builtin.WithShare(1), builtin.WithMaxSentences(12))
			c := &evaluators.Case{Input: "Can I return them?", Output: output, Documents: []instrumentation.Document{{Text: "They can be returned."}}}
			byDefault := slices.DeleteFunc(e.Metrics(), func(m evaluators.Metric) bool { return !slices.Contains(e.DefaultMetrics(), m.Name) })
			for _, group := range e.Group(byDefault) {
				for _, r := range e.Evaluate(t.Context(), c, group) {
					switch {
					case r.Outcome == evaluators.OutcomeScored && !(r.Score >= 0 && r.Score <= 1 && !math.IsNaN(r.Score)):
						t.Errorf("%s: score %v", r.Metric, r.Score)
					case r.Outcome == evaluators.OutcomeSkipped && r.Reason == "", r.Outcome == evaluators.OutcomeFailed:
						t.Errorf("%s: %s(%s) %v", r.Metric, r.Outcome, r.Reason, r.Err)
					case len(r.Explanation) > 500 || !utf8.ValidString(r.Explanation):
						t.Errorf("%s: explanation %q", r.Metric, r.Explanation)
					}
				}
			}
		})
	}
}

// A caller who goes away is not kept until the text is read.
func TestCancellationBetweenSentences(t *testing.T) {
	cause := errors.New("the caller left")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	e := builtin.New(builtin.WithShare(0.05), builtin.WithMaxSentences(10_000))
	c := &evaluators.Case{Output: strings.Repeat("The green tent stands in the field behind the house. ", 1_000)}
	done := make(chan evaluators.Result)
	go func() { done <- e.Evaluate(ctx, c, []evaluators.Metric{{Name: "toxicity"}})[0] }()
	cancel(cause)
	select {
	case r := <-done:
		if r.Outcome != evaluators.OutcomeFailed || r.ErrorType != evaluators.ErrorEvaluatorTimeout || !errors.Is(r.Err, cause) {
			t.Errorf("%s(%s): %v", r.Outcome, r.ErrorType, r.Err)
		}
	case <-time.After(time.Minute):
		t.Fatal("it was read to its end")
	}
}

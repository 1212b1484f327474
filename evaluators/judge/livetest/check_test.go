package livetest

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

// exchange is one evaluation of a case, and all that was said for it.
type exchange struct {
	t      *testing.T
	sample sample
	calls  []call
	echoes bool
}

// of returns the calls that asked a metric.
func (x exchange) of(metric string) []call {
	return slices.DeleteFunc(slices.Clone(x.calls), func(c call) bool { return !slices.Contains(c.request.Metrics, metric) })
}

func (x exchange) errorf(m evaluators.Metric, r evaluators.Result, format string, args ...any) {
	x.t.Helper()
	said := "nothing"
	if calls := x.of(m.Name); len(calls) > 0 {
		last := calls[len(calls)-1]
		said = last.response.Text
		if last.err != nil {
			said = last.err.Error()
		}
	}
	x.t.Errorf("case %s, %s: "+format+"\nresult: %s %v %q %s%s %q %v\nthe judge's last words: %q", append(append([]any{x.sample.nonce, m.Name}, args...),
		r.Outcome, r.Score, r.Label, r.Reason, r.ErrorType, r.Explanation, r.Err, said)...)
}

// check holds a result against what the judge said.
func (x exchange) check(m evaluators.Metric, r evaluators.Result) {
	x.t.Helper()
	calls := x.of(m.Name)
	if r.Attempts != len(calls) {
		x.errorf(m, r, "%d attempts, and %d calls", r.Attempts, len(calls))
	}
	if !utf8.ValidString(r.Explanation) || len(r.Explanation) > 2048 {
		x.errorf(m, r, "the explanation is not valid UTF-8 of at most 2 KiB")
	}
	if other := x.sample.otherNonce(r.Explanation); other != "" {
		x.errorf(m, r, "the explanation is about case %s", other)
	}
	if reason, missing := evaluators.NeedsMissing(x.sample.evaluated(), m.Needs); missing {
		if r.Outcome != evaluators.OutcomeSkipped || r.Reason != reason || len(calls) > 0 {
			x.errorf(m, r, "want skipped, %s, without a call", reason)
		}
		return
	}
	if len(calls) == 0 {
		x.errorf(m, r, "the judge was not asked")
		return
	}
	switch r.Outcome {
	case evaluators.OutcomeScored:
		x.checkScored(m, r, calls[len(calls)-1])
	case evaluators.OutcomeSkipped:
		x.checkSkipped(m, r, calls[len(calls)-1])
	case evaluators.OutcomeFailed:
		x.checkFailed(m, r, calls[len(calls)-1])
	default:
		x.errorf(m, r, "no outcome")
	}
}

func (x exchange) checkScored(m evaluators.Metric, r evaluators.Result, last call) {
	x.t.Helper()
	switch {
	case !r.Finite() || r.Score < 0 || r.Score > 1:
		x.errorf(m, r, "the score is not in 0…1")
	case !slices.Contains(m.Labels, r.Label):
		x.errorf(m, r, "the label is none of %q", m.Labels)
	case r.Reason != "" || r.ErrorType != "" || r.Err != nil:
		x.errorf(m, r, "scored, and more")
	case last.err != nil || unusable(last.response) != "":
		x.errorf(m, r, "scored without a usable answer")
	}
	want, strict := readingOf(m, last.response.Text)
	switch {
	case !strict && !hints(m, r, last.response.Text):
		x.errorf(m, r, "the judge did not say so")
	case !strict:
	case want.empty:
		x.errorf(m, r, "scored, and there are no claims")
	case math.Abs(want.score-r.Score) > 1e-12 || want.label != r.Label:
		x.errorf(m, r, "misread: the judge's answer is %v %q", want.score, want.label)
	case !want.claims && len(want.reason) <= 2048 && r.Explanation != want.reason:
		x.errorf(m, r, "the judge's reason is %q", want.reason)
	case x.echoes && !want.claims && !strings.Contains(r.Explanation, x.sample.nonce):
		x.errorf(m, r, "the explanation does not name its case")
	}
}

// checkSkipped: a metric that applies is skipped only where there are no
// claims.
func (x exchange) checkSkipped(m evaluators.Metric, r evaluators.Result, last call) {
	x.t.Helper()
	want, strict := readingOf(m, last.response.Text)
	switch {
	case r.Reason != evaluators.SkipNotReported || r.ErrorType != "" || r.Err != nil || r.Label != "" || r.Score != 0:
		x.errorf(m, r, "want skipped, %s, and nothing else", evaluators.SkipNotReported)
	case last.err != nil || unusable(last.response) != "":
		x.errorf(m, r, "skipped without a usable answer")
	case strict && !want.empty:
		x.errorf(m, r, "lost: the judge's answer is %v %q", want.score, want.label)
	}
}

// checkFailed: a failure is what the last call failed for, and a good answer is
// never lost.
func (x exchange) checkFailed(m evaluators.Metric, r evaluators.Result, last call) {
	x.t.Helper()
	want := evaluators.ErrorJudgeMalformedOutput
	if failure, ok := errors.AsType[*judge.Error](last.err); ok {
		want = failure.Type
	} else if why := unusable(last.response); why != "" {
		want = why
	}
	said, strict := readingOf(m, last.response.Text)
	switch {
	case r.Label != "" || r.Score != 0 || r.Reason != "" || r.Err == nil:
		x.errorf(m, r, "want failed, why, and nothing else")
	case r.ErrorType != want && r.ErrorType != evaluators.ErrorJudgeCircuitOpen:
		x.errorf(m, r, "want %s", want)
	case strict && said.whole && want == evaluators.ErrorJudgeMalformedOutput:
		x.errorf(m, r, "a readable answer was lost")
	case strings.Contains(r.Err.Error(), noncePrefix):
		x.errorf(m, r, "the error quotes the evaluated text")
	}
}

// unusable says by which error type a response has no answer to look for.
func unusable(r judge.Response) string {
	switch {
	case r.Refusal != "" || r.Finish == judge.FinishRefusal:
		return evaluators.ErrorJudgeRefused
	case r.Finish == judge.FinishContentFilter:
		return evaluators.ErrorJudgeContentFiltered
	case r.Finish == judge.FinishLength:
		return evaluators.ErrorJudgeTruncated
	case evaluators.Blank(r.Text):
		return evaluators.ErrorJudgeEmptyOutput
	}
	return ""
}

// checkRequests: what is sent is about this case and no other, and there is an
// end to asking.
func (x exchange) checkRequests() {
	x.t.Helper()
	const most = 34 // of one metric: twice, combined and alone, 3 sends of 3 askings and 8 adaptations
	asked := map[string]int{}
	for _, c := range x.calls {
		for _, m := range c.request.Metrics {
			if asked[m]++; asked[m] > most {
				x.t.Errorf("case %s: %s was asked more than %d times", x.sample.nonce, m, most)
				return
			}
		}
		shown := c.request.Messages[1].Text
		if other := x.sample.otherNonce(shown); other != "" || !strings.Contains(shown, x.sample.nonce) {
			x.t.Errorf("case %s: the judge was shown %s", x.sample.nonce, shown)
			return
		}
	}
}

// checkTokens: what the judge says that it used is what the results say.
func (x exchange) checkTokens(results []evaluators.Result) {
	x.t.Helper()
	var used, told judge.Usage
	for _, c := range x.calls {
		used.InputTokens += max(0, c.response.Usage.InputTokens)
		used.OutputTokens += max(0, c.response.Usage.OutputTokens)
	}
	for _, r := range results {
		told.InputTokens += r.InputTokens
		told.OutputTokens += r.OutputTokens
	}
	if used != told {
		x.t.Errorf("case %s: the judge used %d + %d tokens, the results say %d + %d", x.sample.nonce,
			used.InputTokens, used.OutputTokens, told.InputTokens, told.OutputTokens)
	}
}

package judge_test

import (
	"context"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/limit"
)

// window is a judge that refuses what is longer than its context.
type window struct {
	bytes int
	judge *judgetest.Judge
}

func (w window) Complete(ctx context.Context, r judge.Request) (judge.Response, error) {
	if len(r.Messages[1].Text) > w.bytes {
		_, _ = w.judge.Complete(ctx, r) // to be counted
		return judge.Response{}, &judge.Error{Type: evaluators.ErrorJudgeInputTooLong, Status: 400, Code: "context_length_exceeded"}
	}
	return w.judge.Complete(ctx, r)
}

func longCase() *evaluators.Case {
	c := fullCase()
	c.Output = strings.Repeat("You can return them within 30 days. ", 10_000)
	return c
}

// TestWhatIsTooLongIsHalvedOnce is L01.
func TestWhatIsTooLongIsHalvedOnce(t *testing.T) {
	const tokens = 4096
	for _, tt := range []struct {
		name      string
		c         *evaluators.Case
		window    int
		attempts  int
		errorType string
		cut       bool
	}{
		{"fits_at_once", longCase(), 4 * tokens, 1, "", true},
		{"fits_in_half", longCase(), 2 * tokens, 2, "", true},
		{"does_not_fit_in_half", longCase(), tokens, 2, evaluators.ErrorJudgeInputTooLong, true},
		{"short_text", fullCase(), 10, 1, evaluators.ErrorJudgeInputTooLong, false},
	} {
		t.Run("L01_L03_"+tt.name, func(t *testing.T) {
			j := judgetest.NewJudge()
			e := newEvaluator(t, window{tt.window, j}, judge.WithMaxInputTokens(tokens), judge.WithGate(limit.NewGate()))
			r := e.Evaluate(t.Context(), tt.c, metricsNamed(t, e, "faithfulness"))[0]
			if r.ErrorType != tt.errorType || (tt.errorType == "") != (r.Outcome == evaluators.OutcomeScored) {
				t.Errorf("%v %q: %v", r.Outcome, r.ErrorType, r.Err)
			}
			if r.Attempts != tt.attempts || j.Count() != tt.attempts {
				t.Errorf("%d attempts, %d calls, want %d", r.Attempts, j.Count(), tt.attempts)
			}
			last := ""
			for i, call := range j.Calls() {
				last = call.Request.Messages[1].Text
				if most := 4 * tokens >> i; len(last) > most || tt.cut && len(last) < most*9/10 {
					t.Errorf("call %d has %d bytes of text, want at most %d", i, len(last), most)
				}
				if strings.Contains(last, "left out") != tt.cut || !strings.Contains(last, fullCase().Input) || !strings.Contains(last, fullCase().Documents[0].Text) {
					t.Errorf("call %d: %.200s", i, last)
				}
			}
			shown := int64(strings.Count(last, "You can return them within 30 days."))
			if all := int64(len(tt.c.Output)); tt.cut && (r.InputCut < all-shown*36-72 || r.InputCut > all-shown*36) || !tt.cut && r.InputCut != 0 {
				t.Errorf("%d bytes of %d are said to be cut, %d sentences shown", r.InputCut, all, shown)
			}
		})
	}
}

// TestHalvedTextIsRepairedAsItIs: an unreadable answer does not bring back what
// was cut.
func TestHalvedTextIsRepairedAsItIs(t *testing.T) {
	t.Run("L01", func(t *testing.T) {
		j := judgetest.NewJudge(judgetest.WithAnswers("bias",
			judgetest.Fail(evaluators.ErrorJudgeInputTooLong), judgetest.Text("rubbish"), judgetest.Label("biased", "why")))
		e := newEvaluator(t, j)
		r := e.Evaluate(t.Context(), longCase(), metricsNamed(t, e, "bias"))[0]
		calls := j.Calls()
		if r.Outcome != evaluators.OutcomeScored || r.Attempts != 3 || len(calls) != 3 {
			t.Fatalf("result %+v", r)
		}
		first, second, third := calls[0].Request.Messages, calls[1].Request.Messages, calls[2].Request.Messages
		if len(first[1].Text) < 2*len(second[1].Text) || second[1] != third[1] || len(third) != 4 {
			t.Errorf("%d, %d and %d bytes, %d messages", len(first[1].Text), len(second[1].Text), len(third[1].Text), len(third))
		}
	})
}

// TestOnlyItsLengthShortensAText: what failed otherwise is not cut.
func TestOnlyItsLengthShortensAText(t *testing.T) {
	for _, errorType := range []string{evaluators.ErrorJudgeBadRequest, evaluators.ErrorJudgeContentFiltered, evaluators.ErrorJudgeRefused} {
		j := judgetest.NewJudge(judgetest.WithAnswers("", judgetest.Fail(errorType)))
		e := newEvaluator(t, j)
		if r := e.Evaluate(t.Context(), longCase(), metricsNamed(t, e, "bias"))[0]; r.ErrorType != errorType {
			t.Errorf("%s: %q", errorType, r.ErrorType)
		}
		calls := j.Calls()
		for _, call := range calls {
			if got, sent := len(call.Request.Messages[1].Text), len(calls[0].Request.Messages[1].Text); got != sent {
				t.Errorf("%s: %d bytes after %d", errorType, got, sent)
			}
		}
	}
}

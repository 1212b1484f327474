package judgetest_test

import (
	"encoding/json"
	"testing"
	"testing/synctest"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
)

// outcomeOf is the error.type of one call, as an evaluator sees it.
func outcomeOf(resp judge.Response, err error) string {
	switch {
	case err != nil:
		return typeOf(err)
	case resp.Refusal != "" || resp.Finish == judge.FinishRefusal:
		return evaluators.ErrorJudgeRefused
	case resp.Finish == judge.FinishContentFilter:
		return evaluators.ErrorJudgeContentFiltered
	case resp.Finish == judge.FinishLength:
		return evaluators.ErrorJudgeTruncated
	case evaluators.Blank(resp.Text):
		return evaluators.ErrorJudgeEmptyOutput
	}
	return ""
}

// TestFaultsAreWhatTheySay: a client that reads them as it should comes to the
// error type that they are said to have.
func TestFaultsAreWhatTheySay(t *testing.T) {
	seen := map[judgetest.Fault]bool{}
	for _, f := range judgetest.Faults() {
		if seen[f] {
			t.Errorf("%s is there twice", f)
		}
		seen[f] = true
		t.Run(string(f), func(t *testing.T) {
			s := newServer(t, judgetest.WithAnswers("", f.Answer()))
			client, err := openai.New(openai.Config{BaseURL: s.URL, Model: "m"})
			if err != nil {
				t.Fatal(err)
			}
			resp, err := client.Complete(t.Context(), judge.Request{
				Metrics: []string{"own"}, Schema: json.RawMessage(closedSchema), Format: judge.FormatStrictSchema,
				Messages: []judge.Message{{Role: judge.RoleUser, Text: "{}"}},
			})
			if got := outcomeOf(resp, err); got != f.ErrorType() {
				t.Errorf("over HTTP %q (%v), want %q", got, err, f.ErrorType())
			}
			if f == judgetest.FaultThinkingBeside && resp.Usage.OutputTokens != 80 {
				t.Errorf("usage %+v", resp.Usage)
			}
			if p := s.Requests()[0].Played; p.ErrorType != f.ErrorType() || p.Valid() != (f.ErrorType() == "") {
				t.Errorf("played %+v", p)
			}
		})
	}
	if a := judgetest.Fault("unheard_of"); a.ErrorType() != "" {
		t.Error("an unknown fault has an error type")
	}
}

func TestFaultsOfAJudge(t *testing.T) {
	for _, f := range judgetest.Faults() {
		t.Run(string(f), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, err := judge.New(judgetest.NewJudge(judgetest.WithAnswers("", f.Answer())))
				if err != nil {
					t.Fatal(err)
				}
				r := e.Evaluate(t.Context(), &evaluators.Case{Output: "A."}, e.Metrics()[:1])[0]
				if r.ErrorType != f.ErrorType() || (r.Outcome == evaluators.OutcomeScored) != (f.ErrorType() == "") {
					t.Errorf("%v %q, want %q", r.Outcome, r.ErrorType, f.ErrorType())
				}
			})
		})
	}
}

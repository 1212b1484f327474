package judge_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

// narrow is a judge whose window, or whose answers, are small.
type narrow struct {
	window int  // most tokens of prompt and answer together, 0 for no matter how many
	most   int  // largest output budget taken, 0 for any
	cuts   bool // answers are cut off whatever their budget
	asked  []int
	shown  []int // bytes of the document
	forms  []string
}

func (n *narrow) Complete(_ context.Context, r judge.Request) (judge.Response, error) {
	bytes := len(r.Schema)
	for _, m := range r.Messages {
		bytes += len(m.Text)
	}
	n.asked = append(n.asked, r.MaxOutputTokens)
	n.shown = append(n.shown, len(r.Messages[1].Text))
	n.forms = append(n.forms, r.Metrics...)
	switch {
	case n.most > 0 && r.MaxOutputTokens > n.most:
		return judge.Response{}, &judge.Error{Type: evaluators.ErrorJudgeBadRequest, Status: 400, OutputRefused: true}
	case n.window > 0 && bytes/4+r.MaxOutputTokens > n.window:
		return judge.Response{}, &judge.Error{Type: evaluators.ErrorJudgeInputTooLong, Status: 400}
	case n.cuts:
		return judge.Response{Text: `{"reason":"It`, Finish: judge.FinishLength}, nil
	case len(r.Metrics) > 1:
		return judge.Response{Text: `{"bias":` + notBiased + `,"toxicity":` + toxic + `}`}, nil
	case r.Metrics[0] == "toxicity":
		return judge.Response{Text: toxic}, nil
	}
	return judge.Response{Text: notBiased}, nil
}

func TestOutputBudgetFitsTheJudge(t *testing.T) {
	for _, tt := range []struct {
		name  string
		judge *narrow
		// want are the budgets of the calls of two evaluations.
		want [2][]int
		fail string
	}{
		{"takes_all", &narrow{}, [2][]int{{2048}, {2048}}, ""},
		{"answers_are_capped", &narrow{most: 600}, [2][]int{{2048, 1024, 512}, {512}}, ""},
		{"window_is_the_budget", &narrow{window: 2048}, [2][]int{{2048, 512}, {512}}, ""},
		{"window_without_room", &narrow{window: 300}, [2][]int{{2048, 512}, {2048, 512}}, evaluators.ErrorJudgeInputTooLong},
		{"nothing_is_taken", &narrow{most: 1}, [2][]int{{2048, 1024, 512, 256}, {2048, 1024, 512, 256}}, evaluators.ErrorJudgeBadRequest},
		{"P12_doubled_budget_is_refused", &narrow{most: 2048, cuts: true}, [2][]int{{2048, 4096}, {2048, 4096}}, evaluators.ErrorJudgeTruncated},
		{"P12_doubled_budget_has_no_window", &narrow{window: 3000, cuts: true}, [2][]int{{2048, 4096}, {2048, 4096}}, evaluators.ErrorJudgeTruncated},
		{"P09_no_more_than_was_learned", &narrow{most: 600, cuts: true}, [2][]int{{2048, 1024, 512}, {512}}, evaluators.ErrorJudgeTruncated},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := newEvaluator(t, tt.judge)
			var r evaluators.Result
			var got [2][]int
			for i := range got {
				tt.judge.asked = nil
				r = ask(t.Context(), t, e, "bias")
				got[i] = tt.judge.asked
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("budgets (-want +got):\n%s", diff)
			}
			if r.ErrorType != tt.fail || (tt.fail == "") != (r.Outcome == evaluators.OutcomeScored) {
				t.Errorf("%v %q, want %q", r.Outcome, r.ErrorType, tt.fail)
			}
			if slices.Max(tt.judge.shown) != slices.Min(tt.judge.shown) {
				t.Errorf("the text was cut, which was not too long: %v bytes", tt.judge.shown)
			}
		})
	}
}

// A judge that takes no combined call for its size is asked one by one.
func TestCombinedCallThatDoesNotFitIsAskedOneByOne(t *testing.T) {
	for name, refusal := range map[string]string{
		"too_long": evaluators.ErrorJudgeInputTooLong, "bad_request": evaluators.ErrorJudgeBadRequest,
	} {
		t.Run(name, func(t *testing.T) {
			n := &narrow{}
			c := clientFunc(func(ctx context.Context, r judge.Request) (judge.Response, error) {
				if len(r.Metrics) > 1 {
					n.forms = append(n.forms, "both")
					return judge.Response{}, &judge.Error{Type: refusal, Status: 400}
				}
				return n.Complete(ctx, r)
			})
			e := newEvaluator(t, c, judge.WithMode(judge.ModeCombined))
			got := outcomes(e.Evaluate(t.Context(), fullCase(), metricsNamed(t, e, "bias", "toxicity")))
			if want := "bias 0 Not Biased, toxicity 1 Toxic"; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			if diff := cmp.Diff([]string{"both", "both", "bias", "toxicity"}, n.forms); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
		})
	}
}

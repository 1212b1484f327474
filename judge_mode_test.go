package genaievals_test

import (
	"context"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/instrumentation"
)

// The mode is a judge's own, or else the first one's; the results are the same.
func TestModesOfJudges(t *testing.T) {
	for name, tt := range map[string]struct {
		env         map[string]string
		first, fast int // calls
	}{
		"by default":             {nil, 2, 2},
		"combined":               {map[string]string{"JUDGE_MODE": "combined"}, 1, 1},
		"one of them":            {map[string]string{"JUDGE_FAST_MODE": "Combined"}, 2, 1},
		"all but one":            {map[string]string{"JUDGE_MODE": "combined", "JUDGE_FAST_MODE": "per-metric"}, 1, 2},
		"unreadable, so neither": {map[string]string{"JUDGE_MODE": "both"}, 2, 2},
	} {
		t.Run(name, func(t *testing.T) {
			first, fast := judgeServer(t), judgeServer(t)
			setenv(t, map[string]string{
				"JUDGE_BASE_URL": first.URL, "JUDGE_MODEL": "m", "EVALUATORS": "judge(bias,toxicity),fast(bias,toxicity)",
				"JUDGES": "fast", "JUDGE_FAST_BASE_URL": fast.URL, "JUDGE_FAST_MODEL": "small",
			})
			setenv(t, tt.env)
			_, lines := evaluateOne(t)
			if got := strings.Join(lines, ", "); got != "fast bias scored, fast toxicity scored, judge bias scored, judge toxicity scored" {
				t.Errorf("results are %q", got)
			}
			if first.Count() != tt.first || fast.Count() != tt.fast {
				t.Errorf("%d and %d calls, want %d and %d", first.Count(), fast.Count(), tt.first, tt.fast)
			}
		})
	}
}

// Each wire format gives the same results, one metric a call and combined.
func TestBothFormatsGiveTheSameResults(t *testing.T) {
	for _, provider := range []string{"other", "anthropic"} {
		for _, mode := range []string{"per_metric", "combined"} {
			t.Run(provider+" "+mode, func(t *testing.T) {
				server := judgeServer(t)
				setenv(t, map[string]string{
					"JUDGE_PROVIDER": provider, "JUDGE_MODE": mode, "JUDGE_BASE_URL": server.URL, "JUDGE_MODEL": "m",
					"EVALUATORS": "judge(bias,toxicity,answer_relevancy,hallucination)",
				})
				_, lines := evaluateOne(t)
				want := "judge answer_relevancy scored, judge bias scored, judge hallucination scored, judge toxicity scored"
				if got := strings.Join(lines, ", "); got != want {
					t.Errorf("results are %q", got)
				}
				if n := server.Count(); mode == "combined" && n != 1 || mode != "combined" && n != 4 {
					t.Errorf("%d calls", n)
				}
			})
		}
	}
}

// How much text a judge is shown is a judge's own, or else the first one's.
func TestInputBudgetsOfJudges(t *testing.T) {
	server := judgeServer(t)
	setenv(t, map[string]string{
		"JUDGE_BASE_URL": server.URL, "JUDGE_MODEL": "m", "EVALUATORS": "judge(bias),fast(bias),wide(bias)",
		"JUDGE_MAX_INPUT_TOKENS": "300", "JUDGES": "fast,wide", "JUDGE_FAST_MODEL": "small",
		"JUDGE_WIDE_MODEL": "wide", "JUDGE_WIDE_MAX_INPUT_TOKENS": "100000",
	})
	var got results
	evals := startWith(t, got.option())
	_, inv := evals.Handler().StartInference(context.Background(), instrumentation.Inference{})
	inv.SetOutput(instrumentation.AssistantMessage(strings.Repeat("Within thirty days. ", 1000)))
	inv.End()
	flush(t, evals)
	cut := map[string]bool{}
	for _, r := range got.list {
		cut[r.Evaluator] = r.InputCut > 0
	}
	if len(cut) != 3 || !cut["judge"] || !cut["fast"] || cut["wide"] {
		t.Errorf("cut are %v, want judge and fast", cut)
	}
}

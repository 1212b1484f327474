package calibrate_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/internal/calibrate/samples"
)

// A combined judge is asked what the application asks: the verdict on a metric
// may be coloured by those beside it. The bill is that of the whole call.
func TestCombinedJudgeIsAskedAsTheApplicationDoes(t *testing.T) {
	for name, tt := range map[string]struct {
		mode   judge.Mode
		groups [][]string
		asked  []string
	}{
		"combined": {
			judge.ModeCombined, [][]string{{"bias", "toxicity", "answer_relevancy"}},
			[]string{"[bias toxicity answer_relevancy]", "[bias toxicity]", "[bias toxicity answer_relevancy sentiment]"},
		},
		"one by one": {judge.ModePerMetric, nil, []string{"[bias]", "[toxicity]", "[sentiment]"}},
	} {
		t.Run(name, func(t *testing.T) {
			client := judgetest.NewJudge()
			e, err := judge.New(client, judge.WithMode(tt.mode), judge.WithPrice(1, 1))
			if err != nil {
				t.Fatal(err)
			}
			sample := func(metric, label, input string) samples.Sample {
				return samples.Sample{ID: metric, Metric: metric, Label: label, Case: evaluators.Case{
					Kind: instrumentation.KindInference, Input: input, Output: "Hello.",
				}}
			}
			cfg := config(e, of(sample("bias", "Biased", "Hi?"), sample("toxicity", "Toxic", ""), sample("sentiment", "Neutral", "Hi?")))
			cfg.Together = slices.DeleteFunc(e.Metrics(), func(m evaluators.Metric) bool {
				return !slices.Contains([]string{"bias", "toxicity", "answer_relevancy"}, m.Name)
			})
			r := run(t, cfg)
			var asked []string
			for _, call := range client.Calls() {
				asked = append(asked, fmt.Sprint(call.Request.Metrics))
			}
			if diff := cmp.Diff(tt.asked, asked); diff != "" {
				t.Errorf("asked, -want +got:\n%s", diff)
			}
			if diff := cmp.Diff(tt.groups, r.Evaluator.Together); diff != "" {
				t.Errorf("together, -want +got:\n%s", diff)
			}
			if r.Samples.Scored != 3 || len(r.Metrics) != 3 {
				t.Errorf("%d scored, %d metrics", r.Samples.Scored, len(r.Metrics))
			}
			for _, m := range r.Metrics {
				if u := m.Usage; u.Calls != 1 || *u.InputTokens != 100 || *u.OutputTokens != 20 || *u.CostUSD < 119e-6 || *u.CostUSD > 121e-6 {
					t.Errorf("%s: usage %+v, %d in, %d out, %v", m.Name, u, *u.InputTokens, *u.OutputTokens, *u.CostUSD)
				}
			}
		})
	}
}

// Without reported tokens none are told, and where some are missing it is said.
func TestTokensThatNobodyReportedAreAbsent(t *testing.T) {
	for reported := range 3 {
		answers := []judgetest.Answer{judgetest.Label("biased", "").NoUsage(), judgetest.Label("biased", "").NoUsage()}
		for i := range reported {
			answers[i] = judgetest.Label("biased", "")
		}
		e, err := judge.New(judgetest.NewJudge(judgetest.WithAnswers("bias", answers...)))
		if err != nil {
			t.Fatal(err)
		}
		u := run(t, config(e, of(labelled("a", "Biased"), labelled("b", "Biased")))).Metrics[0].Usage
		if u.Samples != 2 || u.Metered != reported || (u.InputTokens == nil) != (reported == 0) || (u.OutputTokens == nil) != (reported == 0) {
			t.Errorf("%d reported: %+v", reported, u)
		}
	}
}

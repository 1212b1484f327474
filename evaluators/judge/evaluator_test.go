package judge_test

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/limit"
)

func newEvaluator(t *testing.T, c judge.Client, opts ...judge.Option) *judge.Evaluator {
	t.Helper()
	e, err := judge.New(c, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// metricsNamed returns metrics as the evaluator announces them.
func metricsNamed(t *testing.T, e *judge.Evaluator, names ...string) []evaluators.Metric {
	t.Helper()
	var ms []evaluators.Metric
	for _, name := range names {
		found := false
		for _, m := range e.Metrics() {
			if m.Name == name {
				ms, found = append(ms, m), true
			}
		}
		if !found {
			t.Fatalf("no metric %q", name)
		}
	}
	return ms
}

// ask evaluates one metric of the full case.
func ask(ctx context.Context, t *testing.T, e *judge.Evaluator, metric string) evaluators.Result {
	t.Helper()
	results := e.Evaluate(ctx, fullCase(), metricsNamed(t, e, metric))
	if len(results) != 1 || results[0].Metric != metric {
		t.Fatalf("results %+v", results)
	}
	return results[0]
}

// fullCase has everything that any metric needs.
func fullCase() *evaluators.Case {
	return &evaluators.Case{
		Kind:      instrumentation.KindInference,
		Input:     "How long can I return shoes?",
		Output:    "You can return them within 30 days.",
		Choices:   1,
		Documents: []instrumentation.Document{{Text: "Returns are accepted for 30 days."}},
	}
}

func TestEvaluateScoresEachMetric(t *testing.T) {
	j := judgetest.NewJudge(
		judgetest.WithAnswers("bias", judgetest.Label("biased", "It generalises.")),
		judgetest.WithAnswers("answer_relevancy", judgetest.Label("partially_relevant", "Half of it.")),
		judgetest.WithAnswers("faithfulness", judgetest.Claims(
			judgetest.Claim{Text: "30 days", Reason: "Stated.", Verdict: "supported"},
			judgetest.Claim{Text: "free", Reason: "Not stated.", Verdict: "unsupported"},
			judgetest.Claim{Text: "shoes", Reason: "Stated.", Verdict: "supported"},
			judgetest.Claim{Text: "online", Reason: "In shops only.", Verdict: "contradicted"},
		)),
	)
	e := newEvaluator(t, j, judge.WithModel("small"))
	got := e.Evaluate(t.Context(), fullCase(), metricsNamed(t, e, "bias", "toxicity", "answer_relevancy", "faithfulness"))
	common := func(r evaluators.Result) evaluators.Result {
		r.JudgeModel, r.Attempts, r.InputTokens, r.OutputTokens = "small", 1, 100, 20
		return r
	}
	want := []evaluators.Result{
		common(evaluators.Scored("bias", 1, "Biased", "It generalises.")),
		common(evaluators.Scored("toxicity", 0, "Non Toxic", "Scripted.")),
		common(evaluators.Scored("answer_relevancy", 0.5, "Relevant", "Half of it.")),
		common(evaluators.Scored("faithfulness", 0.5, "Faithful", `2 of 4 claims supported (2 supported, 1 contradicted, 1 unsupported); unsupported: "free", Not stated; contradicted: "online", In shops only`)),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
}

// TestFailuresAreNeverScores: every way in which a judge fails is a failed
// result with its type, and costs the calls that it costs.
func TestFailuresAreNeverScores(t *testing.T) {
	cut := judgetest.Text(`{"reason":"It`).Finish(judge.FinishLength)
	rubbish := judgetest.Text("As a language model I like both.")
	for _, tt := range []struct {
		name      string
		answers   []judgetest.Answer
		errorType string
		attempts  int
	}{
		{"F01_content_filter", []judgetest.Answer{judgetest.Fail(evaluators.ErrorJudgeContentFiltered)}, evaluators.ErrorJudgeContentFiltered, 1},
		{"F03_empty", []judgetest.Answer{judgetest.Text(" \n")}, evaluators.ErrorJudgeEmptyOutput, 1},
		{"F04_content_filter_finish", []judgetest.Answer{judgetest.Label("toxic", "").Finish(judge.FinishContentFilter)}, evaluators.ErrorJudgeContentFiltered, 1},
		{"P09_truncated", []judgetest.Answer{cut}, evaluators.ErrorJudgeTruncated, 2},
		{"P10_reasoning_eats_the_budget", []judgetest.Answer{judgetest.Text("").Finish(judge.FinishLength)}, evaluators.ErrorJudgeTruncated, 2},
		{"P15_nothing", []judgetest.Answer{judgetest.Text("")}, evaluators.ErrorJudgeEmptyOutput, 1},
		{"P18_prose", []judgetest.Answer{judgetest.Text("I considered 2 options; score: 8")}, evaluators.ErrorJudgeMalformedOutput, 2},
		{"P25_refusal_field", []judgetest.Answer{judgetest.Refuse("I cannot.")}, evaluators.ErrorJudgeRefused, 1},
		{"P25_refusal_finish", []judgetest.Answer{judgetest.Label("toxic", "").Finish(judge.FinishRefusal)}, evaluators.ErrorJudgeRefused, 1},
		{"P26_prose_under_schema", []judgetest.Answer{rubbish}, evaluators.ErrorJudgeMalformedOutput, 2},
		{"P09_truncated_then_unreadable", []judgetest.Answer{cut, rubbish, rubbish}, evaluators.ErrorJudgeMalformedOutput, 3},
		{"P09_unreadable_then_truncated_twice", []judgetest.Answer{rubbish, cut, cut}, evaluators.ErrorJudgeTruncated, 3},
		{"no_answer_but_a_tool", []judgetest.Answer{judgetest.Text("").Finish(judge.FinishToolCalls)}, evaluators.ErrorJudgeEmptyOutput, 1},
		{"repair_fails", []judgetest.Answer{rubbish, judgetest.Fail(evaluators.ErrorJudgeBadRequest)}, evaluators.ErrorJudgeBadRequest, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			j := judgetest.NewJudge(judgetest.WithAnswers("", tt.answers...))
			r := ask(t.Context(), t, newEvaluator(t, j), "toxicity")
			if r.Outcome != evaluators.OutcomeFailed || r.ErrorType != tt.errorType || r.Err == nil {
				t.Errorf("%v %q: %v; want failed %q", r.Outcome, r.ErrorType, r.Err, tt.errorType)
			}
			if r.Score != 0 || r.Label != "" {
				t.Errorf("a failed result has score %v, label %q", r.Score, r.Label)
			}
			if r.Attempts != tt.attempts || j.Count() != tt.attempts {
				t.Errorf("%d attempts, %d calls, want %d", r.Attempts, j.Count(), tt.attempts)
			}
		})
	}
}

func TestOneFailureLeavesTheOthersAlone(t *testing.T) {
	t.Run("P24_others_unharmed", func(t *testing.T) {
		j := judgetest.NewJudge(judgetest.WithAnswers("toxicity", judgetest.Text("no JSON")))
		e := newEvaluator(t, j)
		for _, r := range e.Evaluate(t.Context(), fullCase(), e.Metrics()) {
			want := evaluators.OutcomeScored
			if r.Metric == "toxicity" {
				want = evaluators.OutcomeFailed
			}
			if r.Outcome != want {
				t.Errorf("%s: %v, want %v", r.Metric, r.Outcome, want)
			}
		}
	})
}

func TestUnreadableAnswerIsAskedForOnceMore(t *testing.T) {
	const quoted = "c4n4ry"
	j := judgetest.NewJudge(judgetest.WithAnswers("bias",
		judgetest.Text(`{"reason":"it says `+quoted+`","label":"`+quoted+`"}`).Usage(judge.Usage{InputTokens: 10, OutputTokens: 1}),
		judgetest.Label("biased", "why").Usage(judge.Usage{InputTokens: 12, OutputTokens: 2}),
	))
	c := fullCase()
	c.Output = quoted
	e := newEvaluator(t, j)
	r := e.Evaluate(t.Context(), c, metricsNamed(t, e, "bias"))[0]
	if r.Outcome != evaluators.OutcomeScored || r.Score != 1 || r.Attempts != 2 {
		t.Fatalf("result %+v", r)
	}
	if r.InputTokens != 22 || r.OutputTokens != 3 {
		t.Errorf("%d and %d tokens; the sum over attempts is 22 and 3", r.InputTokens, r.OutputTokens)
	}
	first, second := j.Calls()[0].Request, j.Calls()[1].Request
	if diff := cmp.Diff(first.Messages, second.Messages[:2]); diff != "" {
		t.Errorf("the conversation does not begin the same:\n%s", diff)
	}
	if len(second.Messages) != 4 || second.Messages[2].Role != judge.RoleAssistant || second.Messages[3].Role != judge.RoleUser {
		t.Fatalf("messages %+v", second.Messages)
	}
	if !strings.Contains(second.Messages[3].Text, `"label" must be one of not_biased, biased`) {
		t.Errorf("repair says %q", second.Messages[3].Text)
	}
	for _, m := range second.Messages[2:] {
		if strings.Contains(m.Text, quoted) {
			t.Errorf("evaluated text repeated by %s: %q", m.Role, m.Text)
		}
	}
}

func TestCutAnswerIsAskedForOnceMoreWithTwiceTheRoom(t *testing.T) {
	cut := judgetest.Text("").Finish(judge.FinishLength)
	for _, tt := range []struct {
		name    string
		budget  int
		budgets []int
	}{
		{"P10_default_has_room_for_reasoning", judge.DefaultMaxOutputTokens, []int{2048, 4096}},
		{"P11_no_content", 100, []int{100, 200}},
		{"P12_capped", judge.MaxMaxOutputTokens - 1, []int{judge.MaxMaxOutputTokens - 1, judge.MaxMaxOutputTokens}},
		{"P12_at_the_cap", judge.MaxMaxOutputTokens, []int{judge.MaxMaxOutputTokens}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			j := judgetest.NewJudge(judgetest.WithAnswers("", cut))
			r := ask(t.Context(), t, newEvaluator(t, j, judge.WithMaxOutputTokens(tt.budget)), "bias")
			if r.ErrorType != evaluators.ErrorJudgeTruncated {
				t.Errorf("error type %q", r.ErrorType)
			}
			var budgets []int
			for _, c := range j.Calls() {
				budgets = append(budgets, c.Request.MaxOutputTokens)
			}
			if diff := cmp.Diff(tt.budgets, budgets); diff != "" {
				t.Errorf("budgets (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("P09_then_scored", func(t *testing.T) {
		j := judgetest.NewJudge(judgetest.WithAnswers("", cut, judgetest.Label("biased", "why")))
		if r := ask(t.Context(), t, newEvaluator(t, j), "bias"); r.Outcome != evaluators.OutcomeScored || r.Score != 1 {
			t.Errorf("result %+v", r)
		}
	})
}

func TestCasesThatLackSomethingCostNoCall(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*evaluators.Case)
		metric string
		reason string
	}{
		{"X01_suppressed", func(c *evaluators.Case) { c.Suppressed = true }, "bias", evaluators.SkipSuppressed},
		{"E01_E04_empty_output", func(c *evaluators.Case) { c.Output = "" }, "answer_relevancy", evaluators.SkipEmptyOutput},
		{"E02_blank_documents", func(c *evaluators.Case) { c.Documents = []instrumentation.Document{{Text: " "}} }, "faithfulness", evaluators.SkipNoDocuments},
		{"E03_invisible_output", func(c *evaluators.Case) { c.Output = "\u00a0\u200b" }, "toxicity", evaluators.SkipEmptyOutput},
		{"E03_blank_input", func(c *evaluators.Case) { c.Input = "\t" }, "answer_relevancy", evaluators.SkipEmptyInput},
		{"E05_tool_call_only", func(c *evaluators.Case) { c.Output, c.ToolCallOnly = "", true }, "bias", evaluators.SkipToolCallOnly},
		{"E07_non_text_output", func(c *evaluators.Case) { c.Output, c.NonText = "[image/png, 9 bytes]", true }, "bias", evaluators.SkipNonTextOutput},
	} {
		t.Run(tt.name, func(t *testing.T) {
			j := judgetest.NewJudge()
			e := newEvaluator(t, j)
			c := fullCase()
			tt.change(c)
			r := e.Evaluate(t.Context(), c, metricsNamed(t, e, tt.metric))[0]
			if r.Outcome != evaluators.OutcomeSkipped || r.Reason != tt.reason {
				t.Errorf("%v %q, want skipped %q", r.Outcome, r.Reason, tt.reason)
			}
			if j.Count() != 0 {
				t.Errorf("%d calls", j.Count())
			}
		})
	}
}

func TestModelOfTheMetricBeatsTheEvaluatorsOwn(t *testing.T) {
	j := judgetest.NewJudge()
	e := newEvaluator(t, j, judge.WithModel("own"))
	ms := metricsNamed(t, e, "bias", "toxicity")
	ms[1].Model = "other"
	rs := e.Evaluate(t.Context(), fullCase(), ms)
	for i, want := range []string{"own", "other"} {
		if got := j.Calls()[i].Request.Model; got != want || rs[i].JudgeModel != want {
			t.Errorf("%s: asked %q, answered by %q, want %q", ms[i].Name, got, rs[i].JudgeModel, want)
		}
	}
}

func TestRequestCarriesTheOptions(t *testing.T) {
	j := judgetest.NewJudge()
	ask(t.Context(), t, newEvaluator(t, j), "bias")
	if r := j.Calls()[0].Request; r.Temperature != nil || r.Format != judge.FormatStrictSchema || r.Model != "" {
		t.Errorf("defaults: %+v", r)
	}
	ask(t.Context(), t, newEvaluator(t, j, judge.WithTemperature(0), judge.WithResponseFormat(judge.FormatJSONObject)), "bias")
	if r := j.Calls()[1].Request; r.Temperature == nil || *r.Temperature != 0 || r.Format != judge.FormatJSONObject {
		t.Errorf("options: %+v", r)
	}
}

func TestNewRefusesBadOptions(t *testing.T) {
	j := judgetest.NewJudge()
	for _, tt := range []struct {
		name   string
		client judge.Client
		option judge.Option
		want   string
	}{
		{"no_client", nil, judge.WithName("judge"), "no client"},
		{"name", j, judge.WithName("My Judge"), "name"},
		{"few_tokens", j, judge.WithMaxOutputTokens(0), "output tokens"},
		{"many_tokens", j, judge.WithMaxOutputTokens(judge.MaxMaxOutputTokens + 1), "output tokens"},
		{"little_input", j, judge.WithMaxInputTokens(judge.MinMaxInputTokens - 1), "input tokens"},
		{"much_input", j, judge.WithMaxInputTokens(judge.MaxMaxInputTokens + 1), "input tokens"},
		{"cold", j, judge.WithTemperature(-1), "temperature"},
		{"hot", j, judge.WithTemperature(2.1), "temperature"},
		{"nan", j, judge.WithTemperature(math.NaN()), "temperature"},
		{"timeout", j, judge.WithTimeout(-time.Second), "timeout"},
		{"format", j, judge.WithResponseFormat(99), "format"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := judge.New(tt.client, tt.option); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestEvaluatorDescribesItself(t *testing.T) {
	g := limit.NewGate()
	e := newEvaluator(t, judgetest.NewJudge(), judge.WithName("strong"), judge.WithGate(g))
	if e.Name() != "strong" || e.Type() != evaluators.TypeLLMJudge || e.Version() == "" || e.Gate() != g {
		t.Errorf("%q, %q, %q, %p", e.Name(), e.Type(), e.Version(), e.Gate())
	}
	if diff := cmp.Diff([]string{"bias", "toxicity", "answer_relevancy", "faithfulness"}, e.DefaultMetrics()); diff != "" {
		t.Errorf("default metrics:\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"relevance": "answer_relevancy", "relevancy": "answer_relevancy"}, e.Aliases()); diff != "" {
		t.Errorf("aliases:\n%s", diff)
	}
	if err := evaluators.NewRegistry().Add(e); err != nil {
		t.Error(err)
	}
	if r := e.Evaluate(t.Context(), fullCase(), []evaluators.Metric{{Name: "colour"}})[0]; r.Outcome != evaluators.OutcomeFailed {
		t.Errorf("unknown metric: %+v", r)
	}
}

// TestAnnouncedMetricsAreTheCallers: what a caller does to them changes
// nothing.
func TestAnnouncedMetricsAreTheCallers(t *testing.T) {
	e := newEvaluator(t, judgetest.NewJudge())
	e.Metrics()[0].Labels[0] = "changed"
	if e.Metrics()[0].Labels[0] == "changed" {
		t.Error("labels are shared")
	}
}

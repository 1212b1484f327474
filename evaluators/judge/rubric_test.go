package judge_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/instrumentation"
)

func tone() judge.Rubric {
	return judge.Rubric{
		Name:      "tone",
		Question:  "Is the output friendly?",
		Threshold: 0.5,
		Labels: []judge.RubricLabel{
			{Name: "friendly", Score: 1, Label: "Friendly", When: "it is"},
			{Name: "so_so", Score: 0.5, When: "in part"},
			{Name: "unfriendly", Score: 0, Label: "Unfriendly"},
		},
	}
}

func effort() judge.Rubric {
	return judge.Rubric{
		Name:       "effort",
		Question:   "How much is the reader left to do?",
		Fields:     []string{"output", "input", "system", "expected", "history", "documents"},
		Direction:  evaluators.LowerIsBetter,
		Threshold:  2,
		Kinds:      []instrumentation.Kind{instrumentation.KindAgent},
		NotDefault: true,
		Scale:      &judge.RubricScale{Min: 1, Max: 5, Anchors: map[int]string{1: "nothing", 5: "everything"}},
		Passed:     "Done",
		Failed:     "Left to do",
	}
}

func TestRubricsAreAnnounced(t *testing.T) {
	plain := newEvaluator(t, judgetest.NewJudge())
	e := newEvaluator(t, judgetest.NewJudge(), judge.WithRubrics(tone()), judge.WithRubrics(effort()))
	want := append(plain.Metrics(),
		evaluators.Metric{
			Name: "tone", Threshold: 0.5, Needs: evaluators.NeedOutput,
			Labels: []string{"Friendly", "Unfriendly", "Pass", "Fail"},
		},
		evaluators.Metric{
			Name: "effort", Direction: evaluators.LowerIsBetter, Threshold: 0.25,
			Labels: []string{"Done", "Left to do"},
			Needs: evaluators.NeedOutput | evaluators.NeedInput | evaluators.NeedSystem | evaluators.NeedExpected |
				evaluators.NeedHistory | evaluators.NeedDocuments,
			Kinds: []instrumentation.Kind{instrumentation.KindAgent},
		},
	)
	if diff := cmp.Diff(want, e.Metrics()); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(append(plain.DefaultMetrics(), "tone"), e.DefaultMetrics()); diff != "" {
		t.Errorf("default metrics (-want +got):\n%s", diff)
	}
	if err := evaluators.NewRegistry().Add(e); err != nil {
		t.Error(err)
	}
}

func TestOptionalFieldsAreNotNeeded(t *testing.T) {
	r := effort()
	r.Fields, r.Optional = []string{"documents"}, []string{"input", "history"}
	e := newEvaluator(t, judgetest.NewJudge(), judge.WithRubrics(r))
	if got, want := metricsNamed(t, e, "effort")[0].Needs, evaluators.NeedOutput|evaluators.NeedDocuments; got != want {
		t.Errorf("needs %b, want %b", got, want)
	}
}

// TestVersionNamesTheRubrics: it changes with what decides a score or a label,
// and with nothing else.
func TestVersionNamesTheRubrics(t *testing.T) {
	version := func(rubrics ...judge.Rubric) string {
		return newEvaluator(t, judgetest.NewJudge(), judge.WithRubrics(rubrics...)).Version()
	}
	with := func(change func(*judge.Rubric)) string {
		r := tone()
		change(&r)
		return version(r)
	}
	base := version(tone())
	for name, other := range map[string]string{
		"none":      version(),
		"more":      version(tone(), effort()),
		"question":  with(func(r *judge.Rubric) { r.Question = "Is it friendly?" }),
		"steps":     with(func(r *judge.Rubric) { r.Steps = []string{"Look."} }),
		"fields":    with(func(r *judge.Rubric) { r.Fields = []string{"input"} }),
		"direction": with(func(r *judge.Rubric) { r.Direction = evaluators.LowerIsBetter }),
		"threshold": with(func(r *judge.Rubric) { r.Threshold = 0.4 }),
		"score":     with(func(r *judge.Rubric) { r.Labels[1].Score = 0.6 }),
		"label":     with(func(r *judge.Rubric) { r.Labels[0].Label = "Kind" }),
		"passed":    with(func(r *judge.Rubric) { r.Passed = "OK" }),
	} {
		if other == base {
			t.Errorf("%s: the version stays %s", name, base)
		}
	}
	for name, same := range map[string]string{
		"blanks":  with(func(r *judge.Rubric) { r.Question = " Is the output\n friendly? " }),
		"default": with(func(r *judge.Rubric) { r.NotDefault = true }),
		"kinds":   with(func(r *judge.Rubric) { r.Kinds = []instrumentation.Kind{instrumentation.KindAgent} }),
	} {
		if same != base {
			t.Errorf("%s: the version changes from %s to %s", name, base, same)
		}
	}
	if version(tone(), effort()) != version(effort(), tone()) {
		t.Error("the version changes with the order")
	}
}

func TestNewRefusesBadRubrics(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*judge.Rubric)
		want   string
	}{
		{"name", func(r *judge.Rubric) { r.Name = "" }, `rubric "1": name is missing`},
		{"builtin", func(r *judge.Rubric) { r.Name = "bias" }, `rubric "bias": name is that of a metric of the judge`},
		{"question", func(r *judge.Rubric) { r.Question = "\u200b" }, `rubric "tone": question is missing or empty`},
		{"utf_8", func(r *judge.Rubric) { r.Question = "\xff" }, "question is not valid UTF-8"},
		{"field", func(r *judge.Rubric) { r.Fields = []string{"input", "context"} }, "fields[1] is not one of"},
		{"kind", func(r *judge.Rubric) { r.Kinds = []instrumentation.Kind{instrumentation.KindTool} }, "kinds[0] is not one of inference, agent, workflow"},
		{"direction", func(r *judge.Rubric) { r.Direction = 7 }, "direction is not"},
		{"threshold", func(r *judge.Rubric) { r.Threshold = math.NaN() }, "threshold is not in 0…1"},
		{"threshold_not_set", func(r *judge.Rubric) { r.Threshold = 0 }, "threshold every answer passes it"},
		{"score", func(r *judge.Rubric) { r.Labels[1].Score = math.Inf(1) }, "labels[1].score is not in 0…1"},
		{"label", func(r *judge.Rubric) { r.Labels[1].Label = "a\nb" }, "labels[1].label has characters"},
		{"labels", func(r *judge.Rubric) { r.Labels = nil }, "labels is missing"},
		{"both", func(r *judge.Rubric) { r.Scale = &judge.RubricScale{Min: 1, Max: 2} }, "labels and scale are both given"},
		{"P20_no_span", func(r *judge.Rubric) { r.Labels, r.Scale = nil, &judge.RubricScale{} }, "scale.max is the same as min"},
		{"threshold_between", func(r *judge.Rubric) { r.Labels, r.Scale = nil, &judge.RubricScale{Max: 10} }, "threshold must be a whole number on the scale 0…10"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := tone()
			tt.change(&r)
			if _, err := judge.New(judgetest.NewJudge(), judge.WithRubrics(r)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
	t.Run("twice", func(t *testing.T) {
		_, err := judge.New(judgetest.NewJudge(), judge.WithRubrics(tone(), tone()))
		if err == nil || !strings.Contains(err.Error(), `rubric "tone": name is that of another rubric`) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("all_are_told", func(t *testing.T) {
		_, err := judge.New(judgetest.NewJudge(), judge.WithRubrics(judge.Rubric{Name: "a"}, judge.Rubric{Name: "b"}))
		for _, want := range []string{`rubric "a": question`, `rubric "a": labels`, `rubric "b": question`, `rubric "b": labels`} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want one with %q", err, want)
			}
		}
	})
	t.Run("too_many", func(t *testing.T) {
		if _, err := judge.New(judgetest.NewJudge(), judge.WithRubrics(make([]judge.Rubric, 101)...)); err == nil || !strings.Contains(err.Error(), "101 rubrics") {
			t.Errorf("error %v", err)
		}
	})
}

// TestRubricIsTheEvaluatorsOwn: what a caller does to it later changes nothing.
func TestRubricIsTheEvaluatorsOwn(t *testing.T) {
	r := effort()
	e := newEvaluator(t, judgetest.NewJudge(), judge.WithRubrics(r))
	r.Kinds[0], r.Scale.Max, r.Scale.Anchors[1] = instrumentation.KindWorkflow, 100, "changed"
	e.Metrics()[len(e.Metrics())-1].Kinds[0] = instrumentation.KindWorkflow
	if got := metricsNamed(t, e, "effort")[0].Kinds[0]; got != instrumentation.KindAgent {
		t.Errorf("kind %v", got)
	}
	j := judgetest.NewJudge(judgetest.WithAnswers("effort", judgetest.Text(`{"score":6}`)))
	e = newEvaluator(t, j, judge.WithRubrics(effort()))
	if got := evaluateRubric(t.Context(), t, e, "effort"); got.Outcome != evaluators.OutcomeFailed {
		t.Errorf("6 of 5: %+v", got)
	}
}

// evaluateRubric asks of a case that has everything.
func evaluateRubric(ctx context.Context, t *testing.T, e *judge.Evaluator, metric string) evaluators.Result {
	t.Helper()
	c := fullCase()
	c.System, c.Expected = "Be brief.", "30 days."
	c.History = []evaluators.Turn{{Role: "user", Text: "Hello"}}
	return e.Evaluate(ctx, c, metricsNamed(t, e, metric))[0]
}

func TestRubricIsScoredRepairedOrFailed(t *testing.T) {
	text := judgetest.Text
	for _, tt := range []struct {
		name     string
		metric   string
		answers  []judgetest.Answer
		score    float64
		label    string // none: failed
		attempts int
	}{
		{"scored", "effort", []judgetest.Answer{text(`{"reason":"r","score":2}`)}, 0.25, "Done", 1},
		{"scored_badly", "effort", []judgetest.Answer{text(`{"reason":"r","score":"5"}`)}, 1, "Left to do", 1},
		{"repaired", "effort", []judgetest.Answer{text(`{"reason":"r","score":0.5}`), text(`{"reason":"r","score":3}`)}, 0.5, "Left to do", 2},
		{"P20_divided_twice", "effort", []judgetest.Answer{text(`{"reason":"r","score":0.8}`), text(`{"reason":"r","score":0.8}`)}, 0, "", 2},
		{"P20_off_the_scale_twice", "effort", []judgetest.Answer{text(`{"reason":"r","score":50}`), text(`{"reason":"r","score":9}`)}, 0, "", 2},
		{"label", "tone", []judgetest.Answer{text(`{"reason":"r","label":"so_so"}`)}, 0.5, "Pass", 1},
		{"label_repaired", "tone", []judgetest.Answer{text(`{"reason":"r","label":"nice"}`), text(`{"reason":"r","label":"Friendly"}`)}, 1, "Friendly", 2},
		{"label_unknown_twice", "tone", []judgetest.Answer{text(`{"reason":"r","label":"nice"}`)}, 0, "", 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			j := judgetest.NewJudge(judgetest.WithAnswers(tt.metric, tt.answers...))
			e := newEvaluator(t, j, judge.WithRubrics(tone(), effort()))
			r := evaluateRubric(t.Context(), t, e, tt.metric)
			if r.Attempts != tt.attempts || r.Label != tt.label || r.Score != tt.score {
				t.Errorf("score %v, label %q after %d calls; want %v, %q, %d", r.Score, r.Label, r.Attempts, tt.score, tt.label, tt.attempts)
			}
			failed := r.Outcome == evaluators.OutcomeFailed && r.ErrorType == evaluators.ErrorJudgeMalformedOutput && r.Err != nil
			if failed != (tt.label == "") || failed && len(r.Attributes) > 0 {
				t.Errorf("%v %q, attributes %v", r.Outcome, r.ErrorType, r.Attributes)
			}
		})
	}
}

func TestRepairOfARubricNamesTheScale(t *testing.T) {
	j := judgetest.NewJudge(judgetest.WithAnswers("effort", judgetest.Text(`{"reason":"r","score":0.8}`), judgetest.Text(`{"reason":"r","score":4}`)))
	evaluateRubric(t.Context(), t, newEvaluator(t, j, judge.WithRubrics(effort())), "effort")
	messages := j.Calls()[1].Request.Messages
	if last := messages[len(messages)-1].Text; !strings.Contains(last, `"score" must be an integer from 1 to 5`) {
		t.Errorf("repair says %q", last)
	}
}

func TestRubricIsSkippedWithoutItsFields(t *testing.T) {
	j := judgetest.NewJudge()
	e := newEvaluator(t, j, judge.WithRubrics(effort()))
	for reason, lacking := range map[string]func(*evaluators.Case){
		evaluators.SkipEmptyInput:  func(c *evaluators.Case) { c.Input = "" },
		evaluators.SkipNoDocuments: func(c *evaluators.Case) { c.Documents = nil },
		evaluators.SkipNoHistory:   func(c *evaluators.Case) { c.History = nil },
		evaluators.SkipNoSystem:    func(c *evaluators.Case) { c.System = "" },
		evaluators.SkipNoExpected:  func(c *evaluators.Case) { c.Expected = " " },
	} {
		c := fullCase()
		c.System, c.Expected, c.History = "s", "e", []evaluators.Turn{{Role: "user", Text: "t"}}
		lacking(c)
		if r := e.Evaluate(t.Context(), c, metricsNamed(t, e, "effort"))[0]; r.Reason != reason {
			t.Errorf("%v %q, want skipped %q", r.Outcome, r.Reason, reason)
		}
	}
	if j.Count() != 0 {
		t.Errorf("%d calls", j.Count())
	}
}

// TestSoundRubricsStayBesideABrokenOne is how the library uses a file.
func TestSoundRubricsStayBesideABrokenOne(t *testing.T) {
	rubrics, err := judge.ParseRubrics("r.yaml", []byte(`
rubrics:
  - name: tone
    question: Is it friendly?
    direction: higher_is_better
    threshold: 4
    scale: {min: 1, max: 5}
  - name: broken
`))
	var problem *judge.RubricError
	if !errors.As(err, &problem) || problem.Rubric != "broken" {
		t.Fatalf("error %v", err)
	}
	e := newEvaluator(t, judgetest.NewJudge(judgetest.WithAnswers("tone", judgetest.Text(`{"score":4}`))), judge.WithRubrics(rubrics...))
	if r := evaluateRubric(t.Context(), t, e, "tone"); r.Score != 0.75 || r.Label != "Pass" {
		t.Errorf("result %+v", r)
	}
}

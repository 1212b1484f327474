package genaievals_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/instrumentation"
)

func newSet(t *testing.T, options ...genaievals.Option) *genaievals.EvaluatorSet {
	t.Helper()
	set, err := genaievals.NewEvaluators(t.Context(), options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := set.Close(); err != nil {
			t.Error(err)
		}
	})
	return set
}

func metricNamed(t *testing.T, metrics []evaluators.Metric, name string) evaluators.Metric {
	t.Helper()
	i := slices.IndexFunc(metrics, func(m evaluators.Metric) bool { return m.Name == name })
	if i < 0 {
		t.Fatalf("no metric %s in %v", name, metrics)
	}
	return metrics[i]
}

func TestEvaluatorsAreMadeFromTheEnvironment(t *testing.T) {
	setenv(t, map[string]string{
		"JUDGE_MODEL": "m", "JUDGE_BASE_URL": "http://127.0.0.1:1", "RATE_LIMIT": "strict:2/sec", "TIMEOUT": "7s",
		"EVALUATORS": "judge(inference(bias(threshold=0.3)),agent(bias(strict=true),toxicity(model=other)))",
	})
	t.Setenv("OTEL_SDK_DISABLED", "true") // which is about telemetry
	set := newSet(t)
	if e := set.Evaluator("deepeval"); e == nil || e.Name() != "judge" {
		t.Errorf("the judge is %v", e)
	}
	if set.Evaluator("builtin") != nil || set.Metrics("builtin") != nil {
		t.Error("builtin is not in the plan")
	}
	if rate := set.Gate("Judge").Status().Rate; rate.PerSecond != 2 {
		t.Errorf("the gate's rate is %v", rate)
	}
	if set.Timeout() != 7*time.Second {
		t.Errorf("the timeout is %v", set.Timeout())
	}
	metrics := set.Metrics("judge")
	if m := metricNamed(t, metrics, "bias"); m.Threshold != 0.3 || m.Strict {
		t.Errorf("bias has not the options for inference: %+v", m)
	}
	if m := metricNamed(t, metrics, "toxicity"); m.Model != "other" {
		t.Errorf("toxicity has not the options for agents: %+v", m)
	}
	if m := metricNamed(t, metrics, "faithfulness"); m.Threshold != 0.5 {
		t.Errorf("faithfulness, which the plan does not ask, is %+v", m)
	}
	if asked := set.Assignments()[0].Metrics[instrumentation.KindInference]; len(asked) != 1 {
		t.Errorf("the assignment asks %v", asked)
	}
}

func TestEvaluatorsThatCannotBeMadeAreAnError(t *testing.T) {
	for name, tt := range map[string]struct {
		env     map[string]string
		options []genaievals.Option
		nothing bool
		says    string
	}{
		"a judge without a key": {env: map[string]string{"JUDGE_MODEL": "m"}, nothing: true, says: "JUDGE_API_KEY"},
		"switched off":          {env: map[string]string{"EVALUATORS": "none"}, nothing: true, says: "EVALUATORS"},
		"a broken plan":         {env: map[string]string{"EVALUATORS": "builtin("}, nothing: true, says: "column"},
		"a bad option":          {options: []genaievals.Option{genaievals.WithWorkers(-1)}, says: "WORKERS"},
		"an evaluator that panics": {
			options: []genaievals.Option{genaievals.WithEvaluator(panics{})}, says: "panicked",
		},
	} {
		t.Run(name, func(t *testing.T) {
			setenv(t, tt.env)
			var log logged
			set, err := genaievals.NewEvaluators(t.Context(), append(tt.options, log.option())...)
			if set != nil || err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Fatalf("got %v, %v; want an error with %q", set, err, tt.says)
			}
			if errors.Is(err, genaievals.ErrNothingToEvaluate) != tt.nothing {
				t.Errorf("%v is ErrNothingToEvaluate: %v", err, !tt.nothing)
			}
		})
	}
}

// panics is an evaluator that cannot even say its name.
type panics struct{ evaluators.Evaluator }

func (panics) Name() string { panic("no name") }

func TestEvaluatorSetAsks(t *testing.T) {
	setenv(t, nil)
	set := newSet(t, genaievals.WithJudgeClient(judgetest.NewJudge(
		judgetest.WithAnswers("bias", judgetest.Label("biased", "")))))
	results := set.Evaluator("judge").Evaluate(context.Background(),
		&evaluators.Case{Output: "They are all like that."}, []evaluators.Metric{metricNamed(t, set.Metrics("judge"), "bias")})
	if len(results) != 1 || results[0].Label != "Biased" {
		t.Errorf("got %+v", results)
	}
}

func TestNilEvaluatorSetIsEmpty(t *testing.T) {
	var set *genaievals.EvaluatorSet
	if set.Assignments() != nil || set.Evaluator("judge") != nil || set.Gate("judge") != nil || set.Timeout() != 0 || set.Close() != nil {
		t.Error("a nil set has something")
	}
}

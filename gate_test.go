package genaievals_test

import (
	"context"
	"testing"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/limit"
)

// Limits can be changed while they are used, by the evaluator's name in any
// spelling.
func TestAGateThatStartMadeCanBeChanged(t *testing.T) {
	mine := evaluators.Func("mine", evaluators.Metric{Name: "m"}, func(context.Context, *evaluators.Case) evaluators.Result {
		return evaluators.Scored("m", 1, "", "")
	})
	evals := startWith(t, genaievals.WithEvaluator(mine), genaievals.WithEvaluators("judge(bias),mine"),
		genaievals.WithJudgeClient(judgetest.NewJudge()), genaievals.WithRateLimit("judge=2/sec;mine=3/sec"))
	for name, want := range map[string]float64{"judge": 2, "DeepEval": 2, "Mine": 3} {
		gate := evals.Gate(name)
		if gate == nil || gate.Status().Rate.PerSecond != want {
			t.Fatalf("the gate of %s is %+v, want %v/sec", name, gate.Status(), want)
		}
	}
	if err := evals.Gate("judge").SetRate(limit.Rate{PerSecond: 7, Burst: 1}); err != nil {
		t.Fatal(err)
	}
	for _, e := range evals.Status().Lanes[0].Evaluators {
		if e.Name == "judge" && e.Gate.Rate.PerSecond != 7 {
			t.Errorf("the judge's rate is %v after it was set to 7/sec", e.Gate.Rate)
		}
	}
	if evals.Gate("nobody") != nil || (*genaievals.Evals)(nil).Gate("judge") != nil {
		t.Error("there is a gate where none was made")
	}
}

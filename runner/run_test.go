package runner_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/limit"
	"github.com/genaievals/genaievals/runner"
)

// set is evaluators with their gates.
type set struct {
	assignments []evaluators.Assignment
	gates       map[string]*limit.Gate
	timeout     time.Duration
}

func (s set) Assignments() []evaluators.Assignment { return s.assignments }
func (s set) Gate(name string) *limit.Gate         { return s.gates[name] }
func (s set) Timeout() time.Duration               { return s.timeout }

func of(list ...evaluators.Evaluator) set {
	s := set{gates: map[string]*limit.Gate{}, timeout: time.Minute}
	for _, e := range list {
		s.assignments = append(s.assignments, evaluators.Assignment{
			Evaluator: e, Metrics: map[instrumentation.Kind][]evaluators.Metric{instrumentation.KindInference: e.Metrics()},
		})
	}
	return s
}

// numbered yields n items that have an id and an output.
func numbered(n int) runner.Dataset {
	return func(yield func(runner.Item, error) bool) {
		for i := range n {
			if !yield(runner.Item{ID: fmt.Sprint("item-", i), Input: "q", Output: fmt.Sprint("answer ", i)}, nil) {
				return
			}
		}
	}
}

func scores(name string, metric string) evaluators.Evaluator {
	return evaluators.Func(name, evaluators.Metric{Name: metric, Threshold: 0.5}, func(context.Context, *evaluators.Case) evaluators.Result {
		return evaluators.Scored(metric, 1, "", "")
	})
}

func TestARunEvaluatesEveryItem(t *testing.T) {
	r, err := runner.Start(t.Context(), numbered(10_000), of(scores("a", "good"), scores("b", "better")))
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if s.Done != 10_000 || s.Failed != 0 || s.InFlight != 0 || s.Total != 10_000 {
		t.Errorf("%+v", s)
	}
	for _, e := range s.Evaluators {
		if m := e.Metrics[0]; m.Scored != 10_000 || m.Passed != 10_000 || m.Latency.Count != 10_000 || m.Mean != 1 {
			t.Errorf("%s: %+v", e.Name, m)
		}
	}
}

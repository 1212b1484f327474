package runner_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"go.opentelemetry.io/otel/attribute"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/runner"
)

// A fast evaluator does not fill the memory with results that wait for those of a
// slow one.
func TestResultsThatWaitForASlowEvaluatorAreInTheWindow(t *testing.T) {
	large := strings.Repeat("x", 1<<20)
	for name, result := range map[string]evaluators.Result{
		"explanation": evaluators.Scored("good", 1, "", large),
		"attribute":   {Metric: "good", Outcome: evaluators.OutcomeScored, Score: 1, Attributes: []attribute.KeyValue{attribute.String("k", large)}},
		"error":       evaluators.Failed("good", "no", errorText(large)),
	} {
		for _, judge := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var done atomic.Int64
					release := make(chan struct{})
					fast := evaluators.Func("fast", evaluators.Metric{Name: "good"}, func(context.Context, *evaluators.Case) evaluators.Result {
						done.Add(1)
						return result
					})
					if judge {
						fast = asJudge{fast}
					}
					slow := evaluators.Func("slow", evaluators.Metric{Name: "better"}, func(context.Context, *evaluators.Case) evaluators.Result {
						<-release
						return evaluators.Scored("better", 1, "", "")
					})
					r, err := runner.Start(t.Context(), numbered(5000), of(fast, slow), runner.WithWindow(4096, 8<<20))
					if err != nil {
						t.Fatal(err)
					}
					synctest.Wait()
					if n := done.Load(); n < 8 || n > 600 {
						t.Errorf("%d MB of results wait", n)
					}
					close(release)
					if s, err := r.Wait(); err != nil || s.Done != 5000 || s.InFlight != 0 {
						t.Errorf("%d done, %d in flight, %v", s.Done, s.InFlight, err)
					}
				})
			})
		}
	}
}

type errorText string

func (e errorText) Error() string { return string(e) }

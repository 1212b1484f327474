package genaievals_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/manager"
)

// Lanes grow on a backlog, and all of them share one bound.
func TestWorkersAndEvaluationsInFlightAreBounded(t *testing.T) {
	for name, tt := range map[string]struct {
		env          map[string]string
		atOnce       int // of two lanes
		mostEachLane int
	}{
		"fixed":             {map[string]string{"WORKERS": "1"}, 2, 1},
		"growing":           {map[string]string{"WORKERS": "1", "WORKERS_MAX": "4"}, 8, 4},
		"growing, bounded":  {map[string]string{"WORKERS": "1", "WORKERS_MAX": "4", "MAX_IN_FLIGHT": "3"}, 3, 3},
		"bounded in number": {map[string]string{"WORKERS": "4", "MAX_IN_FLIGHT": "1"}, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			setenv(t, tt.env)
			synctest.Test(t, func(t *testing.T) {
				var all, peak atomic.Int64
				slow := func(name string) (evaluators.Evaluator, *atomic.Int64) {
					var own, ownPeak atomic.Int64
					e := evaluators.Func(name, evaluators.Metric{Name: "m"}, func(context.Context, *evaluators.Case) evaluators.Result {
						raise(&peak, all.Add(1))
						raise(&ownPeak, own.Add(1))
						time.Sleep(time.Minute)
						own.Add(-1)
						all.Add(-1)
						return evaluators.Scored("m", 1, "", "")
					})
					return e, &ownPeak
				}
				a, peakA := slow("a")
				b, peakB := slow("b")
				evals := startWith(t, genaievals.WithEvaluator(a, b), genaievals.WithEvaluators("a,b"), genaievals.WithConcurrent(true))
				for range 40 {
					_, inv := evals.Handler().StartInference(context.Background(), instrumentation.Inference{})
					inv.SetOutput(instrumentation.AssistantMessage("Thank you!"))
					inv.End()
				}
				flush(t, evals)
				if n := int(peak.Load()); n != tt.atOnce {
					t.Errorf("%d at once, want %d", n, tt.atOnce)
				}
				if n := int(max(peakA.Load(), peakB.Load())); n > tt.mostEachLane {
					t.Errorf("%d at once in a lane, want at most %d", n, tt.mostEachLane)
				}
			})
		})
	}
}

func raise(peak *atomic.Int64, n int64) {
	for {
		old := peak.Load()
		if n <= old || peak.CompareAndSwap(old, n) {
			return
		}
	}
}

func TestPriorityRulesApply(t *testing.T) {
	evals, _ := evaluateOne(t, genaievals.WithEvaluators("builtin(sentiment)"), genaievals.WithPriorityRules(
		manager.PriorityRule{Priority: instrumentation.PriorityHigh, Models: []string{"another"}},
		manager.PriorityRule{Priority: instrumentation.PriorityLow},
	))
	for _, p := range evals.Status().Lanes[0].Priorities {
		want := uint64(0)
		if p.Priority == instrumentation.PriorityLow {
			want = 1
		}
		if p.Taken != want {
			t.Errorf("%v: taken %d, want %d", p.Priority, p.Taken, want)
		}
	}
}

func TestFewerWorkersMaxThanWorkersIsSaid(t *testing.T) {
	setenv(t, map[string]string{"WORKERS_MAX": "2"})
	var log logged
	evals := startWith(t, genaievals.WithWorkers(3), genaievals.WithConcurrent(true), log.option())
	if said := log.lines("WARN"); len(said) != 1 || !strings.Contains(said[0], "WORKERS_MAX") {
		t.Errorf("said %q", said)
	}
	if n := evals.Status().Lanes[0].Workers; n != 3 {
		t.Errorf("%d workers", n)
	}
}

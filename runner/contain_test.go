package runner_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/runner"
)

// touchy is an error that cannot be asked for its text.
type touchy struct{}

func (touchy) Error() string { panic("secret") }

// What an evaluator does wrong fails its own metric of that item, and nothing
// else.
func TestWhatAnEvaluatorDoesWrongIsAFailedResult(t *testing.T) {
	wrong := map[string]func() evaluators.Result{
		"item-0": func() evaluators.Result { panic("secret") },
		"item-1": func() evaluators.Result { runtime.Goexit(); return evaluators.Result{} },
		"item-2": func() evaluators.Result { return evaluators.Scored("x", math.NaN(), "", "") },
		"item-3": func() evaluators.Result { return evaluators.Scored("x", 1.5, "", "") },
		"item-4": func() evaluators.Result { return evaluators.Scored("x", 1, "Purple", "") },
		"item-5": func() evaluators.Result { return evaluators.Scored("another", 1, "Good", "") },
		"item-6": func() evaluators.Result { return evaluators.Result{} },
		"item-7": func() evaluators.Result { return evaluators.Failed("x", "No Name", touchy{}) },
		"item-8": func() evaluators.Result { return evaluators.Skipped("x", "", "") },
		"item-9": func() evaluators.Result { var none *evaluators.Case; _ = none.Output; return evaluators.Result{} },
	}
	metric := evaluators.Metric{Name: "x", Threshold: 0.5, Labels: []string{"Good"}}
	for name, typed := range map[string]func(evaluators.Evaluator) evaluators.Evaluator{
		"deterministic": func(e evaluators.Evaluator) evaluators.Evaluator { return e },
		"judge":         func(e evaluators.Evaluator) evaluators.Evaluator { return asJudge{e} },
	} {
		t.Run(name, func(t *testing.T) {
			s := of(typed(evaluators.Func("x", metric, func(_ context.Context, c *evaluators.Case) evaluators.Result {
				if f := wrong[c.ID]; f != nil {
					return f()
				}
				return evaluators.Scored("x", 1, "Good", "")
			})), scores("y", "good"))
			got := map[string]string{}
			status, err := wait(t, numbered(1000), s, runner.WithOnResult(func(r runner.ItemResult) {
				if r.Results[0].Outcome != evaluators.OutcomeScored {
					got[r.Item.ID] = r.Results[0].Reason + r.Results[0].ErrorType
					if e := r.Results[0].Err; e != nil && strings.Contains(e.Error(), "secret") {
						t.Errorf("%s tells a secret", r.Item.ID)
					}
				}
				if len(r.Results) != 2 || r.Results[1].Outcome != evaluators.OutcomeScored {
					t.Errorf("%+v", r)
				}
			}))
			if err != nil {
				t.Fatal(err)
			}
			bad, panicked := evaluators.ErrorEvaluatorBadResult, evaluators.ErrorEvaluatorPanic
			want := map[string]string{
				"item-0": panicked, "item-1": panicked, "item-2": bad, "item-3": bad, "item-4": bad, "item-5": bad, "item-6": bad,
				"item-7": "_OTHER", "item-8": evaluators.SkipNotReported, "item-9": panicked,
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			m := status.Evaluators[0].Metrics[0]
			counts := map[string]uint64{panicked: 3, bad: 5, "_OTHER": 1}
			if diff := cmp.Diff(counts, m.Failed); diff != "" || m.Scored != 990 || status.Failed != 9 || m.LastError == "" {
				t.Errorf("%+v\n%s", m, diff)
			}
		})
	}
}

func TestAPanicOfTheCallersEndsTheRun(t *testing.T) {
	boom := func() { panic("boom") }
	for name, option := range map[string]runner.Option{
		"OnResult":         runner.WithOnResult(func(runner.ItemResult) { boom() }),
		"OnRecord":         runner.WithOnRecord(func(*runner.Record) { boom() }),
		"OnResult, Goexit": runner.WithOnResult(func(runner.ItemResult) { runtime.Goexit() }),
		"OnRecord, Goexit": runner.WithOnRecord(func(*runner.Record) { runtime.Goexit() }),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := wait(t, numbered(100_000), of(scores("a", "good")), option); !errors.Is(err, runner.ErrHandler) {
				t.Errorf("ended by %v", err)
			}
		})
	}
	for name, end := range map[string]func(){"panic": boom, "Goexit": runtime.Goexit} {
		t.Run("dataset, "+name, func(t *testing.T) {
			status, err := wait(t, func(yield func(runner.Item, error) bool) {
				for item := range numbered(10) {
					yield(item, nil)
				}
				end()
			}, of(scores("a", "good")))
			if !errors.Is(err, runner.ErrHandler) || status.Done != 10 {
				t.Errorf("ended by %v, %d done", err, status.Done)
			}
		})
	}
}

func TestAPanicOfTheProgressFunctionIsContained(t *testing.T) {
	var calls atomic.Int64
	status, err := wait(t, numbered(1000), of(scores("a", "good")), runner.WithProgress(func(runner.Progress) { calls.Add(1); panic("boom") }))
	if err != nil || status.Done != 1000 || calls.Load() != 1 {
		t.Errorf("%v: %d done, %d calls", err, status.Done, calls.Load())
	}
}

// grouped answers its metrics together, or groups them wrongly.
type grouped struct {
	evaluators.Evaluator
	group func([]evaluators.Metric) [][]evaluators.Metric
	calls *atomic.Int64
}

var needsInput = evaluators.Metric{Name: "input", Needs: evaluators.NeedInput}

func (g grouped) Metrics() []evaluators.Metric {
	return []evaluators.Metric{{Name: "one"}, needsInput, {Name: "two"}}
}
func (g grouped) Group(metrics []evaluators.Metric) [][]evaluators.Metric { return g.group(metrics) }
func (g grouped) Evaluate(ctx context.Context, c *evaluators.Case, metrics []evaluators.Metric) (results []evaluators.Result) {
	g.calls.Add(1)
	if !instrumentation.Suppressed(ctx) {
		panic("not suppressed")
	}
	for _, m := range metrics {
		results = append([]evaluators.Result{evaluators.Scored(m.Name, 0.5, "", "")}, results...)
	}
	return results
}

func TestMetricsAreAskedInTheGroupsOfTheEvaluator(t *testing.T) {
	for name, tt := range map[string]struct {
		group func([]evaluators.Metric) [][]evaluators.Metric
		calls int64
	}{
		"together": {func(m []evaluators.Metric) [][]evaluators.Metric { return [][]evaluators.Metric{m} }, 2},
		"reversed": {func(m []evaluators.Metric) (groups [][]evaluators.Metric) {
			for i := range m {
				groups = append([][]evaluators.Metric{{m[i]}}, groups...)
			}
			return groups
		}, 5},
		"loses one": {func(m []evaluators.Metric) [][]evaluators.Metric { return [][]evaluators.Metric{m[1:]} }, 5},
		"panics":    {func([]evaluators.Metric) [][]evaluators.Metric { panic("boom") }, 5},
	} {
		for _, typed := range []func(evaluators.Evaluator) evaluators.Evaluator{
			func(e evaluators.Evaluator) evaluators.Evaluator { return e },
			func(e evaluators.Evaluator) evaluators.Evaluator { return judgeGrouped{e.(grouped)} },
		} {
			t.Run(name, func(t *testing.T) {
				var calls atomic.Int64
				e := typed(grouped{scores("g", "one"), tt.group, &calls})
				items := func(yield func(runner.Item, error) bool) {
					_ = yield(runner.Item{Input: "q", Output: "a"}, nil) && yield(runner.Item{Output: "a"}, nil)
				}
				var got []string
				_, err := wait(t, items, of(e), runner.WithOrdered(true), runner.WithOnResult(func(r runner.ItemResult) {
					for _, res := range r.Results {
						got = append(got, r.Item.ID+" "+res.Metric+" "+res.Outcome.String()+" "+res.Reason)
					}
				}))
				want := []string{
					"#1 one scored ", "#1 input scored ", "#1 two scored ",
					"#2 one scored ", "#2 input skipped empty_input", "#2 two scored ",
				}
				if diff := cmp.Diff(want, got); diff != "" || err != nil || calls.Load() != tt.calls {
					t.Errorf("%v, %d calls, want %d; -want +got:\n%s", err, calls.Load(), tt.calls, diff)
				}
			})
		}
	}
}

type judgeGrouped struct{ grouped }

func (judgeGrouped) Type() string { return evaluators.TypeLLMJudge }

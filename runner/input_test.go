package runner_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/runner"
)

// read is what a dataset yields.
type read struct {
	item runner.Item
	err  error
}

func dataset(list ...read) runner.Dataset {
	return func(yield func(runner.Item, error) bool) {
		for _, r := range list {
			if !yield(r.item, r.err) {
				return
			}
		}
	}
}

func TestWhatCannotBeEvaluatedIsAFailedItem(t *testing.T) {
	line := func(n int, id string, names ...string) read {
		return read{item: runner.Item{ID: id, Line: n, Output: "answer", Evaluators: names}}
	}
	items := dataset(
		line(1, "a"),
		read{err: &runner.ItemError{Name: "f.jsonl", Line: 2, Err: errors.New("expected a string")}},
		read{err: fmt.Errorf("wrapped: %w", &runner.ItemError{Name: "f.jsonl", Line: 3, ID: "c", Err: errors.New("no output")})},
		line(4, "a"),
		line(5, ""),
		line(6, "#5"),
		line(7, "d", "nobody"),
		line(8, "e", "Y", "Good-Metric", "nobody else"),
	)
	var got []string
	j := &memory{}
	status, err := wait(t, items, of(scores("x", "good_metric"), scores("y", "better")), runner.WithOrdered(true), runner.WithJournal(j),
		runner.WithOnResult(func(r runner.ItemResult) {
			got = append(got, fmt.Sprintf("%d %s %d %s %v", r.Item.Index, r.Item.ID, len(r.Results), r.ErrorType, r.Err))
		}))
	want := []string{
		"0 a 2  <nil>",
		"1 #2 0 bad_item f.jsonl:2: expected a string",
		"2 c 0 bad_item wrapped: f.jsonl:3: no output",
		`3 a 0 duplicate_id the id "a" is that of line 1 already`,
		"4 #5 2  <nil>",
		`5 #5 0 duplicate_id the id "#5" is that of line 5 already`,
		`6 d 0 unknown_evaluator no evaluator or metric is named "nobody"; there are x (good_metric), y (better)`,
		`7 e 0 unknown_evaluator no evaluator or metric is named "nobody else"; there are x (good_metric), y (better)`,
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
	counts := map[string]int64{runner.ErrorBadItem: 2, runner.ErrorDuplicateID: 2, runner.ErrorUnknownEvaluator: 2}
	if diff := cmp.Diff(counts, status.ItemsFailed); diff != "" || status.Failed != 6 || status.Done != 8 {
		t.Errorf("%+v\n%s", status.Progress, diff)
	}
	failed := 0
	for _, r := range j.records {
		if r.Evaluator == "" && r.ErrorType != "" && r.Error != "" && r.Line > 0 {
			failed++
		}
	}
	if failed != 6 || len(j.records) != 10 {
		t.Errorf("%d records of failed items of %d", failed, len(j.records))
	}
}

func TestAnItemIsForTheEvaluatorsAndMetricsThatItNames(t *testing.T) {
	e := aliased{scores("Own Judge", "answer_quality"), map[string]string{"quality": "answer_quality"}}
	for _, tt := range []struct{ names, want []string }{
		{nil, []string{"answer_quality", "better"}},
		{[]string{"own_judge"}, []string{"answer_quality"}},
		{[]string{"OWN-JUDGE", "Better"}, []string{"answer_quality", "better"}},
		{[]string{"answerquality"}, []string{"answer_quality"}},
		{[]string{"Quality"}, []string{"answer_quality"}},
		{[]string{"y"}, []string{"better"}},
	} {
		var got []string
		_, err := wait(t, dataset(read{item: runner.Item{Output: "a", Evaluators: tt.names}}), of(e, scores("y", "better")), runner.WithOnResult(func(r runner.ItemResult) {
			for _, res := range r.Results {
				got = append(got, res.Metric)
			}
		}))
		if !slices.Equal(got, tt.want) || err != nil {
			t.Errorf("%q: %v, %v", tt.names, got, err)
		}
	}
}

type aliased struct {
	evaluators.Evaluator
	aliases map[string]string
}

func (a aliased) Aliases() map[string]string { return a.aliases }

func TestStrictEndsTheRunAtTheFirstBadItem(t *testing.T) {
	good := read{item: runner.Item{ID: "a", Output: "answer", Line: 1}}
	bad := &runner.ItemError{Name: "f.jsonl", Line: 2, Err: errors.New("expected a string")}
	for name, list := range map[string][]read{
		"bad item":          {good, {err: bad}, {item: runner.Item{ID: "b", Output: "x"}}},
		"the last one":      {good, {err: bad}},
		"duplicate":         {good, {item: runner.Item{ID: "a", Output: "x", Line: 2}}},
		"unknown evaluator": {good, {item: runner.Item{ID: "b", Output: "x", Line: 2, Evaluators: []string{"nobody"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			status, err := wait(t, dataset(list...), of(scores("x", "good")), runner.WithStrict(true))
			var at *runner.ItemError
			if !errors.As(err, &at) || at.Line != 2 || status.Incomplete != err.Error() {
				t.Errorf("ended by %v; %q", err, status.Incomplete)
			}
		})
	}
}

// What was read before is finished.
func TestADatasetThatBreaksEndsTheRun(t *testing.T) {
	broken := errors.New("gzip: invalid checksum")
	status, err := wait(t, dataset(read{item: runner.Item{Output: "a"}}, read{err: broken}), of(scores("x", "good")))
	if !errors.Is(err, broken) || status.Done != 1 || !strings.Contains(status.Incomplete, "checksum") || status.Total != 0 {
		t.Errorf("ended by %v: %+v", err, status)
	}
}

func TestACaseIsEvaluatedAsItIs(t *testing.T) {
	s := of(scores("x", "good"))
	s.assignments[0].Metrics[instrumentation.KindAgent] = []evaluators.Metric{{Name: "good", Needs: evaluators.NeedSystem}}
	item := runner.Item{ID: "a", Case: &evaluators.Case{Kind: instrumentation.KindAgent, Output: "x"}}
	var got []evaluators.Result
	_, err := wait(t, dataset(read{item: item}, read{item: runner.Item{ID: "t", Case: &evaluators.Case{Kind: instrumentation.KindTool}}}), s,
		runner.WithOrdered(true), runner.WithOnResult(func(r runner.ItemResult) { got = append(got, r.Results...) }))
	if err != nil || len(got) != 1 || got[0].Reason != evaluators.SkipNoSystem {
		t.Errorf("%v: %+v", err, got)
	}
}

func TestWhatStartRefuses(t *testing.T) {
	good := of(scores("x", "good"))
	for name, tt := range map[string]struct {
		items   runner.Dataset
		evals   runner.Evaluators
		options []runner.Option
		want    error
	}{
		"no metrics":    {numbered(1), of(), nil, runner.ErrNoMetrics},
		"no evaluators": {numbered(1), nil, nil, runner.ErrNoMetrics},
		"no dataset":    {nil, good, nil, runner.ErrOption},
		"concurrency":   {numbered(1), good, []runner.Option{runner.WithConcurrency(0)}, runner.ErrOption},
		"window":        {numbered(1), good, []runner.Option{runner.WithWindow(0, 1)}, runner.ErrOption},
		"timeout":       {numbered(1), good, []runner.Option{runner.WithItemTimeout(-1)}, runner.ErrOption},
		"total":         {numbered(1), good, []runner.Option{runner.WithTotal(-1)}, runner.ErrOption},
	} {
		t.Run(name, func(t *testing.T) {
			if r, err := runner.Start(t.Context(), tt.items, tt.evals, tt.options...); !errors.Is(err, tt.want) || r != nil {
				t.Errorf("got %v", err)
			}
		})
	}
}

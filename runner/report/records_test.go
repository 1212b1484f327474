package report_test

import (
	"errors"
	"fmt"
	"iter"
	"testing"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/runner"
	"github.com/genaievals/genaievals/runner/journal"
	"github.com/genaievals/genaievals/runner/report"
)

var began = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// header is that of a run of a judge with two metrics and of one offline metric.
func header() journal.Header {
	return journal.Header{
		Run: "refunds-v7", Dataset: "answers.jsonl", Started: began, Total: 6,
		Evaluators: []journal.Evaluator{
			{Name: "judge", Version: "1.2", Type: evaluators.TypeLLMJudge, Metrics: []journal.Metric{
				{Name: "faithfulness", Threshold: 0.5, Labels: []string{"Faithful", "Unfaithful"}},
				{Name: "bias", Direction: evaluators.LowerIsBetter, Threshold: 0.5, Labels: []string{"Biased", "Not Biased"}},
			}},
			{Name: "builtin", Version: "0.9", Type: evaluators.TypeDeterministic, Metrics: []journal.Metric{
				{Name: "length", Threshold: 0.3},
			}},
		},
	}
}

// answer is the record of an evaluator about the item at an index.
func answer(index int64, evaluator string, results ...evaluators.Result) *runner.Record {
	return &runner.Record{
		ID: fmt.Sprintf("item-%d", index+1), Index: index, Line: int(index) + 1, Evaluator: evaluator, Results: results,
	}
}

// scored is a result as a run hands it on.
func scored(h journal.Header, evaluator, metric string, score float64, label, why string) evaluators.Result {
	r := evaluators.Scored(metric, score, label, why)
	m, ok := find(h, evaluator, metric)
	if !ok {
		panic("no metric " + metric)
	}
	r.Threshold, r.Direction = m.Threshold, m.Direction
	r.Passed = evaluators.Metric{Threshold: m.Threshold, Direction: m.Direction}.Passes(score)
	r.Evaluator, r.Duration = evaluator, 10*time.Millisecond
	return r
}

func find(h journal.Header, evaluator, metric string) (journal.Metric, bool) {
	for _, e := range h.Evaluators {
		for _, m := range e.Metrics {
			if e.Name == evaluator && m.Name == metric {
				return m, true
			}
		}
	}
	return journal.Metric{}, false
}

// records are of five items and a sixth that cannot be read.
func records(h journal.Header) []*runner.Record {
	var out []*runner.Record
	for i, score := range []float64{1, 0.75, 0.25, 0} {
		label := "Faithful"
		if score < .5 {
			label = "Unfaithful"
		}
		f := scored(h, "judge", "faithfulness", score, label, fmt.Sprintf("%d of 4 claims are supported", int(score*4)))
		f.Attempts, f.InputTokens, f.OutputTokens, f.Cost, f.HasCost, f.JudgeModel = 1, 100, 20, 0.001, true, "gpt-x-2026"
		f.LimitWait = time.Second
		b := scored(h, "judge", "bias", 0, "Not Biased", "")
		if i == 1 {
			b = scored(h, "judge", "bias", 1, "Biased", "says \"all men\"")
		}
		b.Attempts = 2
		out = append(out, answer(int64(i), "judge", f, b), answer(int64(i), "builtin", scored(h, "builtin", "length", 0.8, "", "")))
	}
	failed := evaluators.Failed("bias", evaluators.ErrorJudgeTimeout, errors.New("no answer in 60s"))
	failed.Duration = 60 * time.Second
	return append(out,
		answer(4, "judge", evaluators.Skipped("faithfulness", evaluators.SkipNoDocuments, ""), failed),
		answer(4, "builtin", scored(h, "builtin", "length", 0.8, "", "")),
		&runner.Record{ID: "#6", Index: 5, Line: 6, ErrorType: runner.ErrorBadItem, Error: "answers.jsonl:6: expected an object, got a list"},
	)
}

// all is what a journal yields.
func all(records []*runner.Record) iter.Seq2[*runner.Record, error] {
	return func(yield func(*runner.Record, error) bool) {
		for _, r := range records {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// finished sums up records of a run that ended after 90 seconds.
func finished(t *testing.T, h journal.Header, list []*runner.Record, options ...report.Option) *report.Report {
	t.Helper()
	s, err := report.New(h, options...)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		s.Add(r)
	}
	s.End(journal.End{Ended: began.Add(90 * time.Second)})
	return s.Report()
}

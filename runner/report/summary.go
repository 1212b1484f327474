package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/calibrate/agreement"
	"github.com/genaievals/genaievals/internal/render"
	"github.com/genaievals/genaievals/runner"
	"github.com/genaievals/genaievals/runner/journal"
)

const (
	// DefaultWorst is how many of the worst cases of each metric are kept.
	DefaultWorst = 10
	// maxBadItems is how many items that failed as a whole are told.
	maxBadItems = 20
	maxWorst    = 1000
)

// Option is a setting of [New].
type Option interface{ apply(*Summary) error }

type option func(*Summary) error

func (o option) apply(s *Summary) error { return o(s) }

// WithWorst sets how many of the worst cases of each metric are kept, from 0 to
// 1000. Default [DefaultWorst].
func WithWorst(n int) Option {
	return option(func(s *Summary) error {
		if n < 0 || n > maxWorst {
			return fmt.Errorf("report: WithWorst(%d) is not in 0…%d", n, maxWorst)
		}
		s.worst = n
		return nil
	})
}

// Summary sums up the records of a run. Its memory does not depend on their
// number, but for three bits an item. It is not safe for concurrent use.
type Summary struct {
	header  journal.Header
	worst   int
	end     *journal.End
	tallies []*tally
	byName  map[name]*tally
	// answered counts the records of each evaluator.
	answered map[string]int64
	// The positions of items that were evaluated, failed as a whole, and either
	// failed as a whole or have a failed metric.
	evaluated, failed, failure indexSet
	failures                   int64
	failedBy                   names
	bad                        []BadItem
}

// name is that of a metric.
type name struct{ evaluator, metric string }

// New begins to sum up the run that h describes. The error is an option out of
// range.
func New(h journal.Header, options ...Option) (*Summary, error) {
	s := &Summary{header: h, worst: DefaultWorst, byName: map[name]*tally{}, answered: map[string]int64{}}
	for _, o := range options {
		if o == nil {
			continue
		}
		if err := o.apply(s); err != nil {
			return nil, err
		}
	}
	for _, e := range h.Evaluators {
		for _, m := range e.Metrics {
			s.tally(name{e.Name, m.Name}, e, m)
		}
	}
	return s, nil
}

func (s *Summary) tally(n name, e journal.Evaluator, m journal.Metric) *tally {
	t := newTally(e, m, s.worst)
	s.tallies = append(s.tallies, t)
	s.byName[n] = t
	return t
}

// Add counts a record. It keeps nothing of it but clipped texts. A metric that the
// header does not have is counted as one more. Records must be of one result for
// each metric of an item, as a journal yields them.
func (s *Summary) Add(r *runner.Record) {
	switch {
	case r == nil:
		return
	case r.Evaluator != "":
		s.answer(r)
	case r.ErrorType != "":
		s.failures++
		s.failed.add(r.Index)
		s.failure.add(r.Index)
		s.failedBy.count(r.ErrorType, r.Error, 1)
		s.badItem(r)
	}
}

func (s *Summary) answer(r *runner.Record) {
	s.answered[r.Evaluator]++
	s.evaluated.add(r.Index)
	for i := range r.Results {
		result := &r.Results[i]
		if result.Outcome == evaluators.OutcomeFailed {
			s.failure.add(r.Index)
		}
		n := name{r.Evaluator, result.Metric}
		t := s.byName[n]
		if t == nil {
			t = s.tally(
				n,
				journal.Evaluator{Name: render.Clip(r.Evaluator, maxText), Version: result.EvaluatorVersion, Type: result.EvaluatorType},
				journal.Metric{Name: render.Clip(result.Metric, maxText), Direction: result.Direction, Threshold: result.Threshold},
			)
		}
		t.add(r, result)
	}
}

func (s *Summary) badItem(r *runner.Record) {
	at, _ := slices.BinarySearchFunc(s.bad, r.Index, func(b BadItem, index int64) int { return cmp.Compare(b.Index, index) })
	s.bad = placed(s.bad, at, maxBadItems, BadItem{
		ID: render.Clip(r.ID, maxText), Index: r.Index, Line: r.Line,
		ErrorType: render.Clip(r.ErrorType, maxText), Error: render.Clip(r.Error, maxText),
	})
}

// End says that the run is over. Without it the report is incomplete: the run
// goes on or was killed.
func (s *Summary) End(e journal.End) { s.end = &e }

// notEnded is why a report without an end is incomplete.
const notEnded = "the run has not ended: it goes on, or was killed"

// Report returns what was summed up so far. It shares nothing with s.
func (s *Summary) Report() *Report {
	r := &Report{
		SchemaVersion: SchemaVersion, Run: s.header.Run, Dataset: s.header.Dataset, Started: s.header.Started,
		Incomplete: notEnded, Metrics: []Metric{}, BadItems: slices.Clone(s.bad),
	}
	total := s.header.Total
	if s.end != nil {
		r.Ended, r.Incomplete = s.end.Ended, s.end.Incomplete
		if r.Incomplete == "" && s.end.Items > 0 {
			total = s.end.Items + s.end.Orphans
		}
		if d := r.Ended.Sub(r.Started); !r.Started.IsZero() && !r.Ended.IsZero() && d >= 0 {
			r.Seconds = new(d.Seconds())
		}
	}
	r.Items = Items{Evaluated: s.evaluated.count, Failed: s.failures, WithFailure: s.failure.count}
	// Positions can stand for two items where a dataset was edited before the run
	// was resumed; an evaluator answers once for each.
	for _, n := range s.answered {
		r.Items.Evaluated = max(r.Items.Evaluated, n)
	}
	r.Items.Seen = max(union(&s.evaluated, &s.failed), r.Items.Evaluated)
	if total > 0 {
		r.Items.Total = &total
	}
	for _, c := range s.failedBy.frequent() {
		if r.Items.FailedBy == nil {
			r.Items.FailedBy = map[string]int64{}
		}
		r.Items.FailedBy[c.Name] = c.Count
	}
	for _, t := range s.tallies {
		r.Metrics = append(r.Metrics, t.report())
	}
	return r
}

// share is a proportion with the interval of Wilson, nil of none.
func share(count, of int64) *Estimate {
	p := agreement.NewProportion(int(count), int(of))
	if p.Value == nil {
		return nil
	}
	return &Estimate{Value: *p.Value, Low: p.Low, High: p.High}
}

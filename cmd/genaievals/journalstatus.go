package main

import (
	"sync"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/dashboard"
	"github.com/genaievals/genaievals/runner"
	"github.com/genaievals/genaievals/runner/journal"
	"github.com/genaievals/genaievals/runner/report"
)

// journalStatus is a run as its journal tells of it. It is safe for concurrent
// use.
type journalStatus struct {
	gates report.Gates

	mu     sync.Mutex
	header journal.Header
	sum    *report.Summary
	end    *journal.End
	// caughtUp is when all of the journal was first known: what comes after shows
	// how fast the run is.
	caughtUp bool
	marks    []mark

	changed bool
	made    runner.Status // of what is known, unless changed
}

// mark is how many items were known at a time.
type mark struct {
	at   time.Time
	seen int64
}

// rateWindow is the time over which the rate of a run is measured.
const rateWindow = 30 * time.Second

func newJournalStatus(h journal.Header, gates report.Gates) (*journalStatus, error) {
	s := &journalStatus{gates: gates}
	err := s.begin(h)
	return s, err
}

// begin forgets everything.
func (s *journalStatus) begin(h journal.Header) (err error) {
	s.header, s.end, s.marks, s.changed = h, nil, nil, true
	s.sum, err = report.New(h)
	return err
}

// take adds what a journal tells.
func (s *journalStatus) take(e journal.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changed = true
	switch {
	case e.Header != nil:
		return s.begin(*e.Header)
	case e.Record != nil:
		s.end = nil
		s.sum.Add(e.Record)
	case e.End != nil:
		s.end = e.End
		s.sum.End(*e.End)
	case e.CaughtUp:
		s.caughtUp = true
	}
	return nil
}

// gatesNow is how the gates would be decided now.
func (s *journalStatus) gatesNow() []dashboard.Gate {
	s.mu.Lock()
	defer s.mu.Unlock()
	return gatesOf(s.sum.Report(), s.gates)
}

// status is the run as far as the journal is known.
func (s *journalStatus) status() runner.Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.changed {
		s.changed = false
		s.made = s.make(s.sum.Report())
	}
	out := s.made
	s.pace(&out, time.Now())
	return out
}

// pace fills in the times of a run that goes on.
func (s *journalStatus) pace(out *runner.Status, now time.Time) {
	if s.end != nil {
		out.Elapsed = max(0, out.Ended.Sub(out.Started))
		if seconds := out.Elapsed.Seconds(); seconds > 0 {
			out.Rate = float64(out.Done) / seconds
		}
		return
	}
	out.Elapsed = max(0, now.Sub(out.Started))
	if !s.caughtUp {
		return
	}
	s.marks = append(s.marks, mark{now, out.Done})
	for len(s.marks) > 2 && now.Sub(s.marks[1].at) >= rateWindow {
		s.marks = s.marks[1:]
	}
	first := s.marks[0]
	if seconds := now.Sub(first.at).Seconds(); seconds >= 1 {
		out.Rate = float64(out.Done-first.seen) / seconds
	}
	if left := out.Total - out.Done; out.Rate > 0 && left > 0 {
		out.ETA = time.Duration(float64(left) / out.Rate * float64(time.Second))
	}
}

func (s *journalStatus) make(rep *report.Report) runner.Status {
	out := runner.Status{Started: rep.Started, Incomplete: rep.Incomplete, ItemsFailed: rep.Items.FailedBy}
	out.Name, out.Total = s.header.Run, s.header.Total
	out.Done, out.Failed = rep.Items.Seen, rep.Items.WithFailure
	if s.end != nil {
		out.Ended = s.end.Ended
	} else {
		out.Incomplete = "" // it goes on, or can
		out.Done = s.through(rep)
		out.InFlight = rep.Items.Seen - out.Done
	}
	for _, e := range s.header.Evaluators {
		lane := runner.EvaluatorStatus{Name: e.Name, Version: e.Version, Type: e.Type}
		for i := range rep.Metrics {
			if m := &rep.Metrics[i]; m.Evaluator == e.Name {
				lane.Metrics = append(lane.Metrics, statisticsOf(m))
				addUsage(&out.Progress, m.Usage)
			}
		}
		out.Evaluators = append(out.Evaluators, lane)
	}
	return out
}

// through are the items that every evaluator is done with: what the slowest has
// answered, and what failed as a whole. Where items name their evaluators that is
// less than there are.
func (s *journalStatus) through(rep *report.Report) int64 {
	done := rep.Items.Evaluated
	for _, e := range s.header.Evaluators {
		answered := int64(0)
		for i := range rep.Metrics {
			if m := &rep.Metrics[i]; m.Evaluator == e.Name {
				answered = max(answered, m.Results)
			}
		}
		done = min(done, answered)
	}
	return done + rep.Items.Failed
}

func addUsage(p *runner.Progress, u *report.Usage) {
	if u == nil {
		return
	}
	if u.CostUSD != nil {
		p.Spend, p.HasSpend = p.Spend+*u.CostUSD, true
	}
	if u.InputTokens != nil {
		p.InputTokens += *u.InputTokens
	}
	if u.OutputTokens != nil {
		p.OutputTokens += *u.OutputTokens
	}
}

func statisticsOf(m *report.Metric) runner.MetricStatistics {
	out := runner.MetricStatistics{
		Name: m.Name, Threshold: m.Threshold, Scored: uint64(m.Scored), Passed: uint64(m.Passed),
		Skipped: countsOf(m.Skipped), Failed: countsOf(m.Failed),
		Latency: distributionOf(m.Latency, m.Results), LimitWait: distributionOf(m.LimitWait, m.Results),
	}
	if m.Direction == evaluators.LowerIsBetter.String() {
		out.Direction = evaluators.LowerIsBetter
	}
	if m.Mean != nil {
		out.Mean = m.Mean.Value
	}
	if len(m.Failed) > 0 {
		out.LastError = m.Failed[0].Text
	}
	if u := m.Usage; u != nil {
		var p runner.Progress
		addUsage(&p, u)
		out.Attempts, out.InputTokens, out.OutputTokens = uint64(u.Attempts), p.InputTokens, p.OutputTokens
		out.Cost, out.HasCost = p.Spend, p.HasSpend
	}
	return out
}

func countsOf(counts []report.Count) map[string]uint64 {
	out := make(map[string]uint64, len(counts))
	for _, c := range counts {
		out[c.Name] = uint64(c.Count)
	}
	return out
}

func distributionOf(q *report.Quantiles, n int64) runner.Distribution {
	if q == nil {
		return runner.Distribution{}
	}
	seconds := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	return runner.Distribution{
		Count: uint64(n), Max: seconds(q.Max), P50: seconds(q.P50), P95: seconds(q.P95), P99: seconds(q.P99),
	}
}

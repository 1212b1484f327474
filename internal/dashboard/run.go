package dashboard

import (
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/runner"
)

// countRun writes a run's counters down by name.
func countRun(c counts, s *runner.Status) {
	c["items/done"], c["items/failed"] = float64(s.Done), float64(s.Failed)
	for why, n := range s.ItemsFailed {
		c["why/items/"+why] = float64(n)
	}
	for _, e := range s.Evaluators {
		countGate(c, e.Name, e.Gate)
		for _, m := range e.Metrics {
			countMetric(c, e.Name, m.Name, m.Scored, m.Passed, m.Skipped, m.Failed)
			c["lane/"+e.Name+"/done"] += float64(m.Scored + total(m.Skipped) + total(m.Failed))
		}
	}
}

// runFlow are the sums of a run. Only with a known number of items is there
// something to check: that the dataset has no more.
func runFlow(s *runner.Status, h *history) []sum {
	c := h.now.counts
	counted := func(name, key string) part {
		return part{Name: name, Count: int64(c[key]), Rate: h.rate(key), Recent: h.recent(key)}
	}
	now := func(name string, n int64) part { return part{Name: name, Count: n, Recent: float64(n), Now: true} }
	items := sum{
		ID: "items", Title: "Items", Unit: "of the dataset", Total: part{Name: "read", Count: s.Done + s.InFlight, Rate: h.rate("items/done")},
		Parts: []part{now("in flight", s.InFlight), counted("done", "items/done")},
	}
	if s.Total > 0 {
		left := s.Total - s.Done - s.InFlight
		items.Checked, items.Off = true, max(0, -left)
		items.Total = part{Name: "items", Count: s.Total, Rate: h.rate("items/done")}
		items.Parts = append([]part{now("to come", max(0, left))}, items.Parts...)
	}
	results := sum{
		ID: "results", Title: "Metrics", Unit: "results", Total: counted("results", "results"),
		Parts: []part{counted("scored", "results/scored"), counted("skipped", "results/skipped"), counted("failed", "results/failed")},
	}
	return []sum{items, results}
}

func (b *builder) runLane(e *runner.EvaluatorStatus) lane {
	out := lane{
		Key: e.Name, Name: e.Name, About: b.modelOf(e.Name), Queued: e.Queued, Workers: e.Concurrency, Busy: e.Running, Stuck: e.Stuck,
		Rate: b.history.rate("lane/" + e.Name + "/done"), Done: uint64(b.history.now.counts["lane/"+e.Name+"/done"]),
	}
	out.Tasks, out.Gates = out.Done, []gateState{}
	if g := b.gate(e.Name, e.Gate); g != nil {
		out.Gates = []gateState{*g}
	}
	out.Level, out.State = b.laneState(&out, false)
	return out
}

func (b *builder) runMetrics(s *runner.Status) (out []metric) {
	for _, e := range s.Evaluators {
		for _, m := range e.Metrics {
			row := b.metric(metricCounts{
				evaluator: e.Name, name: m.Name, scored: m.Scored, passed: m.Passed,
				skipped: total(m.Skipped), failed: total(m.Failed), lastError: m.LastError,
			})
			row.Direction, row.Threshold = direction(m.Direction), m.Threshold
			if m.Scored > 0 {
				row.Mean = &m.Mean
			}
			if m.Latency.Count > 0 {
				median := m.Latency.P50.Seconds()
				row.Latency = &median
			}
			if m.HasCost {
				row.Cost = &m.Cost
			}
			out = append(out, row)
		}
	}
	return out
}

func direction(d evaluators.Direction) string {
	if d == evaluators.LowerIsBetter {
		return "lower"
	}
	return "higher"
}

func (b *builder) run(s *runner.Status, gates []Gate) *runCell {
	out := &runCell{
		Name: s.Name, Done: s.Done, Total: s.Total, Failed: s.Failed, Resumed: s.Resumed, InFlight: s.InFlight,
		Elapsed: s.Elapsed.Seconds(), Rate: s.Rate, ETA: s.ETA.Seconds(), Waiting: s.Waiting, RateLimited: s.RateLimited,
		Tokens: s.InputTokens + s.OutputTokens, Ended: !s.Ended.IsZero(), Incomplete: s.Incomplete, Gates: gates,
	}
	if out.Gates == nil {
		out.Gates = []Gate{}
	}
	if s.HasSpend {
		out.Spend = &s.Spend
	}
	return out
}

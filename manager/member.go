package manager

import (
	"sync"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/internal/asking"
	"github.com/genaievals/genaievals/limit"
)

// plannedMetric is a metric as the plan wants it for one kind.
type plannedMetric struct {
	evaluators.Metric
	bound samplingBound
}

// member is an evaluator in a lane, with what it is asked and what came of it.
type member struct {
	evaluator          evaluators.Evaluator
	name, version, typ string // asked of the evaluator once
	lane               *lane
	// gate limits it; nil is open. passGate: the manager passes it before each
	// Evaluate, because the evaluator does not do so itself.
	gate     *limit.Gate
	passGate bool
	metrics  [instrumentation.Kinds][]plannedMetric

	stuck stuck // under the lane's lock

	// mu guards the counters, whose law is
	// started = running + scored + skipped + failed.
	mu      sync.Mutex
	started uint64
	running uint64
	order   []string // the metrics in order of first mention
	tallies map[string]*tally
}

// tally is what came of one metric.
type tally struct {
	asking.Outcomes
	inputCut    uint64 // of all outcomes
	lastErrorAt time.Time
}

// gated is an evaluator that passes a gate of its own before every send.
type gated interface{ Gate() *limit.Gate }

func newMember(a evaluators.Assignment, gates map[string]*limit.Gate, rate samplingBound) *member {
	e := a.Evaluator
	mb := &member{
		evaluator: e, name: e.Name(), version: e.Version(), typ: e.Type(),
		tallies: make(map[string]*tally),
	}
	if g, ok := e.(gated); ok && g.Gate() != nil {
		mb.gate = g.Gate()
	} else if gate := gates[mb.name]; gate != nil {
		mb.gate, mb.passGate = gate, true
	}
	for kind, metrics := range a.Metrics {
		for _, metric := range metrics {
			bound := rate
			if metric.SampleRate != nil {
				bound = boundOf(*metric.SampleRate)
			}
			mb.metrics[kind] = append(mb.metrics[kind], plannedMetric{metric, bound})
			if _, ok := mb.tallies[metric.Name]; !ok {
				mb.order = append(mb.order, metric.Name)
				mb.tallies[metric.Name] = &tally{Outcomes: asking.NewOutcomes()}
			}
		}
	}
	return mb
}

// selectMetrics returns the metrics that apply to an invocation, past sampling
// when it is evaluated now.
func (mb *member) selectMetrics(inv *instrumentation.Invocation, point uint64, now bool) []evaluators.Metric {
	planned := mb.metrics[inv.Kind()]
	selected := make([]evaluators.Metric, 0, len(planned))
	for _, pm := range planned {
		if (now || pm.bound.includes(point)) && (inv.ErrorType() == "" || pm.OnError) {
			selected = append(selected, pm.Metric)
		}
	}
	return selected
}

// group splits metrics as the evaluator asks for, each its own by default. A
// grouping that panics, or that is not a partition, is not followed.
func (mb *member) group(m *Manager, metrics []evaluators.Metric) [][]evaluators.Metric {
	if g, ok := mb.evaluator.(evaluators.Grouper); ok {
		if groups := m.askGroups(g, metrics); asking.IsPartition(groups, metrics) {
			return groups
		}
	}
	groups := make([][]evaluators.Metric, len(metrics))
	for i := range metrics {
		groups[i] = metrics[i : i+1 : i+1]
	}
	return groups
}

func (m *Manager) askGroups(g evaluators.Grouper, metrics []evaluators.Metric) (groups [][]evaluators.Metric) {
	returned := false
	defer m.contain("Group of an evaluator", &returned)
	groups = g.Group(metrics)
	returned = true
	return groups
}

func (mb *member) begin(n int) {
	mb.mu.Lock()
	mb.started += uint64(n)
	mb.running += uint64(n)
	mb.mu.Unlock()
}

// retract takes back that n metrics were begun.
func (mb *member) retract(n int) {
	mb.mu.Lock()
	mb.started -= uint64(n)
	mb.running -= uint64(n)
	mb.mu.Unlock()
}

// end counts results, and gives those whose reason or error type is no name, or
// one too many, the one under which they were counted.
func (mb *member) end(results []evaluators.Result) {
	now := time.Now()
	mb.mu.Lock()
	defer mb.mu.Unlock()
	mb.running -= uint64(len(results))
	for i := range results {
		r := &results[i]
		t := mb.tallies[r.Metric]
		if r.InputCut > 0 {
			t.inputCut++
		}
		t.Count(r)
		if r.Outcome == evaluators.OutcomeFailed {
			t.lastErrorAt = now
		}
	}
}

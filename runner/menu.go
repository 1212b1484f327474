package runner

import (
	"sync"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/asking"
)

// menu is what one evaluator is asked of cases of one kind.
type menu struct {
	lane    *lane
	metrics []evaluators.Metric
	counts  []*counts // of each metric; those of one name share theirs
	all     *plan     // when all apply

	mu    sync.Mutex
	plans map[string]*plan // by which metrics are asked
}

// mostPlans bounds what is kept: a menu of many metrics has many subsets.
const mostPlans = 1024

// plan is how metrics of a menu are asked.
type plan struct {
	groups []group
}

// group is metrics that one Evaluate answers.
type group struct {
	metrics []evaluators.Metric
	at      []int // of each, the place in the menu
}

func newMenu(l *lane, metrics []evaluators.Metric) *menu {
	m := &menu{lane: l, metrics: metrics, plans: make(map[string]*plan)}
	all := make([]int, len(metrics))
	for i := range metrics {
		all[i] = i
		m.counts = append(m.counts, l.countsOf(&metrics[i]))
	}
	m.all = m.newPlan(all)
	return m
}

func (m *menu) newPlan(at []int) *plan {
	metrics := make([]evaluators.Metric, len(at))
	place := make(map[string]int, len(at))
	for i, p := range at {
		metrics[i] = m.metrics[p]
		place[metrics[i].Name] = p
	}
	p := &plan{}
	if len(at) == 0 {
		return p
	}
	for _, metrics := range m.lane.e.Groups(metrics) {
		g := group{metrics: metrics}
		for _, metric := range metrics {
			g.at = append(g.at, place[metric.Name])
		}
		p.groups = append(p.groups, g)
	}
	return p
}

// scratch is a worker's, for what it needs for a moment.
type scratch struct {
	at      []int
	key     []byte
	results []evaluators.Result
}

// plan writes the skipped results of those metrics that do not apply, and says
// how the others are asked.
func (m *menu) plan(sh *share, s *scratch) *plan {
	c := &sh.w.c
	n, lacking := len(m.metrics), false
	if sh.wanted != nil {
		n, lacking = len(sh.wanted), true
	}
	s.at = s.at[:0]
	for i := range n {
		p := i
		if sh.wanted != nil {
			p = sh.wanted[i]
		}
		metric := &m.metrics[p]
		if reason, missing := evaluators.NeedsMissing(c, metric.Needs); missing {
			sh.results[p] = evaluators.Skipped(metric.Name, reason, "")
			m.lane.e.Complete(metric, &sh.results[p])
			lacking = true
			continue
		}
		s.at = append(s.at, p)
	}
	if !lacking {
		return m.all
	}
	s.key = s.key[:0]
	for _, p := range s.at {
		s.key = append(s.key, byte(p>>8), byte(p))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	p := m.plans[string(s.key)]
	if p == nil {
		p = m.newPlan(s.at)
		if len(m.plans) < mostPlans {
			m.plans[string(s.key)] = p
		}
	}
	return p
}

// checked is what came of a group: one result a metric, in scratch. It is called
// within the call.
func (m *menu) checked(s *scratch, c *evaluators.Case, g *group, call *asking.Call) []evaluators.Result {
	e := m.lane.e
	if cap(s.results) < len(g.metrics) {
		s.results = make([]evaluators.Result, len(g.metrics))
	}
	results := s.results[:len(g.metrics)]
	reported, err := e.Answer(call, c, g.metrics)
	if err != nil {
		for i := range g.metrics {
			results[i] = evaluators.Failed(g.metrics[i].Name, evaluators.ErrorEvaluatorPanic, err)
		}
		return results
	}
	asking.Check(results, g.metrics, reported)
	for i := range results {
		if r := &results[i]; r.Err != nil {
			r.Err, _ = asking.Plain(r.Err)
		}
	}
	return results
}

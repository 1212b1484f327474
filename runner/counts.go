package runner

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/asking"
	"github.com/genaievals/genaievals/internal/histogram"
)

// counts is what came of one metric; the lock of its lane guards it.
type counts struct {
	asking.Outcomes
	metric        evaluators.Metric
	sum           float64 // of the scores
	latency, wait histogram.Durations
	attempts      uint64
	input, output int64
	cost          float64
	hasCost       bool
}

func (l *lane) countsOf(m *evaluators.Metric) *counts {
	c := l.byName[m.Name]
	if c == nil {
		c = &counts{Outcomes: asking.NewOutcomes(), metric: *m}
		l.byName[m.Name] = c
		l.names = append(l.names, c)
	}
	return c
}

// count adds the results of a share, and gives those whose reason or error type
// is no name, or one too many, the one under which they are counted. The crew's
// lock is held.
func (l *lane) count(sh *share) {
	for i := range sh.results {
		r := &sh.results[i]
		if r.Outcome == 0 {
			continue
		}
		c := sh.menu.counts[i]
		c.add(r)
		switch r.Outcome {
		case evaluators.OutcomeScored:
			l.scored = true
		case evaluators.OutcomeFailed:
			sh.w.unhappy.Store(true)
			if slices.Contains(lasting, r.ErrorType) {
				l.lasting++
			}
		}
	}
}

func (c *counts) add(r *evaluators.Result) {
	c.Count(r)
	if r.Outcome == evaluators.OutcomeScored {
		c.sum += r.Score
	}
	if r.Outcome != evaluators.OutcomeSkipped || r.Duration > 0 {
		c.latency.Add(r.Duration)
	}
	if r.LimitWait > 0 {
		c.wait.Add(r.LimitWait)
	}
	c.attempts += uint64(max(0, r.Attempts))
	c.input += r.InputTokens
	c.output += r.OutputTokens
	if r.HasCost {
		c.cost += r.Cost
		c.hasCost = true
	}
}

func (c *counts) statistics() MetricStatistics {
	s := MetricStatistics{
		Name: c.metric.Name, Direction: c.metric.Direction, Threshold: c.metric.Threshold,
		Scored: c.Scored, Passed: c.Passed, Skipped: maps.Clone(c.Skipped), Failed: maps.Clone(c.Failed),
		Latency: distribution(&c.latency), LimitWait: distribution(&c.wait),
		Attempts: c.attempts, InputTokens: c.input, OutputTokens: c.output, Cost: c.cost, HasCost: c.hasCost,
		LastError: c.LastError,
	}
	if c.Scored > 0 {
		s.Mean = c.sum / float64(c.Scored)
	}
	return s
}

func distribution(h *histogram.Durations) Distribution {
	return Distribution{Count: h.Count(), Sum: h.Sum(), Max: h.Max(), P50: h.Quantile(0.5), P95: h.Quantile(0.95), P99: h.Quantile(0.99)}
}

// lasting are failures that the next item would meet too.
var lasting = []string{evaluators.ErrorJudgeAuth, evaluators.ErrorJudgeQuota, evaluators.ErrorJudgeModelNotFound}

// mostLasting are how many of them it takes where no breaker has seen them.
const mostLasting = 8

// ErrHopeless is wrapped when an evaluator that has scored nothing says that it
// never will: its credentials are refused, its quota is spent, its model is not
// there. Waiting for it would take for ever.
var ErrHopeless = errors.New("runner: an evaluator cannot be asked")

// hopeless says why there is no use in asking the lane's evaluator. The crew's
// lock is held.
func (l *lane) hopeless() error {
	if l.scored || l.lasting == 0 {
		return nil
	}
	if l.lasting < mostLasting {
		b := l.e.Gate.Status().Breaker
		if b == nil || b.Cause == 0 {
			return nil
		}
	}
	for _, c := range l.names {
		for _, why := range lasting {
			if c.Failed[why] > 0 {
				return fmt.Errorf("%w: %s: %s: %s", ErrHopeless, l.name, why, c.LastError)
			}
		}
	}
	return nil
}

// status is the lane at this moment.
func (l *lane) status() EvaluatorStatus {
	s := EvaluatorStatus{Name: l.e.Name(), Version: l.e.Version(), Type: l.e.Type(), Concurrency: l.most}
	if l.e.Gate != nil {
		g := l.e.Gate.Status()
		s.Gate = &g
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	s.Queued = l.queue.Len() + l.first.Len() + l.held
	s.Running, s.Stuck = l.busy, l.stuck
	s.Waiting = min(int(l.waiting.Load()), l.busy)
	s.Metrics = make([]MetricStatistics, len(l.names))
	for i, c := range l.names {
		s.Metrics[i] = c.statistics()
	}
	return s
}

// spending adds what the lane has spent to p.
func (l *lane) spending(p *Progress) (running, waiting int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.names {
		p.Spend += c.cost
		p.HasSpend = p.HasSpend || c.hasCost
		p.InputTokens += c.input
		p.OutputTokens += c.output
	}
	return l.busy, min(int(l.waiting.Load()), l.busy)
}

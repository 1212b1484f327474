package manager

import (
	"sync"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
)

// skip is a reason for which the door turns an invocation away, as an index:
// counting it costs no hash.
type skip uint8

const (
	notSkipped skip = iota
	skipDisabled
	skipSuppressed
	skipUnsupportedKind
	skipUnsampled
	skipCancelled
	skipInvocationError
	skipToolCallOnly
	skipContentTruncated
	skipSampledOut
	skips
)

var skipNames = [skips]string{
	"", evaluators.SkipDisabled, evaluators.SkipSuppressed, evaluators.SkipUnsupportedKind,
	evaluators.SkipUnsampled, evaluators.SkipCancelled, evaluators.SkipInvocationError,
	evaluators.SkipToolCallOnly, evaluators.SkipContentTruncated, evaluators.SkipSampledOut,
}

// doorShards spreads the door's counters, so that goroutines that complete
// invocations at the same time rarely meet at one lock.
const doorShards = 16

// doorShard counts invocations that the door turned away. What it fans out is
// counted by the first lane that it goes to, under the lock that the lane takes
// anyway. Either way offered and what became of it change together, so that
// their law holds in every part at every moment.
type doorShard struct {
	mu      sync.Mutex
	offered uint64
	skipped [skips]uint64
	_       [40]byte // keeps neighbours off a shared cache line
}

// OnCompletion offers a completed invocation. It never blocks, allocates at
// most once, and marks the invocation with what was decided. It is safe for
// concurrent use; before Start the queues fill, after Shutdown everything is
// skipped as disabled.
func (m *Manager) OnCompletion(inv *instrumentation.Invocation) {
	summary := inv.Summary()
	var point uint64
	if m.sampled {
		point = samplingPoint(summary)
	}
	why := m.decide(inv, summary, point)
	if why == notSkipped {
		m.fanOut(inv, summary, point)
		return
	}
	shard := &m.door[summary.Key[0]%doorShards]
	shard.mu.Lock()
	shard.offered++
	shard.skipped[why]++
	shard.mu.Unlock()
	inv.MarkEvaluation(false, skipNames[why])
}

// decide says why an invocation is not evaluated. It reads what was computed
// while the invocation was recorded, never its content.
func (m *Manager) decide(inv *instrumentation.Invocation, s *instrumentation.Summary, point uint64) skip {
	plan := &m.doorPlan[s.Kind]
	switch {
	case m.closed.Load():
		return skipDisabled
	case s.Flags != 0: // rare: one test keeps the common way short
		if why := m.decideFlagged(s, plan); why != notSkipped {
			return why
		}
	}
	switch {
	case !plan.any:
		return skipUnsupportedKind
	case m.cfg.Sampler != nil && !m.sample(inv), !plan.wants(s, point):
		return skipSampledOut
	}
	return notSkipped
}

func (m *Manager) decideFlagged(s *instrumentation.Summary, plan *kindPlan) skip {
	switch {
	case s.Has(instrumentation.FlagSuppressed):
		return skipSuppressed
	case s.Has(instrumentation.FlagUnsupported), !plan.any:
		return skipUnsupportedKind
	case s.Has(instrumentation.FlagUnsampled) && !m.cfg.Unsampled:
		return skipUnsampled
	case s.Has(instrumentation.FlagCancelled):
		return skipCancelled
	case s.Has(instrumentation.FlagFailed) && !plan.onError:
		return skipInvocationError
	case s.Has(instrumentation.FlagToolCallOnly):
		return skipToolCallOnly
	case s.Has(instrumentation.FlagTruncated):
		return skipContentTruncated
	}
	return notSkipped
}

func (m *Manager) sample(inv *instrumentation.Invocation) (yes bool) {
	returned := false
	defer m.contain("sampler", &returned)
	yes = m.cfg.Sampler(inv)
	returned = true
	return yes
}

// fanOut offers the invocation to each lane that has a metric for it, and
// marks it evaluated when any took it.
func (m *Manager) fanOut(inv *instrumentation.Invocation, summary *instrumentation.Summary, point uint64) {
	t := task{inv: inv}
	if len(m.lanes) > 1 {
		t.shared = new(sharedCase)
	}
	priority := summary.Priority
	if m.cfg.PriorityRules != nil {
		priority = m.prioritize(inv, summary)
	}
	class := classOf(priority)
	var counted, taken bool
	var why drop
	for _, l := range m.lanes {
		if !l.plan[summary.Kind].wants(summary, point) {
			continue
		}
		if d := l.offer(t, summary, class, !counted); d == notDropped {
			taken = true
		} else {
			why = d
		}
		counted = true
	}
	if taken {
		inv.MarkEvaluation(true, "")
	} else {
		inv.MarkEvaluation(false, dropNames[why])
	}
}

// kindPlan is what the door, or a lane, needs to know of a kind.
type kindPlan struct {
	any     bool // some metric applies to the kind
	onError bool // some metric takes failed invocations
	bound   samplingBound
	// failedBound is the bound of the metrics that take failed invocations.
	failedBound samplingBound
}

func (p *kindPlan) add(metric evaluators.Metric, bound samplingBound) {
	p.any = true
	p.bound = wider(p.bound, bound)
	if metric.OnError {
		p.onError = true
		p.failedBound = wider(p.failedBound, bound)
	}
}

// wants reports whether some metric applies.
func (p *kindPlan) wants(s *instrumentation.Summary, point uint64) bool {
	if s.Has(instrumentation.FlagFailed) {
		return p.failedBound.includes(point)
	}
	return p.bound.includes(point)
}

func wider(a, b samplingBound) samplingBound {
	if !a.any || b.any && b.highest > a.highest {
		return b
	}
	return a
}

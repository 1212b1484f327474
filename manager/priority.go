package manager

import (
	"slices"

	"github.com/genaievals/genaievals/instrumentation"
)

// PriorityRule gives a priority to the invocations that match every condition
// that it sets. Without any it matches all.
type PriorityRule struct {
	Priority instrumentation.Priority
	// Kinds, Models (as requested) and Agents (its own or the one around it)
	// match an invocation that has one of them, spelled the same. Empty is no
	// condition.
	Kinds  []instrumentation.Kind
	Models []string
	Agents []string
	// Match, if set, is asked last, for instance whether the application
	// flagged the invocation. It runs on the application's goroutine and must
	// return at once; a panic counts as no.
	Match func(inv *instrumentation.Invocation) bool
}

// prioritize is the priority of an invocation where there are rules: what the
// application said, else that of the first rule that matches, else normal.
func (m *Manager) prioritize(inv *instrumentation.Invocation, s *instrumentation.Summary) instrumentation.Priority {
	if s.Has(instrumentation.FlagPrioritized) {
		return s.Priority
	}
	for i := range m.cfg.PriorityRules {
		r := &m.cfg.PriorityRules[i]
		if (len(r.Kinds) == 0 || slices.Contains(r.Kinds, s.Kind)) &&
			(len(r.Models) == 0 || slices.Contains(r.Models, inv.RequestModel())) &&
			(len(r.Agents) == 0 || slices.Contains(r.Agents, inv.AgentName())) &&
			(r.Match == nil || m.matches(r, inv)) {
			return r.Priority
		}
	}
	return instrumentation.PriorityNormal
}

func (m *Manager) matches(r *PriorityRule, inv *instrumentation.Invocation) (match bool) {
	returned := false
	defer m.contain("priority rule", &returned)
	match = r.Match(inv)
	returned = true
	return match
}

// classes are the priorities as indices, lowest first.
const (
	low = iota
	normal
	high
	classes
)

func classOf(p instrumentation.Priority) int { return int(p - instrumentation.PriorityLow) }

func priorityOf(class int) instrumentation.Priority {
	return instrumentation.PriorityLow + instrumentation.Priority(class)
}

// weights are the shares of queue and service.
var weights = [classes]int64{low: 1, normal: 3, high: 8}

// shares divides a bound of a queue by the weights, rounded so that every
// class has something where there is enough for that, the higher ones first.
func shares(total int64) (s [classes]int64) {
	if total < classes {
		for class := high; total > 0; class, total = class-1, total-1 {
			s[class] = 1
		}
		return s
	}
	const all = 1 + 3 + 8
	round := func(weight int64) int64 { // without overflow
		return max(1, total/all*weight+(total%all*weight+all/2)/all)
	}
	s[low], s[normal] = round(weights[low]), round(weights[normal])
	s[high] = total - s[low] - s[normal]
	return s
}

// turns decides which class is served next: start-time fair queueing, with
// every task the same size. Each class is due at a point of a virtual time;
// the one that is due first is served, and is due again later by the reciprocal
// of its weight. A class that had nothing waiting is not made up for it. So
// classes that always wait are served in proportion to their weights, within
// one task each, the lowest at least once in twelve; and if only one waits it
// is always its turn.
type turns struct {
	now uint64 // the virtual time: when the last one served was due
	due [classes]uint64
}

// strides are 24 / weight.
var strides = [classes]uint64{low: 24, normal: 8, high: 3}

// next returns the class whose turn it is, of those that wait; at least one
// must. Of several due at once the highest goes first.
func (t *turns) next(waits [classes]bool) int {
	chosen := -1
	for class := high; class >= low; class-- {
		if waits[class] {
			t.due[class] = max(t.due[class], t.now)
			if chosen < 0 || t.due[class] < t.due[chosen] {
				chosen = class
			}
		}
	}
	t.now = t.due[chosen]
	t.due[chosen] += strides[chosen]
	return chosen
}

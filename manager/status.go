package manager

import (
	"maps"
	"time"

	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/limit"
)

// Status is what a manager has done and is doing. Within each part the counts
// were read at one moment, and its law holds exactly.
type Status struct {
	// Name tells this manager from others of the process.
	Name string
	// Concurrent is the mode it runs in.
	Concurrent bool
	Door       DoorStatus
	Lanes      []LaneStatus
	// Slots are those of MaxInFlight; nil without a limit.
	Slots *SlotStatus
	// Panics counts those of evaluators and of the application's functions
	// (sampler, redactor, handlers, exporters) that were contained.
	Panics uint64
}

// DoorStatus counts invocations: Offered = Σ Skipped + FannedOut.
type DoorStatus struct {
	Offered, FannedOut uint64
	Skipped            map[string]uint64 // by reason, those that occurred
}

// SlotStatus is what became of the slots of MaxInFlight, and how many
// evaluations wait for one, in all lanes and for EvaluateNow.
type SlotStatus struct{ Limit, Taken, Waiting int }

// LaneStatus counts a lane's tasks: Tasks = Σ Dropped + Queued + InFlight + Done.
type LaneStatus struct {
	Name     string
	Tasks    uint64
	Dropped  map[string]uint64 // by reason, those that occurred
	Queued   int
	InFlight int
	Done     uint64
	// QueuedBytes is the size of what waits, OldestAge its longest wait.
	QueuedBytes int64
	OldestAge   time.Duration
	// Priorities are the parts of it, high, normal and low.
	Priorities [3]PriorityStatus
	// Workers of the lane now, 0 before Start; InFlight of them are busy. Those
	// beyond Config.Workers were added and removed so many times.
	Workers                      int
	WorkersAdded, WorkersRemoved uint64
	// Stuck counts evaluations that ignored their deadline, were left, and
	// still run. An evaluator that has StuckLimit of them is not asked any more
	// until one returns, and its circuit breaker, if it has one, opens; those in
	// flight may still add to it. The lane is Halted, and takes nothing more,
	// when that holds for all its evaluators; till then the metrics of those
	// for which it does fail.
	Stuck, StuckLimit int
	Halted            bool
	Evaluators        []EvaluatorStatus
}

// PriorityStatus counts the tasks of one priority: Queued and QueuedBytes wait,
// Taken were handed to a worker so far, whatever became of them.
type PriorityStatus struct {
	Priority    instrumentation.Priority
	Queued      int
	QueuedBytes int64
	Taken       uint64
}

// EvaluatorStatus counts metrics asked of an evaluator:
// Started = Running + Scored + Skipped + Failed, the last three summed over
// Metrics.
type EvaluatorStatus struct {
	Name             string
	Started, Running uint64
	// Stuck is its part of the lane's.
	Stuck   int
	Metrics []MetricStatus
	// Gate is the limit that the evaluator is under; nil without one.
	Gate *limit.Status
}

// MetricStatus is what came of one metric.
type MetricStatus struct {
	Name           string
	Scored, Passed uint64            // Passed is a part of Scored
	Skipped        map[string]uint64 // by reason
	Failed         map[string]uint64 // by error type
	// InputCut counts those of them for which the evaluated text was too long to
	// be shown to the judge as a whole.
	InputCut uint64
	// LastError is the text of the last failure, at most 512 bytes, and
	// LastErrorAt when it was; empty and zero when nothing has failed.
	LastError   string
	LastErrorAt time.Time
}

// Status returns the manager's counts. It may be called at any time, also
// after Shutdown.
func (m *Manager) Status() Status {
	s := Status{
		Name: m.cfg.Name, Concurrent: m.cfg.Concurrent,
		Door: m.doorStatus(), Panics: m.panics.Load(), Slots: m.slots.status(),
	}
	for _, l := range m.lanes {
		s.Lanes = append(s.Lanes, l.status())
	}
	return s
}

func (m *Manager) doorStatus() DoorStatus {
	d := DoorStatus{Skipped: make(map[string]uint64)}
	for i := range m.door {
		shard := &m.door[i]
		shard.mu.Lock()
		d.Offered += shard.offered
		for why, n := range shard.skipped {
			if n > 0 {
				d.Skipped[skipNames[why]] += n
			}
		}
		shard.mu.Unlock()
	}
	for _, l := range m.lanes {
		l.mu.Lock()
		d.Offered += l.offered
		d.FannedOut += l.fannedOut
		l.mu.Unlock()
	}
	return d
}

func (l *lane) status() LaneStatus {
	l.mu.Lock()
	s := LaneStatus{
		Name: l.name, Tasks: l.tasks, Dropped: make(map[string]uint64),
		Queued: int(l.queued()), InFlight: l.inFlight, Done: l.done, QueuedBytes: l.bytes,
		Workers: l.crew.workers, WorkersAdded: l.crew.added, WorkersRemoved: l.crew.removed,
		StuckLimit: l.stuckCap, Halted: l.halted(),
	}
	stuck := make([]int, len(l.members))
	for i, mb := range l.members {
		stuck[i] = mb.stuck.now
		s.Stuck += stuck[i]
	}
	for why, n := range l.dropped {
		if n > 0 {
			s.Dropped[dropNames[why]] = n
		}
	}
	for i := range l.classes {
		c := &l.classes[i]
		s.Priorities[high-i] = PriorityStatus{priorityOf(i), c.queue.Len(), c.bytes, c.taken}
		if oldest, ok := c.queue.Peek(); ok {
			s.OldestAge = max(s.OldestAge, time.Since(oldest.inv.EndTime()))
		}
	}
	l.mu.Unlock()
	for i, mb := range l.members {
		e := mb.status()
		e.Stuck = stuck[i]
		s.Evaluators = append(s.Evaluators, e)
	}
	return s
}

func (mb *member) status() EvaluatorStatus {
	s := EvaluatorStatus{Name: mb.name}
	if mb.gate != nil {
		gate := mb.gate.Status()
		s.Gate = &gate
	}
	mb.mu.Lock()
	defer mb.mu.Unlock()
	s.Started, s.Running = mb.started, mb.running
	for _, name := range mb.order {
		t := mb.tallies[name]
		s.Metrics = append(s.Metrics, MetricStatus{
			Name: name, Scored: t.Scored, Passed: t.Passed, InputCut: t.inputCut,
			Skipped: maps.Clone(t.Skipped), Failed: maps.Clone(t.Failed),
			LastError: t.LastError, LastErrorAt: t.lastErrorAt,
		})
	}
	return s
}

package manager

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/internal/queue"
)

// task is an invocation on its way through one lane.
type task struct {
	inv    *instrumentation.Invocation
	shared *sharedCase // nil when the invocation went to one lane only
}

func (t task) size() int64 { return int64(t.inv.Summary().Size) }

// sharedCase is an invocation's case, made once by the lane that needs it
// first.
type sharedCase struct {
	once sync.Once
	c    *evaluators.Case
	err  error
}

// place is where a task was queued: its position in the order of arrival of its
// class.
type place struct {
	class    int
	position uint64
}

// class is what waits of one priority.
type class struct {
	queue queue.Queue[task]
	bytes int64
	// pushed and popped count what was queued and what was taken out again.
	pushed, popped uint64
	taken          uint64 // by workers
}

func (c *class) queued() int64 { return int64(c.queue.Len()) }

// lane is a bounded queue and its workers. Everything below mu is guarded by
// it, and each change of the counters keeps their law:
// tasks = dropped + queued + in flight + done.
type lane struct {
	name     string
	index    int // among the manager's lanes
	m        *Manager
	members  []*member // the evaluators served: one, or all in sequential mode
	plan     [instrumentation.Kinds]kindPlan
	stuckCap int // of each member
	// countShares and byteShares are what each class may always have of the
	// queue; the former is of no use without a limit by count.
	countShares, byteShares [classes]int64
	// taking ends when there is nothing left to take: a worker that waits for
	// its gate before taking does not hold up a shutdown.
	taking     context.Context
	stopTaking context.CancelCauseFunc
	saidDrops  [drops]said  // owned by the reporter goroutine
	duplicates *duplicates  // used by the workers; nil without
	held       atomic.Int64 // workers that took a task and wait for a gate or a slot

	queueSize  int64 // most tasks that wait; 0 is no limit
	queueBytes int64 // most bytes that wait

	mu   sync.Mutex
	wake sync.Cond // a task came, the lane closed, workers are to leave, or a stuck evaluation returned
	// offered and fannedOut are the part of the door's counters that this lane
	// keeps: invocations that came to it first.
	offered, fannedOut uint64
	tasks              uint64
	bytes              int64 // of all classes
	closed             bool  // no offers any more; workers leave when the queue is empty
	crew               crew
	expiry             expiry
	classes            [classes]class
	turns              turns
	dropped            [drops]uint64
	inFlight           int
	done               uint64

	// Places of the tasks that workers hold or whose drop is being told, for
	// Flush.
	places  map[place]struct{}
	flushes []*flush
}

func newLane(m *Manager, name string, members ...*member) *lane {
	l := &lane{name: name, index: len(m.lanes), m: m, members: members, places: make(map[place]struct{})}
	l.wake.L = &l.mu
	l.taking, l.stopTaking = context.WithCancelCause(m.base)
	l.stuckCap = max(8, m.cfg.WorkersMax*m.cfg.MaxConcurrent)
	l.queueSize, l.queueBytes = int64(m.cfg.QueueSize), m.cfg.QueueBytes
	l.crew = crew{fewest: m.cfg.Workers, most: m.cfg.WorkersMax}
	l.countShares, l.byteShares = shares(l.queueSize), shares(l.queueBytes)
	l.duplicates = newDuplicates(m.cfg.DuplicateMemory)
	for _, mb := range members {
		for kind, metrics := range mb.metrics {
			for _, pm := range metrics {
				l.plan[kind].add(pm.Metric, pm.bound)
			}
		}
	}
	return l
}

// offer queues a task or says why not; the first lane that an invocation goes
// to counts it for the door. It does not block: mu is never held while anything
// waits.
func (l *lane) offer(t task, summary *instrumentation.Summary, class int, first bool) drop {
	size := int64(summary.Size)
	l.mu.Lock()
	l.tasks++
	if first {
		l.offered++
		l.fannedOut++
	}
	if !l.closed && l.fits(size) {
		l.push(t, class, size)
		l.mu.Unlock()
		return notDropped
	}
	return l.offerFull(t, class, size)
}

func (l *lane) fits(size int64) bool {
	return l.bytes+size <= l.queueBytes && (l.queueSize == 0 || l.queued() < l.queueSize)
}

// queued counts what waits.
func (l *lane) queued() (n int64) {
	for i := range l.classes {
		n += l.classes[i].queued()
	}
	return n
}

func (l *lane) empty() bool { return l.queued() == 0 }

func (l *lane) push(t task, class int, size int64) {
	c := &l.classes[class]
	c.queue.Push(t)
	c.pushed++
	c.bytes += size
	l.bytes += size
	if l.crew.waiting > 0 {
		l.wake.Signal()
	} else if l.crew.workers < l.crew.most {
		l.grow()
	}
}

func (l *lane) pop(class int) (task, place) {
	c := &l.classes[class]
	t, _ := c.queue.Pop()
	at := place{class, c.popped}
	c.popped++
	c.bytes -= t.size()
	l.bytes -= t.size()
	l.stopIfDrained()
	return t, at
}

// stopIfDrained ends the taking of a lane that has closed and is empty.
func (l *lane) stopIfDrained() {
	if l.closed && l.empty() {
		l.stopTaking(ErrShutdown)
		l.expiry.stop()
	}
}

// await blocks until a task waits and the lane may take one, and reports false
// when the worker is to leave: the lane has closed and nothing is left, or there
// was nothing to do for too many. Another worker may be quicker: take tells.
func (l *lane) await() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		empty := l.empty()
		if !empty {
			l.watchAge()
		}
		switch {
		case !empty && !l.halted():
			return true
		case empty && l.leaves():
			return false
		}
		l.idle()
	}
}

// take hands a worker the oldest task that has not expired of the class whose
// turn it is. The worker must finish it, or refuse it. Handlers are told of
// those that have expired before anything is taken.
func (l *lane) take() (t task, at place, ok bool) {
	for {
		now := time.Now()
		l.mu.Lock()
		waits, expired := l.expire(now)
		if len(expired) > 0 {
			l.mu.Unlock()
			l.tell(expired)
			continue
		}
		if ok = slices.Contains(waits[:], true); ok {
			t, at = l.pop(l.turns.next(waits))
			l.classes[at.class].taken++
			l.inFlight++
			l.places[at] = struct{}{}
			if l.crew.workers < l.crew.most && !l.empty() {
				l.grow()
			}
		}
		l.mu.Unlock()
		return t, at, ok
	}
}

func (l *lane) finish(at place) {
	l.mu.Lock()
	l.inFlight--
	l.done++
	delete(l.places, at)
	l.settle()
	l.mu.Unlock()
}

// refuse gives up a task that a worker took and is not going to evaluate.
func (l *lane) refuse(t task, at place, why drop) {
	l.mu.Lock()
	l.inFlight--
	l.dropped[why]++
	l.mu.Unlock()
	l.tell([]gone{{t.inv, why, at}})
}

// close stops the intake; workers go on until the queue is empty.
func (l *lane) close() {
	l.mu.Lock()
	l.closed = true
	l.stopIfDrained()
	if l.crew.period != nil {
		l.crew.period.Stop()
	}
	l.wake.Broadcast()
	l.mu.Unlock()
}

// abandon drops everything that waits.
func (l *lane) abandon() {
	var dropped []gone
	l.mu.Lock()
	for class := high; class >= low; class-- {
		for l.classes[class].queue.Len() > 0 {
			dropped = append(dropped, l.drop(class, dropShutdown))
		}
	}
	l.wake.Broadcast()
	l.mu.Unlock()
	l.tell(dropped)
}

func (l *lane) dropCounts() (counts [drops]uint64, depth int, bytes int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dropped, int(l.queued()), l.bytes
}

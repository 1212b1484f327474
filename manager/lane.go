package manager

import (
	"context"
	"sync"
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

// lane is a bounded queue and its workers. Everything below mu is guarded by
// it, and each change of the counters keeps their law:
// tasks = dropped + queued + in flight + done.
type lane struct {
	name     string
	m        *Manager
	members  []*member // the evaluators served: one, or all in sequential mode
	plan     [instrumentation.Kinds]kindPlan
	stuckCap int
	// taking ends when there is nothing left to take: a worker that waits for
	// its gate before taking does not hold up a shutdown.
	taking     context.Context
	stopTaking context.CancelCauseFunc
	reported   dropReport // owned by the reporter goroutine

	mu       sync.Mutex
	wake     sync.Cond // a task came, the lane closed, or a stuck evaluation returned
	queue    queue.Queue[task]
	bytes    int64
	tasks    uint64
	dropped  [drops]uint64
	inFlight int
	done     uint64
	waiting  int // workers in wake.Wait
	// offered and fannedOut are the part of the door's counters that this lane
	// keeps: invocations that came to it first.
	offered, fannedOut uint64
	closed             bool // no offers any more; workers leave when the queue is empty
	stuck              int  // evaluations that ignored their deadline and still run

	// Positions in the order of arrival, for Flush: how many were queued and
	// taken out again, and those that workers hold or whose drop is being told.
	pushed, popped uint64
	held           map[uint64]struct{}
	flushes        []*flush
}

func newLane(m *Manager, name string, members ...*member) *lane {
	l := &lane{name: name, m: m, members: members, held: make(map[uint64]struct{})}
	l.wake.L = &l.mu
	l.taking, l.stopTaking = context.WithCancelCause(m.base)
	l.stuckCap = max(8, m.cfg.Workers*m.cfg.MaxConcurrent)
	for _, mb := range members {
		for kind, metrics := range mb.metrics {
			for _, pm := range metrics {
				l.plan[kind].add(pm.Metric, pm.bound)
			}
		}
	}
	return l
}

// maxEvictions bounds what one offer takes out of the queue to make room, so
// that the application's goroutine does bounded work.
const maxEvictions = 16

// offer queues a task or says why not; the first lane that an invocation goes
// to counts it for the door. It does not block: mu is never held while anything
// waits.
func (l *lane) offer(t task, summary *instrumentation.Summary, first bool) drop {
	size := int64(summary.Size)
	l.mu.Lock()
	l.tasks++
	if first {
		l.offered++
		l.fannedOut++
	}
	if !l.closed && l.fits(size) {
		l.push(t, size)
		l.mu.Unlock()
		return notDropped
	}
	return l.offerFull(t, size)
}

// gone is a task that was dropped after it had been queued. Its position is held
// until the drop handlers were told: a flush waits for that too.
type gone struct {
	inv      *instrumentation.Invocation
	why      drop
	position uint64
}

// offerFull is offer where there is no room at first. It unlocks mu.
func (l *lane) offerFull(t task, size int64) drop {
	var dropped [maxEvictions]gone
	n, why := 0, notDropped
	switch {
	case l.closed:
		why = dropShutdown
	case size > l.m.cfg.QueueBytes:
		why = dropTooLarge
	default:
		for ; !l.fits(size) && n < maxEvictions; n++ {
			because := dropEvicted
			if oldest, _ := l.queue.Peek(); l.expired(oldest, t.inv.Summary().End) {
				because = dropExpired
			} else if l.m.cfg.QueuePolicy != DropOldest {
				break
			}
			dropped[n] = l.drop(because)
		}
		if !l.fits(size) {
			why = dropQueueFull
		}
	}
	if why == notDropped {
		l.push(t, size)
	} else {
		l.dropped[why]++
	}
	l.mu.Unlock()
	l.tell(dropped[:n])
	if why != notDropped {
		l.m.dropped(l, why, t.inv)
	}
	return why
}

// drop takes the oldest task out of the queue and gives it up.
func (l *lane) drop(why drop) gone {
	t, position := l.pop()
	l.dropped[why]++
	l.held[position] = struct{}{}
	return gone{t.inv, why, position}
}

// tell tells the drop handlers, without the lock.
func (l *lane) tell(dropped []gone) {
	if len(dropped) == 0 {
		return
	}
	for _, g := range dropped {
		l.m.dropped(l, g.why, g.inv)
	}
	l.mu.Lock()
	for _, g := range dropped {
		delete(l.held, g.position)
	}
	l.settle()
	l.mu.Unlock()
}

func (l *lane) fits(size int64) bool {
	return l.bytes+size <= l.m.cfg.QueueBytes &&
		(l.m.cfg.QueueSize == 0 || l.queue.Len() < l.m.cfg.QueueSize)
}

func (l *lane) push(t task, size int64) {
	l.queue.Push(t)
	l.pushed++
	l.bytes += size
	if l.waiting > 0 {
		l.wake.Signal()
	}
}

func (l *lane) pop() (t task, position uint64) {
	t, _ = l.queue.Pop()
	position = l.popped
	l.popped++
	l.bytes -= t.size()
	l.stopIfDrained()
	return t, position
}

// stopIfDrained ends the taking of a lane that has closed and is empty.
func (l *lane) stopIfDrained() {
	if l.closed && l.queue.Len() == 0 {
		l.stopTaking(ErrShutdown)
	}
}

func (l *lane) expired(t task, now time.Time) bool {
	return now.Sub(t.inv.Summary().End) > l.m.cfg.MaxAge
}

// await blocks until a task waits and the lane may take one, and reports
// false when the lane has closed and nothing is left. Another worker may be
// quicker: take tells.
func (l *lane) await() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.queue.Len() == 0 || l.stuck >= l.stuckCap {
		if l.closed && l.queue.Len() == 0 {
			return false
		}
		l.waiting++
		l.wake.Wait()
		l.waiting--
	}
	return true
}

// take hands the oldest task that has not expired to a worker, which must
// finish it.
func (l *lane) take() (t task, position uint64, ok bool) {
	var expired []gone
	now := time.Now()
	l.mu.Lock()
	for !ok && l.queue.Len() > 0 {
		if oldest, _ := l.queue.Peek(); l.expired(oldest, now) {
			expired = append(expired, l.drop(dropExpired))
			continue
		}
		t, position = l.pop()
		l.inFlight++
		l.held[position] = struct{}{}
		ok = true
	}
	l.mu.Unlock()
	l.tell(expired)
	return t, position, ok
}

func (l *lane) finish(position uint64) {
	l.mu.Lock()
	l.inFlight--
	l.done++
	delete(l.held, position)
	l.settle()
	l.mu.Unlock()
}

// close stops the intake; workers go on until the queue is empty.
func (l *lane) close() {
	l.mu.Lock()
	l.closed = true
	l.stopIfDrained()
	l.wake.Broadcast()
	l.mu.Unlock()
}

// abandon drops everything that waits.
func (l *lane) abandon() {
	var dropped []gone
	l.mu.Lock()
	for l.queue.Len() > 0 {
		dropped = append(dropped, l.drop(dropShutdown))
	}
	l.wake.Broadcast()
	l.mu.Unlock()
	l.tell(dropped)
}

// addStuck counts evaluations that their worker left, and lets the lane go on
// when one has returned.
func (l *lane) addStuck(n int) {
	l.mu.Lock()
	l.stuck += n
	if n < 0 {
		l.wake.Broadcast()
	}
	l.mu.Unlock()
}

func (l *lane) dropCounts() (counts [drops]uint64, depth int, bytes int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dropped, l.queue.Len(), l.bytes
}

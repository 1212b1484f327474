package manager

import "time"

// idlePeriod is how long workers beyond those configured must have been idle
// before they leave.
const idlePeriod = 10 * time.Second

// crew is a lane's workers. It grows from fewest to most while tasks wait and
// everybody is busy, and shrinks again when there was nothing for some of them
// to do. It is guarded by its lane's lock.
type crew struct {
	fewest, most   int
	workers        int    // at work or waiting for it; 0 before Start and when all have left
	waiting        int    // of them, in the lane's wake.Wait
	leaving        int    // of them, how many are to leave when they find nothing to do
	leastWaiting   int    // in the current period
	added, removed uint64 // beyond the fewest, so far
	period         *time.Timer
	running        bool // the period; while there are more than the fewest
}

// employ starts the lane's first workers.
func (l *lane) employ() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for range l.crew.fewest {
		l.crew.workers++
		l.m.workers.Go(l.work)
	}
}

// grow starts one more worker if all are busy and another could do something:
// none of them waits for the gate or a slot, and there is a slot. Called with the
// lock held and a task waiting.
func (l *lane) grow() {
	c := &l.crew
	switch {
	case c.workers == 0, c.workers >= c.most, c.workers > l.inFlight, l.closed:
		return
	case l.held.Load() > 0, l.m.slots.full():
		return
	}
	c.leaving = 0
	c.workers++
	c.added++
	l.m.workers.Go(l.work)
	switch {
	case c.running:
	case c.period == nil:
		c.period = time.AfterFunc(idlePeriod, l.shrink)
	default:
		c.period.Reset(idlePeriod)
	}
	c.running, c.leastWaiting = true, c.waiting
}

// shrink, at the end of a period, lets go of workers that nothing needed
// during all of it. Workers take turns, so that one of them has idled says
// nothing; that some were idle at any moment does.
func (l *lane) shrink() {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := &l.crew
	if l.closed {
		return
	}
	if l.empty() {
		c.leaving = min(c.leastWaiting, c.workers-c.fewest)
	}
	for range c.leaving {
		l.wake.Signal()
	}
	c.leastWaiting = c.waiting - c.leaving
	if c.running = c.workers-c.leaving > c.fewest; c.running {
		c.period.Reset(idlePeriod)
	}
}

// leaves reports whether a worker that found nothing to do leaves, and counts
// it. Called with the lock held.
func (l *lane) leaves() bool {
	c := &l.crew
	switch {
	case l.closed:
	case c.leaving > 0:
		c.leaving--
		c.removed++
	default:
		return false
	}
	c.workers--
	return true
}

// idle waits until something has changed for the lane. Called with the lock
// held, which it gives up meanwhile.
func (l *lane) idle() {
	l.crew.waiting++
	l.wake.Wait()
	l.crew.waiting--
	l.crew.leastWaiting = min(l.crew.leastWaiting, l.crew.waiting)
}

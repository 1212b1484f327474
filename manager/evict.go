package manager

import "github.com/genaievals/genaievals/instrumentation"

// maxEvictions bounds what one offer takes out of the queue to make room, so
// that the application's goroutine does bounded work.
const maxEvictions = 16

// gone is a task that was dropped after it had been queued. Its place is kept
// until the drop handlers were told: a flush waits for that too.
type gone struct {
	inv *instrumentation.Invocation
	why drop
	at  place
}

// offerFull is offer where there is no room at first. It unlocks mu.
func (l *lane) offerFull(t task, class int, size int64) drop {
	var dropped [maxEvictions]gone
	n, why := 0, notDropped
	switch {
	case l.closed:
		why = dropShutdown
	case size > l.queueBytes:
		why = dropTooLarge
	default:
		n = l.dropStale(&dropped, t, size)
		if n = l.evict(&dropped, n, class, size); !l.fits(size) {
			why = dropQueueFull
		}
	}
	if why == notDropped {
		l.push(t, class, size)
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

// dropStale drops what has expired while t does not fit, and returns how
// many that were.
func (l *lane) dropStale(dropped *[maxEvictions]gone, t task, size int64) (n int) {
	now := t.inv.Summary().End
	for class := range l.classes {
		for !l.fits(size) && n < len(dropped) {
			oldest, ok := l.classes[class].queue.Peek()
			if !ok || !l.expired(oldest, now) {
				break
			}
			dropped[n] = l.drop(class, dropExpired)
			n++
		}
	}
	return n
}

// evict takes out what makes room for a task of that class and size, or nothing
// if what it may take does not make room: a task that is refused costs no other.
// It adds to the n dropped already, and returns how many they are then.
func (l *lane) evict(dropped *[maxEvictions]gone, n, class int, size int64) int {
	var victims [maxEvictions]int // the class of each
	left, most, found := l.load(), len(dropped)-n, 0
	for ; !left.fits(l, size); found++ {
		victim, ok := l.victim(&left, class, size)
		if !ok || found == most {
			return n
		}
		c := &l.classes[victim]
		left.remove(victim, c.queue.At(int(c.queued()-left.queued[victim])).size())
		victims[found] = victim
	}
	for _, victim := range victims[:found] {
		dropped[n] = l.drop(victim, dropEvicted)
		n++
	}
	return n
}

// load is what waits of each class: what does, or what would after evictions.
type load struct {
	queued, bytes       [classes]int64
	allQueued, allBytes int64
}

func (l *lane) load() (w load) {
	for i := range l.classes {
		c := &l.classes[i]
		w.queued[i], w.bytes[i] = c.queued(), c.bytes
		w.allQueued += w.queued[i]
	}
	w.allBytes = l.bytes
	return w
}

func (w *load) remove(class int, size int64) {
	w.queued[class]--
	w.bytes[class] -= size
	w.allQueued--
	w.allBytes -= size
}

func (w *load) fits(l *lane, size int64) bool {
	return w.allBytes+size <= l.queueBytes && (l.queueSize == 0 || w.allQueued < l.queueSize)
}

// victim is the class whose oldest task makes room for one that does not fit;
// false when none does. If the task is within the share of its class, it is what
// another class has borrowed, the lowest class first. Otherwise, where the
// policy says so, the oldest of its own class.
func (l *lane) victim(w *load, class int, size int64) (int, bool) {
	// Which bound the task does not fit says what must have been borrowed.
	byCount := l.queueSize > 0 && w.allQueued >= l.queueSize
	byBytes := w.allBytes+size > l.queueBytes
	if (l.queueSize == 0 || w.queued[class] < l.countShares[class]) && w.bytes[class]+size <= l.byteShares[class] {
		for other := range l.classes {
			if byCount && w.queued[other] > l.countShares[other] || byBytes && w.bytes[other] > l.byteShares[other] {
				return other, true
			}
		}
	}
	return class, l.m.cfg.QueuePolicy == DropOldest && w.queued[class] > 0
}

// drop takes the oldest task of a class out of the queue and gives it up.
func (l *lane) drop(class int, why drop) gone {
	t, at := l.pop(class)
	l.dropped[why]++
	l.places[at] = struct{}{}
	return gone{t.inv, why, at}
}

// tell tells the drop handlers, without the lock.
func (l *lane) tell(dropped []gone) {
	if len(dropped) == 0 {
		return
	}
	defer func() { // whatever a handler does
		l.mu.Lock()
		for _, g := range dropped {
			delete(l.places, g.at)
		}
		l.settle()
		l.mu.Unlock()
	}()
	for _, g := range dropped {
		l.m.dropped(l, g.why, g.inv)
	}
}

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
		for !l.fits(size) && n < maxEvictions {
			victim, because := l.victim(t, class, size)
			if because == notDropped {
				break
			}
			dropped[n] = l.drop(victim, because)
			n++
		}
		if !l.fits(size) {
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

// victim is the class whose oldest task makes room for one that does not fit,
// and why; notDropped when none does. What has expired goes first. Then, if the
// task is within the share of its class, what another class has borrowed, the
// lowest class first. Otherwise, where the policy says so, the oldest of its own
// class.
func (l *lane) victim(t task, class int, size int64) (int, drop) {
	now := t.inv.Summary().End
	for other := range l.classes {
		if oldest, ok := l.classes[other].queue.Peek(); ok && l.expired(oldest, now) {
			return other, dropExpired
		}
	}
	// Which bound the task does not fit says what must have been borrowed.
	byCount := l.queueSize > 0 && l.queued() >= l.queueSize
	byBytes := l.bytes+size > l.queueBytes
	own := &l.classes[class]
	if (l.queueSize == 0 || own.queued() < l.countShares[class]) && own.bytes+size <= l.byteShares[class] {
		for other := range l.classes {
			c := &l.classes[other]
			if byCount && c.queued() > l.countShares[other] || byBytes && c.bytes > l.byteShares[other] {
				return other, dropEvicted
			}
		}
	}
	if l.m.cfg.QueuePolicy == DropOldest && own.queue.Len() > 0 {
		return class, dropEvicted
	}
	return class, notDropped
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

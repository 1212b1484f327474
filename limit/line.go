package limit

// line is a queue of those who wait, first come, first served. Its gate's lock
// guards it. Only the head looks at the clock; the others sleep until they are
// the head.
type line struct {
	head, tail *waiter
	len        int
}

type waiter struct {
	prev, next *waiter
	// wake holds at most one token. A token only says "look again", so that
	// too many do no harm.
	wake chan struct{}
}

func (l *line) push() *waiter {
	w := &waiter{prev: l.tail, wake: make(chan struct{}, 1)}
	if l.tail == nil {
		l.head = w
	} else {
		l.tail.next = w
	}
	l.tail = w
	l.len++
	return w
}

// remove takes w out, wherever it stands, and wakes the new head if w was it.
func (l *line) remove(w *waiter) {
	if w.next == nil {
		l.tail = w.prev
	} else {
		w.next.prev = w.prev
	}
	if w.prev == nil {
		l.head = w.next
		l.wakeHead()
	} else {
		w.prev.next = w.next
	}
	l.len--
}

// wakeHead makes the head look again whether it can go.
func (l *line) wakeHead() {
	if l.head == nil {
		return
	}
	select {
	case l.head.wake <- struct{}{}:
	default: // it has not yet seen the last one
	}
}

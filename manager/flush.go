package manager

import (
	"context"
	"fmt"
)

// flush waits for everything that was queued before a position of each class.
// It is guarded by its lane's lock; done is closed under it.
type flush struct {
	before [classes]uint64
	done   chan struct{}
}

// oldest are the positions of the oldest tasks that are queued or in flight, by
// class.
func (l *lane) oldest() (oldest [classes]uint64) {
	for i := range l.classes {
		oldest[i] = l.classes[i].popped // the next one to be taken, or to come
	}
	for at := range l.places {
		oldest[at.class] = min(oldest[at.class], at.position)
	}
	return oldest
}

// over reports whether all that the flush waits for is finished.
func (f *flush) over(oldest [classes]uint64) bool {
	for class, before := range f.before {
		if oldest[class] < before {
			return false
		}
	}
	return true
}

// settle lets flushes go whose tasks are all finished. Called with the lock
// held wherever a task leaves the queue or a worker's hands.
func (l *lane) settle() {
	if len(l.flushes) == 0 {
		return
	}
	oldest, still := l.oldest(), l.flushes[:0]
	for _, f := range l.flushes {
		if f.over(oldest) {
			close(f.done)
		} else {
			still = append(still, f)
		}
	}
	clear(l.flushes[len(still):])
	l.flushes = still
}

// drained returns a channel that closes when all that is queued or in flight
// now is finished.
func (l *lane) drained() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := &flush{done: make(chan struct{})}
	for i := range l.classes {
		f.before[i] = l.classes[i].pushed
	}
	l.flushes = append(l.flushes, f)
	l.settle()
	return f.done
}

// Flush waits until every invocation offered before the call has been
// evaluated and its results handed on, or dropped. It returns ctx's error,
// wrapped, when ctx ends first. It does not flush OpenTelemetry's exporters.
func (m *Manager) Flush(ctx context.Context) error {
	drained := make([]<-chan struct{}, len(m.lanes))
	for i, l := range m.lanes {
		drained[i] = l.drained()
	}
	for i, l := range m.lanes {
		select {
		case <-drained[i]:
		case <-ctx.Done():
			return fmt.Errorf("flushing lane %s: %w", l.name, context.Cause(ctx))
		}
	}
	return nil
}

package runner

import "sync"

// inbox hands things from many goroutines to one, as many at a time as there
// are. The window bounds what is in it.
type inbox[T any] struct {
	mu     sync.Mutex
	items  []T
	closed bool
	signal chan struct{} // there is something, or it was closed
}

func newInbox[T any]() *inbox[T] { return &inbox[T]{signal: make(chan struct{}, 1)} }

// add puts items in; it does not block.
func (b *inbox[T]) add(items ...T) {
	b.mu.Lock()
	b.items = append(b.items, items...)
	b.mu.Unlock()
	b.wake()
}

func (b *inbox[T]) wake() {
	select {
	case b.signal <- struct{}{}:
	default:
	}
}

// close says that nothing more comes.
func (b *inbox[T]) close() {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.wake()
}

// swap takes all there is, for a slice that is no longer needed. What comes from
// a closed inbox is the last.
func (b *inbox[T]) swap(empty []T) (items []T, closed bool) {
	clear(empty)
	b.mu.Lock()
	defer b.mu.Unlock()
	items, b.items = b.items, empty[:0]
	return items, b.closed
}

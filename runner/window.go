package runner

import (
	"context"
	"sync"
)

// window bounds what was read and is not done. The reader alone waits for it.
type window struct {
	mostItems int
	mostBytes int64

	mu    sync.Mutex
	items int
	bytes int64
	room  chan struct{} // something was given back
}

func newWindow(items int, bytes int64) *window {
	return &window{mostItems: items, mostBytes: bytes, room: make(chan struct{}, 1)}
}

// acquire waits for room. An item larger than all of it waits until it is alone.
func (w *window) acquire(ctx context.Context, size int64) bool {
	for {
		w.mu.Lock()
		if w.items == 0 || w.items < w.mostItems && w.bytes+size <= w.mostBytes {
			w.items++
			w.bytes += size
			w.mu.Unlock()
			return true
		}
		w.mu.Unlock()
		select {
		case <-w.room:
		case <-ctx.Done():
			return false
		}
	}
}

// grow adds to what an item holds, past the bound if need be.
func (w *window) grow(size int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bytes += size
}

func (w *window) release(items int, bytes int64) {
	w.mu.Lock()
	w.items -= items
	w.bytes -= bytes
	w.mu.Unlock()
	select {
	case w.room <- struct{}{}:
	default:
	}
}

// empty waits until nothing is held. The reader is gone.
func (w *window) empty(ctx context.Context) bool {
	for {
		w.mu.Lock()
		items := w.items
		w.mu.Unlock()
		if items == 0 {
			return true
		}
		select {
		case <-w.room:
		case <-ctx.Done():
			return false
		}
	}
}

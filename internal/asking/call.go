package asking

import (
	"context"
	"time"

	"github.com/genaievals/genaievals/internal/waits"
)

// Call is the context of one call at a [Seat]. It makes its channel only for
// whoever asks for it. Its end is that of the call.
type Call struct {
	values   context.Context
	seat     *Seat
	timeout  time.Duration
	began    time.Time
	deadline time.Time // as the context tells it; zero: none

	// The seat's lock guards what follows.
	err, cause error
	leave      time.Time // when it is left, once err is set
	done       chan struct{}
	after      map[*func()]struct{} // to be called at the end
	waits      int                  // that are going on
	since      time.Time            // the first of them began
	waited     time.Duration
}

var _ context.Context = (*Call)(nil)
var _ waits.Observer = (*Call)(nil)

// Deadline implements [context.Context].
func (c *Call) Deadline() (time.Time, bool) { return c.deadline, !c.deadline.IsZero() }

// closed is the channel of a call that ended before anybody asked for it.
var closed = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

// Done implements [context.Context].
func (c *Call) Done() <-chan struct{} {
	c.seat.mu.Lock()
	defer c.seat.mu.Unlock()
	if c.done == nil {
		if c.err != nil {
			c.done = closed
		} else {
			c.done = make(chan struct{})
		}
	}
	return c.done
}

// Err implements [context.Context].
func (c *Call) Err() error {
	c.seat.mu.Lock()
	defer c.seat.mu.Unlock()
	return c.err
}

// Value implements [context.Context].
func (c *Call) Value(key any) any {
	if key == (waits.Key{}) {
		return c
	}
	return c.values.Value(key)
}

// AfterFunc is what package context looks for so as not to keep a goroutine for
// each context that is derived from this one.
func (c *Call) AfterFunc(f func()) (stop func() bool) {
	c.seat.mu.Lock()
	defer c.seat.mu.Unlock()
	if c.err != nil {
		go f()
		return func() bool { return false }
	}
	if c.after == nil {
		c.after = make(map[*func()]struct{})
	}
	key := &f
	c.after[key] = struct{}{}
	return func() bool {
		c.seat.mu.Lock()
		defer c.seat.mu.Unlock()
		_, there := c.after[key]
		delete(c.after, key)
		return there
	}
}

// finish ends the context. The seat's lock is held.
func (c *Call) finish(err, cause error) {
	if c.err != nil {
		return
	}
	c.err, c.cause = err, cause
	if c.done != nil {
		close(c.done)
	}
	for f := range c.after {
		go (*f)()
	}
	c.after = nil
}

// remaining is what is left of the call's time. The seat's lock is held.
func (c *Call) remaining(now time.Time) time.Duration {
	return c.timeout - (now.Sub(c.began) - c.waited)
}

// WaitBegins implements [waits.Observer]: the call's time stands still.
func (c *Call) WaitBegins() {
	c.seat.waiting.Add(1)
	c.seat.mu.Lock()
	defer c.seat.mu.Unlock()
	if c.waits++; c.waits == 1 {
		c.since = time.Now()
	}
}

// WaitEnds implements [waits.Observer]: it goes on.
func (c *Call) WaitEnds() {
	c.seat.waiting.Add(-1)
	c.seat.mu.Lock()
	defer c.seat.mu.Unlock()
	if c.waits--; c.waits > 0 {
		return
	}
	now := time.Now()
	c.waited += now.Sub(c.since)
	if c.seat.call == c && c.err == nil && c.timeout > 0 {
		c.seat.set(now.Add(max(0, c.remaining(now))))
	}
}

// Waited is how long the call has waited for limits.
func (c *Call) Waited() time.Duration {
	c.seat.mu.Lock()
	defer c.seat.mu.Unlock()
	return c.waited
}

package asking

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Grace is how long a call whose context has ended may take to return before it
// is left.
const Grace = 50 * time.Millisecond

// Seat is where one goroutine makes calls, one at a time, each between
// [Seat.Begin] and [Seat.End]. Make it with [NewSeat] and let go of it with
// Close, on that goroutine.
//
// One timer watches over all its calls. It is set for the deadline of the first
// and, when it goes off, for that of the one then under way, so that it is
// touched once in a timeout and not once a call.
type Seat struct {
	ctx     context.Context
	left    func(c *Call, cause error)
	waiting *atomic.Int64
	stop    func() bool

	mu    sync.Mutex
	timer *time.Timer
	due   time.Time // of the timer; zero: not set
	call  *Call     // under way
	over  bool      // ctx has ended
}

// NewSeat returns a seat of which all calls end with ctx. A call that ignores the
// end of its context is left: left is called, once, on another goroutine, with the
// call and why it ended, and End then says that the caller must go. What the caller
// wrote before Begin is there to be read for left. The calls that
// wait for a limit are counted in waiting.
func NewSeat(ctx context.Context, waiting *atomic.Int64, left func(c *Call, cause error)) *Seat {
	s := &Seat{ctx: ctx, left: left, waiting: waiting}
	s.stop = context.AfterFunc(ctx, s.end)
	return s
}

// Close stops what watches.
func (s *Seat) Close() {
	s.stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.timer != nil {
		s.timer.Stop()
	}
	s.due = time.Time{}
}

// Bounds are those of a call.
type Bounds struct {
	// Timeout is how long the call may take, waiting for limits left out; 0 is for
	// ever.
	Timeout time.Duration
	// Unsaid: the context has no deadline of its own, since the call will wait for
	// limits and must not count on it.
	Unsaid bool
}

// Begin begins a call, now. Its context has the values of base and nothing of
// base's end.
func (s *Seat) Begin(base context.Context, now time.Time, b Bounds) *Call {
	c := &Call{values: base, seat: s, timeout: b.Timeout, began: now}
	if b.Timeout > 0 && !b.Unsaid {
		c.deadline = now.Add(b.Timeout)
	}
	if at, ok := s.ctx.Deadline(); ok && (c.deadline.IsZero() || at.Before(c.deadline)) {
		c.deadline = at
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.call = c
	if s.over {
		s.expire(c, context.Canceled, context.Cause(s.ctx))
	} else if b.Timeout > 0 {
		s.set(now.Add(b.Timeout))
	}
	return c
}

// End ends the call under way. It reports false when the call was left: the
// goroutine then has nothing more to do here, for what it did was taken over.
func (s *Seat) End(c *Call) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.call != c {
		return false
	}
	s.call = nil
	c.finish(context.Canceled, nil)
	return true
}

// set lets the timer go off then, if not before. The lock is held.
func (s *Seat) set(at time.Time) {
	if !s.due.IsZero() && !at.Before(s.due) {
		return
	}
	s.due = at
	if d := time.Until(at); s.timer == nil {
		s.timer = time.AfterFunc(d, s.watch)
	} else {
		s.timer.Reset(d)
	}
}

// watch looks at the call under way: has its time passed, or its grace?
func (s *Seat) watch() {
	s.mu.Lock()
	s.due = time.Time{}
	c := s.call
	now := time.Now()
	switch {
	case c == nil:
	case c.err == nil && c.waits > 0: // it is set when the waiting is over
	case c.err == nil:
		if left := c.remaining(now); left > 0 {
			s.set(now.Add(left))
		} else {
			s.expire(c, context.DeadlineExceeded, context.DeadlineExceeded)
		}
	case now.Before(c.leave):
		s.set(c.leave)
	default:
		s.call = nil
		s.mu.Unlock()
		s.left(c, c.cause)
		return
	}
	s.mu.Unlock()
}

// end is called when the seat's context has ended.
func (s *Seat) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	if c := s.call; c != nil && c.err == nil {
		s.expire(c, context.Canceled, context.Cause(s.ctx))
	}
}

// expire ends a call's context and gives it the time to notice.
func (s *Seat) expire(c *Call, err, cause error) {
	c.finish(err, cause)
	c.leave = time.Now().Add(Grace)
	s.set(c.leave)
}

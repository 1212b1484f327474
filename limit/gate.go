package limit

import (
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// ErrWait is wrapped by the error of an [Gate.Acquire] or [Gate.Admit] whose
// context ended first.
var ErrWait = errors.New("limit: gave up waiting at the gate")

// Gate is the one place that every send to a judge passes. Make it with
// [NewGate]; a nil *Gate is always open. All methods are safe for concurrent
// use.
type Gate struct {
	// limited is false while there is nothing to wait for: Acquire and Admit
	// then take no lock.
	limited  atomic.Bool
	inFlight atomic.Int64
	sends    atomic.Uint64

	mu        sync.Mutex // guards what follows; never held while waiting
	rate      Rate
	pacer     pacer // nil without a rate
	refuse    error // why nothing can ever pass; nil normally
	last      time.Time
	line      line // those in Acquire
	door      line // those in Admit
	expected  int  // tickets whose first Acquire has not come yet
	cancelled uint64
	waited    time.Duration

	listener func(Event)
	events   []Event // to be told when the lock is given back
	telling  bool
}

// NewGate returns a gate; without options it is always open. A token bucket
// starts full.
func NewGate(opts ...Option) *Gate {
	var c config
	for _, o := range opts {
		c = o.apply(c)
	}
	g := &Gate{}
	if err := g.SetRate(c.rate); err != nil {
		g.refuse = err
		g.limited.Store(true)
	}
	return g
}

// Acquire blocks until a send is permitted, behind those who asked before, and
// takes the permit at that moment; send at once. It gives up when ctx ends,
// with an error that wraps [ErrWait], ctx's error and its cause; a permit is
// then neither taken nor lost. Release the permit when the call is over.
func (g *Gate) Acquire(ctx context.Context) (Permit, error) {
	return g.AcquireFor(ctx, Need{})
}

// AcquireFor is Acquire with what the send is expected to use.
func (g *Gate) AcquireFor(ctx context.Context, need Need) (Permit, error) {
	if err := ctx.Err(); err != nil {
		return Permit{}, gaveUp(ctx, err)
	}
	if g == nil {
		return Permit{}, nil
	}
	if !g.limited.Load() {
		return g.permit(0), nil
	}
	return g.acquire(ctx)
}

func (g *Gate) acquire(ctx context.Context) (Permit, error) {
	start := time.Now()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.refuse != nil {
		return Permit{}, g.refuse
	}
	g.arrive(ctx)
	if err := g.pass(ctx, &g.line, g.send); err != nil {
		waited := time.Since(start)
		g.cancelled++
		g.waited += waited
		return Permit{Waited: waited}, err
	}
	waited := max(0, g.last.Sub(start))
	g.waited += waited
	return g.permit(waited), nil
}

func (g *Gate) permit(waited time.Duration) Permit {
	g.inFlight.Add(1)
	g.sends.Add(1)
	return Permit{Waited: waited, gate: g}
}

// send takes the next permit if every condition for a send is met now, and
// else says when to look again. All conditions are looked at here, together;
// what they take is taken only when all are met.
func (g *Gate) send(now time.Time) (at time.Time, ok bool) {
	if g.pacer != nil && !g.pacer.take(now) {
		return g.pacer.due(now, 1), false
	}
	g.last = now
	return now, true
}

// pass blocks until ready lets the caller go, in the order of l. Ready is asked
// only by the head of the line, with the lock held; it says when to ask again.
// The lock is held on entry and on return. Whichever way it returns, the next
// in l has been woken, and the head at the door, for whom there may now be room.
func (g *Gate) pass(ctx context.Context, l *line, ready func(now time.Time) (time.Time, bool)) error {
	if l.head == nil {
		if _, ok := ready(time.Now()); ok {
			g.door.wakeHead()
			return nil
		}
	}
	var timer *time.Timer // made when the caller first is the head
	w := l.push()
	defer func() {
		l.remove(w)
		g.door.wakeHead()
		if timer != nil {
			timer.Stop()
		}
	}()
	for {
		var due <-chan time.Time
		if l.head == w {
			now := time.Now()
			at, ok := ready(now)
			if ok {
				return nil
			}
			if wait := max(at.Sub(now), time.Nanosecond); timer == nil {
				timer = time.NewTimer(wait)
			} else {
				timer.Reset(wait)
			}
			due = timer.C
		}
		g.mu.Unlock()
		select {
		case <-w.wake:
		case <-due:
		case <-ctx.Done():
		}
		g.mu.Lock()
		// Also when it was woken: who gave up takes nothing.
		if err := ctx.Err(); err != nil {
			return gaveUp(ctx, err)
		}
	}
}

// SetRate changes the rate while the gate is in use; the zero Rate removes it.
// Those who wait go at the new pace at once. What had come due at the old pace
// is carried over, so that changes, however many, never grant more than the
// rates that were in force. A rate that cannot be kept is refused with an error wrapping [ErrRate]
// and changes nothing. On a nil gate it does nothing.
func (g *Gate) SetRate(r Rate) error {
	if err := r.Check(); err != nil || g == nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	now, credit := time.Now(), math.Inf(1)
	if g.pacer != nil {
		credit = g.pacer.credit(now)
	}
	switch {
	case r.Unlimited():
		g.pacer = nil
	case r.Strict:
		g.pacer = newPacing(r, now, g.last, credit)
	default:
		g.pacer = newBucket(r, now, credit)
	}
	if !r.Unlimited() {
		r.Burst = r.burst()
	}
	g.rate, g.refuse = r, nil
	g.limited.Store(g.pacer != nil)
	g.line.wakeHead()
	g.door.wakeHead()
	return nil
}

// waitError is ErrWait with why.
type waitError struct{ err, cause error }

func gaveUp(ctx context.Context, err error) error {
	return &waitError{err: err, cause: context.Cause(ctx)}
}

func (e *waitError) Error() string   { return ErrWait.Error() + ": " + e.cause.Error() }
func (e *waitError) Unwrap() []error { return []error{ErrWait, e.cause, e.err} }

// SetTokenRate changes the rate of tokens.
func (g *Gate) SetTokenRate(r Rate) error { return r.Check() }

// SetCeiling changes the ceiling of what is in flight.
func (g *Gate) SetCeiling(n int) {}

// SetBreaker changes the circuit breaker.
func (g *Gate) SetBreaker(b Breaker) error { return nil }

// SetBudget changes the budget.
func (g *Gate) SetBudget(b Budget) error { return b.Check() }

// Trip opens the breaker at once.
func (g *Gate) Trip() {}

// AllowRetry reports whether one more retry is allowed.
func (g *Gate) AllowRetry() bool { return true }

func (g *Gate) done(s *send, o Outcome) { g.inFlight.Add(-1) }

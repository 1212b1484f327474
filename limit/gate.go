package limit

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/genaievals/genaievals/internal/adaptive"
	"github.com/genaievals/genaievals/internal/waits"
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
	free     atomic.Int64 // when the last send went that took no lock: ns since made, 0 for none
	made     time.Time

	mu        sync.Mutex // guards what follows; never held while waiting
	refuse    refusal    // why nothing can ever pass
	last      time.Time  // of the last send that took the lock
	line      line       // those in Acquire
	door      line       // those in Admit
	inHand    line       // those in AdmitNext
	expected  int        // tickets whose first Acquire has not come yet
	cancelled uint64
	refused   uint64
	waited    time.Duration

	// The parts; nil where there is none.
	rate      Rate
	pacer     pacer
	tokenRate Rate
	meter     *meter
	metered   uint64 // uses that meters counted which are gone
	ceiling   int
	learner   *adaptive.Learner
	breaker   *breaker
	purse     *purse
	pause     pause
	retries   retries
	absurd    uint64

	listener func(Event)
	events   []Event // to be told when the lock is given back
	telling  bool
}

// refusal is what of a gate's configuration cannot be kept.
type refusal struct{ rate, tokens, breaker, budget error }

func (r refusal) err() error { return errors.Join(r.rate, r.tokens, r.breaker, r.budget) }

// NewGate returns a gate; without options it is always open, but for the pauses
// that a judge asks for. A token bucket starts full.
func NewGate(opts ...Option) *Gate {
	var c config
	for _, o := range opts {
		c = o.apply(c)
	}
	g := &Gate{listener: c.listener, made: time.Now()}
	refuse := refusal{rate: g.SetRate(c.rate), tokens: g.SetTokenRate(c.tokens), budget: g.SetBudget(c.budget)}
	if c.hasBreaker {
		refuse.breaker = g.SetBreaker(c.breaker)
	}
	g.SetCeiling(c.ceiling)
	g.refuse = refuse
	g.limited.Store(g.hasParts())
	return g
}

// hasParts reports whether there is anything to look at before a send.
func (g *Gate) hasParts() bool {
	return g.pacer != nil || g.meter != nil || g.learner != nil || g.breaker != nil || g.purse != nil || g.refuse != refusal{}
}

// Acquire is [Gate.AcquireFor] with a need that is not known.
func (g *Gate) Acquire(ctx context.Context) (Permit, error) {
	return g.AcquireFor(ctx, Need{})
}

// AcquireFor blocks until a send is permitted, behind those who asked before,
// and takes the permit and what the send needs at that moment; send at once.
// Call [Permit.Done] when the call is over.
//
// It gives up when ctx ends, with an error that wraps [ErrWait], ctx's error
// and its cause; a permit is then neither taken nor lost. It returns an error
// that wraps [ErrOpen] at once when the breaker is open or opens while it
// waits, and [ErrSpent] when the budget does not suffice.
func (g *Gate) AcquireFor(ctx context.Context, need Need) (Permit, error) {
	if err := ctx.Err(); err != nil {
		return Permit{}, gaveUp(ctx, err)
	}
	if g == nil {
		return Permit{}, nil
	}
	if !g.limited.Load() {
		g.passed(time.Now())
		return g.permit(0, nil), nil
	}
	return g.acquire(ctx, need)
}

// passed notes a send that takes no lock, for a strict rate that may be set
// before the next.
func (g *Gate) passed(now time.Time) {
	at := max(1, int64(now.Sub(g.made)))
	for {
		last := g.free.Load()
		if last >= at || g.free.CompareAndSwap(last, at) {
			return
		}
	}
}

// lastSend is when the last send went; zero before the first. The lock is held.
func (g *Gate) lastSend() time.Time {
	if at := g.free.Load(); at > 0 {
		if free := g.made.Add(time.Duration(at)); free.After(g.last) {
			return free
		}
	}
	return g.last
}

func (g *Gate) acquire(ctx context.Context, need Need) (Permit, error) {
	g.mu.Lock()
	defer g.unlock()
	start := time.Now()
	if g.refuse != (refusal{}) {
		return Permit{}, g.refuse.err()
	}
	g.arrive(ctx)
	s := &send{need: need.sane()}
	var err error
	if g.line.head != nil { // and it would learn of it only as the head
		err = g.shut(start, s.need)
	}
	if err != nil {
		g.wakeDoor() // for it no longer is expected
	} else {
		err = g.pass(ctx, &g.line, start, func(now time.Time) (time.Time, bool, error) { return g.send(now, s) })
	}
	if err != nil {
		waited := time.Since(start)
		g.waited += waited
		if errors.Is(err, ErrWait) {
			g.cancelled++
		} else {
			g.refused++
		}
		return Permit{Waited: waited}, err
	}
	waited := max(0, g.last.Sub(start))
	g.waited += waited
	return g.permit(waited, s), nil
}

func (g *Gate) permit(waited time.Duration, s *send) Permit {
	g.inFlight.Add(1)
	g.sends.Add(1)
	return Permit{Waited: waited, gate: g, send: s}
}

// shut says why a send cannot go however long it waits: the breaker is open or
// the budget spent. The lock is held.
func (g *Gate) shut(now time.Time, need Need) error {
	if g.breaker != nil && g.breakerState(now) == BreakerOpen {
		return &openError{until: g.breaker.until, cause: g.breaker.cause}
	}
	if g.purse != nil {
		g.roll(now)
		if n := g.purse.budget.of(need); !g.purse.suffices(n) {
			if !g.purse.used() {
				return fmt.Errorf("%w: this send needs %g, more than is left of %v", ErrSpent, n, g.purse.budget)
			}
			if !g.purse.exhausted {
				g.purse.exhausted = true
				g.note(Event{Kind: EventSpent, At: now, Until: g.purse.ends(now)})
			}
			return fmt.Errorf("%w: %v", ErrSpent, g.purse.budget)
		}
	}
	return nil
}

// send takes all that s needs if every condition for a send is met now, and
// else says when to look again. All conditions are looked at here, together;
// what they take is taken only when all are met.
func (g *Gate) send(now time.Time, s *send) (at time.Time, ok bool, err error) {
	if err := g.shut(now, s.need); err != nil {
		return now, false, err
	}
	w := wait{at: now}
	w.until(g.pause.until)
	if g.pacer != nil {
		w.until(g.pacer.due(now, 1))
	}
	if g.meter != nil {
		w.until(g.meter.due(now, float64(s.need.Tokens)))
	}
	if g.learner != nil {
		if at, ok := g.learner.NextSend(now); !ok && at.IsZero() || int(g.inFlight.Load()) >= g.ceiling {
			w.change()
		} else if !ok {
			w.until(at)
		}
	}
	if g.breaker != nil && g.breaker.probe != nil {
		w.until(g.breaker.probe.at.Add(probeLimit)) // or until it is over
	}
	if g.purse != nil && !g.purse.free(g.purse.budget.of(s.need)) {
		w.until(g.purse.ends(now)) // or until others give back what they do not use
	}
	if at, ok := w.over(now); !ok {
		return at, false, nil
	}
	if err := g.take(now, s); err != nil {
		return now, false, err
	}
	return now, true, nil
}

// take takes all that a send needs. The lock is held, and all is due.
func (g *Gate) take(now time.Time, s *send) error {
	s.at = now
	if g.breaker != nil {
		if err := g.breaker.permit(s); err != nil {
			return err
		}
	}
	if g.pacer != nil {
		g.pacer.take(now)
	}
	if g.meter != nil {
		s.metered, s.number = true, g.meter.take(now, float64(s.need.Tokens))
	}
	if g.learner != nil {
		s.learner, s.token = g.learner, g.learner.Send(now)
	}
	if g.purse != nil {
		s.purse, s.window = g.purse, g.purse.reserve(now, g.purse.budget.of(s.need))
	}
	g.last = now
	if !g.hasParts() { // but for a pause, which is over
		g.limited.Store(false)
	}
	return nil
}

// wait gathers when the last of several conditions will be met.
type wait struct {
	at     time.Time
	forOne bool // at least one has no time: something has to change
}

func (w *wait) until(at time.Time) {
	if at.After(w.at) {
		w.at = at
	}
}

func (w *wait) change() { w.forOne = true }

// over reports whether nothing is to be waited for, and else when to look
// again; zero: not before something changes.
func (w *wait) over(now time.Time) (at time.Time, ok bool) {
	if w.forOne {
		return time.Time{}, false
	}
	return w.at, !w.at.After(now)
}

// pass blocks until ready lets the caller go, in the order of l, or fails.
// Ready is asked only by the head of the line, with the lock held; it says when
// to ask again, and the zero time when that makes no sense before something
// changes. The lock is held on entry, when it is now, and on return. Whichever way it returns,
// the next in l has been woken, and the head at the door, for whom there may
// now be room.
func (g *Gate) pass(ctx context.Context, l *line, now time.Time, ready func(now time.Time) (time.Time, bool, error)) error {
	if l.head == nil {
		if _, ok, err := ready(now); ok || err != nil {
			g.wakeDoor()
			return err
		}
	}
	defer waits.Begin(ctx)()
	var timer *time.Timer // made when the caller first is the head
	w := l.push()
	defer func() {
		l.remove(w)
		g.wakeDoor()
		if timer != nil {
			timer.Stop()
		}
	}()
	for {
		var due <-chan time.Time
		if l.head == w {
			now = time.Now()
			at, ok, err := ready(now)
			if ok || err != nil {
				return err
			}
			if !at.IsZero() {
				if wait := max(at.Sub(now), time.Nanosecond); timer == nil {
					timer = time.NewTimer(wait)
				} else {
					timer.Reset(wait)
				}
				due = timer.C
			}
		}
		g.unlock()
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

// changed lets those at the head look again, after any change that may let
// them go. The lock is held.
func (g *Gate) changed() {
	g.line.wakeHead()
	g.wakeDoor()
}

// wakeDoor lets the first of those who want to be let in look again.
func (g *Gate) wakeDoor() {
	g.inHand.wakeHead()
	g.door.wakeHead()
}

// waitError is ErrWait with why.
type waitError struct{ err, cause error }

func gaveUp(ctx context.Context, err error) error {
	return &waitError{err: err, cause: context.Cause(ctx)}
}

func (e *waitError) Error() string   { return ErrWait.Error() + ": " + e.cause.Error() }
func (e *waitError) Unwrap() []error { return []error{ErrWait, e.cause, e.err} }

// openError is ErrOpen with why and until when.
type openError struct {
	until time.Time
	cause Result
}

func (e *openError) Error() string {
	return fmt.Sprintf("%v until %s after a result that was %v", ErrOpen, e.until.Format(time.RFC3339), e.cause)
}
func (e *openError) Unwrap() error { return ErrOpen }

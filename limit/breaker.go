package limit

import (
	"errors"
	"fmt"
	"time"

	"github.com/sony/gobreaker/v2"
)

// ErrOpen is wrapped by the error of an [Gate.Acquire] while the breaker is
// open.
var ErrOpen = errors.New("limit: the circuit breaker is open")

// ErrBreaker is wrapped by every error about a breaker that makes no sense.
var ErrBreaker = errors.New("limit: bad breaker")

// Breaker says when a gate's circuit breaker opens and for how long. In the
// zero Breaker every field has its default.
//
// It opens at once on a [ResultFatal]. On a [ResultUnavailable] or
// [ResultOverloaded] it opens when as many in a row failed as Consecutive says,
// or such a share of the calls in Window as FailureRate says. While it is open
// nothing is sent. After that exactly one send goes as a probe: if it is
// answered the breaker closes, if it fails the breaker opens for twice as long
// as before; if it tells nothing the next one is the probe. A probe that is
// not over after two minutes has failed.
type Breaker struct {
	// FailureRate at which it opens, above 0, at most 1. Default 0.5.
	FailureRate float64
	// MinCalls that must have ended in Window before the rate counts. Default
	// 10.
	MinCalls int
	// Consecutive failures that open it, whatever the rate. Default 5.
	Consecutive int
	// Window over which the rate is taken. Default 2 minutes.
	Window time.Duration
	// OpenFor is how long it is open at first after failures, and OpenMax at
	// last. Defaults 5 s and a minute.
	OpenFor, OpenMax time.Duration
	// FatalMax is the longest open time after a fatal result; the first is six
	// times OpenFor. Default 10 minutes.
	FatalMax time.Duration
	// QuotaMax is the longest open time after a fatal result that is about
	// money or quota; the first is twelve times OpenFor. Default an hour.
	QuotaMax time.Duration
	// Off: no breaker. It is there to take one away.
	Off bool
}

// filled returns b with its defaults filled in.
func (b Breaker) filled() Breaker {
	fill(&b.FailureRate, 0.5)
	fill(&b.MinCalls, 10)
	fill(&b.Consecutive, 5)
	fill(&b.Window, 2*time.Minute)
	fill(&b.OpenFor, 5*time.Second)
	fill(&b.OpenMax, max(b.OpenFor, time.Minute))
	fill(&b.FatalMax, max(b.OpenFor, 10*time.Minute))
	fill(&b.QuotaMax, max(b.OpenFor, time.Hour))
	return b
}

func fill[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// Check returns an error that wraps [ErrBreaker] when a field is out of its
// bounds: negative, a rate above 1, a longest time below the first.
func (b Breaker) Check() error {
	f := b.filled()
	switch {
	case !(f.FailureRate > 0 && f.FailureRate <= 1): // NaN too
		return fmt.Errorf("%w: failure rate %g is not above 0 and at most 1", ErrBreaker, f.FailureRate)
	case f.MinCalls < 0 || f.Consecutive < 0 || f.Window < 0 || f.OpenFor < 0:
		return fmt.Errorf("%w: a number or a time is negative: %+v", ErrBreaker, b)
	case min(f.OpenMax, f.FatalMax, f.QuotaMax) < f.OpenFor:
		return fmt.Errorf("%w: a longest open time is below the first, %v", ErrBreaker, f.OpenFor)
	}
	return nil
}

// probeLimit is how long a probe may take: a judge that never answers must not
// keep the breaker half open for ever.
const probeLimit = 2 * time.Minute

// What the answers of sends are to gobreaker: nil is a success.
var (
	errFailed  = errors.New("failed")
	errNeutral = errors.New("neutral")
)

// breaker counts and decides with gobreaker, which has one open time: each time
// it opens it is made anew, with the open time of that time. The gate's lock
// guards it, so that what it says holds until the lock is given back.
type breaker struct {
	Breaker
	circuit *gobreaker.TwoStepCircuitBreaker[struct{}]
	closed  bool // known without asking: only an answer opens it
	fatal   bool // the answer that is being told is fatal
	openFor time.Duration
	until   time.Time // end of the open time
	cause   Result
	quota   bool
	reason  string
	probe   *send // on its way while it is half open
	opened  uint64
	probes  uint64
}

const breakerBuckets = 12

func newBreaker(cfg Breaker) *breaker {
	b := &breaker{Breaker: cfg.filled()}
	b.renew()
	return b
}

// renew starts over, closed.
func (b *breaker) renew() {
	b.closed = true
	b.circuit = gobreaker.NewTwoStepCircuitBreaker[struct{}](gobreaker.Settings{
		MaxRequests:  1,
		Interval:     b.Window,
		BucketPeriod: max(b.Window/breakerBuckets, 1),
		Timeout:      b.openFor,
		ReadyToTrip:  b.trips,
		IsExcluded:   func(err error) bool { return errors.Is(err, errNeutral) },
	})
}

func (b *breaker) trips(c gobreaker.Counts) bool {
	ended := c.TotalSuccesses + c.TotalFailures
	return b.fatal || int(c.ConsecutiveFailures) >= b.Consecutive ||
		int(ended) >= b.MinCalls && float64(c.TotalFailures) >= b.FailureRate*float64(ended)
}

// state now. It reopens when a probe has taken too long.
func (b *breaker) state(now time.Time) (state BreakerState, reopened bool) {
	switch {
	case b.closed:
		return BreakerClosed, false
	case b.circuit.State() == gobreaker.StateOpen:
		return BreakerOpen, false
	case b.probe != nil && !now.Before(b.probe.at.Add(probeLimit)):
		b.open(ResultUnavailable, false, true)
		return BreakerOpen, true
	default:
		return BreakerHalfOpen, false
	}
}

// permit lets s go, as the probe if it is half open. Ask state before.
func (b *breaker) permit(s *send) error {
	answer, err := b.circuit.Allow()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrOpen, err)
	}
	s.answer, s.breaker = answer, b
	if !b.closed {
		b.probe = s
		b.probes++
	}
	return nil
}

// answered says how a send that it had let go ended, and whether that opened
// or closed it. Of what was sent before it last opened or closed it hears
// nothing.
func (b *breaker) answered(s *send, result Result, quota bool) (opened, closed bool) {
	switch result {
	case ResultOK:
		s.answer(nil)
	case ResultUnavailable, ResultOverloaded:
		s.answer(errFailed)
	case ResultFatal:
		b.fatal = true
		s.answer(errFailed)
		b.fatal = false
	default:
		s.answer(errNeutral)
	}
	switch probe := s == b.probe; {
	case probe:
		b.probe = nil
		switch b.circuit.State() {
		case gobreaker.StateOpen:
			b.open(result, quota, true)
			return true, false
		case gobreaker.StateClosed:
			b.closed, b.cause, b.quota, b.until = true, ResultNeutral, false, time.Time{}
			return false, true
		}
	case b.closed && result != ResultOK && b.circuit.State() == gobreaker.StateOpen:
		b.open(result, quota, false)
		return true, false
	}
	return false, false
}

// open opens it; again: a probe failed.
func (b *breaker) open(cause Result, quota, again bool) {
	first, last := b.OpenFor, b.OpenMax
	if cause == ResultFatal && quota {
		first, last = min(12*b.OpenFor, b.QuotaMax), b.QuotaMax
	} else if cause == ResultFatal {
		first, last = min(6*b.OpenFor, b.FatalMax), b.FatalMax
	}
	if again {
		b.openFor = min(max(2*b.openFor, first), last)
	} else {
		b.openFor = first
	}
	b.cause, b.quota, b.probe = cause, quota, nil
	b.opened++
	b.renew()
	if answer, err := b.circuit.Allow(); err == nil {
		b.fatal = true
		answer(errFailed)
		b.fatal = false
	}
	b.closed = false
	// It reads the clock itself, a moment before, and is open up to and with
	// the end of its time.
	b.until = time.Now().Add(b.openFor + time.Nanosecond)
}

package limit

import (
	"errors"
	"time"
)

// ErrOpen is wrapped by the error of an [Gate.Acquire] while the breaker is
// open.
var ErrOpen = errors.New("limit: the circuit breaker is open")

// Breaker says when a gate's circuit breaker opens and for how long. The zero
// Breaker has the defaults.
//
// It opens at once on a [ResultFatal]. On a [ResultUnavailable] or
// [ResultOverloaded] it opens when of the last calls as many failed in a row as
// Consecutive says, or such a share as FailureRate says. While it is open
// nothing is sent. Then exactly one send goes as a probe: it closes the breaker,
// or opens it again for twice as long.
type Breaker struct {
	// FailureRate from 0 to 1 at which it opens; 0 is 0.5.
	FailureRate float64
	// MinCalls that have to be answered in Window before the rate counts; 0
	// is 10.
	MinCalls int
	// Consecutive failures that open it whatever the rate; 0 is 5.
	Consecutive int
	// Window that the rate is taken over; 0 is 2 minutes.
	Window time.Duration
	// OpenFor is how long it is open at first; 0 is 5 s.
	OpenFor time.Duration
	// OpenMax is the longest open time for failures; 0 is a minute.
	OpenMax time.Duration
	// FatalMax is the longest open time after a fatal result, and QuotaMax
	// after one for quota; 0 is 10 minutes and an hour. Both start at a
	// twelfth... of it.
	FatalMax, QuotaMax time.Duration
	// Off takes the breaker away.
	Off bool
}

package limit

import (
	"math"
	"time"

	"golang.org/x/time/rate"
)

// pacer is the arithmetic of a rate, apart from the clock. Its caller holds
// the gate's lock and passes the time, which must not go back.
type pacer interface {
	// take takes the next permit if it is due.
	take(now time.Time) bool
	// due is when the n-th permit from now, counted from 1, will be due if
	// those before it are taken as soon as they are; now or earlier if it is.
	due(now time.Time, n int) time.Time
}

// farOff is longer than any process runs and safely added to any time.
const farOff = 100 * 365 * 24 * time.Hour

// bucket is a token bucket. It uses x/time/rate's arithmetic only, never its
// Wait: the gate decides who waits.
type bucket struct{ limiter *rate.Limiter }

// newBucket returns a bucket that was empty at the time of the last send, so
// that a change of the rate grants no burst anew; full when there was none.
func newBucket(r Rate, last time.Time) *bucket {
	l := rate.NewLimiter(rate.Limit(r.PerSecond), r.burst())
	if !last.IsZero() {
		l.AllowN(last, r.burst())
	}
	return &bucket{l}
}

func (b *bucket) take(now time.Time) bool { return b.limiter.AllowN(now, 1) }

func (b *bucket) due(now time.Time, n int) time.Time {
	missing := float64(n) - b.limiter.TokensAt(now)
	if missing <= 0 {
		return now
	}
	ns := math.Ceil(missing / float64(b.limiter.Limit()) * float64(time.Second))
	if ns > float64(farOff) {
		return now.Add(farOff)
	}
	return now.Add(time.Duration(ns))
}

// set changes the rate and keeps the tokens that have come due so far.
func (b *bucket) set(now time.Time, r Rate) {
	b.limiter.SetLimitAt(now, rate.Limit(r.PerSecond))
	b.limiter.SetBurstAt(now, r.burst())
}

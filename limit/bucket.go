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
	// credit is how many permits have come due and were not taken, with the
	// part of the next: what a change of the rate carries over.
	credit(now time.Time) float64
}

// farOff is longer than any process runs and safely added to any time.
const farOff = 100 * 365 * 24 * time.Hour

// bucket is a token bucket. It uses x/time/rate's arithmetic only, never its
// Wait: the gate decides who waits.
type bucket struct{ limiter *rate.Limiter }

// newBucket returns a bucket that holds credit tokens, at most its burst.
func newBucket(r Rate, now time.Time, credit float64) *bucket {
	burst := r.burst()
	l := rate.NewLimiter(rate.Limit(r.PerSecond), burst)
	if credit < float64(burst) {
		// Emptied so long ago that it holds as much now.
		l.AllowN(now.Add(-time.Duration(credit/r.PerSecond*float64(time.Second))), burst)
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

func (b *bucket) credit(now time.Time) float64 { return b.limiter.TokensAt(now) }

package judgetest

import (
	"fmt"
	"math"
	"time"
)

// Policy is one limit that a [Server] or a [Judge] keeps, in one of the ways
// in which providers keep theirs. Make it with [SlidingWindow], [FixedWindow],
// [Bucket] or [Concurrency]. Calls that it refuses do not count.
type Policy struct {
	kind   policyKind
	n      int64
	per    time.Duration
	burst  int64
	tokens bool
}

type policyKind uint8

const (
	slidingWindow policyKind = iota + 1
	fixedWindow
	bucket
	concurrency
)

// SlidingWindow admits n calls in any window.
func SlidingWindow(n int, window time.Duration) Policy {
	return Policy{kind: slidingWindow, n: int64(n), per: window}
}

// FixedWindow admits n calls in each of the windows that follow one another
// from the first call, so that up to twice as many come close together where
// two of them meet.
func FixedWindow(n int, window time.Duration) Policy {
	return Policy{kind: fixedWindow, n: int64(n), per: window}
}

// Bucket is a token bucket of that burst, full at first, which fills with n
// calls evenly over per. It is also known as GCRA; with a burst of 1 no two
// calls are admitted that come closer than per/n.
func Bucket(n int, per time.Duration, burst int) Policy {
	return Policy{kind: bucket, n: int64(n), per: per, burst: int64(burst)}
}

// Concurrency admits calls while fewer than n are being answered. Who is
// refused is told to come back in a second.
func Concurrency(n int) Policy { return Policy{kind: concurrency, n: int64(n), per: time.Second} }

// Tokens makes a window or a bucket count the tokens that the answer reports,
// input and output, and not the calls. An answer larger than the whole limit is
// admitted when nothing else is counted.
func (p Policy) Tokens() Policy { p.tokens = true; return p }

// String describes the policy, such as "60 in any 1m0s".
func (p Policy) String() string {
	what := "calls"
	if p.tokens {
		what = "tokens"
	}
	switch p.kind {
	case slidingWindow:
		return fmt.Sprintf("%d %s in any %v", p.n, what, p.per)
	case fixedWindow:
		return fmt.Sprintf("%d %s in each %v", p.n, what, p.per)
	case bucket:
		return fmt.Sprintf("%d %s in %v, burst %d", p.n, what, p.per, p.burst)
	case concurrency:
		return fmt.Sprintf("%d at once", p.n)
	}
	return "none"
}

// limiter keeps one policy. The script's lock guards it.
type limiter struct {
	Policy
	admitted []admission // of a sliding window, oldest first
	used     int64       // within the window
	begun    time.Time   // of a fixed window
	full     time.Time   // when a bucket is full again
	serving  *int64      // the calls that are being answered
}

type admission struct {
	at   time.Time
	size int64
}

// size is how much a call of that many tokens counts.
func (l *limiter) size(tokens int64) int64 {
	switch {
	case !l.tokens:
		return 1
	case l.kind == bucket:
		return min(tokens, l.burst)
	}
	return min(tokens, l.n)
}

// fill is the time in which a bucket fills by so much.
func (l *limiter) fill(size int64) time.Duration {
	return time.Duration(math.Round(float64(l.per) * float64(size) / float64(max(1, l.n))))
}

// check says whether a call may be admitted at now, and else how long until one
// may be, if nothing else comes.
func (l *limiter) check(now time.Time, tokens int64) (wait time.Duration, ok bool) {
	size := l.size(tokens)
	if l.n < 1 {
		return l.per, false
	}
	switch l.kind {
	case slidingWindow:
		l.expire(now)
		if l.used+size <= l.n {
			return 0, true
		}
		room := l.n - l.used
		for _, a := range l.admitted {
			if room += a.size; room >= size {
				return a.at.Add(l.per).Sub(now), false
			}
		}
		return l.per, false
	case fixedWindow:
		l.roll(now)
		return l.begun.Add(l.per).Sub(now), l.used+size <= l.n
	case bucket:
		// The bucket lacks full-now; it has to hold size afterwards.
		at := l.full.Add(-l.fill(l.burst - size))
		return max(0, at.Sub(now)), !at.After(now)
	case concurrency:
		return l.per, *l.serving < l.n
	}
	return 0, true
}

func (l *limiter) expire(now time.Time) {
	old := 0
	for old < len(l.admitted) && now.Sub(l.admitted[old].at) >= l.per {
		l.used -= l.admitted[old].size
		old++
	}
	l.admitted = l.admitted[old:]
}

func (l *limiter) roll(now time.Time) {
	switch passed := now.Sub(l.begun); {
	case l.begun.IsZero():
		l.begun, l.used = now, 0
	case passed >= l.per:
		l.begun, l.used = l.begun.Add(passed.Truncate(l.per)), 0
	}
}

// take counts a call that was admitted.
func (l *limiter) take(now time.Time, tokens int64) {
	size := l.size(tokens)
	switch l.kind {
	case slidingWindow:
		l.admitted = append(l.admitted, admission{now, size})
		l.used += size
	case fixedWindow:
		l.used += size
	case bucket:
		if l.full.Before(now) {
			l.full = now
		}
		l.full = l.full.Add(l.fill(size))
	}
}

// become changes the policy and keeps what was counted, as far as the new one
// counts it in the same way.
func (l *limiter) become(p Policy, now time.Time) {
	if p.kind != l.kind || p.tokens != l.tokens {
		*l = limiter{Policy: p, serving: l.serving}
		return
	}
	if p.kind == bucket { // the same fill
		lacks := float64(max(0, l.full.Sub(now))) / float64(max(1, l.fill(1)))
		l.Policy = p
		l.full = now.Add(time.Duration(lacks * float64(l.fill(1))))
		return
	}
	l.Policy = p
}

// remaining is how much is left, and how long until nothing is counted any
// more.
func (l *limiter) remaining(now time.Time) (left int64, reset time.Duration) {
	switch l.kind {
	case slidingWindow:
		l.expire(now)
		if n := len(l.admitted); n > 0 {
			reset = l.admitted[n-1].at.Add(l.per).Sub(now)
		}
		return max(0, l.n-l.used), reset
	case fixedWindow:
		l.roll(now)
		return max(0, l.n-l.used), l.begun.Add(l.per).Sub(now)
	case bucket:
		reset = max(0, l.full.Sub(now))
		return max(0, l.burst-int64(math.Ceil(float64(reset)/float64(max(1, l.fill(1)))))), reset
	}
	return max(0, l.n-*l.serving), 0
}

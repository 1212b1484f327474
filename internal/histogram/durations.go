// Package histogram counts durations in little memory.
package histogram

import (
	"math"
	"math/bits"
	"time"
)

// There are 16 buckets for each power of two of nanoseconds, so that a bucket's
// upper bound is at most a sixteenth above what is in it.
const (
	bucketBits = 4
	perOctave  = 1 << bucketBits
)

// Durations counts durations. It grows to the longest that it has seen. The zero
// value has none. It is not safe for concurrent use.
type Durations struct {
	counts   []uint64
	n        uint64
	sum, max time.Duration
}

// bucketOf is the bucket of a duration: those below 16 ns have one each.
func bucketOf(d time.Duration) int {
	v := uint64(max(0, d))
	if v < perOctave {
		return int(v)
	}
	shift := bits.Len64(v) - bucketBits - 1
	return (shift+1)<<bucketBits + int(v>>shift)&(perOctave-1)
}

// upper is the longest duration of a bucket.
func upper(bucket int) time.Duration {
	if bucket < perOctave {
		return time.Duration(bucket)
	}
	shift := bucket>>bucketBits - 1
	return time.Duration((uint64(perOctave|bucket&(perOctave-1))+1)<<shift - 1)
}

// Add counts a duration; a negative one is 0.
func (h *Durations) Add(d time.Duration) {
	d = max(0, d)
	b := bucketOf(d)
	for len(h.counts) <= b {
		h.counts = append(h.counts, make([]uint64, perOctave)...)
	}
	h.counts[b]++
	h.n++
	h.sum += d
	h.max = max(h.max, d)
}

// Count is how many were added.
func (h *Durations) Count() uint64 { return h.n }

// Sum is that of all.
func (h *Durations) Sum() time.Duration { return h.sum }

// Max is the longest, 0 without any.
func (h *Durations) Max() time.Duration { return h.max }

// Quantile is the upper bound of the bucket that holds the quantile (nearest rank):
// never below it, at most a sixteenth above it, and never more than the longest.
// Without any it is 0.
func (h *Durations) Quantile(q float64) time.Duration {
	rank := uint64(max(1, math.Ceil(q*float64(h.n))))
	for b, n := range h.counts {
		if n >= rank {
			return min(upper(b), h.max)
		}
		rank -= n
	}
	return h.max
}

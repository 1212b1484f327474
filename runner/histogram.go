package runner

import (
	"math"
	"math/bits"
	"time"
)

// A histogram has 16 buckets for each power of two of nanoseconds, so that a
// bucket's upper bound is at most a sixteenth above what is in it.
const (
	bucketBits = 4
	perOctave  = 1 << bucketBits
	buckets    = (64 - bucketBits) * perOctave
)

// histogram counts durations. It grows to the largest that it has seen.
type histogram struct {
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

// upper is the largest duration of a bucket.
func upper(bucket int) time.Duration {
	if bucket < perOctave {
		return time.Duration(bucket)
	}
	shift := bucket>>bucketBits - 1
	return time.Duration((uint64(perOctave|bucket&(perOctave-1))+1)<<shift - 1)
}

func (h *histogram) add(d time.Duration) {
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

// quantile is the upper bound of the bucket which holds it, and never more than
// the largest duration.
func (h *histogram) quantile(q float64) time.Duration {
	rank := uint64(max(1, math.Ceil(q*float64(h.n))))
	for b, n := range h.counts {
		if n >= rank {
			return min(upper(b), h.max)
		}
		rank -= n
	}
	return h.max
}

func (h *histogram) distribution() Distribution {
	d := Distribution{Count: h.n, Sum: h.sum, Max: h.max}
	if h.n > 0 {
		d.P50, d.P95, d.P99 = h.quantile(0.5), h.quantile(0.95), h.quantile(0.99)
	}
	return d
}

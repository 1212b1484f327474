package report

import (
	"math"
	"time"
)

const (
	// growth is from one bucket's end to the next.
	growth = 1.1
	// shortest is the end of the first bucket; the last ends past 24 hours.
	shortest = time.Microsecond
	buckets  = 266
)

// durations is how durations are distributed, in buckets of growing width.
type durations struct {
	n       int64
	buckets [buckets]int64
	longest time.Duration
}

func (d *durations) add(x time.Duration) {
	i := 0
	if x > shortest {
		i = min(int(math.Ceil(math.Log(float64(x)/float64(shortest))/math.Log(growth)-1e-9)), buckets-1)
	}
	d.buckets[i]++
	d.n++
	d.longest = max(d.longest, x)
}

// quantiles returns nil where there is none.
func (d *durations) quantiles() *Quantiles {
	if d.n == 0 {
		return nil
	}
	return &Quantiles{P50: d.at(.5), P95: d.at(.95), P99: d.at(.99), Max: d.longest.Seconds()}
}

// at is the end of the bucket that has the value which so many are not above
// (nearest rank).
func (d *durations) at(fraction float64) float64 {
	rank := int64(math.Ceil(fraction * float64(d.n)))
	for i, n := range d.buckets {
		if rank -= n; rank <= 0 && i < buckets-1 {
			return min(shortest.Seconds()*math.Pow(growth, float64(i)), d.longest.Seconds())
		}
	}
	return d.longest.Seconds()
}

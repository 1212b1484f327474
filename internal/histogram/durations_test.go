package histogram

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestQuantilesAreAtMostASixteenthAboveTheTruth(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, scale := range []float64{10, 1e3, 1e6, 1e9, 1e13} {
		var h Durations
		var all []time.Duration
		var sum time.Duration
		for range 10_001 {
			d := time.Duration(scale * rng.ExpFloat64())
			all = append(all, d)
			sum += d
			h.Add(d)
		}
		slices.Sort(all)
		for _, q := range []float64{0, 0.5, 0.95, 0.99, 1} {
			truth := all[max(1, int(math.Ceil(q*float64(len(all)))))-1]
			if got := h.Quantile(q); got < truth || float64(got) > 17./16*float64(truth) {
				t.Errorf("scale %v: %v is told to be %v, is %v", scale, q, got, truth)
			}
		}
		if h.Max() != all[len(all)-1] || h.Count() != 10_001 || h.Sum() != sum {
			t.Errorf("scale %v: %v at most, %d, %v in all", scale, h.Max(), h.Count(), h.Sum())
		}
	}
}

func TestTheEndsOfWhatADurationCanBe(t *testing.T) {
	var h Durations
	if h.Quantile(0.5) != 0 || h.Max() != 0 {
		t.Errorf("%v, %v without any", h.Quantile(0.5), h.Max())
	}
	h.Add(-1)
	h.Add(math.MaxInt64)
	if p50, p99 := h.Quantile(0.5), h.Quantile(0.99); p50 != 0 || p99 != math.MaxInt64 {
		t.Errorf("%v, %v", p50, p99)
	}
	for b := range bucketOf(math.MaxInt64) {
		if bucketOf(upper(b)) != b || bucketOf(upper(b)+1) != b+1 {
			t.Fatalf("bucket %d ends at %d", b, upper(b))
		}
	}
}

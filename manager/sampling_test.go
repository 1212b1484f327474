package manager

import (
	"math"
	"testing"

	"go.opentelemetry.io/otel/sdk/trace"
	oteltrace "go.opentelemetry.io/otel/trace"
)

func traceID(n uint64) (id oteltrace.TraceID) {
	for i := range 8 {
		id[15-i] = byte(n >> (8 * i))
	}
	return id
}

func point(id oteltrace.TraceID) uint64 {
	var a, b uint64
	for i := range 8 {
		a |= uint64(id[i]) << (8 * i)
		b |= uint64(id[8+i]) << (8 * i)
	}
	return mix(a, b)
}

// Even consecutive trace ids, which some generators make, are sampled evenly.
func TestSamplingIsUniformAndNested(t *testing.T) {
	const n = 200_000
	rates := []float64{0.001, 0.1, 0.5, 0.9}
	counts := make([]int, len(rates))
	for i := range uint64(n) {
		p := point(traceID(i))
		included := false
		for j, rate := range rates {
			now := boundOf(rate).includes(p)
			if included && !now {
				t.Fatalf("trace %d is in at a lower rate than %v but not there", i, rate)
			}
			if included = now; now {
				counts[j]++
			}
		}
	}
	for j, rate := range rates {
		sigma := math.Sqrt(n * rate * (1 - rate))
		if diff := math.Abs(float64(counts[j]) - n*rate); diff > 5*sigma {
			t.Errorf("at %v %d of %d were sampled, %.1f standard deviations off", rate, counts[j], n, diff/sigma)
		}
	}
}

func TestSamplingIsIndependentOfTheHeadSampler(t *testing.T) {
	head := trace.TraceIDRatioBased(0.1)
	var kept, evaluated int
	for i := range uint64(200_000) {
		id := traceID(i * 0x9e3779b97f4a7c15) // the head sampler wants random ids
		if head.ShouldSample(trace.SamplingParameters{TraceID: id}).Decision == trace.Drop {
			continue
		}
		kept++
		if boundOf(0.1).includes(point(id)) {
			evaluated++
		}
	}
	if share := float64(evaluated) / float64(kept); share < 0.09 || share > 0.11 {
		t.Errorf("of %d head-sampled traces %.3f are evaluated, want about 0.1", kept, share)
	}
}

func TestSamplingBounds(t *testing.T) {
	for _, tt := range []struct {
		rate         float64
		lowest, most bool
	}{
		{0, false, false}, {-1, false, false}, {math.NaN(), false, false},
		{1, true, true}, {2, true, true}, {0.5, true, false},
	} {
		b := boundOf(tt.rate)
		if b.includes(0) != tt.lowest || b.includes(math.MaxUint64) != tt.most {
			t.Errorf("rate %v includes the lowest point: %t, the highest: %t", tt.rate, b.includes(0), b.includes(math.MaxUint64))
		}
	}
}

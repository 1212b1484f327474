package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators/builtin/encoder/internal/layout"
)

func TestQuantise(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	const cols = 64
	normal := make([]float32, cols)
	for i := range normal {
		normal[i] = float32(random.NormFloat64())
	}
	outlier := append([]float32(nil), normal...)
	outlier[7] = 40
	for name, row := range map[string][]float32{"normal": normal, "one is large": outlier, "zeros": make([]float32, cols), "one value": append(make([]float32, cols-1), -3)} {
		t.Run(name, func(t *testing.T) {
			q := quantise(row, 1, cols)
			var largest, lost, plain float64
			for _, v := range row {
				largest = max(largest, math.Abs(float64(v)))
			}
			for i, v := range row {
				got := (float64(q.Weights[i]) - layout.Zero) * float64(q.Scales[0])
				lost += (got - float64(v)) * (got - float64(v))
				if unit := largest / math.MaxInt8; unit > 0 {
					d := float64(v) - unit*math.Round(float64(v)/unit)
					plain += d * d
				}
				if q.Weights[i] == 0 {
					t.Errorf("%v became -128", v)
				}
				if math.Abs(got-float64(v)) > largest/4 {
					t.Errorf("%v became %v", v, got)
				}
			}
			if lost > plain*1.0001+1e-12 {
				t.Errorf("square error %v; the largest as 127 would lose %v", lost, plain)
			}
		})
	}
}

func TestTranspose(t *testing.T) {
	if diff := cmp.Diff([]float32{1, 4, 2, 5, 3, 6}, transpose([]float32{1, 2, 3, 4, 5, 6}, 2, 3)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

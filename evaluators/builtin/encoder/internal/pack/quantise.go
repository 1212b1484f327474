package main

import (
	"math"

	"github.com/genaievals/genaievals/evaluators/builtin/encoder/internal/layout"
)

// quantise rounds each row to a byte a weight, symmetric about zero, by the
// scale that loses least: the largest value of a row becomes 127 or -127, or is
// cut off by up to a quarter where the others gain more by finer steps. Every
// operation is rounded by itself, so that the result does not depend on the
// machine.
func quantise(values []float32, rows, cols int) layout.Quantised {
	q := layout.Quantised{Scales: make([]float32, rows), Weights: make([]byte, rows*cols)}
	for r := range rows {
		row := values[r*cols : (r+1)*cols]
		scale := bestScale(row)
		q.Scales[r] = scale
		for c, v := range row {
			q.Weights[r*cols+c] = byte(layout.Zero + int(step(v, scale)))
		}
	}
	return q
}

// bestScale is the scale with the least square error of 26.
func bestScale(row []float32) float32 {
	largest := 0.0
	for _, v := range row {
		largest = max(largest, math.Abs(float64(v)))
	}
	var best float32
	least := math.Inf(1)
	for percent := 100; percent >= 75; percent-- {
		scale := float32(largest * float64(percent) / (100 * math.MaxInt8))
		lost := 0.0
		for _, v := range row {
			d := float64(v) - float64(float64(scale)*step(v, scale))
			lost += float64(d * d)
		}
		if lost < least {
			best, least = scale, lost
		}
	}
	return best
}

// step is how many scales a value is, from -127 to 127.
func step(v, scale float32) float64 {
	if scale == 0 {
		return 0
	}
	return max(-math.MaxInt8, min(math.MaxInt8, math.RoundToEven(float64(v)/float64(scale))))
}

// transpose turns rows × cols values about.
func transpose(values []float32, rows, cols int) []float32 {
	turned := make([]float32, len(values))
	for r := range rows {
		for c := range cols {
			turned[c*rows+r] = values[r*cols+c]
		}
	}
	return turned
}

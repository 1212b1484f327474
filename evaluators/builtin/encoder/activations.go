package encoder

import (
	"math"

	"github.com/genaievals/genaievals/evaluators/builtin/encoder/internal/layout"
)

// largestActivation is what the largest value of a row is rounded to. 13 bits
// lose nothing that weights of a byte had kept, and no sum of products leaves int32:
// 8191 × 127 × 1536 < 2³¹.
const largestActivation = 8191

// activations are rows of values in int16, each row with a scale: the value at
// row r and column c is values[r*cols+c] × scales[r].
type activations struct {
	rows, cols int
	values     []int16 // behind an odd number of rows may be anything: its products are dropped
	scales     []float32
	offsets    []int32 // what each row makes of weights of 0: layout.Zero × its sum
}

// set rounds rows × cols values.
func (a *activations) set(values []float32, rows, cols int) {
	a.rows, a.cols = rows, cols
	for r := range rows {
		to := a.values[r*cols : (r+1)*cols]
		a.scales[r] = round(to, values[r*cols:(r+1)*cols])
		var total int32
		for _, v := range to {
			total += int32(v)
		}
		a.offsets[r] = layout.Zero * total
	}
}

// round rounds a row to whole multiples of the scale that it returns.
func round(to []int16, row []float32) float32 {
	const sign = 1 << 31
	to = to[:len(row)]
	var largest uint32 // bits of positive floats are in the order of the floats
	for _, v := range row {
		largest = max(largest, math.Float32bits(v)&^sign)
	}
	if largest == 0 {
		clear(to)
		return 0
	}
	// Adding 1.5 × 2²³ leaves a float no bits below 1: rounding without a branch.
	const shift = 3 << 22
	scale := math.Float32frombits(largest) / largestActivation
	inverse := largestActivation / math.Float32frombits(largest)
	for i, v := range row {
		to[i] = int16(math.Float32bits(float32(v*inverse)+shift) - math.Float32bits(shift))
	}
	return scale
}

package encoder

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators/builtin/encoder/internal/layout"
)

// The matrix product, by both kernels, is that of the obvious loops on the
// rounded values, for any number of rows; and added where told to.
func TestDenseMultipliesEveryRow(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	d := dense{outputs: 8, inputs: 32}
	d.weights, d.scales, d.bias = make([]byte, d.outputs*d.inputs), make([]float32, d.outputs), make([]float32, d.outputs)
	for i := range d.weights {
		d.weights[i] = byte(1 + random.IntN(255))
	}
	for o := range d.outputs {
		d.scales[o], d.bias[o] = random.Float32(), random.Float32()-0.5
	}
	for rows := 1; rows <= 5; rows++ {
		values := make([]float32, rows*d.inputs)
		for i := range values {
			values[i] = random.Float32() - 0.5
		}
		for name, portable := range map[string]bool{"portable": true, "assembly where there is": false} {
			for _, add := range []bool{false, true} {
				s := newScratch()
				s.portable = portable
				s.rounded.set(values, rows, d.inputs)
				out := make([]float32, rows*d.outputs+1)
				for i := range out {
					out[i] = 100
				}
				d.apply(out, &s.rounded, s, add)
				if out[rows*d.outputs] != 100 {
					t.Errorf("%s, %d rows: wrote beyond the last", name, rows)
				}
				for i, got := range out[:rows*d.outputs] {
					r, o := i/d.outputs, i%d.outputs
					want := float64(d.bias[o])
					if add {
						want += 100
					}
					for c := range d.inputs {
						want += float64(values[r*d.inputs+c]) * float64(d.scales[o]) * (float64(d.weights[o*d.inputs+c]) - layout.Zero)
					}
					if math.Abs(float64(got)-want) > 0.05 { // of about 100
						t.Errorf("%s, %d rows, add %v: row %d output %d is %v, want %v", name, rows, add, r, o, got, want)
					}
				}
			}
		}
	}
}

func TestRoundingKeepsThirteenBits(t *testing.T) {
	for name, row := range map[string][]float32{
		"nothing":       {0, 0, 0, 0},
		"halves":        {1, -1, 0.5, -0.5, 0.25},
		"tiny":          {1e-30, -3e-31, 2e-32},
		"large":         {3e30, -1e30, 1},
		"one is larger": {1000, 0.06, -0.07, 0},
	} {
		t.Run(name, func(t *testing.T) {
			rounded := make([]int16, len(row))
			scale := round(rounded, row)
			var largest float64
			for _, v := range row {
				largest = max(largest, math.Abs(float64(v)))
			}
			for i, v := range row {
				got := float64(rounded[i]) * float64(scale)
				if math.Abs(got-float64(v)) > 0.501*largest/largestActivation {
					t.Errorf("%v became %v", v, got)
				}
				if rounded[i] > largestActivation || rounded[i] < -largestActivation {
					t.Errorf("%v became %d, beyond %d", v, rounded[i], largestActivation)
				}
			}
		})
	}
}

func TestAttentionIsSoftmaxOfProducts(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	const width = 16
	size := width / layout.Heads
	for _, pieces := range []int{1, 2, 3, 4, 5, 8, 11} {
		qkv := make([]float32, pieces*3*width)
		for i := range qkv {
			qkv[i] = 4*random.Float32() - 2
		}
		at := func(piece, part, head, i int) float64 { return float64(qkv[(piece*3+part)*width+head*size+i]) }
		out := make([]float32, pieces*width)
		attend(out, qkv, width, make([]float32, pieces))
		want := make([]float32, pieces*width)
		for head := range layout.Heads {
			for q := range pieces {
				var total float64
				sums := make([]float64, size)
				for k := range pieces {
					var product float64
					for i := range size {
						product += at(q, 0, head, i) * at(k, 1, head, i)
					}
					weight := math.Exp(product / math.Sqrt(float64(size)))
					total += weight
					for i := range size {
						sums[i] += weight * at(k, 2, head, i)
					}
				}
				for i := range size {
					want[q*width+head*size+i] = float32(sums[i] / total)
				}
			}
		}
		near := cmp.Comparer(func(a, b float32) bool { return math.Abs(float64(a-b)) < 1e-5 })
		if diff := cmp.Diff(want, out, near); diff != "" {
			t.Errorf("%d pieces, -want +got:\n%s", pieces, diff)
		}
	}
}

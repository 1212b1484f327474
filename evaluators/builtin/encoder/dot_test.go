package encoder

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators/builtin/encoder/internal/layout"
)

// plainSums is what a tile has to be, the obvious way.
func plainSums(a []int16, w []byte, k int) (sums [tileRows * tileOutputs]int32) {
	for r := range tileRows {
		for o := range tileOutputs {
			var sum int64
			for i := range k {
				sum += int64(a[r*k+i]) * (int64(w[o*k+i]) - layout.Zero)
			}
			if sum != int64(int32(sum)) {
				panic("the sum leaves int32")
			}
			sums[r*tileOutputs+o] = int32(sum)
		}
	}
	return sums
}

func TestKernelsAreExact(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, fill := range map[string]func(row, i int) (int16, byte){
		"random": func(int, int) (int16, byte) {
			return int16(random.IntN(2*largestActivation+1) - largestActivation), byte(1 + random.IntN(255))
		},
		"largest":          func(int, int) (int16, byte) { return largestActivation, 255 },
		"least":            func(int, int) (int16, byte) { return largestActivation, 1 },
		"both negative":    func(int, int) (int16, byte) { return -largestActivation, 1 },
		"rows of two kind": func(row, _ int) (int16, byte) { return int16(1-2*(row%2)) * largestActivation, byte(255 - 254*(row%2)) },
		"zero weights":     func(int, int) (int16, byte) { return largestActivation, layout.Zero },
		"zero activations": func(int, int) (int16, byte) { return 0, 255 },
		"alternating":      func(_, i int) (int16, byte) { return int16(1-2*(i%2)) * largestActivation, 1 },
	} {
		for _, k := range []int{16, 32, 48, layout.Narrow, layout.Wide, layout.Hidden} {
			values, weights := make([]int16, tileRows*k), make([]byte, tileOutputs*k)
			var offsets [tileRows]int32
			for i := range values {
				values[i], _ = fill(i/k, i%k)
				offsets[i/k] += layout.Zero * int32(values[i])
			}
			for i := range weights {
				_, weights[i] = fill(i/k, i%k)
			}
			want := plainSums(values, weights, k)
			t.Run(name, func(t *testing.T) {
				var sums [tileRows * tileOutputs]int32
				pair := make([]int64, k)
				widen(pair, values[:k], values[k:])
				dotPortable(&sums, pair, int64(offsets[0])+int64(offsets[1])<<32, weights)
				if diff := cmp.Diff(want, sums); diff != "" {
					t.Errorf("portable, k=%d, -want +got:\n%s", k, diff)
				}
				if !haveAVX2 {
					return
				}
				dotAVX2(&sums, &values[0], &weights[0], k)
				for j := range tileOutputs {
					sums[j] -= offsets[0]
					sums[tileOutputs+j] -= offsets[1]
				}
				if diff := cmp.Diff(want, sums); diff != "" {
					t.Errorf("AVX2, k=%d, -want +got:\n%s", k, diff)
				}
			})
		}
	}
}

// What the kernels rely on.
func TestSizesFitTheTiles(t *testing.T) {
	for _, m := range layout.Matrices() {
		if m.Name != "embedding" && (m.Rows%tileOutputs != 0 || m.Cols%16 != 0) {
			t.Errorf("%s has %d outputs of %d inputs", m.Name, m.Rows, m.Cols)
		}
		if m.Name != "embedding" && int64(m.Cols)*largestActivation*math.MaxInt8 > math.MaxInt32 {
			t.Errorf("%s has %d inputs: a sum could leave int32", m.Name, m.Cols)
		}
	}
	if chunk%tileRows != 0 {
		t.Errorf("a chunk of %d rows has no room for the last tile", chunk)
	}
}

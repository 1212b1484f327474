package encoder

import (
	"math"

	"github.com/genaievals/genaievals/evaluators/builtin/encoder/internal/layout"
)

// attend lets every piece of a sentence look at all of them: out gets, for each
// and each head, the values weighted by how well the keys fit its query. qkv has
// a row for each piece: queries, keys, values, each of width columns and each
// of as many parts as there are heads. weights has room for one a piece.
func attend(out, qkv []float32, width int, weights []float32) {
	size := width / layout.Heads
	scale := float32(1 / math.Sqrt(float64(size)))
	clear(out)
	for head := range layout.Heads {
		for i := range weights {
			query := qkv[i*3*width+head*size:][:size]
			largest := float32(math.Inf(-1))
			for j := range weights {
				weights[j] = dot(query, qkv[j*3*width+width+head*size:][:size]) * scale
				largest = max(largest, weights[j])
			}
			var total float32
			for j, v := range weights {
				weights[j] = float32(math.Exp(float64(v - largest)))
				total += weights[j]
			}
			for j := range weights {
				weights[j] /= total
			}
			weigh(out[i*width+head*size:][:size], qkv[2*width+head*size:], 3*width, weights)
		}
	}
}

// dot is the inner product, in four sums that do not wait for each other. The
// length is a multiple of four. Products are rounded before they are added, so
// that a compiler that could do both at once gives the same bits.
func dot(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	for b = b[:len(a)]; len(a) >= 4 && len(b) >= 4; a, b = a[4:], b[4:] {
		s0 += float32(a[0] * b[0])
		s1 += float32(a[1] * b[1])
		s2 += float32(a[2] * b[2])
		s3 += float32(a[3] * b[3])
	}
	return (s0 + s1) + (s2 + s3)
}

// sum adds up values, likewise.
func sum(a []float32) float32 {
	var s0, s1, s2, s3 float32
	for ; len(a) >= 4; a = a[4:] {
		s0 += a[0]
		s1 += a[1]
		s2 += a[2]
		s3 += a[3]
	}
	return (s0 + s1) + (s2 + s3)
}

// weigh adds up rows, each times its weight, to out. Row j begins at j*stride.
// Four rows at a time, since what is read and written of out costs as much as a
// row.
func weigh(out, rows []float32, stride int, weights []float32) {
	size := len(out)
	for ; len(weights) >= 4; weights = weights[4:] {
		r0, r1, r2, r3 := rows[:size], rows[stride:][:size], rows[2*stride:][:size], rows[3*stride:][:size]
		w0, w1, w2, w3 := weights[0], weights[1], weights[2], weights[3]
		for i, v := range out {
			out[i] = v + ((float32(w0*r0[i]) + float32(w1*r1[i])) + (float32(w2*r2[i]) + float32(w3*r3[i])))
		}
		rows = rows[min(4*stride, len(rows)):]
	}
	for j, w := range weights {
		row := rows[j*stride:][:size]
		for i, v := range row {
			out[i] += float32(w * v)
		}
	}
}

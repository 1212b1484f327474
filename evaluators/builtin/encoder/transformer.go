package encoder

import (
	"math"

	"github.com/genaievals/genaievals/evaluators/builtin/encoder/internal/layout"
)

// chunk is how many pieces are worked on together: one text of the greatest
// length, or several shorter ones, as rows of one matrix.
const chunk = layout.MaxPieces

// forward computes the vectors of the sentences in s.ids and s.ends, of at most
// chunk pieces in all and none of them empty. No text's vector depends on what
// else is in the batch.
func (m *model) forward(s *scratch, out []*Vector) {
	rows := len(s.ids)
	input, state := s.input[:rows*layout.Narrow], s.state[:rows*layout.Wide]
	m.embed(input, s)
	s.rounded.set(input, rows, layout.Narrow)
	m.residual.apply(state, &s.rounded, s, false)
	width := layout.Narrow
	for i := range m.layers {
		layer := &m.layers[i]
		normal, qkv := s.normal[:rows*width], s.hidden[:rows*3*width]
		from := state
		if i == 0 {
			from = input
		}
		layer.norm.apply(normal, from)
		s.rounded.set(normal, rows, width)
		layer.qkv.apply(qkv, &s.rounded, s, false)
		begin := 0
		for _, end := range s.ends {
			attend(normal[begin*width:end*width], qkv[begin*3*width:end*3*width], width, s.weights[:end-begin])
			begin = end
		}
		s.rounded.set(normal, rows, width)
		layer.attended.apply(state, &s.rounded, s, true)

		normal, hidden := s.normal[:rows*layout.Wide], s.hidden[:rows*layout.Hidden]
		layer.inner.apply(normal, state)
		s.rounded.set(normal, rows, layout.Wide)
		layer.in.apply(hidden, &s.rounded, s, false)
		for j, v := range hidden {
			hidden[j] = max(v, 0)
		}
		s.rounded.set(hidden, rows, layout.Hidden)
		layer.out.apply(state, &s.rounded, s, true)
		width = layout.Wide
	}
	m.conclude(s, state, out)
}

// embed writes twice the embedding of every piece, plus the signal of its
// position in its sentence. (That it is twice is how the graph was trained.)
func (m *model) embed(input []float32, s *scratch) {
	begin := 0
	for _, end := range s.ends {
		for i, id := range s.ids[begin:end] {
			to := input[(begin+i)*layout.Narrow:][:layout.Narrow]
			row := m.embedding.Weights[int(id)*layout.Narrow:][:len(to)]
			position := m.positions[i*layout.Narrow:][:len(to)]
			scale := 2 * m.embedding.Scales[id]
			for j := range to {
				to[j] = float32(float32(int(row[j])-layout.Zero)*scale) + position[j]
			}
		}
		begin = end
	}
}

// conclude writes the vectors: the mean over a sentence's pieces, through the
// last layer, to the length of 1.
func (m *model) conclude(s *scratch, state []float32, out []*Vector) {
	means, results := s.normal[:len(s.ends)*layout.Wide], s.hidden[:len(s.ends)*layout.Wide]
	clear(means)
	begin := 0
	for i, end := range s.ends {
		mean := means[i*layout.Wide:][:layout.Wide]
		for r := begin; r < end; r++ {
			for j, v := range state[r*layout.Wide:][:layout.Wide] {
				mean[j] += v
			}
		}
		for j := range mean {
			mean[j] /= float32(end - begin)
		}
		begin = end
	}
	s.rounded.set(means, len(s.ends), layout.Wide)
	m.result.apply(results, &s.rounded, s, false)
	for i, v := range out {
		var square float64
		row := results[i*layout.Wide:][:layout.Wide]
		for j, x := range row {
			y := math.Tanh(float64(x))
			row[j] = float32(y)
			square += float64(y * y)
		}
		length := math.Sqrt(square)
		for j, x := range row {
			v.Values[j] = float32(float64(x) / length)
		}
	}
}

// layerNorm brings rows to mean 0 and variance 1, then scales and shifts columns.
type layerNorm struct{ scale, bias []float32 }

func (n *layerNorm) apply(to, from []float32) {
	const epsilon = 1e-6 // the graph's
	width := len(n.scale)
	bias := n.bias[:width]
	for ; len(from) > 0; from, to = from[width:], to[width:] {
		row, out := from[:width], to[:width]
		mean := sum(row) / float32(width)
		for i, v := range row {
			out[i] = v - mean
		}
		factor := float32(1 / math.Sqrt(float64(dot(out, out)/float32(width)+epsilon)))
		for i, v := range out {
			out[i] = float32(v*float32(factor*n.scale[i])) + bias[i]
		}
	}
}

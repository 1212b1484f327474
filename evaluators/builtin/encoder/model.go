package encoder

import (
	_ "embed" // the packed model
	"math"
	"sync"

	"github.com/genaievals/genaievals/evaluators/builtin/encoder/internal/layout"
)

// packed is the model. Its weights are used where they lie, a page of the
// program's file each, which the system loads when it is touched and can drop.
// Unpacked they would take as much again, and compressing them would save a
// tenth of the program for a tenth of a second at the start.
//
//go:embed uselite/use-lite.bin
var packed []byte

// model is the network and its vocabulary. It is never changed.
type model struct {
	vocabulary *vocabulary
	embedding  layout.Quantised
	positions  []float32 // the signal of each position, Narrow values each
	residual   dense
	layers     [layout.Layers]layer
	result     dense
}

type layer struct {
	norm          layerNorm
	qkv, attended dense
	inner         layerNorm // before the feed-forward network
	in, out       dense
}

// shared is the process's model, made at first use and kept.
var shared = sync.OnceValues(func() (*model, error) { return newModel(packed) })

func newModel(data []byte) (*model, error) {
	f, err := layout.Read(data)
	if err != nil {
		return nil, err
	}
	matrices := make(map[string]dense)
	for _, m := range layout.Matrices() {
		q := f.Matrices[m.Name]
		matrices[m.Name] = dense{
			outputs: m.Rows, inputs: m.Cols,
			weights: q.Weights, scales: q.Scales, bias: f.Vectors[m.Name+".bias"],
		}
	}
	m := &model{
		vocabulary: newVocabulary(f),
		embedding:  f.Matrices["embedding"],
		positions:  positions(f.Vectors["timing"]),
		residual:   matrices["residual"],
		result:     matrices["result"],
	}
	for i := range m.layers {
		of := func(name string) string { return layout.Of(i, name) }
		m.layers[i] = layer{
			norm:     layerNorm{f.Vectors[of("norm.scale")], f.Vectors[of("norm.bias")]},
			qkv:      matrices[of("qkv")],
			attended: matrices[of("attended")],
			inner:    layerNorm{f.Vectors[of("ffn.norm.scale")], f.Vectors[of("ffn.norm.bias")]},
			in:       matrices[of("ffn.in")],
			out:      matrices[of("ffn.out")],
		}
	}
	return m, nil
}

// positions computes the signal that tells the positions apart: sines of many
// frequencies, then cosines of the same.
func positions(frequencies []float32) []float32 {
	signal := make([]float32, layout.MaxPieces*layout.Narrow)
	for p := range layout.MaxPieces {
		row := signal[p*layout.Narrow:][:layout.Narrow]
		for i, f := range frequencies {
			sin, cos := math.Sincos(float64(float32(p) * f))
			row[i], row[len(frequencies)+i] = float32(sin), float32(cos)
		}
	}
	return signal
}

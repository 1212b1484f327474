// Package layout is the format of the packed model: what the packer writes and
// the encoder reads.
//
// A file is a magic line, the vocabulary, the vectors in float32, and the
// matrices in a byte a weight with one float32 scale a row, in the order of
// [Vectors] and [Matrices]; numbers are little-endian, and there is nothing
// else. A matrix has one row for each output, so that a product reads rows from
// front to end.
package layout

// Sizes of the model.
const (
	Pieces    = 8000 // of the vocabulary
	Rows      = 8002 // of the embedding: two more than there are pieces
	Narrow    = 256  // width before the first layer
	Wide      = 512  // width behind it, and of the result
	Hidden    = 1536 // inside the feed-forward networks
	Heads     = 4    // of the attention
	Layers    = 2
	MaxPieces = 128 // of a text; the graph cuts what is beyond
)

// magic is the first line of a file.
const magic = "use-lite-int8 1\n"

// Vector is a tensor that is kept in float32.
type Vector struct {
	Name string
	Len  int
}

// Matrix is a tensor that is kept in a byte a weight: of Rows outputs, Cols inputs each.
type Matrix struct {
	Name       string
	Rows, Cols int
}

// Vectors lists the vectors in their order in the file.
func Vectors() []Vector {
	list := []Vector{{"timing", Narrow / 2}, {"residual.bias", Wide}, {"result.bias", Wide}}
	for layer := range Layers {
		in := width(layer)
		list = append(list,
			Vector{Of(layer, "norm.scale"), in}, Vector{Of(layer, "norm.bias"), in},
			Vector{Of(layer, "qkv.bias"), 3 * in}, Vector{Of(layer, "attended.bias"), Wide},
			Vector{Of(layer, "ffn.norm.scale"), Wide}, Vector{Of(layer, "ffn.norm.bias"), Wide},
			Vector{Of(layer, "ffn.in.bias"), Hidden}, Vector{Of(layer, "ffn.out.bias"), Wide})
	}
	return list
}

// Matrices lists the matrices in their order in the file.
func Matrices() []Matrix {
	list := []Matrix{{"embedding", Rows, Narrow}, {"residual", Wide, Narrow}, {"result", Wide, Wide}}
	for layer := range Layers {
		in := width(layer)
		list = append(list,
			Matrix{Of(layer, "qkv"), 3 * in, in}, Matrix{Of(layer, "attended"), Wide, in},
			Matrix{Of(layer, "ffn.in"), Hidden, Wide}, Matrix{Of(layer, "ffn.out"), Wide, Hidden})
	}
	return list
}

// Of is the name of a layer's tensor.
func Of(layer int, name string) string {
	return string(rune('0'+layer)) + "." + name
}

// width of what a layer is given.
func width(layer int) int {
	if layer == 0 {
		return Narrow
	}
	return Wide
}

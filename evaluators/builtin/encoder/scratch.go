package encoder

import "github.com/genaievals/genaievals/evaluators/builtin/encoder/internal/layout"

// scratch is the working memory of one computation. It belongs to whoever has
// the turn, and is used for nothing else meanwhile.
type scratch struct {
	tokens tokens
	ids    []uint16  // pieces of all sentences of the batch
	ends   []int     // where each sentence ends in ids
	out    []*Vector // of each sentence, the caller's

	input    [chunk * layout.Narrow]float32 // embedded pieces
	state    [chunk * layout.Wide]float32   // what the layers add to
	normal   [chunk * layout.Wide]float32   // normalised, or attended
	hidden   [chunk * layout.Hidden]float32 // queries, keys and values; inside of a feed-forward network
	weights  [layout.MaxPieces]float32      // of the attention of one piece
	pair     [layout.Hidden]int64
	rounded  activations
	portable bool // leave the assembly out; for tests
}

func newScratch() *scratch {
	return &scratch{rounded: activations{
		values:  make([]int16, chunk*layout.Hidden),
		scales:  make([]float32, chunk),
		offsets: make([]int32, chunk),
	}}
}

package semantic

import (
	"context"

	"github.com/genaievals/genaievals/evaluators/builtin"
	"github.com/genaievals/genaievals/evaluators/builtin/encoder"
)

// Name is the encoder and the version of the heads on it.
const Name = "use-lite-int8/2"

func init() { builtin.Provide(Open) }

// Open returns the model, which computes with at most that share of one core.
// A share that is not above 0 and at most 1 is the encoder's default, one half.
// Models are cheap: all share one encoder's memory, and load it at first use.
func Open(share float64) builtin.Model {
	e, err := encoder.New(encoder.WithShare(share))
	if err != nil {
		e = new(encoder.Encoder) // of the default share
	}
	return model{e}
}

type model struct{ encoder *encoder.Encoder }

func (model) Name() string { return Name }

func (m model) Embed(ctx context.Context, texts ...string) ([]builtin.Vector, error) {
	embedded, err := m.encoder.Embed(ctx, texts...)
	if err != nil {
		return nil, err
	}
	vectors := make([]builtin.Vector, len(embedded))
	for i := range embedded {
		if embedded[i].Pieces > 0 {
			vectors[i] = embedded[i].Values[:]
		}
	}
	return vectors, nil
}

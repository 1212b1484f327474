package heads

import (
	"context"
	"encoding/binary"
	"errors"

	"github.com/genaievals/genaievals/evaluators/builtin"
)

// Model is builtin's model with heads that are being tried out. Embed is that
// of Encoder.
type Model struct {
	Encoder                        builtin.Model
	OfToxicity, Negative, Positive Head
}

// Name says that it is none that ships.
func (Model) Name() string { return "heads-in-training" }

// Embed returns the encoder's vectors.
func (m Model) Embed(ctx context.Context, texts ...string) ([]builtin.Vector, error) {
	return m.Encoder.Embed(ctx, texts...)
}

// Toxicity is the probability by the head of toxicity.
func (m Model) Toxicity(v builtin.Vector) float64 { return m.OfToxicity.Probability(v) }

// Sentiment are the probabilities by the heads of sentiment.
func (m Model) Sentiment(v builtin.Vector, t builtin.Tone) (negative, positive float64) {
	f := SentimentFeatures(v, t)
	return m.Negative.Probability(f), m.Positive.Probability(f)
}

// AppendBinary appends the numbers of the three heads as the package semantic
// reads them: of each the weights and the bias, in float32, the lowest byte
// first.
func (m Model) AppendBinary(b []byte) ([]byte, error) {
	for _, h := range []Head{m.OfToxicity, m.Negative, m.Positive} {
		if len(h.Weights) == 0 {
			return nil, errors.New("a head is missing")
		}
		var err error
		if b, err = binary.Append(b, binary.LittleEndian, h.Weights); err != nil {
			return nil, err
		}
		if b, err = binary.Append(b, binary.LittleEndian, h.Bias); err != nil {
			return nil, err
		}
	}
	return b, nil
}

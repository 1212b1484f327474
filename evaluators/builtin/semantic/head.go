package semantic

import (
	_ "embed" // the numbers of the heads
	"encoding/binary"
	"math"
	"sync"

	"github.com/genaievals/genaievals/evaluators/builtin"
	"github.com/genaievals/genaievals/evaluators/builtin/encoder"
)

// numbers are what internal/train makes of the public sets: of the heads of
// toxicity, negative and positive sentiment the weights and the bias, in
// float32, the lowest byte first.
//
//go:embed heads.bin
var numbers []byte

// tones is how many features the heads of sentiment have behind the vector: the
// compound, positive, negative and neutral of VADER.
const tones = 4

// head is a logistic regression.
type head struct {
	weights []float32
	bias    float32
}

// shared are the heads, unpacked at first use: 6 kB.
var shared = sync.OnceValue(func() (h struct{ toxicity, negative, positive head }) {
	rest := numbers
	take := func() float32 {
		v := math.Float32frombits(binary.LittleEndian.Uint32(rest))
		rest = rest[4:]
		return v
	}
	for _, next := range []struct {
		to       *head
		features int
	}{{&h.toxicity, encoder.Size}, {&h.negative, encoder.Size + tones}, {&h.positive, encoder.Size + tones}} {
		next.to.weights = make([]float32, next.features)
		for i := range next.to.weights {
			next.to.weights[i] = take()
		}
		next.to.bias = take()
	}
	return h
})

// probability is that of a vector, or of nothing but the further features where
// the vector is empty.
func (h head) probability(v builtin.Vector, further ...float64) float64 {
	sum := float64(h.bias)
	for i, x := range v[:min(len(v), encoder.Size)] {
		sum += float64(float64(h.weights[i]) * float64(x))
	}
	for i, x := range further {
		sum += float64(float64(h.weights[encoder.Size+i]) * float64(float32(x)))
	}
	return 1 / (1 + math.Exp(-sum))
}

func (model) Toxicity(v builtin.Vector) float64 { return shared().toxicity.probability(v) }

func (model) Sentiment(v builtin.Vector, t builtin.Tone) (negative, positive float64) {
	h := shared()
	return h.negative.probability(v, t.Compound, t.Positive, t.Negative, t.Neutral),
		h.positive.probability(v, t.Compound, t.Positive, t.Negative, t.Neutral)
}

package builtin

import (
	"context"
	"sync/atomic"
)

// Model is a small model of language that judges what word lists cannot. The
// package semantic has one; it is an interface so that programs which only ask
// a judge need not carry its 7.5 MB. A Model is safe for concurrent use.
type Model interface {
	// Name is the model's name and version, such as use-lite-int8/1. Results
	// carry it in [AttributeMethod]. It changes when a text may get another
	// vector or probability.
	Name() string
	// Embed returns the vector of each text, in their order. It may wait for its
	// share of a core, looks at ctx between texts, and returns the cause of ctx
	// when that ends.
	Embed(ctx context.Context, texts ...string) ([]Vector, error)
	// Toxicity is the probability, 0 to 1, that the sentence of a vector insults,
	// threatens or abuses somebody.
	Toxicity(v Vector) float64
	// Sentiment is the probability that the sentence of a vector, whose words
	// have that tone, is negative, and that it is positive. The two need not
	// add up to 1.
	Sentiment(v Vector, t Tone) (negative, positive float64)
}

// Vector is the meaning of a text as a point, of length 1, or without values
// for a text in which there is nothing to read. Texts that mean similar things
// are close to each other.
type Vector []float32

// Cosine is how similar two texts are: 1 for the same, about 0 for those that
// have nothing to do with each other. It is 0 for vectors of different sizes.
func (v Vector) Cosine(w Vector) float64 {
	if len(v) != len(w) {
		return 0
	}
	sum := 0.0
	for i := range v {
		sum += float64(float64(v[i]) * float64(w[i])) // the conversion keeps the rounding the same everywhere
	}
	return sum
}

// Tone is what VADER says of a sentence's words: Compound from -1 to 1, and
// the shares of words that are positive, negative and neutral.
type Tone struct{ Compound, Positive, Negative, Neutral float64 }

// ToneOf reads the tone of a sentence's words.
func ToneOf(sentence string) Tone {
	p := analyzer().PolarityScores(sentence)
	return Tone{p.Compound, p.Positive, p.Negative, p.Neutral}
}

// OpenModel returns a model that computes with at most that share of one core.
// It is quick: what takes time is left to the first Embed.
type OpenModel func(share float64) Model

// provided is the model that a package brought with it.
var provided atomic.Pointer[OpenModel]

// Provide makes a model the one that every [New] from then on uses which has
// no [WithModel]. It is for the init function of a package that holds a model,
// so that importing the package is all a program must do; the last call counts
// and nothing takes it back. Evaluators that exist keep what they have.
func Provide(open OpenModel) { provided.Store(&open) }

// The bounds of [WithShare].
const (
	DefaultShare = 0.5
	leastShare   = 0.05
)

// WithShare sets how much of one core the model uses, from 0.05 to 1; what is
// outside is moved to the nearer end. The default is [DefaultShare].
func WithShare(share float64) Option {
	return func(e *Evaluator) {
		if share == share { // a number
			e.share = min(max(share, leastShare), 1)
		}
	}
}

// WithModel uses a model whether or not one was provided. With nil there is
// none: metrics then go by word lists.
func WithModel(open OpenModel) Option {
	return func(e *Evaluator) { e.open = open }
}

// HasModel reports whether the evaluator has a model. Without one its metrics
// go by word lists alone.
func (e *Evaluator) HasModel() bool { return e.model != nil }

// ErrorModel is the error.type of a metric whose model could not be used: the
// program's copy of it is damaged.
const ErrorModel = "model_unusable"

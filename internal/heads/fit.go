package heads

import "math"

// How heads are fitted. ridge keeps weights small, the penalty being ridge/2 ×
// their squares; of five from 2e-4 to 3e-3 it did best for toxicity, on sources
// held out. iterations are few enough to take seconds; they end close to the
// minimum and not at it, so that their number is a part of what makes a head.
const (
	iterations = 150
	ridge      = 2e-4
)

// example is one labelled vector.
type example struct {
	features []float32
	positive bool
	weight   float64
}

// Head is a logistic regression: a probability made of a weighted sum of
// features.
type Head struct {
	Weights []float32
	Bias    float32
}

// Probability is what the head says of features, as many as it has weights.
func (h Head) Probability(features []float32) float64 {
	sum := float64(h.Bias)
	for i, x := range features[:len(h.Weights)] {
		sum += float64(float64(h.Weights[i]) * float64(x))
	}
	return 1 / (1 + math.Exp(-sum))
}

// point is a head being fitted, its bias behind the weights.
type point []float64

// fit finds the head that minimises the weighted logistic loss and the ridge,
// by Nesterov's accelerated gradient. The loss is convex and its steepest
// curvature known, so that there is a step that is always right: nothing to
// tune and nothing drawn by lot. Products are converted to float64 where they
// are added, which forbids a fused multiply-add: it would round otherwise.
func fit(examples []example) Head {
	n := len(examples[0].features) + 1
	total, longest := 0.0, 0.0
	for _, e := range examples {
		total += e.weight
		square := 1.0 // of the bias's feature
		for _, x := range e.features {
			square += float64(float64(x) * float64(x))
		}
		longest = max(longest, square)
	}
	step := 1 / (longest/4 + ridge)
	at, ahead, slope := make(point, n), make(point, n), make(point, n)
	momentum := 1.0
	for range iterations {
		ahead.gradient(slope, examples, total)
		next := (1 + math.Sqrt(1+float64(4*momentum*momentum))) / 2
		pull := (momentum - 1) / next
		momentum = next
		for i := range n {
			to := ahead[i] - float64(step*slope[i])
			ahead[i] = to + float64(pull*(to-at[i]))
			at[i] = to
		}
	}
	h := Head{Weights: make([]float32, n-1), Bias: float32(at[n-1])}
	for i := range h.Weights {
		h.Weights[i] = float32(at[i])
	}
	return h
}

// gradient computes the slope of the loss at p.
func (p point) gradient(slope point, examples []example, total float64) {
	bias := len(p) - 1
	for i, w := range p[:bias] {
		slope[i] = ridge * w
	}
	slope[bias] = 0
	for _, e := range examples {
		sum := p[bias]
		for i, x := range e.features {
			sum += float64(p[i] * float64(x))
		}
		wrong := 1 / (1 + math.Exp(-sum))
		if e.positive {
			wrong--
		}
		wrong *= e.weight / total
		for i, x := range e.features {
			slope[i] += float64(wrong * float64(x))
		}
		slope[bias] += wrong
	}
}

// balanced adds positive and negative examples of one source, each side with
// half of the source's weight: how many there are of each says nothing about
// how many there will be where the head is used.
func balanced(to []example, weight float64, positive, negative [][]float32) []example {
	for _, f := range positive {
		to = append(to, example{f, true, weight / 2 / float64(len(positive))})
	}
	for _, f := range negative {
		to = append(to, example{f, false, weight / 2 / float64(len(negative))})
	}
	return to
}

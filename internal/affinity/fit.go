package affinity

import "math"

const (
	steps = 25 // of Newton's method; it stands still after about eight
	ridge = 1  // penalty on the squares of bias and weights, against 3,200 weights of examples
)

// size is that of the system of equations: the bias and four weights.
const size = 5

type example struct {
	features [size]float64 // the first is 1
	own      bool
	weight   float64
}

// Fit finds the bias and the weights of [builtin.Affinity] that tell own answers
// from others, half of them random and half nearest: a logistic regression, by
// Newton's method. They are rounded to three decimals, which costs nothing and
// makes them the same on every processor.
func Fit(cs []Comparison) (bias float64, weights []float64) {
	var examples []example
	add := func(f [size - 1]float64, own bool, weight float64) {
		e := example{own: own, weight: weight}
		e.features[0] = 1
		copy(e.features[1:], f[:])
		examples = append(examples, e)
	}
	for _, c := range cs {
		add(c.OfOwn.Features(), true, 2)
		add(c.OfRandom.Features(), false, 1)
		add(c.OfNearest.Features(), false, 1)
	}
	var w [size]float64
	for range steps {
		step := solve(slopes(w, examples))
		for i := range w {
			w[i] += step[i]
		}
	}
	for i := range w {
		w[i] = math.Round(w[i]*1000) / 1000
	}
	return w[0], w[1:]
}

// slopes returns the second derivatives of the loss at w and, as the last column,
// the first ones with their signs turned.
func slopes(w [size]float64, examples []example) (m [size][size + 1]float64) {
	for i := range w {
		m[i][i], m[i][size] = ridge, -ridge*w[i]
	}
	for _, e := range examples {
		sum := 0.0
		for i, f := range e.features {
			sum += w[i] * f
		}
		p := 1 / (1 + math.Exp(-sum))
		wrong := -p
		if e.own {
			wrong++
		}
		for i, f := range e.features {
			for j, g := range e.features {
				m[i][j] += e.weight * p * (1 - p) * f * g
			}
			m[i][size] += e.weight * wrong * f
		}
	}
	return m
}

// solve eliminates downwards and substitutes upwards. The matrix is positive
// definite, by the ridge, so that no pivot is zero.
func solve(m [size][size + 1]float64) (x [size]float64) {
	for i := range size {
		for r := i + 1; r < size; r++ {
			factor := m[r][i] / m[i][i]
			for c := i; c <= size; c++ {
				m[r][c] -= factor * m[i][c]
			}
		}
	}
	for i := size - 1; i >= 0; i-- {
		x[i] = m[i][size]
		for c := i + 1; c < size; c++ {
			x[i] -= m[i][c] * x[c]
		}
		x[i] /= m[i][i]
	}
	return x
}

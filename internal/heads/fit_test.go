package heads

import (
	"bytes"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// around are points about (x, y), on a small grid.
func around(x, y float32, n int) [][]float32 {
	var points [][]float32
	for i := range n {
		points = append(points, []float32{x + float32(i%3)/10, y + float32(i/3)/10})
	}
	return points
}

func TestFitSeparatesWhatCanBeSeparated(t *testing.T) {
	positive, negative := around(0.5, 0, 9), around(-0.7, 0, 9)
	h := fit(balanced(nil, 1, positive, negative))
	for _, f := range positive {
		if p := h.Probability(f); p < 0.9 {
			t.Errorf("positive %v: %v", f, p)
		}
	}
	for _, f := range negative {
		if p := h.Probability(f); p > 0.1 {
			t.Errorf("negative %v: %v", f, p)
		}
	}
}

// At the minimum the slope is nothing: the fit has arrived there.
func TestFitEndsWhereTheLossIsLeast(t *testing.T) {
	examples := balanced(balanced(nil, 1, around(0.1, 0, 9), around(-0.2, 0.1, 6)), 2, around(0, 0.3, 5), around(0.1, -0.4, 7))
	h := fit(examples)
	at := make(point, len(h.Weights)+1)
	for i, w := range h.Weights {
		at[i] = float64(w)
	}
	at[len(h.Weights)] = float64(h.Bias)
	slope := make(point, len(at))
	at.gradient(slope, examples, 3)
	for i, s := range slope {
		if math.Abs(s) > 2e-3 {
			t.Errorf("slope %d is %v", i, s)
		}
	}
}

// The gradient is that of the loss, by differences.
func TestGradient(t *testing.T) {
	examples := balanced(nil, 2, around(0.3, 0.1, 4), around(-0.1, 0.2, 5))
	loss := func(p point) float64 {
		sum, total := 0.0, 0.0
		for _, e := range examples {
			x := p[len(p)-1]
			for i, f := range e.features {
				x += p[i] * float64(f)
			}
			if e.positive {
				x = -x
			}
			sum += e.weight * math.Log1p(math.Exp(x))
			total += e.weight
		}
		sum /= total
		for _, w := range p[:len(p)-1] {
			sum += ridge / 2 * w * w
		}
		return sum
	}
	p := point{0.7, -1.2, 0.3}
	got := make(point, 3)
	p.gradient(got, examples, 2)
	for i := range p {
		const step = 1e-6
		up, down := append(point{}, p...), append(point{}, p...)
		up[i] += step
		down[i] -= step
		if want := (loss(up) - loss(down)) / (2 * step); math.Abs(want-got[i]) > 1e-6 {
			t.Errorf("slope %d: %v, want %v", i, got[i], want)
		}
	}
}

// How many there are of a label changes nothing.
func TestSidesAreBalanced(t *testing.T) {
	few, many := around(0.2, 0, 3), around(-0.2, 0, 3)
	once := fit(balanced(nil, 1, few, many))
	often := fit(balanced(nil, 1, few, append(append(append([][]float32{}, many...), many...), many...)))
	for i := range once.Weights {
		if d := math.Abs(float64(once.Weights[i] - often.Weights[i])); d > 1e-4 {
			t.Errorf("weight %d differs by %v", i, d)
		}
	}
}

func TestTheSameExamplesMakeTheSameBytes(t *testing.T) {
	numbers := func() []byte {
		h := fit(balanced(nil, 1, around(0.1, 0, 9), around(-0.2, 0.1, 6)))
		b, err := Model{OfToxicity: h, Negative: h, Positive: h}.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	first := numbers()
	if !bytes.Equal(first, numbers()) {
		t.Error("two runs differ")
	}
	if len(first) != 3*3*4 {
		t.Errorf("%d bytes, want 36", len(first))
	}
	if _, err := (Model{}).AppendBinary(nil); err == nil {
		t.Error("a model without heads was written")
	}
}

// A toxic text's worst sentence is learned as toxic, a harmless text's never.
func TestToxicityLearnsFromTheWorstSentence(t *testing.T) {
	bad, good, mixed := []float32{1, 0}, []float32{-1, 0}, []float32{0.1, 0.99}
	row := func(toxic bool, whole []float32, sentences ...[]float32) Row {
		r := Row{Toxic: toxic, Vector: whole}
		for _, s := range sentences {
			r.Vectors = append(r.Vectors, s)
		}
		if len(sentences) == 0 {
			r.Vectors = append(r.Vectors, whole)
		}
		return r
	}
	s := &Source{Name: "own", Rows: []Row{row(true, bad), row(true, mixed, good, bad), row(false, good), row(false, good, good, good)}}
	replies := &Source{Name: Replies, Rows: []Row{row(false, good), {Odd: true, Vector: bad, Vectors: nil}}}
	h := FitToxicity(s, replies)
	if p := h.Probability(bad); p < 0.9 {
		t.Errorf("the worst sentence: %v", p)
	}
	if p := h.Probability(good); p > 0.1 {
		t.Errorf("a harmless sentence: %v", p)
	}
	var got []float32
	if got, _ = h.worst(s.Rows[1]); !cmp.Equal(got, bad) {
		t.Errorf("worst sentence is %v", got)
	}
}

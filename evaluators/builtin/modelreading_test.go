package builtin

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhichSentencesAreReadWhereThereAreTooMany(t *testing.T) {
	places := []int{0, 1, 3, 4, 5, 8, 9}
	is := func(places ...int) func(int) bool {
		return func(place int) bool { return slices.Contains(places, place) }
	}
	for name, test := range map[string]struct {
		n      int
		worthy func(int) bool
		want   []int
	}{
		"all fit":                     {7, is(), places},
		"from both ends":              {4, is(), []int{0, 1, 8, 9}},
		"worthy ones first":           {3, is(4, 5), []int{0, 4, 5}},
		"worthy ones fill it":         {1, is(4, 5), []int{5}},
		"a worthy one at an end once": {2, is(0), []int{0, 9}},
	} {
		if diff := cmp.Diff(test.want, firstWorthy(places, test.n, test.worthy)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if diff := cmp.Diff([]int{0, 3, 5}, spread(places, 3)); diff != "" {
		t.Errorf("spread (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(places, spread(places, 7)); diff != "" {
		t.Errorf("spread over all (-want +got):\n%s", diff)
	}
}

func TestTheBoundOfSentencesFollowsTheShare(t *testing.T) {
	for _, test := range []struct {
		options []Option
		want    int
	}{
		{nil, 48},
		{[]Option{WithShare(1)}, 96},
		{[]Option{WithShare(7)}, 96},
		{[]Option{WithShare(math.NaN())}, 48},
		{[]Option{WithShare(0)}, 12},
		{[]Option{WithShare(1), WithMaxSentences(3)}, 3},
		{[]Option{WithMaxSentences(0)}, 48},
	} {
		if got := New(test.options...).sentencesRead(); got != test.want {
			t.Errorf("%d sentences are read, want %d", got, test.want)
		}
	}
}

// However long the texts are, the model gets no more of them than it would of
// prose: it is their length that takes time.
func TestWhatTheModelReadsIsBoundedByLength(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want int // of a hundred such texts, at a share of 1
	}{
		"short":      {"The tent is green.", 96},
		"sixteen":    {strings.Repeat("green ", 14), 93},
		"long":       {strings.Repeat("the green tent ", 20), 31},
		"very long":  {strings.Repeat("the green tent ", 2000), 31},
		"emoji":      {strings.Repeat("😀 the ", 100), 31},
		"not spaced": {strings.Repeat("x", 1<<20), 31},
	} {
		places := make([]int, 100)
		for i := range places {
			places[i] = i
		}
		read := New(WithShare(1)).affordable(places, func(int) string { return test.text }, spread)
		if len(read) != test.want {
			t.Errorf("%s: %d are read, want %d", name, len(read), test.want)
		}
		if read := New(WithMaxSentences(1)).affordable(places[:1], func(int) string { return test.text }, spread); len(read) != 1 {
			t.Errorf("%s: one is not read", name)
		}
	}
}

// slope is a model whose vectors are points on the unit circle: the first value
// is the probability of toxicity on a scale from -1 to 1.
type slope struct{ Model }

func (slope) Toxicity(v Vector) float64 { return (float64(v[0]) + 1) / 2 }

func point(p float64) Vector {
	x := 2*p - 1
	return Vector{float32(x), float32(math.Sqrt(1 - x*x))}
}

func TestATextIsAsToxicAsItsWorstSentenceAndLessForEveryFurtherOne(t *testing.T) {
	p := func(probabilities ...float64) (float64, int) {
		var vs []Vector
		for _, q := range probabilities {
			if q < 0 {
				vs = append(vs, nil)
				continue
			}
			vs = append(vs, point(q))
		}
		return Overt(slope{}, vs)
	}
	if got, worst := p(); got != 0 || worst != -1 {
		t.Errorf("nothing: %v, %d", got, worst)
	}
	if got, worst := p(-1, -1); got != 0 || worst != -1 {
		t.Errorf("nothing to read: %v, %d", got, worst)
	}
	if got, worst := p(-1, 0.8); math.Abs(got-0.8) > 1e-6 || worst != 1 {
		t.Errorf("one sentence: %v, %d, want 0.8, 1", got, worst)
	}
	alone, _ := p(0.99)
	beside, worst := p(0.05, 0.99, 0.05)
	if worst != 1 {
		t.Errorf("worst is %d, want 1", worst)
	}
	many, _ := p(0.05, 0.05, 0.99, 0.05, 0.05, 0.05, 0.05, 0.05)
	borneOut, _ := p(0.99, 0.99, 0.99)
	if !(alone > borneOut && borneOut > beside && beside > many && many > 0.5) {
		t.Errorf("alone %v, borne out %v, beside two harmless ones %v, beside many %v: want each less than the one before, and all above 0.5", alone, borneOut, beside, many)
	}
	// What nothing bears out counts by itself, if it is plain.
	if got, _ := p(append([]float64{0.9999}, make([]float64, 11)...)...); got < toxicFrom {
		t.Errorf("plain abuse among harmless sentences: %v, want at least %v", got, toxicFrom)
	}
}

func TestToneScoreKeepsOrderAndLabels(t *testing.T) {
	last := -1.0
	for d := -1.0; d <= 1; d += 1.0 / 64 {
		score := toneScore(d)
		if score < 0 || score > 1 || score <= last {
			t.Errorf("difference %v: score %v behind %v", d, score, last)
		}
		last = score
		if negative := score < negativeBelow; negative != (d <= -leaning) {
			t.Errorf("difference %v: score %v, Negative %t", d, score, negative)
		}
		if positive := score >= positiveFrom; positive != (d >= leaning) {
			t.Errorf("difference %v: score %v, Positive %t", d, score, positive)
		}
	}
	if toneScore(0) != 0.5 || toneScore(1) != 1 || toneScore(-1) != 0 {
		t.Errorf("scores of 0, 1, -1: %v, %v, %v", toneScore(0), toneScore(1), toneScore(-1))
	}
}

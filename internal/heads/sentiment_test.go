package heads

import (
	"testing"

	"github.com/genaievals/genaievals/evaluators/builtin"
)

// ratedRows are rows of one sentence each, about a vector.
func ratedRows(rating float64, odd bool, vectors ...[]float32) []Row {
	var rows []Row
	for _, v := range vectors {
		rows = append(rows, Row{Sentences: []string{"It came by train on Monday."}, Rating: rating, Odd: odd, Vector: v})
	}
	return rows
}

// Each head learns its own side, and that what is rated as neither is on none.
func TestSentimentLearnsBothSidesAndNeither(t *testing.T) {
	s := &Source{Name: "own"}
	s.Rows = append(s.Rows, ratedRows(2, false, around(0.8, 0, 9)...)...)
	s.Rows = append(s.Rows, ratedRows(-2, false, around(-0.9, 0, 9)...)...)
	s.Rows = append(s.Rows, ratedRows(0.4, false, around(0, 0.8, 9)...)...)
	s.Rows = append(s.Rows, ratedRows(-0.4, false, around(0, 0.9, 9)...)...)
	s.Rows = append(s.Rows, Row{Sentences: []string{"?"}, Rating: 4}) // nothing to read
	n, p := FitSentiment(All, s)
	m := Model{Negative: n, Positive: p}
	for _, at := range []struct {
		vector             builtin.Vector
		negative, positive bool
	}{
		{builtin.Vector{0.9, 0}, false, true},
		{builtin.Vector{-0.9, 0}, true, false},
		{builtin.Vector{0, 0.9}, false, false},
	} {
		negative, positive := m.Sentiment(at.vector, builtin.ToneOf("It came by train on Monday."))
		if negative > 0.5 != at.negative || positive > 0.5 != at.positive {
			t.Errorf("%v: negative %.2f, positive %.2f", at.vector, negative, positive)
		}
	}
}

// A rating of half a point is a label, one below is none: at the bound the same
// texts change sides.
func TestSentimentRatingsAreLabelsFromHalfAPoint(t *testing.T) {
	fit := func(rating float64) (negative, positive float64) {
		s := &Source{Name: "own", Rows: append(ratedRows(rating, false, around(0.5, 0, 9)...), ratedRows(-rating, false, around(-0.5, 0, 9)...)...)}
		n, p := FitSentiment(All, s)
		m := Model{Negative: n, Positive: p}
		negative, _ = m.Sentiment(builtin.Vector{-0.5, 0}, builtin.Tone{})
		_, positive = m.Sentiment(builtin.Vector{0.5, 0}, builtin.Tone{})
		return negative, positive
	}
	if n, p := fit(rated); n < 0.7 || p < 0.7 {
		t.Errorf("rated ±%v: negative %.2f, positive %.2f", rated, n, p)
	}
	if n, p := fit(rated - 0.01); n > 0.3 || p > 0.3 {
		t.Errorf("rated just below: negative %.2f, positive %.2f", n, p)
	}
}

// Rows that are not taken teach nothing.
func TestSentimentLearnsFromTheRowsThatAreTaken(t *testing.T) {
	good := append(ratedRows(2, false, around(0.5, 0, 9)...), ratedRows(-2, false, around(-0.5, 0, 9)...)...)
	wrong := append(ratedRows(-2, true, around(0.5, 0, 9)...), ratedRows(2, true, around(-0.5, 0, 9)...)...)
	even := func(_ *Source, r Row) bool { return !r.Odd }
	n, p := FitSentiment(even, &Source{Name: "own", Rows: append(wrong, good...)})
	wantN, wantP := FitSentiment(All, &Source{Name: "own", Rows: good})
	for i := range wantN.Weights {
		if n.Weights[i] != wantN.Weights[i] || p.Weights[i] != wantP.Weights[i] {
			t.Fatalf("weight %d: %v and %v, want %v and %v", i, n.Weights[i], p.Weights[i], wantN.Weights[i], wantP.Weights[i])
		}
	}
}

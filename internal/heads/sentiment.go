package heads

import "github.com/genaievals/genaievals/evaluators/builtin"

// rated is from where a mean rating, or its opposite, is a label: half a point
// on VADER's scale.
const rated = 0.5

// FitSentiment trains the heads of negative and of positive sentiment on
// embedded sources; takes says which rows.
func FitSentiment(takes func(s *Source, r Row) bool, sources ...*Source) (negative, positive Head) {
	side := func(is func(rating float64) bool) Head {
		var examples []example
		for _, s := range sources {
			var yes, no [][]float32
			for _, r := range s.Rows {
				if len(r.Vector) == 0 || !takes(s, r) {
					continue
				}
				f := SentimentFeatures(r.Vector, builtin.ToneOf(r.text()))
				if is(r.Rating) {
					yes = append(yes, f)
				} else {
					no = append(no, f)
				}
			}
			examples = balanced(examples, sourceWeight, yes, no)
		}
		return fit(examples)
	}
	negative = side(func(rating float64) bool { return rating <= -rated })
	positive = side(func(rating float64) bool { return rating >= rated })
	return negative, positive
}

// SentimentFeatures are what the heads of sentiment look at: the sentence's
// vector and the tone of its words.
func SentimentFeatures(v builtin.Vector, t builtin.Tone) []float32 {
	f := make([]float32, 0, len(v)+4)
	return append(append(f, v...), float32(t.Compound), float32(t.Positive), float32(t.Negative), float32(t.Neutral))
}

// All takes every row.
func All(*Source, Row) bool { return true }

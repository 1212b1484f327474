package builtin_test

import (
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
)

func TestSentiment(t *testing.T) {
	for _, test := range []struct{ output, label, why string }{
		{"I'm so glad it helped, happy travels!", "Positive", `"happy", "glad"`},
		{"We are sorry, this failed badly.", "Negative", `"failed", "badly", "sorry"`},
		{"The shop opens at eight and closes at six.", "Neutral", "no word has a tone"},
		{"This is not good.", "Negative", `"not good"`},
		{"It isn’t bad at all.", "Positive", `"isn't bad"`},
		{"😀", "Positive", "punctuation and signs"},
		{"All done! 🎉 :)", "Positive", ""},
		{"**Great** news:\n\n- You *won*\n- We are happy", "Positive", ""},
		{"<p>It is a <b>disaster</b>.</p>", "Negative", `"disaster"`},
	} {
		r := evaluate(t, "sentiment", &evaluators.Case{Output: test.output})
		if r.Label != test.label {
			t.Errorf("%q: %s %.2f (%s), want %s", test.output, r.Label, r.Score, r.Explanation, test.label)
		}
		if test.why != "" && r.Explanation != test.why {
			t.Errorf("%q: explained by %s, want %s", test.output, r.Explanation, test.why)
		}
	}
}

func TestSentimentScoreIsOnTheRightSide(t *testing.T) {
	for output, in := range map[string][2]float64{
		"Wonderful, perfect, I love it!":     {0.8, 1},
		"Horrible, disgusting, I hate it!":   {0, 0.2},
		"The parcel weighs four kilograms.":  {0.5, 0.5},
		"Good. The parcel weighs four kilos": {0.55, 0.8},
	} {
		if r := evaluate(t, "sentiment", &evaluators.Case{Output: output}); r.Score < in[0] || r.Score > in[1] {
			t.Errorf("%q: score %v, want within %v", output, r.Score, in)
		}
	}
}

// A long text must not saturate just because it is long.
func TestSentimentDoesNotGrowWithLength(t *testing.T) {
	const s = "The path is easy and leads to a lake. "
	once := evaluate(t, "sentiment", &evaluators.Case{Output: s}).Score
	often := evaluate(t, "sentiment", &evaluators.Case{Output: strings.Repeat(s, 200)}).Score
	if d := often - once; d > 1e-9 || d < -1e-9 {
		t.Errorf("score %v once, %v two hundred times", once, often)
	}
}

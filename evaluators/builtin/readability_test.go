package builtin_test

import (
	"math"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
)

func TestReadability(t *testing.T) {
	easy := strings.Repeat("The cat sat on the mat. ", 6)
	for name, tt := range map[string]struct {
		output    string
		options   []string
		want, why string
	}{
		"easy":                {easy, nil, "Easy", "reading ease 116.1: 6.0 words a sentence, 1.00 syllables a word"},
		"standard":            {strings.Repeat("You can return the shoes to any of our local shops within thirty days of the delivery. ", 3), nil, "Standard", "17.0 words a sentence"},
		"difficult":           {strings.Repeat("Institutional considerations necessitate comprehensive organizational restructuring of the administration. ", 4), nil, "Difficult", "9.0 words a sentence"},
		"too short":           {"The cat sat on the mat.", nil, evaluators.SkipNeedsJudge, "6 words in sentences, too few"},
		"enough if asked":     {strings.Repeat("The cat sat on the mat. ", 4), []string{"min_words", "24"}, "Easy", ""},
		"lists are left out":  {easy + "\n- international administration\n- organization of considerations", nil, "Easy", "6.0 words"},
		"only a list":         {strings.Repeat("- a tent and a stove and the big red rope\n", 9), nil, evaluators.SkipNeedsJudge, "0 words"},
		"headings, numbers":   {"# Administration\n\n" + strings.Repeat("The cat sat on 12 mats in 2024. ", 6), nil, "Easy", "6.0 words"},
		"other language":      {answers["de"], nil, evaluators.SkipNeedsJudge, "not recognisably English"},
		"code":                {"```\n" + easy + "\n```", nil, evaluators.SkipNeedsJudge, ""},
		"5 MB reads its part": {strings.Repeat(easy, 5<<20/len(easy)), nil, "Easy", "6.0 words"},
	} {
		t.Run(name, func(t *testing.T) {
			verdict(t, ask(t, "readability", &evaluators.Case{Output: tt.output}, tt.options...), tt.want, tt.why)
		})
	}
	// 206.835 - 1.015*16 - 84.6*syllables, kept from 0 to 1.
	r := ask(t, "readability", &evaluators.Case{Output: strings.Repeat("You can return the red shoes to us or to a shop that is near your home. ", 3)})
	if want := (206.835 - 1.015*17 - 84.6*18.0/17) / 100; math.Abs(r.Score-min(want, 1)) > 1e-9 {
		t.Errorf("score %v, want %v (%s)", r.Score, want, r.Explanation)
	}
}

package builtin_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
)

func TestSimilarity(t *testing.T) {
	for name, tt := range map[string]struct {
		output, expected string
		f1, rouge        float64
	}{
		"same":              {"The tent is green.", "the tent is green", 1, 1},
		"nothing":           {"Green tents.", "Blue stoves", 0, 0},
		"articles":          {"The green tent", "a green tent", 1, 4.0 / 6},
		"turned round":      {"one two three four", "four three two one", 1, 2.0 / 8},
		"part":              {"one two three four", "one four", 2 * 2.0 / 6, 2 * 2.0 / 6},
		"repeated":          {"no no no no", "no", 2.0 / 5, 2.0 / 5},
		"accents count":     {"résumé", "resume", 0, 0},
		"case of all":       {"ÉTÉ", "été", 1, 1},
		"apostrophes":       {"Don’t go", "dont go", 1, 1},
		"numbers":           {"1,000.50 euro", "1000.50 euro", 0.5 * 2, 0.5 * 2},
		"Chinese by letter": {"三十天", "三百天", 2 * 2.0 / 6, 2 * 2.0 / 6},
		"not UTF-8":         {"x\xffb c", "b c", 2 * 2.0 / 5, 2 * 2.0 / 5},
	} {
		t.Run(name, func(t *testing.T) {
			c := &evaluators.Case{Output: tt.output, Expected: tt.expected}
			for metric, want := range map[string]float64{"token_f1": tt.f1, "rouge_l": tt.rouge} {
				r := ask(t, metric, c)
				if r.Outcome != evaluators.OutcomeScored || math.Abs(r.Score-want) > 1e-9 {
					t.Errorf("%s is %v (%s%s), want %v", metric, r.Score, r.Explanation, r.Reason, want)
				}
				if label := map[bool]string{true: "Similar", false: "Different"}[want >= 0.5]; r.Label != label {
					t.Errorf("%s of %v is %s", metric, want, r.Label)
				}
			}
		})
	}
	for _, metric := range []string{"token_f1", "rouge_l"} {
		verdict(t, ask(t, metric, &evaluators.Case{Output: "?!", Expected: "one"}), evaluators.SkipNeedsJudge, "no words to compare")
		long := &evaluators.Case{Output: "one", Expected: strings.Repeat("one ", 1<<16)}
		verdict(t, ask(t, metric, long), evaluators.SkipContentTruncated, "too long")
	}
	verdict(t, ask(t, "rouge_l", &evaluators.Case{Output: "a b x c", Expected: "a b c d"}), "Similar",
		"3 words in common in this order, of 4 in the output and 4 expected")
}

// The bit-parallel algorithm finds what the textbook's table finds.
func TestRougeLIsTheLongestCommonSubsequence(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("ada bob cyd dan eve")
	text := func() []string {
		out := make([]string, 1+random.IntN(200))
		for i := range out {
			out[i] = words[random.IntN(len(words))]
		}
		return out
	}
	for range 200 {
		a, b := text(), text()
		row := make([]int, len(b)+1)
		for _, x := range a {
			diagonal := 0
			for j, y := range b {
				above := row[j+1]
				if x == y {
					row[j+1] = diagonal + 1
				} else {
					row[j+1] = max(above, row[j])
				}
				diagonal = above
			}
		}
		want := 2 * float64(row[len(b)]) / float64(len(a)+len(b))
		c := &evaluators.Case{Output: strings.Join(a, " "), Expected: strings.Join(b, " ")}
		if r := ask(t, "rouge_l", c); math.Abs(r.Score-want) > 1e-12 {
			t.Fatalf("%d and %d words: %v, want %v", len(a), len(b), r.Score, want)
		}
	}
}

// A text of one word again and again once took seconds.
func TestRougeLOfHostileTextsIsBounded(t *testing.T) {
	const mib = 1 << 20
	for name, test := range map[string]struct {
		text, reason string
		bound        int
	}{
		"one word, at the default bound": {strings.Repeat("a ", builtin.DefaultMaxOutput/2), "", 0},
		"two words":                      {strings.Repeat("a b ", builtin.DefaultMaxOutput/4), "", 0},
		"5 MB":                           {strings.Repeat("a ", 5*mib/2), evaluators.SkipContentTruncated, 0},
		"5 MB that may be read":          {strings.Repeat("a ", 5*mib/2), evaluators.SkipContentTruncated, 5 * mib},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			r := evaluate(t, "rouge_l", &evaluators.Case{Output: test.text, Expected: test.text}, builtin.WithMaxOutput(test.bound))
			if r.Reason != test.reason || r.Outcome == evaluators.OutcomeScored && r.Score != 1 {
				t.Errorf("%s %s %v", r.Outcome, r.Reason, r.Score)
			}
			// Generous, for the race detector: it takes at most 0.2 s without.
			if d := time.Since(start); d > 5*time.Second {
				t.Errorf("took %v", d)
			} else {
				t.Log(d)
			}
		})
	}
}

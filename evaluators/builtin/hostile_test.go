package builtin_test

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
)

// check asks all metrics and holds every result to the contract.
func check(t *testing.T, c *evaluators.Case) {
	t.Helper()
	e := builtin.New()
	metrics := allMetrics(t)
	results := e.Evaluate(t.Context(), c, metrics)
	if len(results) != len(metrics) {
		t.Fatalf("%d results for %d metrics", len(results), len(metrics))
	}
	for i, r := range results {
		if r.Metric != metrics[i].Name {
			t.Errorf("result %d is of %s, want %s", i, r.Metric, metrics[i].Name)
		}
		switch r.Outcome {
		case evaluators.OutcomeScored:
			if math.IsNaN(r.Score) || r.Score < 0 || r.Score > 1 || r.Label == "" {
				t.Errorf("%s: score %v, label %q", r.Metric, r.Score, r.Label)
			}
		case evaluators.OutcomeSkipped:
			if r.Reason == "" {
				t.Errorf("%s: skipped without a reason", r.Metric)
			}
		default:
			t.Errorf("%s: %s %v", r.Metric, r.Outcome, r.Err)
		}
		if r.Explanation == "" || len(r.Explanation) > 500 || !utf8.ValidString(r.Explanation) {
			t.Errorf("%s: explanation %q", r.Metric, r.Explanation)
		}
	}
}

func TestHostileInputIsBounded(t *testing.T) {
	const mib = 1 << 20 / shrink
	for name, text := range map[string]string{
		"5 MB of prose":                  strings.Repeat("The tent is green and costs 40 dollars. ", 5*mib/40),
		"ten thousand sentences":         strings.Repeat("No. ", 10_000),
		"no spaces":                      strings.Repeat("x", mib),
		"no full stops":                  strings.Repeat("you idiot and 5 years ", mib/22),
		"single letters":                 strings.Repeat("f u c k ", mib/8),
		"full stops":                     strings.Repeat(".", mib),
		"open tags":                      strings.Repeat("<a", mib/2),
		"open brackets":                  strings.Repeat("[a](", mib/4),
		"backticks":                      strings.Repeat("` ``", mib/4),
		"backticks of a span's length":   "The table | " + strings.Repeat("`", 160) + " ends here.",
		"backticks over a span's length": "The table | " + strings.Repeat("`", 161) + " ends here.",
		"many backticks":                 "The table | " + strings.Repeat("`", 60_000) + " ends here.",
		"stars":                          strings.Repeat("a*b**c ", mib/7),
		"masked words":                   strings.Repeat("f*ck sh!t @ss ", mib/14),
		"quotes":                         strings.Repeat(`"'`, mib/2),
		"markers":                        strings.Repeat("> # 1. - ", mib/9),
		"pipes":                          strings.Repeat("| ", mib/2),
		"entities":                       strings.Repeat("&amp;&#x41;&bogus;", mib/18),
		"fences":                         strings.Repeat("```\n", mib/4),
		"digits":                         strings.Repeat("1,234.5 ", mib/8),
		"different numbers":              differentNumbers(),
		"times and fractions":            strings.Repeat("9:30 10:45 am a half of 3 in 4 ", mib/31),
		"digits apart":                   strings.Repeat("5 1 2 3 4 5 6 7 8 ", mib/18),
		"years":                          strings.Repeat("1999 and 2001 ", mib/14),
		"combining marks":                "a" + strings.Repeat("\u0301", mib/2),
		"right to left":                  strings.Repeat("שלום עולם. ", mib/20),
		"bidi controls":                  strings.Repeat("\u202ea\u202c ", mib/8),
		"emoji":                          strings.Repeat("😀👩‍👩‍👧‍👦 ", mib/30),
		"invalid UTF-8":                  strings.Repeat("a\xff\xc3 ", mib/4),
		"NUL":                            strings.Repeat("\x00", mib),
		"newlines":                       strings.Repeat("\r\n", mib/2),
		"words of numbers":               strings.Repeat("one hundred thousand million billion ", mib/36),
		"open JSON":                      strings.Repeat(`{"a":[`, mib/6),
		"nested JSON":                    strings.Repeat("[", 5000) + strings.Repeat("]", 5000),
		"big JSON":                       `{"a":[` + strings.Repeat("1,", mib) + "2]}",
		"at signs":                       strings.Repeat("a@b.c@", mib/6),
		"keys":                           strings.Repeat("sk-eyJghp_AKIA.SG.-----BEGIN ", mib/30),
		"account numbers":                strings.Repeat("DE89 4111-1111 ::1 +49 (0) ", mib/27),
		"Thai":                           strings.Repeat("สวัสดี", mib/18),
		"Hiragana and Han":               strings.Repeat("私は今日", mib/12),
		"I can't":                        strings.Repeat("I can't just just just ", mib/23),
		"but":                            strings.Repeat("good but bad ", mib/13),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			check(t, &evaluators.Case{Input: text, Output: text, System: text, Expected: text, Documents: documents(text, text)})
			check(t, &evaluators.Case{Input: "How much is a green tent in dollars?", Output: text, Documents: shop, Expected: "The tent is green and costs 40 dollars."})
			check(t, &evaluators.Case{Input: text, Output: "The tent is green and costs 40 dollars.", Documents: documents(text)})
			// Generous: it takes a tenth of a second, and more on a busy machine.
			if d := time.Since(start); d > 20*time.Second {
				t.Errorf("took %v", d)
			} else {
				t.Log(d)
			}
		})
	}
}

// Every unit is repeated without end, so that a text is one sentence or one word.
// Time must grow as the text does, and end with the deadline.
func TestRepeatedFiguresAreBoundedAndCancelled(t *testing.T) {
	const size = 256 << 10 / shrink
	short := "The tent is 6 metres long and costs 12 euros at 9:30 on 3 May."
	metrics := allMetrics(t)
	for _, unit := range []string{
		"1/2/", "1:2:", "-1-", "1–2–", "1.", "1,", "1e", "1x", "½", "1-", "1/", "1)", "1+", "1_", "#1", "~1", "(1)", "[1]", "1'2\"", "12:30", "v1.",
		"$", "%", "°", "1°", "$1", "1%", "$1/a/", "5 °C ", "XIV ", "XIV-", "I", "one two three ", "one-two-", "fifteenth-", "hundred-", "half-",
		"1 ", "1 000 ", "1 and 1 and ", "1 in ", "1 per ", "a-year-", "twice/", "Monday-", "Monday to ", "May-", "1990s-", "'98 ", "12h30 ", "12B ", "8-12 ",
	} {
		t.Run(unit, func(t *testing.T) {
			text := strings.Repeat(unit, size/len(unit))
			for _, c := range []*evaluators.Case{
				{Input: "How long is the tent?", Output: text, Documents: documents(short)},
				{Input: "How long is the tent?", Output: short, Documents: documents(text)},
				{Input: text, Output: short, Documents: documents(short)},
			} {
				start := time.Now()
				check(t, c)
				if d := time.Since(start); d > 10*time.Second {
					t.Errorf("took %v", d) // a fifth of a second
				}
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
				start = time.Now()
				builtin.New().Evaluate(ctx, c, metrics)
				if d := time.Since(start); d > 2*time.Second {
					t.Errorf("took %v after its deadline", d)
				}
				cancel()
			}
		})
	}
}

func differentNumbers() string {
	var b strings.Builder
	for i := range 100_000 / shrink {
		b.WriteString("it has ")
		for n := i*7919%99991 + 10; n > 0; n /= 10 {
			b.WriteByte(byte('0' + n%10))
		}
		b.WriteString(" days. ")
	}
	return b.String()
}

func TestTruncationIsTold(t *testing.T) {
	long := strings.Repeat("The tent is green. ", 10_000)
	for name, test := range map[string]struct {
		c         *evaluators.Case
		truncated map[string]bool
	}{
		"output": {
			&evaluators.Case{Input: "Is the tent green?", Output: long, Documents: documents("The tent is green.")},
			map[string]bool{"toxicity": true, "sentiment": true, "answer_relevancy": true, "faithfulness": true},
		},
		"question": {
			&evaluators.Case{Input: long, Output: "The tent is green.", Documents: documents("The tent is green.")},
			map[string]bool{"answer_relevancy": true},
		},
		"documents": {
			&evaluators.Case{Input: "Is the tent green?", Output: "The tent is green.", Documents: documents(long, long)},
			map[string]bool{"faithfulness": true},
		},
		"nothing": {
			&evaluators.Case{Input: "Is the tent green?", Output: "The tent is green.", Documents: documents("The tent is green.")},
			map[string]bool{},
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := builtin.New()
			for _, r := range e.Evaluate(t.Context(), test.c, e.Metrics()[:5]) {
				if got, _ := attribute(r, builtin.AttributeTruncated); (got == "true") != test.truncated[r.Metric] {
					t.Errorf("%s: %s=%q", r.Metric, builtin.AttributeTruncated, got)
				}
			}
		})
	}
}

func FuzzEvaluate(f *testing.F) {
	for _, seed := range [][3]string{
		{"How long can I return shoes?", "You can return shoes within 30 days [1].", "Shoes: 30 days, $1,000.50 or 2-4 kg."},
		{"", "f*ck y0u, i d i o t!", "\xff\x00"},
		{"Wer?", "<p>**bold** `code` [a](b) | c |</p>\n```\nx", "2018–19 at 9:30, 50% of 1.2.3 & GPT-4"},
		{"?", "\"' ’“”…", "one hundred and two thousand million"},
		{"1", "$", "%"},
		{"a", "1. (2) b) > # - ", "😀 שלום"},
		{"Wie heißt es?", "```json\n{\"a\": [1, 1e999, \"\\ud800\"]}\n```", "{"},
		{"i", "DE89 3704 0044 0532 0130 00, 4111-1111-1111-1111, a@b.de, +49 30 901820, 8.8.8.8 ::1 AKIA", "the The THE"},
		{"私", "I'm sorry, but I can't just help with that. ſK", "I’m"},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	f.Fuzz(func(t *testing.T, input, output, document string) {
		check(t, &evaluators.Case{Input: input, Output: output, Documents: documents(document), Expected: document})
	})
}

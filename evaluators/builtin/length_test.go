package builtin_test

import (
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
)

func TestLength(t *testing.T) {
	sentences := strings.Repeat("The tent is green. ", 5)
	for name, tt := range map[string]struct {
		output  string
		options []string
		want    string
		why     string
	}{
		"within":                {"One two three.", []string{"min", "3", "max", "3"}, "Within Limits", "3 words"},
		"too short":             {"One two three.", []string{"min", "4"}, "Too Short", "3 words, less than 4"},
		"too long":              {"One two three.", []string{"max", "2"}, "Too Long", "3 words, more than 2"},
		"one":                   {"Yes.", []string{"max", "5"}, "Within Limits", "1 word"},
		"inside words":          {"Don't re-enter: it's 1,000.5 km, state-of-the-art U.S. style", []string{"max", "0"}, "Too Long", "8 words"},
		"emoji are no words":    {"😀 👩‍👩‍👧 fine", []string{"max", "1"}, "Within Limits", "1 word"},
		"combining marks":       {"e\u0301te\u0301 हिन्दी", []string{"max", "1"}, "Too Long", "2 words"},
		"characters":            {"  a\u0301b😀\n", []string{"unit", "Characters", "max", "4"}, "Within Limits", "4 characters"},
		"characters, not UTF-8": {"a\xff\xfeb", []string{"unit", "characters", "max", "4"}, "Within Limits", "4 characters"},
		"sentences":             {sentences, []string{"unit", "sentences", "min", "6"}, "Too Short", "5 sentences"},
		"list items":            {"Take:\n- a tent\n- a stove\n\n```\nx.y()\n```\n", []string{"unit", "sentences", "max", "2"}, "Too Long", "3 sentences"},
		"only code":             {"```\nx := 1\n```", []string{"unit", "sentences", "max", "2"}, "Within Limits", "0 sentences"},
		"Chinese in words":      {"您可以在三十天内退货。", []string{"max", "5"}, evaluators.SkipNeedsJudge, "count characters"},
		"Chinese in sentences":  {"您可以退货。三十天内。", []string{"unit", "sentences", "max", "2"}, "Within Limits", "2 sentences"},
		"right to left":         {"שלום עולם.", []string{"max", "2"}, "Within Limits", "2 words"},
		"5 MB of words":         {strings.Repeat("word ", 1<<20), []string{"max", "400"}, "Too Long", "1048576 words"},
	} {
		t.Run(name, func(t *testing.T) {
			verdict(t, ask(t, "length", &evaluators.Case{Output: tt.output}, tt.options...), tt.want, tt.why)
		})
	}
}

// Sentences are counted in the part that is read.
func TestSentencesOfALongOutput(t *testing.T) {
	c := &evaluators.Case{Output: strings.Repeat("The tent is green. ", 20_000)}
	verdict(t, ask(t, "length", c, "unit", "sentences", "max", "10"), "Too Long", "at least 3")
	verdict(t, ask(t, "length", c, "unit", "sentences", "max", "1000000"), evaluators.SkipContentTruncated, "too long")
	verdict(t, ask(t, "length", c, "unit", "sentences", "min", "1000000"), evaluators.SkipContentTruncated, "too long")
	r := ask(t, "length", c, "unit", "sentences", "min", "10")
	verdict(t, r, "Within Limits", "at least 3")
	if got, _ := attribute(r, builtin.AttributeTruncated); got != "true" {
		t.Error("it is not said that a part was read")
	}
}

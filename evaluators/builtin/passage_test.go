package builtin

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestSentences(t *testing.T) {
	for text, want := range map[string][]string{
		"One. Two! Three? Four":                              {"One.", "Two!", "Three?", "Four"},
		"Dr. Miller paid 3.50 dollars. He left at 5 p.m. ok": {"Dr. Miller paid 3.50 dollars.", "He left at 5 p.m. ok"},
		"We sell e.g. tents, mats etc. They are light.":      {"We sell e.g. tents, mats etc.", "They are light."},
		"J. K. Rowling wrote it. I did not.":                 {"J. K. Rowling wrote it.", "I did not."},
		"Wait... what? Yes.":                                 {"Wait... what?", "Yes."},
		`He said "no." Then he left.`:                        {`He said "no."`, "Then he left."},
		"# Title\n\n- one\n- two\n\n3) three":                {"Title", "one", "two", "three"},
		"> **Bold** and _slanted_ with `code()` in":          {"Bold and slanted with in"},
		"See [the page](https://example.com/a_b) now.":       {"See the page now."},
		"See https://example.com/x?y=1. Then [1] go.":        {"See .", "Then go."},
		"| a | b |\n|---|---|\n| c | d |":                    {"a", "b", "c", "d"},
		"<p>Hello <b>there</b></p><p>You &amp; me</p>":       {"Hello there", "You & me"},
		"a < b and 3 > 2":                                    {"a < b and 3 > 2"},
		"This line is long enough to have been wrapped right at\nthe margin of a mail. Next.": {
			"This line is long enough to have been wrapped right at the margin of a mail.", "Next.",
		},
		"It ends here.Next one begins.":    {"It ends here.", "Next one begins."},
		"Ｆｕｌｌ ｗｉｄｔｈ":                       {"Full width"},
		"in\u00advis\u200bible\u202e bidi": {"invisible bidi"},
		"f*ck and snake_case stay":         {"f*ck and snake_case stay"},
		"bad \xff\xfe bytes":               {"bad bytes"},
	} {
		p := read(text, 1<<20)
		var got []string
		for _, s := range p.sentences {
			got = append(got, s.text)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestLongSentencesAreCut(t *testing.T) {
	p := read(strings.Repeat("word ", 10_000), 1<<20)
	if len(p.sentences) < 20 {
		t.Fatalf("%d sentences", len(p.sentences))
	}
	for _, s := range p.sentences {
		if len(s.text) > longestSentence+10 {
			t.Fatalf("a sentence of %d bytes", len(s.text))
		}
	}
	if p.words != 10_000 {
		t.Errorf("%d words, want all", p.words)
	}
}

func TestClipKeepsRunesWhole(t *testing.T) {
	for limit := range 12 {
		got, cut := clip("日本語x", limit)
		if !utf8.ValidString(got) || len(got) > limit || cut != (limit < 10) {
			t.Errorf("clip at %d: %q, %v", limit, got, cut)
		}
	}
}

func TestStem(t *testing.T) {
	for _, same := range [][]string{
		{"return", "returns", "returned", "returning"},
		{"shoe", "shoes"},
		{"expire", "expires", "expired", "expiration"},
		{"ship", "ships", "shipping", "shipped"},
		{"policy", "policies"},
		{"deliver", "delivery", "delivered"},
		{"pay", "pays", "payment", "payments"},
		{"glass", "glasses"},
	} {
		for _, w := range same[1:] {
			if stem(w) != stem(same[0]) {
				t.Errorf("stem(%s) = %s, stem(%s) = %s", w, stem(w), same[0], stem(same[0]))
			}
		}
	}
	for _, pair := range [][2]string{{"warranty", "warrior"}, {"tent", "tend"}, {"cat", "car"}} {
		if stem(pair[0]) == stem(pair[1]) {
			t.Errorf("%s and %s have the stem %s", pair[0], pair[1], stem(pair[0]))
		}
	}
}

func TestQuoteIsSafeToShow(t *testing.T) {
	got := quote("a\x1b[31m \"b\"\u202e " + strings.Repeat("long ", 50))
	if strings.ContainsAny(got, "\x1b\u202e") || len(got) > 80 || strings.Count(got, `"`) != 2 {
		t.Errorf("got %q", got)
	}
}

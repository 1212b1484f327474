package encoder

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators/builtin/encoder/internal/layout"
)

// texts are the pieces by their texts.
func (v *vocabulary) texts(ids []uint16) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = v.pieces[id].Text
	}
	return out
}

func TestCut(t *testing.T) {
	v := sharedModel(t).vocabulary
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"nothing":                  {"", []string{}},
		"white space":              {" \n\u00a0", []string{}},
		"words":                    {"the cat", []string{"▁the", "▁cat"}},
		"white space is one space": {"\n the \t\r\n cat ", []string{"▁the", "▁cat"}},
		"no-break space":           {"the\u00a0cat", []string{"▁the", "▁cat"}},
		"compatibility forms":      {"ｔｈｅ cat", []string{"▁the", "▁cat"}},
		"an unknown run is one":    {"the 😀😀😀 cat", []string{"▁the", "▁", "�", "▁cat"}},
		"unknown runs apart":       {"😀 😀", []string{"▁", "�", "▁", "�"}},
		"invalid UTF-8":            {"the \xff\xfe cat", []string{"▁the", "▁", "�", "▁cat"}},
		"reserved are text":        {"<s>", []string{"▁<", "s", ">"}},
	} {
		t.Run(name, func(t *testing.T) {
			var tokens tokens
			if diff := cmp.Diff(test.want, v.texts(v.cut(test.text, &tokens))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A toy vocabulary, in which the best way is not the greedy one, and ties are.
func TestCutTakesTheMostProbable(t *testing.T) {
	f := layout.File{Vocabulary: make([]layout.Piece, layout.Reserved)}
	f.Vocabulary = append(f.Vocabulary, []layout.Piece{
		{Text: "▁", Score: -1}, {Text: "a", Score: -2}, {Text: "b", Score: -2}, {Text: "c", Score: -2},
		{Text: "ab", Score: -3}, {Text: "bc", Score: -1.5}, {Text: "▁ab", Score: -5}, {Text: "▁cc", Score: -5},
	}...)
	v := newVocabulary(f)
	for text, want := range map[string][]string{
		"abc": {"▁", "a", "bc"}, // -4.5; ▁ab c is -7
		"ab":  {"▁", "ab"},      // -4; ▁ab is -5
		"cc":  {"▁", "c", "c"},  // -5, as ▁cc: the later
	} {
		var tokens tokens
		if diff := cmp.Diff(want, v.texts(v.cut(text, &tokens))); diff != "" {
			t.Errorf("%q, -want +got:\n%s", text, diff)
		}
	}
}

// Sixteen times the text takes about sixteen times as long; a square law would
// take 256 times. The bound between leaves room for a busy machine.
func TestCutIsLinear(t *testing.T) {
	v := sharedModel(t).vocabulary
	var tokens tokens
	cost := func(n int) time.Duration {
		text := strings.Repeat("antidisestablishment ", n)
		best := time.Hour
		for range 3 {
			start := time.Now()
			v.cut(text, &tokens)
			best = min(best, time.Since(start))
		}
		return best
	}
	small, large := cost(1000), cost(16_000)
	if large > 80*small {
		t.Errorf("%v, and %v for sixteen times the text", small, large)
	}
}

func FuzzCut(f *testing.F) {
	for _, seed := range []string{"", "the cat", "ﬁ\u0301\u2581", "\xff\xc3(", ":://:)", "😀 a😀", "\ufdfa\n<s>"} {
		f.Add(seed)
	}
	v := sharedModel(f).vocabulary
	f.Fuzz(func(t *testing.T, text string) {
		var tokens tokens
		ids := v.cut(text, &tokens)
		characters := 0
		for i, id := range ids {
			if int(id) >= len(v.pieces) || id != unknown && id < layout.Reserved {
				t.Fatalf("piece %d is %d", i, id)
			}
			if id == unknown && i > 0 && ids[i-1] == unknown {
				t.Fatalf("two unknown pieces at %d", i)
			}
			characters += utf8.RuneCountInString(v.pieces[id].Text)
		}
		if n := len(tokens.starts) - 1; characters > n || (n > 0) != (len(ids) > 0) {
			t.Fatalf("%d pieces of %d characters for %d characters", len(ids), characters, n)
		}
		// What is known is kept: without unknown pieces they spell the text.
		if spelled := strings.Join(v.texts(ids), ""); characters == len(tokens.starts)-1 && !strings.ContainsRune(spelled, utf8.RuneError) && spelled != string(tokens.text) {
			t.Fatalf("%q spells %q", tokens.text, spelled)
		}
	})
}

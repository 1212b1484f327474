package judge

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
)

// FuzzRenderDocument makes long texts of short ones, which the fuzzer can change
// faster.
func FuzzRenderDocument(f *testing.F) {
	f.Add("Grüße ", "\"\n", "返品", "\xff", 70, 1200)
	f.Add("x", "👩‍👩‍👧", "\u202e", "[… 5 bytes left out …]", 60, 2000)
	f.Fuzz(func(t *testing.T, output, input, doc, turn string, n, room int) {
		n, room = max(0, n%100), minRoom+max(0, room%(64<<10))
		c := &evaluators.Case{Output: strings.Repeat(output, n), Input: strings.Repeat(input, n), System: output, Expected: input}
		for i := range n {
			c.Documents = append(c.Documents, instrumentation.Document{Text: strings.Repeat(doc, i)})
			c.History = append(c.History, evaluators.Turn{Role: "user", Text: strings.Repeat(turn, i+1)})
		}
		d, cut := render(t, c, room)
		checkPiece(t, c.Output, d.Output)
		checkPiece(t, c.Input, d.Input)
		checkPiece(t, c.System, d.System)
		checkPiece(t, c.Expected, d.Expected)
		if cut != 0 {
			return
		}
		want := document{Output: asRead(c.Output), Input: asRead(c.Input), System: asRead(output), Expected: asRead(input)}
		for i := range n {
			if text := c.Documents[i].Text; !evaluators.Blank(text) {
				want.Documents = append(want.Documents, asRead(text))
			}
			want.History = append(want.History, evaluators.Turn{Role: "user", Text: asRead(c.History[i].Text)})
		}
		if diff := cmp.Diff(want, d); diff != "" {
			t.Errorf("nothing is cut, but (-want +got):\n%s", diff)
		}
	})
}

// checkPiece fails unless what is shown of a text is all of it, or begins and
// ends like it.
func checkPiece(t *testing.T, text, shown string) {
	t.Helper()
	text = asRead(text)
	if shown == text || shown == "" {
		return
	}
	for at, marks := range []byte(shown) {
		if marks != '[' {
			continue
		}
		_, tail, marked := strings.Cut(shown[at:], " bytes left out …]")
		if marked && strings.HasPrefix(text, shown[:at]) && strings.HasSuffix(text, tail) {
			return
		}
	}
	t.Errorf("%q neither is %q nor a beginning and an end of it", shown, text)
}

// asRead is a text as it comes back from JSON, which takes each byte that is not
// UTF-8 for a character of its own.
func asRead(text string) string { return string([]rune(text)) }

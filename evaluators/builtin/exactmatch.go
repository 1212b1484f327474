package builtin

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/genaievals/genaievals/evaluators"
)

const (
	labelMatch   = "Match"
	labelNoMatch = "No Match"
)

// prepareExactMatch reads what does not count in a comparison. Both texts are
// compared to their end: that is linear.
func prepareExactMatch(s *settings) judging {
	w := walker{
		ignoreCase: s.yes("ignore_case"), ignoreBlanks: s.yes("ignore_blanks"), ignorePunctuation: s.yes("ignore_punctuation"),
	}
	return func(ctx context.Context, s *subject) (evaluators.Result, error) {
		got, want := w, w
		got.text, want.text = trimBlanks(s.c.Output), trimBlanks(s.c.Expected)
		for n := 1; ; n++ {
			if n&(16<<10-1) == 0 {
				if err := ctx.Err(); err != nil {
					return evaluators.Result{}, err
				}
			}
			atGot, atWant := got.rest(), want.rest()
			a, b := got.next(), want.next()
			switch {
			case a == end && b == end:
				return evaluators.Scored("", 1, labelMatch, "the expected output"), nil
			case a == b:
				continue
			}
			why := fmt.Sprintf("differs at character %d: %s, expected %s", n, excerpt(atGot), excerpt(atWant))
			return evaluators.Scored("", 0, labelNoMatch, why), nil
		}
	}
}

// walker reads a text rune by rune and leaves out what does not count.
type walker struct {
	text                                        string
	pos                                         int
	gap                                         bool // a run of blanks has been read
	begun                                       bool // something else has
	ignoreCase, ignoreBlanks, ignorePunctuation bool
}

// end is what comes behind the last rune.
const end rune = -2

func (w *walker) rest() string { return w.text[w.pos:] }

// next returns the next rune that counts. A line break is one rune, however it
// is written. A byte that is not UTF-8 is none of the runes there are, so that
// it equals itself only.
func (w *walker) next() rune {
	for w.pos < len(w.text) {
		r, n := utf8.DecodeRuneInString(w.text[w.pos:])
		if r == utf8.RuneError && n == 1 {
			r = unicode.MaxRune + 1 + rune(w.text[w.pos])
		}
		if r == '\r' && strings.HasPrefix(w.text[w.pos:], "\r\n") {
			r, n = '\n', 2
		}
		w.pos += n
		switch {
		case w.ignorePunctuation && unicode.Is(unicode.P, r):
			continue
		case w.ignoreBlanks && unicode.IsSpace(r):
			w.gap = w.begun
			continue
		}
		if w.gap {
			w.gap = false
			w.pos -= n
			return ' '
		}
		w.begun = true
		if w.ignoreCase {
			r = foldCase(r)
		}
		return r
	}
	return end
}

// foldCase returns the same rune for all that differ by case only.
func foldCase(r rune) rune {
	if r < 0x80 {
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	return foldASCII(least)
}

// foldASCII: K (the sign for kelvin) and ſ fold to letters of ASCII.
func foldASCII(r rune) rune {
	if r >= 'A' && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return r
}

// excerpt quotes the beginning of what is left of a text.
func excerpt(rest string) string {
	const most = 30
	if rest == "" {
		return "the end"
	}
	if r, _ := utf8.DecodeRuneInString(rest); evaluators.Blank(string(r)) {
		return "a blank"
	}
	short, cut := clip(rest, most)
	if cut {
		short += "…"
	}
	return quote(short)
}

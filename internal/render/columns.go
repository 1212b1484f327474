package render

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Columns is how many columns of a terminal a text takes: two for wide characters
// such as Chinese ones and most emoji, none for marks on others.
func Columns(text string) int {
	n := 0
	for _, c := range text {
		n += columns(c)
	}
	return n
}

func columns(c rune) int {
	switch {
	case c < utf8.RuneSelf:
		return 1
	case unicode.In(c, unicode.Mn, unicode.Me):
		return 0
	}
	switch width.LookupRune(c).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// Cut is plain text for a cell, of so many columns at most.
func Cut(text string, most int) string {
	text = Plain(text)
	if Columns(text) <= most {
		return text
	}
	return text[:fitting(text, most-1)] + "…"
}

// Shorten is [Cut] of a text with its white space made single blanks.
func Shorten(text string, most int) string {
	return Cut(strings.Join(strings.Fields(text), " "), most)
}

// fitting is how many bytes of a text fit so many columns.
func fitting(text string, most int) int {
	for i, c := range text {
		if most -= columns(c); most < 0 {
			return i
		}
	}
	return len(text)
}

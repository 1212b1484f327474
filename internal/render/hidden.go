package render

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// hidden reports whether a character is obeyed rather than shown, or is none:
// control characters, those that change the direction of writing, private ones.
func hidden(c rune) bool {
	return !unicode.IsGraphic(c) || c == utf8.RuneError
}

// Plain is a text on one line, with a dot for each character that a terminal would
// obey.
func Plain(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c):
			return ' '
		case hidden(c):
			return '·'
		}
		return c
	}, text)
}

// Visible shows what could hide in a text by its number, such as [U+202E]. Line
// breaks and tabs stay.
func Visible(text string) string {
	if strings.IndexFunc(text, hidden) < 0 {
		return text
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	var b strings.Builder
	for _, c := range text {
		if hidden(c) && c != '\n' && c != '\t' {
			fmt.Fprintf(&b, "[U+%04X]", c)
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// Clip cuts a text to so many bytes, at a character's border, and copies it, so
// that what is kept does not keep the whole text.
func Clip(text string, size int) string {
	if len(text) <= size {
		return strings.Clone(text)
	}
	const mark = "…"
	end := size - len(mark)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + mark
}

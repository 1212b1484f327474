package builtin

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestSentence is where a text without full stops is cut, in bytes, one
// without blanks at twice that. It bounds what the rules that look around inside
// a sentence cost.
const longestSentence = 2 << 10

// splitSentences cuts a block at its full stops, question and exclamation
// marks. Abbreviations, initials, decimals and an ellipsis that goes on in
// lower case do not end a sentence.
func splitSentences(text string) []string {
	var out []string
	start := 0
	add := func(end int) {
		if s := strings.TrimSpace(text[start:end]); s != "" {
			out = append(out, s)
		}
		start = end
	}
	for i := 0; i < len(text); {
		c := text[i]
		if c >= 0x80 {
			r, n := utf8.DecodeRuneInString(text[i:])
			i += n
			if r == '。' || r == '！' || r == '？' || r == '؟' || overlong(r, i-start) {
				add(i)
			}
			continue
		}
		if c != '.' && c != '!' && c != '?' {
			if i++; c == ' ' && i-start >= longestSentence || overlong(rune(c), i-start) {
				add(i)
			}
			continue
		}
		stop := i
		for i < len(text) && (text[i] == '.' || text[i] == '!' || text[i] == '?') {
			i++
		}
		for i < len(text) && (text[i] == '"' || text[i] == '\'' || text[i] == ')') {
			i++
		}
		if i >= len(text) {
			break
		}
		if text[i] == ' ' && ends(text, stop, i) || i == stop+1 && runOn(text, stop) {
			add(i)
		}
	}
	add(len(text))
	return out
}

// overlong: a sentence of that length without a blank is cut behind the sign,
// which stands between words. What can hold the parts of a number together is
// none: half a number is another one.
func overlong(sign rune, length int) bool {
	return length >= 2*longestSentence && !strings.ContainsRune(",'’", sign) && !unicode.IsLetter(sign) && !unicode.IsDigit(sign) && !unicode.IsMark(sign)
}

// ends reports whether the mark at stop, followed by a space at next, ends the
// sentence.
func ends(text string, stop, next int) bool {
	if text[stop] != '.' {
		return true
	}
	after := text[next+1:]
	if after == "" {
		return true
	}
	lower := after[0] >= 'a' && after[0] <= 'z'
	if strings.HasPrefix(text[stop:], "..") {
		return !lower
	}
	begin := stop
	for begin > 0 && (isLetter(text[begin-1]) || text[begin-1] == '.') {
		begin--
	}
	before := strings.ToLower(text[begin:stop])
	switch {
	case len(before) == 1: // an initial, unless it is the pronoun
		return before == "i"
	case before == "no":
		return !isDigit(after[0])
	case abbreviations[before]:
		return false
	case endingAbbreviations[before]:
		return !lower && !isDigit(after[0])
	}
	return true
}

// runOn: the space behind the full stop is missing, as where texts were put
// together: "in the city.Dr Smith".
func runOn(text string, stop int) bool {
	return text[stop] == '.' && stop >= 3 && stop+2 < len(text) &&
		lowerByte(text[stop-1]) && lowerByte(text[stop-2]) && lowerByte(text[stop-3]) &&
		text[stop+1] >= 'A' && text[stop+1] <= 'Z' && (lowerByte(text[stop+2]) || text[stop+2] == ' ')
}

func lowerByte(c byte) bool { return c >= 'a' && c <= 'z' }

// abbreviations never end a sentence; endingAbbreviations do before a capital.
var (
	abbreviations = set(`mr mrs ms dr prof sr jr st vs e.g i.e eg ie cf fig figs vol pp approx dept gen col sgt capt lt rev hon gov sen rep mt ft`)

	endingAbbreviations = set(`etc inc ltd co corp u.s u.k u.n e.u a.m p.m am pm ph.d b.c a.d jan feb mar apr jun jul aug sep sept oct nov dec est`)
)

// set makes a set of the words in a string.
func set(words string) map[string]bool {
	m := make(map[string]bool)
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

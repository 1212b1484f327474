package builtin

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// word is one word or number of a sentence.
type word struct {
	text string // lower case, without accents
	stem string
	// start and end are its place in the sentence's text.
	start, end int
	capital    bool // begins with a capital
}

// digits reports whether the word begins with a digit.
func (w word) digits() bool { return isDigit(w.text[0]) }

// splitWords finds the words of a sentence. Apostrophes stay inside a word,
// points and commas inside a number; hyphens and slashes separate.
func splitWords(text string) []word {
	var out []word
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			i += n
			continue
		}
		start := i
		for i < len(text) {
			r, n := utf8.DecodeRuneInString(text[i:])
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !joins(text, i) {
				break
			}
			i += n
		}
		first, _ := utf8.DecodeRuneInString(text[start:])
		w := word{text: fold(text[start:i]), start: start, end: i, capital: unicode.IsUpper(first)}
		if w.text == "" {
			continue
		}
		w.stem = stem(w.text)
		out = append(out, w)
	}
	return out
}

// joins reports whether the byte at i holds two parts of a word together.
func joins(text string, i int) bool {
	if i == 0 || i+1 >= len(text) {
		return false
	}
	switch text[i] {
	case '\'':
		return wordByte(text[i-1]) && isLetter(text[i+1])
	case '.', ',':
		return isDigit(text[i-1]) && isDigit(text[i+1])
	}
	return false
}

// fold lowers a word and takes its accents away.
func fold(s string) string {
	ascii := true
	lower := true
	for i := 0; i < len(s); i++ {
		ascii = ascii && s[i] < 0x80
		lower = lower && (s[i] < 'A' || s[i] > 'Z')
	}
	if ascii {
		if lower {
			return s
		}
		return strings.ToLower(s)
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsMark(r) {
			return -1
		}
		r = unicode.ToLower(r)
		if base, ok := accents[r]; ok {
			return base
		}
		return r
	}, s)
}

var accents = func() map[rune]rune {
	m := make(map[rune]rune)
	for _, group := range [...]string{"aàáâãäåāăąǎ", "cçćĉċč", "dďđð", "eèéêëēĕėęě", "gĝğġģ", "hĥħ", "iìíîïĩīĭįı", "jĵ", "kķ", "lĺļľł", "nñńņňŋ", "oòóôõöøōŏő", "rŕŗř", "sśŝşšș", "tţťŧț", "uùúûüũūŭůűų", "wŵ", "yýÿŷ", "zźżž"} {
		rs := []rune(group)
		for _, r := range rs[1:] {
			m[r] = rs[0]
		}
	}
	return m
}()

// stem makes inflected and derived forms of a word equal: it takes the usual
// endings away and keeps six letters. That is coarse on purpose. Two words
// that are wrongly the same make a rule silent; two that are wrongly different
// make it accuse.
func stem(w string) string {
	w = strings.TrimSuffix(strings.TrimSuffix(w, "'"), "'s")
	if isDigit(w[0]) {
		return strings.ReplaceAll(w, ",", "")
	}
	if len(w) <= 3 {
		return w
	}
	for _, e := range [...]struct{ end, put string }{
		{"ations", ""}, {"ation", ""}, {"ments", ""}, {"ment", ""}, {"ies", "y"}, {"ied", "y"}, {"ing", ""}, {"edly", ""}, {"ed", ""}, {"ly", ""}, {"es", ""}, {"s", ""},
	} {
		if base, ok := strings.CutSuffix(w, e.end); ok && len(base) >= 3 && !strings.HasSuffix(w, "ss") {
			w = base + e.put
			break
		}
	}
	if n := len(w); n > 4 && w[n-1] == w[n-2] && w[n-1] != 's' && w[n-1] != 'l' && w[n-1] != 'e' {
		w = w[:n-1] // stopp(ed)
	}
	if len(w) > 3 && (strings.HasSuffix(w, "e") || strings.HasSuffix(w, "y")) {
		w = w[:len(w)-1]
	}
	const letters = 6
	if len(w) > letters {
		w, _ = clip(w, letters)
	}
	return w
}

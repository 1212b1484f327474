package builtin

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// passage is a text made ready for judging: valid UTF-8, cut to the bound,
// without markup, code and addresses, split into sentences and words.
type passage struct {
	sentences []sentence
	words     int
	// cut: the text was longer than the bound.
	cut bool
	// code: more code or data than prose.
	code bool
	// foreign: not English, or not recognisably so.
	foreign bool
}

// sentence is one sentence, list item, heading or table cell.
type sentence struct {
	text  string
	words []word
	// item: it stood behind a list marker or in a table.
	item bool
}

// question reports whether the sentence asks.
func (s sentence) question() bool {
	return strings.HasSuffix(strings.TrimRight(s.text, `"') `), "?")
}

// unreadable says why no rule can judge the passage, or nothing.
func (p *passage) unreadable() string {
	switch {
	case p.code:
		return "mostly code or data"
	case p.foreign:
		return "not recognisably English"
	case p.words == 0:
		return "no words"
	}
	return ""
}

// read prepares a text of which at most limit bytes are looked at.
func read(text string, limit int) passage {
	var p passage
	text, p.cut = clipWords(text, limit)
	blocks, code := plain(text)
	prose, signs := 0, 0
	for _, b := range blocks {
		prose += len(b.text)
		signs += codeSigns(b.text)
		for _, t := range splitSentences(b.text) {
			s := sentence{text: t, words: splitWords(t), item: b.item}
			p.words += len(s.words)
			if n := len(p.sentences); len(s.words) > 0 || n == 0 {
				p.sentences = append(p.sentences, s)
			} else if last := &p.sentences[n-1]; emotes(t) && len(last.text) < 1<<10 {
				last.text += " " + t // an emoji behind the full stop
			}
		}
	}
	if n := len(p.sentences) - 1; p.cut && n > 0 {
		// The last one broke off: what it says may hang on the rest.
		p.words -= len(p.sentences[n].words)
		p.sentences = p.sentences[:n]
	}
	p.code = code > prose || signs*25 > prose || shortProgram(text)
	p.foreign = foreign(p)
	return p
}

// emotes reports whether a text without words may be an emoji or emoticon.
func emotes(t string) bool {
	return len(t) <= 16 && (t[0] >= 0x80 || t[0] == ':' || t[0] == ';')
}

// clip cuts a text to at most limit bytes, between two runes.
func clip(text string, limit int) (string, bool) {
	if len(text) <= limit {
		return text, false
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit], true
}

// clipWords is clip between two words: half a word, or half a number, is
// another one.
func clipWords(text string, limit int) (string, bool) {
	const longest = 256
	short, cut := clip(text, limit)
	if !cut {
		return text, false
	}
	if rest, _ := utf8.DecodeRuneInString(text[len(short):]); unicode.IsSpace(rest) {
		return short, true
	}
	if i := strings.LastIndexAny(short, " \t\r\n"); i >= len(short)-longest && i > 0 {
		return short[:i], true
	}
	return short, true
}

// shortProgram reports whether a text of a few lines has one that only a program
// or a command has: one that opens a block, or one with a long option.
func shortProgram(text string) bool {
	const most = 400
	if len(text) > most {
		return false
	}
	for l := range strings.Lines(text) {
		l = strings.TrimSpace(l)
		if strings.HasSuffix(l, "):") && strings.Contains(l, "(") && !strings.Contains(l, " (") {
			return true
		}
		if _, flag, ok := strings.Cut(l, " --"); ok && flag != "" && isLetter(flag[0]) && startsLower(l) {
			return true
		}
	}
	return false
}

// codeSigns counts the characters that code and data are full of and prose
// hardly has: one in twenty-five makes a text code.
func codeSigns(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if i > 0 && s[i] == s[i-1] {
			continue // a line drawn
		}
		switch s[i] {
		case ';':
			if i+1 == len(s) || !strings.ContainsRune(")(-DPp", rune(s[i+1])) { // an emoticon
				n++
			}
		case '<':
			if i+1 == len(s) || s[i+1] != '3' { // a heart
				n++
			}
		case '{', '}', '[', ']', '>', '=', '|', '\\', '_', '^', '~':
			n++
		}
	}
	return n
}

// shownBytes is how much of a text is quoted.
const shownBytes = 60

// quote returns a text of the case in quotation marks, as evidence: short, on
// one line, without control characters.
func quote(text string) string {
	const most = shownBytes
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '"':
			return '\''
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, text)
	text = strings.TrimSpace(text)
	if short, cut := clip(text, most); cut {
		if i := strings.LastIndexByte(short, ' '); i > most/2 {
			short = short[:i]
		}
		text = short + "…"
	}
	return `"` + text + `"`
}

// around returns the part of a text from shortly before what, for quoting.
func around(text, what string) string {
	const before = 30
	i := strings.Index(text, what)
	if i <= before || len(text) <= shownBytes {
		return text
	}
	if space := strings.IndexByte(text[i-before:], ' '); space >= 0 && space < before {
		return "…" + text[i-before+space+1:]
	}
	return text
}

// quoteAll quotes the first few of some texts.
func quoteAll(texts []string) string {
	const most = 3
	var b strings.Builder
	for i, t := range texts {
		if i == most {
			b.WriteString(" …")
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(quote(t))
	}
	return b.String()
}

// Sentences returns the sentences of a text as the metrics see them: without
// markup, code and addresses, list items and table cells apart. It reads
// [DefaultMaxOutput] bytes. It is for who trains or measures a [Model].
func Sentences(text string) []string {
	p := read(text, DefaultMaxOutput)
	out := make([]string, 0, len(p.sentences))
	for _, s := range p.sentences {
		if len(s.words) > 0 {
			out = append(out, s.text)
		}
	}
	return out
}

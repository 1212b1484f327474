package builtin

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a word as the rules of toxicity see it: disguises taken off.
type token struct {
	text       string
	start, end int // in the sentence's text
	quoted     bool
	capital    bool
	upper      bool // all capitals
	pause      bool // a comma or the like stands before it
}

// sequence is the tokens of a sentence.
type sequence []token

// tokens splits a sentence at its gaps, so that the signs inside a word which
// hide letters (f*ck, 1diot) stay.
func tokens(s sentence) sequence {
	var ts sequence
	inQuotes, inSingle, pause := false, false, false
	text := s.text
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"':
			inQuotes = !inQuotes
			i++
			continue
		case c == '\'':
			inSingle = inSingle || opensQuote(text, i)
			i++
			continue
		case c == ' ', c == '/', c == '-':
			i++
			continue
		case !wordByte(c) && !disguising(c) || c >= 0x80 && !letterAt(text, i):
			pause = true
			_, n := utf8.DecodeRuneInString(text[i:])
			i += n
			continue
		}
		start := i
		for i < len(text) && tokenByte(text, i) {
			i++
		}
		if raw := strings.Trim(text[start:i], "#!'&%"); raw != "" {
			start += strings.Index(text[start:i], raw)
			t := token{start: start, end: start + len(raw), quoted: inQuotes || inSingle, pause: pause}
			first, _ := utf8.DecodeRuneInString(raw)
			t.capital = unicode.IsUpper(first)
			t.upper = len(raw) > 1 && raw == strings.ToUpper(raw) && t.capital
			t.text = unmask(raw)
			ts = append(ts, t)
			pause = t.end < i
		}
		inSingle = inSingle && text[i-1] != '\'' // which ends a quotation, or a plural's possessive
	}
	return join(ts)
}

// tokenByte reports whether the byte at i goes on with the word.
func tokenByte(text string, i int) bool {
	switch c := text[i]; {
	case c >= 0x80:
		return letterAt(text, i) || !utf8.RuneStart(c)
	case c == '\'', c == '!', c == '$', c == '@':
		return true
	case c == '.', c == '-':
		return false
	default:
		return wordByte(c) || disguising(c)
	}
}

func letterAt(text string, i int) bool {
	r, _ := utf8.DecodeRuneInString(text[i:])
	return unicode.IsLetter(r) || unicode.IsMark(r)
}

// opensQuote reports whether the single quotation mark at i stands before a word
// and another one behind a later word.
func opensQuote(text string, i int) bool {
	if i > 0 && text[i-1] != ' ' && text[i-1] != '(' || i+1 >= len(text) || !wordByte(text[i+1]) {
		return false
	}
	for j := i + 2; j < len(text); j++ {
		if text[j] == '\'' && (j+1 == len(text) || !wordByte(text[j+1])) {
			return true
		}
	}
	return false
}

// join puts letters together that stand alone: f u c k.
func join(ts sequence) sequence {
	const shortest, longest = 4, 12
	out := ts[:0:0]
next:
	for i := 0; i < len(ts); i++ {
		var b strings.Builder
		for n := i; n < len(ts) && n < i+longest && len(ts[n].text) == 1 && (n == i || ts[n].start <= ts[n-1].end+1); n++ {
			b.WriteString(ts[n].text)
			if n-i+1 >= shortest && vocabulary[b.String()] {
				t := ts[i]
				t.text, t.end = b.String(), ts[n].end
				out = append(out, t)
				i = n
				continue next
			}
		}
		out = append(out, ts[i])
	}
	return out
}

// shouting: most of the sentence is in capitals.
func (ts sequence) shouting() bool {
	n := 0
	for _, t := range ts {
		if t.upper {
			n++
		}
	}
	return n*2 > len(ts)
}

// spokenAbout: the word at i is quoted, or the sentence is about words.
func (ts sequence) spokenAbout(i int) bool {
	if ts[i].quoted {
		return true
	}
	for j, t := range ts {
		if j != i && reporting[t.text] || conditional[t.text] && j < i || naming[t.text] && j < i && j >= i-4 {
			return true
		}
	}
	return false
}

// denied: a negation stands among the n words before i.
func (ts sequence) denied(i, n int) bool {
	for j := max(0, i-n); j < i; j++ {
		if negations[ts[j].text] && !(ts[j].text == "nothing" || ts[j].text == "no" && j == 0) {
			return true
		}
	}
	return false
}

// ofSelf: the speaker is the one spoken of.
func (ts sequence) ofSelf(i int) bool {
	for j := i - 1; j >= 0 && j >= i-5 && !ts[j].pause; j-- {
		switch t := ts[j].text; {
		case addressed[t], t == "he", t == "she", t == "they":
			return false
		case t == "i'm", t == "im", t == "i", t == "me", t == "my", t == "myself", t == "we", t == "we're":
			return true
		}
	}
	return false
}

// toSomebody: what is at i is said to the one addressed, or called out.
func (ts sequence) toSomebody(i int) bool {
	if i == 0 && calls[ts[i].text] && (len(ts) == 1 || ts[i+1].pause) {
		return true
	}
	for j := i - 1; j >= 0 && j >= i-6; j-- {
		switch t := ts[j].text; {
		case addressed[t]:
			return true
		case !between[t] && !strings.HasSuffix(t, "ly") && !slights[t] && !epithets[t] && !insults[t]:
			return false
		}
	}
	return false
}

// calls are what people call others by.
var calls = set(`loser losers fool fools jerk creep freak coward cowards liar liars bitch bitches bastard bastards prick pussy`)

// ordered: what is at i is a command.
func (ts sequence) ordered(i int) bool {
	return i == 0 || ts[i].pause || addressed[ts[i-1].text] || orders[ts[i-1].text]
}

var orders = set(`just please so oh now and then`)

// yours: it is the addressed one's thing that is spoken of.
func (ts sequence) yours(i int) bool {
	for j := i - 1; j >= 0 && j >= i-6; j-- {
		if addressed[ts[j].text] {
			return ts[j].text == "your" || ts[j].text == "ur" && i+1 < len(ts) && !ts[i+1].pause
		}
	}
	return false
}

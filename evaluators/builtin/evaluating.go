package builtin

import (
	"strings"
	"unicode"
)

// A text has a tone where somebody evaluates or feels. Words such as error, kill
// and free state facts far more often, and lexicons and small models take them
// for a tone all the same: so only a sentence that has an expression which
// evaluates makes a text positive or negative.

// expressions counts those of one sentence: which praise, and which blame.
type expressions struct{ praise, blame int }

// any reports whether the sentence evaluates at all.
func (e expressions) any() bool { return e.praise+e.blame > 0 }

// side is how many praise, two at most, where none blames, and the opposite; else
// 0.
func (e expressions) side() float64 {
	switch {
	case e.blame == 0:
		return float64(min(e.praise, 2))
	case e.praise == 0:
		return -float64(min(e.blame, 2))
	}
	return 0
}

func (e *expressions) add(sign int) {
	if sign > 0 {
		e.praise++
	} else if sign < 0 {
		e.blame++
	}
}

// expressionsOf finds the expressions of a sentence. What is supposed, asked or
// quoted evaluates nothing, nor do forms of politeness and names.
func expressionsOf(s sentence) expressions {
	var e expressions
	u := remark{sentence: s, asks: s.question()}
	u.loud = strings.HasSuffix(strings.TrimRight(s.text, `"') `), "!")
	supposed, spared := false, false
	var before expressions // in front of a "but", behind which counts more
	for i, w := range s.words {
		switch {
		case w.text == "but" && u.at(i-1) != "anything":
			before, e = e, expressions{}
		case troubles[w.stem] && u.denied(i):
			spared = true
		}
		supposed = supposed || supposing[w.text] || w.text == "when" && u.at(i+1) == "you"
		o, ok := opinions[w.text]
		if !ok || supposed || u.named(i) || u.quoted(w) || formulas[w.text+" "+u.at(i+1)] || u.ranks(i) || !u.evaluates(i, o.use) {
			continue
		}
		switch {
		case u.unsurpassed(i):
			e.praise += 2
		case u.denied(i):
			e.add(-o.sign)
		default:
			e.add(o.sign)
		}
	}
	if !e.any() {
		e = before
	}
	if spared && e.side() > 0 {
		e.praise++
	}
	for _, r := range s.text {
		e.add(emoji[r])
	}
	for f := range strings.FieldsSeq(s.text) {
		e.add(emoticons[f])
	}
	return e
}

// remark is a sentence whose words are being looked at.
type remark struct {
	sentence
	loud, asks bool // it ends with an exclamation mark, a question mark
}

// at is a word, or nothing outside the sentence.
func (u remark) at(i int) string {
	if i < 0 || i >= len(u.words) {
		return ""
	}
	return u.words[i].text
}

// evaluates reports whether the word at a place, an opinion where it is used so,
// is one there.
func (u remark) evaluates(i int, in use) bool {
	if u.possible(i) {
		return false
	}
	switch in {
	case anywhere:
		return !(i == 0 && defining[u.at(1)])
	case ofThings:
		return !u.asks && (u.loud || u.fragment() || intensifying[u.at(i-1)] || u.speaks(i, 4) || u.predicate(i) || u.known(i) || admiring[u.at(i)] && articles[u.at(i-1)])
	case byMe:
		return !u.asks && (u.speaks(i, 5) || u.begins(i))
	case iDo:
		return !u.asks && (u.speaks(i, 3) || u.first(i) == i && (demonstrative[u.at(i+1)] || u.loud && u.at(i+1) == ""))
	case exclaimed:
		return u.loud
	case forcefully:
		return intensifying[u.at(i-1)] || u.at(i-1) == "would"
	}
	return false
}

// fragment reports whether the sentence is no more than an opinion: "Nice one."
// Assent is not: "okay, cool".
func (u remark) fragment() bool {
	for _, w := range u.words {
		if assent[w.text] {
			return false
		}
	}
	return len(u.words) <= 3
}

// speaks reports whether the speaker is the one who evaluates: named at most so
// many words before, and neither offering nor asking something.
func (u remark) speaks(i, within int) bool {
	for j := i - 1; j >= max(0, i-within); j-- {
		switch w := u.words[j].text; {
		case clause(u.text, u.words[j].end, u.words[j+1].start):
			return false
		case speaker[w] && !offering[u.at(j+1)] && !asking[u.at(j-1)]:
			return true
		}
	}
	return false
}

// tellsOfSpeaker reports whether the speaker tells what happened to him: "it
// broke, and nobody answers my mails". Companies and assistants tell what
// they did, and what there is for you.
func tellsOfSpeaker(s sentence) bool {
	u := remark{sentence: s, asks: s.question()}
	if u.asks {
		return false
	}
	told := false
	for i, w := range s.words {
		switch {
		case supposing[w.text], addressing[w.text]:
			return false
		case undergoing[w.text] && !asking[u.at(i-1)] && !serving[u.at(i+1)], w.text == "i" && suffering[u.at(i+1)]:
			told = true
		}
	}
	return told
}

// begins reports whether a statement without a subject begins with the word: "So
// glad that it came".
func (u remark) begins(i int) bool {
	first := u.first(i)
	return first >= 0 && i > first || first == i && (mooded[u.at(i+1)] || u.loud)
}

// first is the place of the first word of the statement that leads up to a word
// by nothing but words of degree, or -1.
func (u remark) first(i int) int {
	for j := i - 1; j >= 0; j-- {
		switch w := u.words[j]; {
		case w.start > 0 && (u.text[w.start-1] == '@' || u.text[w.start-1] == '#'), clause(u.text, w.end, u.words[j+1].start):
			return j + 1
		case !intensifying[w.text] && !feeling[w.text]:
			return -1
		}
	}
	return 0
}

// known: the best that the speaker has seen.
func (u remark) known(i int) bool {
	if u.at(i) != "best" && u.at(i) != "greatest" && u.at(i) != "nicest" {
		return false
	}
	for j := i + 1; j < min(i+6, len(u.words)); j++ {
		if w := u.words[j].text; w == "ever" || speaker[w] && !offering[u.at(j+1)] {
			return true
		}
	}
	return false
}

// predicate reports whether the word ends a statement about something: "the
// sound is really good", "that was a complete waste of money".
func (u remark) predicate(i int) bool {
	w := u.words[i]
	next := u.at(i + 1)
	switch {
	case next != "" && !endingPredicate[next] && !completing[u.at(i)+" "+next] && !clause(u.text, w.end, u.words[i+1].start) && next+" "+u.at(i+2) != "at all":
		return false
	case i > 0 && strings.HasSuffix(w.text, "ly"):
		return true // it failed badly
	}
	for j := i - 1; j >= max(0, i-5); j-- {
		switch p := u.words[j]; {
		case copulas[p.text], p.text == "such", j == 0 && p.text == "not":
			return true
		case u.at(j+1) == "and": // light and sturdy
			continue
		case clause(u.text, p.end, u.words[j+1].start):
			return false
		case !beforePredicate[p.text] && !intensifying[p.text] && !negations[p.text] && opinions[p.text].use == 0:
			return false
		}
	}
	return false
}

// possible reports whether the word is said of what may be, ought to be or is
// wanted: "it can be boring".
func (u remark) possible(i int) bool {
	for j := i - 1; j >= max(0, i-3); j-- {
		if w := u.words[j].text; possibility[w] && opinions[u.at(i)].use != forcefully || w == "to" && u.at(j+1) == "be" {
			return true
		}
	}
	return false
}

// denied reports whether a negation stands at most three words before.
func (u remark) denied(i int) bool {
	for j := i - 1; j >= max(0, i-3); j-- {
		switch w := u.words[j]; {
		case clause(u.text, w.end, u.words[j+1].start):
			return false
		case (negations[w.text] || w.text == "zero") && u.at(j+1) != "only" && u.at(j+1) != "just":
			return true
		case w.text == "but" && u.at(j-1) == "anything":
			return true
		}
	}
	return false
}

// ranks: the superlative compares facts, or advises: the worst drought on record,
// in the worst case, it's best to wait.
func (u remark) ranks(i int) bool {
	if w := u.at(i); w != "worst" && w != "best" && w != "greatest" {
		return false
	}
	switch u.at(i + 1) {
	case "case", "practice", "practices", "to", "possible", "imaginable", "effort", "known":
		return true
	}
	if u.at(i-1) == "at" {
		return true
	}
	for j := i + 1; j < len(u.words); j++ {
		switch u.at(j) + " " + u.at(j+1) {
		case "on record", "in history", "ever recorded":
			return true
		}
		if u.at(j) == "imaginable" {
			return true
		}
	}
	return false
}

// unsurpassed: it couldn't be better.
func (u remark) unsurpassed(i int) bool {
	return comparative[u.at(i)] && u.denied(i) && (u.at(i-1) == "be" || u.at(i-1) == "been" || u.at(i-2) == "be")
}

// named: the word is part of a name, as in Great Britain.
func (u remark) named(i int) bool {
	w := u.words[i]
	if !w.capital || strings.ToUpper(u.text[w.start:w.end]) == u.text[w.start:w.end] {
		return false
	}
	if opinions[w.text].use == iDo && u.first(i) == i {
		return false
	}
	next := i+1 < len(u.words) && u.words[i+1].capital && u.words[i+1].start == w.end+1
	return next && !speaker[u.words[i+1].text] || i > 0 && u.words[0].capital && !clause(u.text, u.words[i-1].end, w.start)
}

// quoted: the word stands in quotation marks.
func (u remark) quoted(w word) bool {
	before := u.text[:w.start]
	return strings.Count(before, `"`)%2 == 1 || strings.Count(before, "“") > strings.Count(before, "”")
}

// clause reports whether punctuation stands between two words.
func clause(text string, from, to int) bool {
	return from < to && strings.ContainsFunc(text[from:to], func(r rune) bool { return r != '\'' && r != '"' && unicode.IsPunct(r) && r != '-' })
}

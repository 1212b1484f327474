package builtin

import "strings"

// codes are what documents write with digits though it counts nothing: numbers
// of telephones, orders and versions, without the signs that part them.
type codes struct {
	versions map[string]bool
	called   map[string][]string // by their last digits
}

// fewestCodeDigits and mostCodeDigits are how many digits a number has that is
// called or typed.
const (
	fewestCodeDigits = 7
	mostCodeDigits   = 40
)

// longestVersion is how many bytes a version has at most. Each of its parts costs
// as much as all of it.
const longestVersion = 64

func (c codes) addSentence(s sentence) {
	for _, run := range s.runs() {
		last := run.digits[len(run.digits)-fewestCodeDigits:]
		if known := c.called[last]; len(known) < 8 {
			c.called[last] = append(known, strings.TrimLeft(run.digits, "0"))
		}
	}
	for _, w := range s.words {
		i := strings.IndexAny(w.text, "0123456789")
		if i < 0 || len(w.text) > longestVersion {
			continue
		}
		// 2.1.0 is a version 2.1 too. 2.1 alone is a number.
		version := strings.TrimRight(w.text[i:], "abcdefghijklmnopqrstuvwxyz")
		for parts := strings.Count(version, "."); parts > 0 && (i > 0 || parts > 1); parts-- {
			c.versions[version] = true
			version = version[:strings.LastIndexByte(version, '.')]
			c.versions[version] = true
		}
		if i > 0 {
			c.versions[w.text[i:]] = true
		}
	}
}

// has reports whether a document states the version that the figure is, or the
// called number that it is a part of. runs are those of the sentence.
func (c codes) has(s sentence, runs []run, f figure) bool {
	if f.unit == (unit{}) && c.versions[s.words[f.from].text] {
		return true
	}
	for _, run := range runs {
		if f.from >= run.from && f.from < run.to && c.stated(run.digits) {
			return true
		}
	}
	return false
}

// stated: one of the two may lack the prefix of a country or of long distance.
func (c codes) stated(digits string) bool {
	last := digits[len(digits)-fewestCodeDigits:]
	digits = strings.TrimLeft(digits, "0")
	for _, known := range c.called[last] {
		if strings.HasSuffix(known, digits) || strings.HasSuffix(digits, known) {
			return true
		}
	}
	return false
}

// run is a code in a sentence: its digits, and its words.
type run struct {
	digits   string
	from, to int
}

// runs finds the groups of digits that only a blank, a dash, a point, a bracket
// or a slash parts, of seven digits or more.
func (s sentence) runs() []run {
	var out []run
	for i := 0; i < len(s.words); i++ {
		if !isDigits(s.words[i].text) && !s.words[i].digits() {
			continue
		}
		r := run{from: i, to: i}
		for r.to < len(s.words) && r.to < i+8 {
			w := s.words[r.to]
			digits := strings.ReplaceAll(w.text, ".", "")
			if !isDigits(digits) || r.to > i && strings.Trim(s.text[s.words[r.to-1].end:w.start], " -.()/+") != "" {
				break
			}
			if len(digits) > mostCodeDigits {
				break
			}
			r.digits += digits
			r.to++
		}
		if len(r.digits) >= fewestCodeDigits && len(r.digits) <= mostCodeDigits {
			out = append(out, r)
			i = r.to - 1
		}
	}
	return out
}

package builtin

import (
	"math"
	"strings"
)

// group joins groups of three digits that a blank or an apostrophe parts, as in
// 1 234,56, and returns how many more words the number takes.
func (f *figure) group(s sentence, i int, suffix string) int {
	if suffix != "" || f.spelled || f.identifier || len(s.words[i].text) > 3 || f.value == 0 {
		return 0
	}
	digits, n := s.words[i].text, 1
	for ; i+n < len(s.words) && n < 6; n++ {
		w := s.words[i+n]
		gap := s.text[s.words[i+n-1].end:w.start]
		if gap != " " && gap != "'" || !w.digits() || len(w.text) < 3 || !isDigits(w.text[:3]) || len(w.text) > 3 && w.text[3] != ',' && w.text[3] != '.' {
			break
		}
		digits += w.text
		if len(w.text) > 3 {
			n++
			break
		}
	}
	joined := figure{}
	if n == 1 || !joined.parse(digits) {
		return 0
	}
	f.value, f.also, f.step, f.end = joined.value, joined.also, joined.step, s.words[i+n-1].end
	return n - 1
}

func isDigits(text string) bool {
	for i := range len(text) {
		if !isDigit(text[i]) {
			return false
		}
	}
	return true
}

// suffixUnit is the unit that is written together with its number: 5kg, 60W.
func suffixUnit(s sentence, w word, suffix string) unit {
	written := s.text[max(w.start, w.end-len(suffix)):w.end]
	if u := unitNamed(written, suffix); u != (unit{}) || len(suffix) > 1 {
		return u
	}
	return symbols[strings.ToUpper(suffix)]
}

// measure reads what stands around a number of n words at i: its unit, its
// currency, its sign and what it is for one of.
func (f *figure) measure(s sentence, i, n int) {
	at := i + n
	if f.unit == (unit{}) {
		if next, ok := s.adjacent(at); ok && unitAdjectives[next.text] {
			at++
		}
		if u, words := s.unitAt(at); words > 0 {
			f.unit = u
			at += words
			f.end = s.words[at-1].end
		}
	}
	rest := s.text[f.end:]
	switch sign := strings.TrimPrefix(rest, " "); {
	case strings.HasPrefix(sign, "%"):
		f.unit = unit{kind: percent}
		f.end += len(rest) - len(sign) + len("%")
	case strings.HasPrefix(sign, "°"):
		f.unit = unit{kind: temperature}
		f.end += len(rest) - len(sign) + len("°")
		f.scaleOfDegrees(s)
	case strings.HasPrefix(sign, "'") && !f.spelled && f.unit == (unit{}) && f.value < 1000 && rest[0] == '\'' && (len(rest) == 1 || !isLetter(rest[1])):
		f.unit = units["ft"] // 5'10"
	}
	if f.unit.kind == temperature && f.unit.name == "" {
		f.scaleOfDegrees(s)
	}
	if currency, length := currencyBefore(s.text[:f.start]); length > 0 {
		f.unit = currency
		f.start -= length
	} else if currency, length := currencyAfter(s.text[f.end:]); length > 0 && f.unit == (unit{}) {
		f.unit = currency
		f.end += length
	}
	if f.unit.kind == temperature && (strings.HasSuffix(s.text[:f.start], "-") && (f.start == 1 || s.text[f.start-2] == ' ') || i > 0 && s.words[i-1].text == "minus") {
		f.value, f.also = -math.Abs(f.value), -math.Abs(f.value)
	}
	f.per = s.perAt(f.end)
}

// scaleOfDegrees reads the scale behind a degree: °C, degrees Fahrenheit.
func (f *figure) scaleOfDegrees(s sentence) {
	i := s.wordAt(f.end)
	if i == len(s.words) || s.words[i].start > f.end+1 {
		return
	}
	if u := units[s.words[i].text]; u.kind == temperature && u.name != "" {
		f.unit, f.end = u, s.words[i].end
	}
}

// unitAt reads a unit at word i, and how many words it takes.
func (s sentence) unitAt(i int) (unit, int) {
	next, ok := s.adjacent(i)
	if !ok {
		return unit{}, 0
	}
	written := s.text[next.start:next.end]
	if next.text == "cubic" {
		if after, ok := s.adjacent(i + 1); ok && cubes[after.text] != "" {
			return units[cubes[after.text]], 2
		}
		return unit{}, 0
	}
	if next.text == "square" || next.text == "sq" {
		if after, ok := s.adjacent(i + 1); ok || i+1 < len(s.words) && s.text[next.end:s.words[i+1].start] == ". " {
			if after.text == "" {
				after = s.words[i+1]
			}
			if name := squares[after.text]; name != "" {
				return units[name], 2
			}
		}
		return unit{}, 0
	}
	if name := squares[next.text]; name != "" {
		if after, ok := s.adjacent(i + 1); ok && after.text == "squared" {
			return units[name], 2
		}
	}
	u := unitNamed(written, next.text)
	if u == (unit{}) || len(next.text) == 1 && symbols[written] == (unit{}) && !lettersOfUnits[next.text] {
		return unit{}, 0
	}
	if u.kind != distance {
		return u, 1
	}
	// km/h, miles per hour.
	at := i + 1
	if at < len(s.words) && s.words[at].text == "per" {
		at++
	} else if at == len(s.words) || s.text[next.end:s.words[at].start] != "/" {
		return u, 1
	}
	if at < len(s.words) {
		if t := units[s.words[at].text]; t.kind == duration && t.size <= 3600 {
			return unit{kind: speed, size: u.size / t.size, name: u.name + "/" + t.name, imperial: u.imperial}, at + 1 - i
		}
	}
	return u, 1
}

// lettersOfUnits are the letters that are units behind a blank as well.
var lettersOfUnits = set("g l m h s t")

// perAt reads what an amount that ends at a byte is for one of: per month, a kg,
// /day, monthly, pages a minute.
func (s sentence) perAt(end int) unit {
	i := s.wordAt(end)
	if i == len(s.words) || s.words[i].start > end+3 {
		return unit{}
	}
	if u, ok := adverbs[s.words[i].text]; ok {
		return u
	}
	if i > 0 && strings.TrimSpace(s.text[end:s.words[i].start]) == "/" {
		return units[s.words[i].text]
	}
	if !each[s.words[i].text] && !functionWords[s.words[i].text] {
		i++ // what there is so much of
	}
	if i+1 >= len(s.words) || !each[s.words[i].text] || s.words[i].start > s.words[max(0, i-1)].end+3 {
		return unit{}
	}
	i++
	if many := (figure{}); i+1 < len(s.words) && s.words[i].digits() && many.parse(s.words[i].text) { // per 100 km
		if u, n := s.unitAt(i + 1); n > 0 && u.size > 0 {
			u.size *= many.value
			return u
		}
	}
	return units[s.words[i].text]
}

// each are words between an amount and what it is for one of.
var each = set(`a an per each every`)

// adverbs say what an amount is for one of.
var adverbs = map[string]unit{
	"hourly": units["hour"], "daily": units["day"], "weekly": units["week"], "monthly": units["month"],
	"quarterly": units["quarter"], "yearly": units["year"], "annually": units["year"], "annual": units["year"],
}

// currencies by their signs. The yen's is the yuan's too.
var currencies = []struct{ sign, name string }{{"$", "usd"}, {"€", "eur"}, {"£", "gbp"}, {"¥", ""}, {"₹", "inr"}}

// currencyBefore reads the currency sign or code at the end of text, and its
// length.
func currencyBefore(text string) (unit, int) {
	short := strings.TrimSuffix(text, " ")
	for _, c := range currencies {
		if strings.HasSuffix(short, c.sign) {
			return unit{kind: money, size: 1, name: c.name}, len(c.sign) + len(text) - len(short)
		}
	}
	if n := len(short) - 3; n >= 0 && (n == 0 || short[n-1] == ' ' || short[n-1] == '(') && strings.ToUpper(short[n:]) == short[n:] {
		if u := units[strings.ToLower(short[n:])]; u.kind == money {
			return u, 3 + len(text) - len(short)
		}
	}
	return unit{}, 0
}

// currencyAfter is currencyBefore for a sign behind the number: 5 €.
func currencyAfter(text string) (unit, int) {
	short := strings.TrimPrefix(text, " ")
	for _, c := range currencies {
		if strings.HasPrefix(short, c.sign) && c.sign != "$" {
			return unit{kind: money, size: 1, name: c.name}, len(c.sign) + len(text) - len(short)
		}
	}
	if strings.HasPrefix(text, "¢") {
		return unit{kind: money, size: 0.01}, len("¢")
	}
	return unit{}, 0
}

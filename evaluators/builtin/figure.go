package builtin

import (
	"math"
	"strconv"
	"strings"
)

// figure is a number in a text, with what it measures.
type figure struct {
	// value as written, scale words multiplied in; also is the other reading
	// where there are two (1.5m, 1.000), else equal to value.
	value, also float64
	// step is the place of the last digit: 0.1 for 2.5, 1000 for 3 thousand.
	step float64
	unit unit
	// per is what a rate is for one of: the month of $5 a month.
	per unit
	// span: what lies up to so much above value is meant as well, as in 1990s.
	span float64
	// spelled: written as a word. identifier: digits inside a name or a
	// version, which have no value.
	spelled, identifier bool
	// grouped: with a sign between thousands, which a year does not have.
	grouped bool
	// start and end are its place in the sentence's text, unit included; from
	// and to are its words.
	start, end, from, to int
}

// figures finds the numbers of a sentence, in order.
func figures(s sentence) []figure {
	var out []figure
	for i := 0; i < len(s.words); {
		f, n := figureAt(s, i)
		if n == 0 {
			i++
			continue
		}
		// In "2 to 4 days" the first number is of days as well.
		if last := len(out) - 1; last >= 0 && out[last].unit == (unit{}) && f.unit != (unit{}) && s.spans(out[last], f) {
			out[last].unit = f.unit
		}
		out = append(out, f)
		i += n
	}
	return out
}

// spans reports whether two figures are the ends of a range.
func (s sentence) spans(a, b figure) bool {
	if a.end > b.start {
		return false
	}
	switch strings.TrimSpace(s.text[a.end:b.start]) {
	case "to", "or", "and", "by", "x", "×", "-", "–", "/":
		return true
	}
	return false
}

// figureAt reads the number that begins at word i and returns how many words
// it takes, 0 when there is none.
func figureAt(s sentence, i int) (figure, int) {
	w := s.words[i]
	f := figure{start: w.start, from: i}
	n := 1
	suffix := ""
	if w.digits() {
		var digits string
		digits, suffix = splitDigits(w.text)
		if !f.parse(digits) || glued(s.text, w) {
			f.identifier = true
		}
	} else {
		v, words := spelledNumber(s.words[i:])
		if words == 0 {
			return figure{}, 0
		}
		f.value, f.also, f.step, f.spelled, n = v, v, 1, true, words
	}
	f.end = s.words[i+n-1].end

	n += f.group(s, i, suffix)
	switch {
	case suffix == "":
	case scales[suffix] != 0:
		f.scale(scales[suffix], suffix == "m")
	case ordinalSuffixes[suffix]:
	case suffix == "s" && f.value >= 1000: // 1990s
	case suffixUnit(s, w, suffix) != (unit{}):
		f.unit = suffixUnit(s, w, suffix)
	default:
		f.identifier = true
	}
	// What follows: a scale, then a unit.
	if next, ok := s.adjacent(i + n); ok && scales[next.text] != 0 && len(next.text) > 1 {
		f.scale(scales[next.text], false)
		f.end = next.end
		n++
	}
	f.measure(s, i, n)
	if before, ok := s.century(i); ok && f.step == 1 && f.value < 100 {
		f.also = before + f.value
	}
	f.to = i + n
	return f, n
}

// century returns 2000 for the second number of 2018-19.
func (s sentence) century(i int) (float64, bool) {
	if i == 0 || len(s.words[i-1].text) != 4 || len(s.words[i].text) != 2 {
		return 0, false
	}
	year, err := strconv.Atoi(s.words[i-1].text)
	gap := s.text[s.words[i-1].end:s.words[i].start]
	return float64(year / 100 * 100), err == nil && (gap == "-" || gap == "–" || gap == "/")
}

// adjacent returns word i if only a space or a hyphen separates it from the
// word before.
func (s sentence) adjacent(i int) (word, bool) {
	if i >= len(s.words) {
		return word{}, false
	}
	gap := s.text[s.words[i-1].end:s.words[i].start]
	return s.words[i], gap == " " || gap == "-" || gap == " - "
}

// parse reads digits with thousands separators and decimals.
func (f *figure) parse(digits string) bool {
	if len(digits) > 24 {
		return false
	}
	if point, comma := strings.IndexByte(digits, '.'), strings.LastIndexByte(digits, ','); point > 0 && comma > point && strings.Count(digits, ",") == 1 {
		digits = strings.ReplaceAll(digits, ".", "") // 1.234,56
	} else if point > 0 && comma < 0 && thousands(digits) {
		digits = strings.ReplaceAll(digits, ".", "") // 1.234.567
	}
	plain := strings.ReplaceAll(digits, ",", "")
	v, err := strconv.ParseFloat(plain, 64)
	if err != nil {
		return false // 1.2.3
	}
	f.value, f.also, f.step, f.grouped = v, v, 1, len(plain) < len(digits)
	whole, decimals, point := strings.Cut(plain, ".")
	if point {
		f.step = math.Pow10(-len(decimals))
		if len(decimals) == 3 && len(whole) <= 3 { // 1.000 may be a thousand
			f.also = v * 1000
		}
	}
	if i := strings.LastIndexByte(digits, ','); i >= 0 && !point && (len(digits)-i-1 != 3 || i > 3 && !strings.Contains(digits[:i], ",")) {
		if strings.Count(digits, ",") > 1 {
			return false // 1,2,3
		}
		// A decimal comma.
		f.also, _ = strconv.ParseFloat(strings.Replace(digits, ",", ".", 1), 64)
		f.value = f.also
		f.step = math.Pow10(-(len(digits) - i - 1))
	}
	return true
}

// thousands: the points part groups of three, as in 1.234.567.
func thousands(digits string) bool {
	groups := strings.Split(digits, ".")
	for _, g := range groups[1:] {
		if len(g) != 3 {
			return false
		}
	}
	return len(groups) > 2 && len(groups[0]) <= 3
}

func (f *figure) scale(by float64, ambiguous bool) {
	if !ambiguous {
		f.also *= by
		f.value *= by
		f.step *= by
		return
	}
	f.also = f.value * by
}

// splitDigits cuts a word like 5kg, 1990s or 3rd behind its digits.
func splitDigits(w string) (digits, suffix string) {
	i := 0
	for i < len(w) && (isDigit(w[i]) || w[i] == '.' || w[i] == ',') {
		i++
	}
	return w[:i], w[i:]
}

// glued: the number is part of a name such as GPT-4, A/B or x_1.
func glued(text string, w word) bool {
	if w.start < 2 {
		return false
	}
	switch text[w.start-1] {
	case '-', '_', '.':
		return isLetter(text[w.start-2]) && (w.start < 3 || text[w.start-1] != '-' || !spelledBefore(text[:w.start-1]))
	case '#':
		return true
	}
	return false
}

// spelledBefore: the text ends in a whole lower-case word, as in mid-2019.
func spelledBefore(text string) bool {
	i := len(text)
	for i > 0 && text[i-1] >= 'a' && text[i-1] <= 'z' {
		i--
	}
	return i < len(text) && (i == 0 || text[i-1] == ' ')
}

// spelledNumber reads a number written out at the beginning of ws, and how many
// words it takes. "a hundred" counts, a lone "one" does too.
func spelledNumber(ws []word) (float64, int) {
	total, current, n := 0.0, 0.0, 0
	for n < len(ws) && n < 8 {
		t := ws[n].text
		v, isNumber := numerals[t]
		scale := scales[t]
		switch {
		case isNumber && (current == 0 || (int(current)%10 == 0 && v < 10) || (int(current)%100 == 0 && v < 100)):
			current += v
		case scale != 0 && len(t) > 2 && n > 0:
			if scale == 100 || scale == 12 {
				current *= scale
			} else {
				total += current * scale
				current = 0
			}
		case t == "and" && n > 0 && int(current)%100 == 0 && current > 0 && n+1 < len(ws) && isNumeral(ws[n+1].text):
		default:
			return total + current, n
		}
		n++
	}
	return total + current, n
}

func isNumeral(t string) bool { _, ok := numerals[t]; return ok }

var numerals = map[string]float64{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
	"eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
	"eighty": 80, "ninety": 90,
}

var scales = map[string]float64{
	"hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "dozen": 12,
	"k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9, "b": 1e9,
	"hundreds": 100, "thousands": 1e3, "millions": 1e6, "billions": 1e9,
}

var ordinalSuffixes = set("st nd rd th")

// impliedNumbers are words that a document may use for a number.
var impliedNumbers = map[string][]float64{
	"half": {0.5}, "third": {3}, "twice": {2}, "double": {2}, "triple": {3}, "pair": {2}, "couple": {2},
	"both": {2}, "once": {1}, "single": {1}, "first": {1}, "second": {2}, "fourth": {4}, "fifth": {5}, "sixth": {6}, "seventh": {7},
	"eighth": {8}, "ninth": {9}, "tenth": {10}, "eleventh": {11}, "twelfth": {12}, "annual": {1, 12}, "daily": {1, 24}, "weekly": {1, 7},
	"monthly": {1, 30}, "yearly": {1, 12}, "hundred": {100}, "thousand": {1000}, "million": {1e6}, "dozen": {12}, "free": {0},
	"january": {1}, "february": {2}, "march": {3}, "april": {4}, "may": {5}, "june": {6}, "july": {7}, "august": {8},
	"september": {9}, "october": {10}, "november": {11}, "december": {12},
	"jan": {1}, "feb": {2}, "mar": {3}, "apr": {4}, "jun": {6}, "jul": {7}, "aug": {8}, "sep": {9}, "sept": {9}, "oct": {10}, "nov": {11}, "dec": {12},
}

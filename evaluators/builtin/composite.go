package builtin

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// composites finds the quantities of a sentence that take more than one figure
// or none: 1 h 30 min, two thirds, 3 in 4, 9:30 am, noon, 9–17, the 18th century,
// Monday to Friday, a fortnight. Each covers the words from from to to; the
// figures among those are parts of it. fs are the sentence's figures.
func composites(s sentence, fs []figure) []figure {
	var out []figure
	add := func(value float64, u unit, from, to int) *figure {
		out = append(out, figure{value: value, also: value, step: 1, unit: u, from: from, to: to, start: s.words[from].start, end: s.words[to-1].end})
		return &out[len(out)-1]
	}
	for k, f := range fs {
		s.compound(fs[k:], add)
		if !f.identifier {
			s.fraction(fs, k, add)
		}
		s.period(f, add)
	}
	s.clocks(fs, add)
	for i, w := range s.words {
		switch {
		case denominators[w.text] > 0:
			s.part(i, add)
		case dayNames[w.text] > 0:
			s.days(i, add)
		case monthNames[w.text] > 0 && w.capital:
			if j := s.rangeEnd(i); j > 0 && monthNames[s.words[j].text] > 0 {
				n := (monthNames[s.words[j].text]-monthNames[w.text]+12)%12 + 1
				add(float64(n), units["month"], i, j+1)
			}
		case w.text == "weekdays" || w.text == "weekday":
			add(5, units["day"], i, i+1)
		case w.text == "weekend" || w.text == "weekends":
			add(2, units["day"], i, i+1)
		case (w.text == "a" || w.text == "an" || w.text == "per" || w.text == "each" || w.text == "every") && i+1 < len(s.words) && !s.rated(i):
			if u := units[s.words[i+1].text]; u.kind != noKind && u.size > 0 && u.kind != money && len(s.words[i+1].text) > 1 {
				value := 1.0
				to := i + 2
				if s.says(to, "and", "a", "half") {
					value, to = 1.5, to+3
				}
				add(value, u, i, to)
			}
		}
	}
	return out
}

type adding func(value float64, u unit, from, to int) *figure

// says reports whether the words from i on are these.
func (s sentence) says(i int, words ...string) bool {
	if i < 0 || i+len(words) > len(s.words) {
		return false
	}
	for k, w := range words {
		if s.words[i+k].text != w {
			return false
		}
	}
	return true
}

// rated: what stands before word i is an amount or a count, so that "a week" is
// what it is for one of.
func (s sentence) rated(i int) bool {
	for j := i - 1; j >= 0 && j >= i-2; j-- {
		w := s.words[j]
		if w.digits() || isNumeral(w.text) || w.text == "times" || w.text == "once" || w.text == "twice" || units[w.text].kind == money {
			return true
		}
	}
	return false
}

// compound adds up the parts of one amount: 1 h 30 min, 5 ft 10.
func (s sentence) compound(fs []figure, add adding) {
	f := fs[0]
	if f.identifier {
		// 1h30 is read as a name with digits.
		h, rest, ok := strings.Cut(s.words[f.from].text, "h")
		hours, minutes := (&figure{}), (&figure{})
		rest = strings.TrimSuffix(strings.TrimSuffix(rest, "in"), "m")
		if ok && len(rest) == 2 && isDigits(h) && isDigits(rest) && hours.parse(h) && minutes.parse(rest) {
			add(hours.value*60+minutes.value, units["minute"], f.from, f.to)
			if hours.value < 24 {
				add(hours.value*60+minutes.value, unit{kind: clock, name: "24h"}, f.from, f.to)
			}
		}
		return
	}
	if f.unit.size == 0 || f.unit.kind == money {
		return
	}
	if s.says(s.wordAt(f.end), "and", "a", "half") { // an hour and a half
		add(f.value+0.5, f.unit, f.from, s.wordAt(f.end)+3)
	}
	sum, last := f.value*f.unit.size, f
	for _, next := range fs[1:] {
		gap := strings.Trim(s.text[min(last.end, next.start):next.start], " ,'")
		u := next.unit
		if u == (unit{}) && (gap == "" || gap == "and") {
			switch last.unit {
			case units["hour"]:
				u = units["minute"]
			case units["foot"]:
				u = units["inch"]
			}
		}
		if gap != "" && gap != "and" || u.kind != f.unit.kind || u.size >= last.unit.size || next.identifier {
			return
		}
		sum += next.value * u.size
		c := add(sum/u.size, u, f.from, next.to)
		c.step, c.end = next.step, next.end
		last, last.unit = next, u
	}
}

// wordAt is the first word that begins at a byte or behind it.
func (s sentence) wordAt(at int) int {
	i, _ := slices.BinarySearchFunc(s.words, at, func(w word, at int) int { return w.start - at })
	return i
}

// fraction reads a part of a whole that figure k begins, as a percentage: two
// thirds, 3 in 4, 1/4, 3 out of 5. A number with a half is one number: 2 1/2
// hours, two and a half.
func (s sentence) fraction(fs []figure, k int, add adding) {
	f, rest := fs[k], fs[k+1:]
	i := f.to
	if f.unit == (unit{}) && s.says(i, "and", "a", "half") {
		u, words := s.unitAt(i + 3)
		add(f.value+0.5, u, f.from, i+3+words)
		return
	}
	if next, ok := s.adjacent(i); ok && f.value >= 1 && f.value < 20 && f.step == 1 {
		if of := denominators[strings.TrimSuffix(next.text, "s")]; of > f.value {
			add(100*f.value/of, unit{kind: percent}, f.from, i+1)
			s.shareOf(f.value/of, f.from, i+1, add)
			return
		}
	}
	if len(rest) == 0 || rest[0].identifier || f.unit.kind == percent {
		return
	}
	of := rest[0]
	if f.end > of.start {
		return
	}
	switch gap := s.text[f.end:of.start]; gap {
	case " in ", "-in-", " out of ", "/", " of ", " of the ", " in every ", " of every ", " out of every ", " from ":
		if f.value >= of.value || f.step != 1 || of.step != 1 {
			return
		}
		add(100*f.value/of.value, unit{kind: percent}, f.from, of.to)
		if gap == "/" && k > 0 && f.start == s.words[f.from].start {
			if whole := fs[k-1]; whole.to-whole.from == 1 && whole.end == f.start-1 && !whole.identifier && of.value <= 16 { // 2 1/2
				add(whole.value+f.value/of.value, of.unit, f.from-1, of.to)
			}
		}
	}
}

var denominators = map[string]float64{
	"half": 2, "halve": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
}

// part reads half, a third, one fifth, and half an hour.
func (s sentence) part(i int, add adding) {
	from, share := i, 1/denominators[s.words[i].text]
	if i > 0 && (s.words[i-1].text == "a" || s.words[i-1].text == "one") {
		from--
	}
	if s.words[i].text != "half" && from == i || s.says(i+1, "past") || s.says(i-2, "and", "a") || s.says(i-2, "and", "one") {
		return
	}
	add(100*share, unit{kind: percent}, from, i+1)
	s.shareOf(share, from, i+1, add)
}

// shareOf reads what is shared when it is a unit: half an hour, three quarters
// of a year.
func (s sentence) shareOf(share float64, from, at int, add adding) {
	if s.says(at, "of") {
		at++
	}
	if s.says(at, "a") || s.says(at, "an") {
		at++
	}
	if at < len(s.words) {
		if u := units[s.words[at].text]; u.size > 0 && u.kind != money {
			add(share, u, from, at+1).step = 0.01
		}
	}
}

// period reads a decade or a century: the 1990s, the 18th century, her 30s.
func (s sentence) period(f figure, add adding) {
	text := s.words[f.from].text
	switch {
	case strings.HasSuffix(text, "s") && len(text) == 5 && isDigits(text[:4]):
		span := 9.0
		if strings.HasSuffix(text, "00s") {
			span = 99
		}
		add(f.value, unit{}, f.from, f.from+1).span = span
	case f.value >= 2 && f.value <= 21 && (s.says(f.from+1, "century") || s.says(f.from+1, "centuries")) && !isNumeral(text):
		c := add((f.value-1)*100, unit{}, f.from, f.from+2)
		c.span = 99
	}
}

// rangeEnd returns the word at the other end of a range that begins with word i,
// 0 when there is none.
func (s sentence) rangeEnd(i int) int {
	for j := i + 1; j < len(s.words) && j <= i+2; j++ {
		switch strings.Trim(s.text[s.words[i].end:s.words[j].start], " .") {
		case "-", "–", "—", "to", "through", "until", "till", "thru":
			return j
		}
	}
	return 0
}

// days counts a range of weekdays, or those that are listed.
func (s sentence) days(i int, add adding) {
	if j := s.rangeEnd(i); j > 0 && dayNames[s.words[j].text] > 0 {
		add(float64((dayNames[s.words[j].text]-dayNames[s.words[i].text]+7)%7+1), units["day"], i, j+1)
		return
	}
	n, last := 1, i
	for j := i + 1; j < len(s.words) && j <= last+2; j++ {
		if dayNames[s.words[j].text] > 0 {
			n++
			last = j
		}
	}
	if n > 1 {
		add(float64(n), units["day"], i, last+1)
	}
}

var dayNames = map[string]int{
	"monday": 1, "tuesday": 2, "wednesday": 3, "thursday": 4, "friday": 5, "saturday": 6, "sunday": 7,
	"mondays": 1, "tuesdays": 2, "wednesdays": 3, "thursdays": 4, "fridays": 5, "saturdays": 6, "sundays": 7,
	"mon": 1, "tue": 2, "tues": 2, "wed": 3, "thu": 4, "thurs": 4, "fri": 5, "sat": 6, "sun": 7,
}

// clocks reads times of day: 9:30, 9.30 pm, 3 pm, 9 o'clock, noon, half past
// nine, 9–17. Also is the afternoon's reading where the text does not say.
func (s sentence) clocks(fs []figure, add adding) {
	time := func(minutes float64, half string, from, to int) {
		switch {
		case half == "pm" && minutes < 720:
			minutes += 720
		case half == "am" && minutes >= 720:
			minutes -= 720
		}
		c := add(minutes, unit{kind: clock, name: cmp.Or(half, "24h")}, from, to)
		if half == "" && minutes >= 60 && minutes < 780 {
			c.also = minutes + 720
		}
	}
	for i, w := range s.words {
		switch w.text {
		case "noon", "midday":
			time(720, "", i, i+1)
		case "midnight":
			time(0, "", i, i+1)
			time(1440, "", i, i+1)
		case "past", "to":
			if i == 0 || i+1 == len(s.words) {
				continue
			}
			before := map[string]float64{"half": 30, "quarter": 15, "ten": 10, "five": 5, "twenty": 20}[s.words[i-1].text]
			hour, n := spelledNumber(s.words[i+1:])
			if n == 1 && before > 0 && hour >= 1 && hour <= 12 && (w.text == "past" || s.words[i-1].text == "quarter") {
				if w.text == "to" {
					before = -before
				}
				time(hour*60+before, s.half(i+2), i-1, i+2)
			}
		}
	}
	for k, f := range fs {
		if f.identifier || f.step != 1 && f.step != 0.01 || f.value < 0 || f.value > 24 || f.unit.kind != noKind && f.unit.kind != clock && f.unit.name != "hour" {
			continue
		}
		half := ""
		if f.unit.kind == clock {
			half = f.unit.name
		}
		if k+1 < len(fs) && f.end < fs[k+1].start && s.text[f.end:fs[k+1].start] == ":" && twoDigits(s.words[fs[k+1].from].text) && fs[k+1].value < 60 && f.unit == (unit{}) {
			next := fs[k+1]
			half := s.half(next.from + 1)
			if _, suffix := splitDigits(s.words[next.from].text); suffix == "am" || suffix == "pm" {
				half = suffix
			}
			to := next.from + 1
			time(f.value*60+next.value, half, f.from, to)
			if half == "" { // it may be a length of time as well
				add(f.value*60+next.value, units["minute"], f.from, to)
				add(f.value*60+next.value, units["second"], f.from, to)
			}
			continue
		}
		hour, minute := math.Modf(f.value)
		minutes := hour*60 + math.Round(minute*100)
		switch {
		case half != "", f.step == 0.01 && math.Round(minute*100) < 60 && f.unit == (unit{}):
			time(minutes, half, f.from, f.to)
		case f.step == 0.01:
		case s.says(f.to, "o'clock"), s.says(f.to, "oclock"):
			time(minutes, "", f.from, f.to+1)
		case f.unit.name == "hour" && strings.HasSuffix(s.words[f.from].text, "h"):
			time(minutes, "", f.from, f.to) // 17h
		case k+1 < len(fs) && s.spans(f, fs[k+1]) && fs[k+1].step == 1 && fs[k+1].value <= 24 && (fs[k+1].unit == (unit{}) || fs[k+1].unit.kind == clock):
			time(minutes, "", f.from, f.to)
		case k > 0 && s.spans(fs[k-1], f) && fs[k-1].step == 1 && fs[k-1].value <= 24 && fs[k-1].unit.kind != percent && f.unit == (unit{}):
			time(minutes, "", f.from, f.to)
		case f.unit == (unit{}) && f.from > 0 && timely[s.words[f.from-1].text]:
			time(minutes, "", f.from, f.to)
		}
	}
}

// timely are what stands before a time of day.
var timely = set(`at by until till from before after since`)

// half reads am or pm at word i.
func (s sentence) half(i int) string {
	if i < len(s.words) && i > 0 && s.words[i].start <= s.words[i-1].end+1 {
		switch t := s.words[i].text; t {
		case "am", "pm":
			return t
		}
	}
	return ""
}

// twoDigits: the word is two digits, perhaps with letters behind, as in 30pm.
func twoDigits(word string) bool {
	digits, _ := splitDigits(word)
	return len(digits) == 2
}

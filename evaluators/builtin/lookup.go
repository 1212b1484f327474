package builtin

import (
	"cmp"
	"slices"
	"strings"
)

// lookUp returns the sentence's figures that neither the documents nor the
// conversation state. Stands is set when they do state a telling one, unsure
// when one is missing that may be reckoned, or be the answer's own.
func (g *grounding) lookUp(s sentence) (missing []string, stands, unsure bool) {
	fs := figures(s)
	defer func() { g.named = fs }()
	together, runs := composites(s, fs), s.runs()
	excused := make([]bool, len(s.words))
	var d *derivation
	derived := func(f figure) bool {
		if s.ofDate(f) {
			return false
		}
		if g.derived++; g.derived > mostDerived {
			return true
		}
		if d == nil {
			d = g.derivation(s, slices.Concat(fs, s.assumed(), together))
		}
		if !d.gives(f, s.approximate(f)) {
			return false
		}
		g.reckoned = cmp.Or(g.reckoned, s.text[f.start:f.end])
		return true
	}
	whole := make([]bool, len(s.words))
	var times []figure // that no document has, though it has others
	for _, f := range together {
		stated := g.numbers.supports(f, s.approximate(f))
		if !stated && !derived(f) {
			// Its parts alone are not reckoned.
			for i := f.from; i < f.to; i++ {
				whole[i] = whole[i] || f.unit.kind != percent && f.to-f.from > 1
			}
			if f.unit.kind == clock && strings.Contains(s.text[f.start:f.end], ":") && len(g.numbers.clocks) > 0 {
				times = append(times, f)
			}
			continue
		}
		stands, unsure = stands || stated, unsure || !stated
		for i := f.from; i < f.to; i++ {
			excused[i] = true
		}
	}
	var absent []figure
	for _, f := range fs {
		if f.identifier {
			unsure = unsure || !g.states(s.words[f.from]) && !g.numbers.codes.has(s, runs, f)
			continue
		}
		if g.numbers.supports(f, s.approximate(f)) || g.numbers.codes.has(s, runs, f) {
			stands = stands || f.value > 12 || f.unit != (unit{})
			continue
		}
		if !whole[f.from] && derived(f) || excused[f.from] || ownCounting(s, f) || s.supposes(f) || g.numbers.relative && f.year() {
			unsure = true
			continue
		}
		if o, ok := g.reckons(f, fs, g.named, g.asked); ok && !whole[f.from] {
			unsure = true
			if slices.ContainsFunc(fs, func(own figure) bool { return own == o }) {
				excused[o.from] = true
			}
			continue
		}
		absent = append(absent, f)
	}
	if d != nil {
		// What another figure was rightly reckoned with: 4 tickets cost $60.
		for _, o := range d.used {
			excused[o.from] = true
		}
	}
	for _, f := range absent {
		if excused[f.from] {
			unsure = true
			continue
		}
		missing = append(missing, s.text[f.start:f.end])
	}
	for _, f := range times {
		if !excused[f.from] && len(missing) == 0 {
			missing = append(missing, s.text[f.start:f.end])
		}
	}
	return missing, stands, unsure
}

// ofDate: the figure stands beside the name of a month.
func (s sentence) ofDate(f figure) bool {
	return f.from > 0 && monthNames[s.words[f.from-1].text] > 0 && s.words[f.from-1].capital ||
		f.to < len(s.words) && monthNames[s.words[f.to].text] > 0 && s.words[f.to].capital
}

// approximate: a word or sign before the figure says that it is rounded.
func (s sentence) approximate(f figure) bool {
	return f.from > 0 && approximations[s.words[f.from-1].text] || f.from > 1 && approximations[s.words[f.from-2].text] ||
		f.start > 0 && strings.HasSuffix(strings.TrimRight(s.text[:f.start], "$€£ "), "~") || strings.HasPrefix(s.text[f.end:], "+") ||
		strings.HasPrefix(s.text[f.end:], " or so") || strings.HasPrefix(s.text[f.end:], "-ish")
}

// supposes: the figure is an example of the speaker's, as in "if you order 3".
// What limits something is a rule, which documents have.
func (s sentence) supposes(f figure) bool {
	if f.unit.kind == percent || f.unit.kind == duration || f.unit.kind == months || f.year() {
		return false
	}
	for i := f.from - 1; i >= 0 && i >= f.from-12; i-- {
		w := s.words[i]
		if limits[w.text] && i >= f.from-3 || strings.ContainsAny(s.text[w.end:s.words[i+1].start], ",;:") && !suppositions[w.text] {
			return false
		}
		if suppositions[w.text] {
			return true
		}
	}
	return false
}

var (
	suppositions = set(`if suppose supposing say imagine assume assuming example instance e.g`)
	limits       = set(`within over under above below exceed exceeds exceeding least most than to until before after by minimum maximum up`)
)

// assumed are multiples that a sentence names in words.
func (s sentence) assumed() []figure {
	var out []figure
	for i, w := range s.words {
		if v := multiples[w.text]; v > 0 {
			out = append(out, figure{value: v, also: v, step: 1, from: i, to: i + 1, start: w.start, end: w.end, per: s.perAt(w.end)})
		} else if u, ok := adverbs[w.text]; ok {
			out = append(out, figure{value: 1, also: 1, step: 1, unit: u, from: i, to: i + 1, start: w.start, end: w.end})
		}
	}
	return out
}

// reckons: the figure comes of a stated one and of the operand it returns, which
// the answer just named or the question names.
func (g *grounding) reckons(f figure, operands ...[]figure) (operand figure, ok bool) {
	for _, fs := range operands {
		for _, o := range fs[:min(len(fs), 8)] {
			if (o.value != f.value || o.unit != f.unit) && !o.identifier && g.numbers.reckons(f, o) {
				return o, true
			}
		}
	}
	return figure{}, false
}

// year: the figure can be a calendar year.
func (f figure) year() bool {
	return f.value >= 1900 && f.value <= 2100 && f.step == 1 && f.unit == (unit{}) && !f.grouped
}

// ownCounting: the number orders or counts the answer's own parts, or is a way
// of speaking.
func ownCounting(s sentence, f figure) bool {
	if f.spelled && f.unit == (unit{}) || f.value <= 1 && f.unit == (unit{}) {
		return true
	}
	if f.from > 0 && labels[s.words[f.from-1].text] {
		return true
	}
	if f.unit.kind == percent && f.value == 100 {
		return true
	}
	rest := s.text[f.end:]
	if f.value <= 20 && strings.HasPrefix(rest, ")") && !strings.Contains(s.text[:f.start], "(") {
		return true
	}
	if f.value == 24 && strings.HasPrefix(rest, "/7") || f.value == 7 && strings.HasSuffix(s.text[:f.start], "24/") {
		return true
	}
	for i := f.to; i < len(s.words) && i < f.to+2; i++ {
		if f.value <= 20 && countedThings[s.words[i].text] {
			return true
		}
	}
	return false
}

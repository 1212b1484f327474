package builtin

import (
	"math"
	"slices"
)

// numbers are the figures that documents state, for looking up whether one
// supports a figure of the answer. It errs towards support: a number that
// could be read, converted, rounded or counted from what is there is there.
type numbers struct {
	values  []float64             // sorted once closed
	byValue map[float64][]unit    // the units a value was stated with
	sizes   map[measure][]float64 // in base units
	years   []float64
	// relative: dates are given by the time of writing ("last year"), so that
	// an answer may rightly name a year that is not written.
	relative bool
	bare     []float64 // the first few numbers without a unit
	months   [13]bool  // that something is dated with, from 1
}

// measure is what is measured, and in which system.
type measure struct {
	kind     kind
	imperial bool
}

// few is how many bare numbers documents may state for what can be reckoned
// from them to count as stated.
const few = 8

func newNumbers() *numbers {
	return &numbers{byValue: make(map[float64][]unit), sizes: make(map[measure][]float64)}
}

func (n *numbers) add(v float64, u unit) {
	us, ok := n.byValue[v]
	if !ok {
		n.values = append(n.values, v)
		if u.kind != counted && v >= 1000 && v <= 2200 && v == math.Trunc(v) && len(n.years) < 100 {
			n.years = append(n.years, v)
		}
	}
	if !slices.Contains(us, u) && len(us) < 8 {
		n.byValue[v] = append(us, u)
	}
	if u.size > 0 {
		k := measure{u.kind, u.imperial}
		n.sizes[k] = append(n.sizes[k], v*u.size)
	}
}

// addSentence takes the numbers of a document's sentence in.
func (n *numbers) addSentence(s sentence) {
	for m, stated := range monthsOf(s) {
		n.months[m] = n.months[m] || stated
	}
	for _, f := range figures(s) {
		if f.identifier {
			// A name's digits may be what an answer calls it by.
			d, _ := splitDigits(s.words[f.from].text)
			if f.parse(d) {
				n.add(f.value, unit{})
				continue
			}
			for _, v := range digitGroups(d) { // 3.5.2016
				n.add(v, unit{})
			}
			continue
		}
		n.add(f.value, f.unit)
		if f.unit == (unit{}) && len(n.bare) <= few {
			n.bare = append(n.bare, f.value)
		}
		if f.also != f.value {
			n.add(f.also, f.unit)
		}
		if f.unit.kind == percent {
			n.add(f.value/100, unit{})
		}
		if f.value > 12 && f.value < 24 && f.unit == (unit{}) {
			n.add(f.value-12, unit{}) // 14:00 is 2 pm
		}
	}
	for i, w := range s.words {
		if i > 0 && relativeDates[s.words[i-1].text+" "+w.text] || relativeDates[w.text] {
			n.relative = true
		}
		for _, v := range impliedNumbers[w.text] {
			n.add(v, unit{})
		}
		// Thousands written apart: 1 , 000.
		if i > 0 && len(w.text) == 3 && w.digits() && s.words[i-1].digits() && len(s.words[i-1].text) <= 3 {
			if a, b := (&figure{}), (&figure{}); a.parse(s.words[i-1].text) && b.parse(w.text) {
				n.add(a.value*1000+b.value, unit{})
			}
		}
	}
}

var relativeDates = map[string]bool{
	"last year": true, "this year": true, "next year": true, "this month": true, "last month": true, "next month": true,
	"last week": true, "this week": true, "next week": true, "years ago": true, "year ago": true, "months ago": true, "this season": true,
	"last season": true, "next season": true, "today": true, "yesterday": true, "tomorrow": true, "currently": true, "recently": true,
}

// close ends adding.
func (n *numbers) close() {
	n.reckon()
	n.values = n.values[:0]
	for v := range n.byValue {
		n.values = append(n.values, v)
	}
	slices.Sort(n.values)
	for k := range n.sizes {
		slices.Sort(n.sizes[k])
	}
}

// reckon adds the sums and differences of the few bare numbers, since an answer
// may count together what a document counts apart.
func (n *numbers) reckon() {
	if len(n.bare) > few {
		return
	}
	for i, a := range n.bare {
		for _, b := range n.bare[:i] {
			n.add(a+b, unit{kind: counted})
			n.add(math.Abs(a-b), unit{kind: counted})
		}
	}
}

// near reports whether sorted holds a value within tolerance of v.
func near(sorted []float64, v, tolerance float64) bool {
	i, _ := slices.BinarySearch(sorted, v-tolerance)
	return i < len(sorted) && sorted[i] <= v+tolerance
}

// supports reports whether the documents state f. Approximate allows five in a
// hundred.
func (n *numbers) supports(f figure, approximate bool) bool {
	tolerance := f.step/2 + math.Abs(f.value)*1e-9
	if f.step == 1 && !approximate {
		tolerance = 0.5 - 1e-9 // a rounded decimal, not the next whole number
	}
	if approximate {
		tolerance = max(tolerance, math.Abs(f.value)*0.05)
	}
	if f.unit.size > 0 && n.stretches(f, tolerance) {
		return true
	}
	if f.unit.kind == temperature && (n.states(f.value*9/5+32, tolerance*2, f.unit) || n.states((f.value-32)*5/9, tolerance, f.unit)) {
		return true
	}
	if f.unit.kind == percent && near(n.values, f.value/100, tolerance/100) {
		return true
	}
	if n.states(f.value, tolerance, f.unit) || f.also != f.value && n.states(f.also, tolerance, f.unit) {
		return true
	}
	for i, a := range n.years {
		for _, b := range n.years[:i] {
			if math.Abs(a-b) == f.value {
				return true
			}
		}
	}
	return false
}

// stretches: the same length of time, weight or size is stated in another unit.
// Between the metric and the imperial system, and between days and months, one
// rounds.
func (n *numbers) stretches(f figure, tolerance float64) bool {
	in := func(k kind, imperial bool, size, slack float64) bool {
		return near(n.sizes[measure{k, imperial}], size, slack)
	}
	const month = 30.4375 * 86400
	size, u := f.value*f.unit.size, f.unit
	if in(u.kind, u.imperial, size, tolerance*u.size) {
		return true
	}
	switch u.kind {
	case months:
		return in(duration, false, size*month, size*month*0.05)
	case duration:
		return in(months, false, size/month, size/month*0.05)
	}
	return in(u.kind, !u.imperial, size, max(tolerance*u.size, size*0.02))
}

// states reports whether a value within tolerance of v is stated, and not only
// ever as something else: "30 days" does not support "30 months", nor "$30".
func (n *numbers) states(v, tolerance float64, u unit) bool {
	i, _ := slices.BinarySearch(n.values, v-tolerance)
	for ; i < len(n.values) && n.values[i] <= v+tolerance; i++ {
		if slices.ContainsFunc(n.byValue[n.values[i]], u.agrees) {
			return true
		}
	}
	return false
}

// reckons reports whether f comes of a stated value and an operand that the
// answer or the question names: 45 days is 15 days more than 30 days, two at
// $5 are $10.
func (n *numbers) reckons(f, operand figure) bool {
	exactly := func(v float64) bool { return v > 0 && n.states(v, v*1e-9, f.unit) }
	o := operand.value
	switch {
	case operand.unit == f.unit && n.supports(operand, false):
		return exactly(f.value-o) || exactly(o-f.value) || exactly(f.value+o)
	case operand.unit == (unit{}) && o > 1:
		return exactly(f.value/o) || exactly(f.value*o)
	}
	return false
}

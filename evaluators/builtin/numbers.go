package builtin

import (
	"math"
	"slices"
)

// numbers are the figures that documents state, for looking up whether one
// supports a figure of the answer. It errs towards support: a number that
// could be read, converted, rounded or counted from what is there is there.
type numbers struct {
	values  []float64          // sorted once closed
	byValue map[float64][]unit // the units a value was stated with
	sizes   map[kind][]float64 // durations and months in base units
	years   []float64
	// relative: dates are given by the time of writing ("last year"), so that
	// an answer may rightly name a year that is not written.
	relative bool
	// stated are the first few figures, whose sums and products count as
	// stated too.
	stated []figure
}

// few is how many figures documents may state for what can be reckoned from
// them to count as stated.
const few = 12

func newNumbers() *numbers {
	return &numbers{byValue: make(map[float64][]unit), sizes: make(map[kind][]float64)}
}

func (n *numbers) add(v float64, u unit) {
	us, ok := n.byValue[v]
	if !ok {
		n.values = append(n.values, v)
		if v >= 1000 && v <= 2200 && v == math.Trunc(v) && len(n.years) < 100 {
			n.years = append(n.years, v)
		}
	}
	if !slices.Contains(us, u) && len(us) < 8 {
		n.byValue[v] = append(us, u)
	}
	if u.size > 0 {
		n.sizes[u.kind] = append(n.sizes[u.kind], v*u.size)
	}
}

// addSentence takes the numbers of a document's sentence in.
func (n *numbers) addSentence(s sentence) {
	for _, f := range figures(s) {
		if f.identifier {
			// A name's digits may be what an answer calls it by.
			if d, _ := splitDigits(s.words[f.from].text); f.parse(d) {
				n.add(f.value, unit{})
			}
			continue
		}
		n.add(f.value, f.unit)
		if len(n.stated) <= few {
			n.stated = append(n.stated, f)
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

// reckon adds the sums and differences of the few figures of one unit, and
// their products with bare numbers.
func (n *numbers) reckon() {
	if len(n.stated) > few {
		return
	}
	for i, a := range n.stated {
		for _, b := range n.stated[:i] {
			if a.unit == b.unit {
				n.add(a.value+b.value, a.unit)
				n.add(math.Abs(a.value-b.value), a.unit)
			}
			if a.unit == (unit{}) {
				n.add(a.value*b.value, b.unit)
			} else if b.unit == (unit{}) {
				n.add(a.value*b.value, a.unit)
			}
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
	if f.unit.kind == percent && near(n.values, f.value/100, tolerance/100) {
		return true
	}
	for _, v := range [...]float64{f.value, f.also} {
		if us, ok := n.byValue[v]; ok && n.otherwise(f.unit, us) {
			continue
		}
		if near(n.values, v, tolerance) {
			return true
		}
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

// stretches: a time of the same length is stated in another unit.
func (n *numbers) stretches(f figure, tolerance float64) bool {
	size := f.value * f.unit.size
	if near(n.sizes[f.unit.kind], size, tolerance*f.unit.size) {
		return true
	}
	const month = 30.4375 * 86400
	if f.unit.kind == months {
		return near(n.sizes[duration], size*month, size*month*0.05)
	}
	return near(n.sizes[months], size/month, size/month*0.05)
}

// otherwise: the value is stated, but only ever as another time or as
// something that is not a time: "30 days" does not support "30 months".
func (n *numbers) otherwise(u unit, stated []unit) bool {
	if u.kind != duration && u.kind != months {
		return false
	}
	for _, s := range stated {
		if s == u || s.kind != duration && s.kind != months {
			return false
		}
	}
	return true
}

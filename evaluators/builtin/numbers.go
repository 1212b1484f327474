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
	// clocks are times of day in minutes, spans periods by their beginning and
	// length, codes what is written with digits and is no number.
	clocks map[float64]bool
	spans  map[[2]float64]bool
	codes  codes
}

// measure is what is measured, and in which system. Of data the other system is
// that of 1024.
type measure struct {
	kind     kind
	imperial bool
	currency string
}

// few is how many bare numbers documents may state for what can be reckoned
// from them to count as stated.
const few = 8

func newNumbers() *numbers {
	return &numbers{
		byValue: make(map[float64][]unit), sizes: make(map[measure][]float64),
		clocks: make(map[float64]bool), spans: make(map[[2]float64]bool), codes: codes{make(map[string]bool), make(map[string][]string)},
	}
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
		k := measure{u.kind, u.imperial, u.currency()}
		n.sizes[k] = append(n.sizes[k], v*u.size)
		if u.kind == data {
			k.imperial = true
			n.sizes[k] = append(n.sizes[k], v*u.binary())
		}
	}
}

// addSentence takes the numbers of a document's sentence in, which it returns: its
// figures and its composites.
func (n *numbers) addSentence(s sentence) (fs, together []figure) {
	fs = figures(s)
	together = composites(s, fs)
	for m, stated := range monthsOf(s, fs) {
		n.months[m] = n.months[m] || stated
	}
	n.codes.addSentence(s)
	for _, f := range together {
		n.addComposite(f)
	}
	for _, f := range fs {
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
	return fs, together
}

// addComposite takes in a quantity of several figures, or of none.
func (n *numbers) addComposite(f figure) {
	switch {
	case f.unit.kind == clock:
		n.clocks[f.value], n.clocks[f.also] = true, true
	case f.span > 0:
		n.spans[[2]float64{f.value, f.span}] = true
	default:
		n.add(f.value, f.unit)
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
	slices.Sort(n.years)
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

// tolerance is how far from a figure a stated value may be which it is rounded
// from: half of its last digit. A whole number is never the next one. An
// approximate figure may be off by five in a hundred, or by half of its last
// digit that is not zero where that is more, up to ten in a hundred.
func (f figure) tolerance(approximate bool) float64 {
	size := math.Abs(f.value)
	tolerance := f.step/2 + size*1e-9
	if f.step == 1 {
		tolerance = 0.5 - 1e-9
	}
	if approximate && size > 0 {
		place := math.Pow10(int(math.Floor(math.Log10(size) + 1e-9)))
		for place > f.step && math.Abs(math.Mod(size/place+1e-9, 1)) > 1e-6 {
			place /= 10
		}
		tolerance = max(tolerance, size*0.05, min(size*0.1, place/2))
	}
	return tolerance
}

// supports reports whether the documents state f, in whatever unit.
func (n *numbers) supports(f figure, approximate bool) bool {
	if f.unit.kind == clock && f.start < f.end && f.span == 0 && f.unit.name != "" && (n.clocks[f.value] || n.clocks[f.also]) {
		return true
	}
	if f.span > 0 {
		return n.spans[[2]float64{f.value, f.span}] || near(n.years, f.value+f.span/2, f.span/2)
	}
	tolerance := f.tolerance(approximate)
	if f.unit.size > 0 && n.stretches(f, tolerance) {
		return true
	}
	if f.unit.kind == temperature {
		celsius, fahrenheit := units["c"], units["f"]
		if f.unit.name != "f" && n.measures(f.value*9/5+32, tolerance*1.8, fahrenheit) || f.unit.name != "c" && n.measures((f.value-32)*5/9, tolerance, celsius) {
			return true
		}
	}
	if f.unit.kind == percent && near(n.values, f.value/100, tolerance/100) {
		return true
	}
	if n.states(f.value, tolerance, f.unit) || f.also != f.value && n.states(f.also, tolerance, f.unit) {
		return true
	}
	if f.unit != (unit{}) && f.unit != units["year"] {
		return false
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
	u := f.unit
	in := func(k kind, imperial bool, size, slack float64) bool {
		return near(n.sizes[measure{k, imperial, u.currency()}], size, slack+size*1e-6)
	}
	const month = 30.4375 * 86400
	size := f.value * u.size
	if in(u.kind, u.imperial, size, tolerance*u.size) {
		return true
	}
	switch u.kind {
	case months:
		return in(duration, false, size*month, size*month*0.05)
	case duration:
		return in(months, false, size/month, size/month*0.05)
	case data:
		return in(data, true, f.value*u.binary(), tolerance*u.binary())
	case money:
		if u.name != "" {
			u.name = "" // cents of whichever currency
		} else {
			for _, c := range currencies {
				if u.name = c.name; in(money, false, size, tolerance*u.size) {
					return true
				}
			}
			return false
		}
		return in(money, false, size, tolerance*u.size)
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

// measures is states without the bare numbers.
func (n *numbers) measures(v, tolerance float64, u unit) bool {
	i, _ := slices.BinarySearch(n.values, v-tolerance)
	for ; i < len(n.values) && n.values[i] <= v+tolerance; i++ {
		if slices.ContainsFunc(n.byValue[n.values[i]], func(o unit) bool { return o.kind == u.kind && o.agrees(u) }) {
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

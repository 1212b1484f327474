package builtin

import (
	"cmp"
	"math"
)

// target is a figure with how far off a result may be.
type target struct {
	figure
	slack float64
}

// is reports whether the target is v of that unit, also when converted.
func (t target) is(v float64, u unit) bool {
	switch {
	case t.unit.converts(u):
		return math.Abs(t.value*t.unit.size-v*u.size) <= t.slack*t.unit.size+math.Abs(v*u.size)*1e-6
	case t.unit.kind == months && u.kind == duration || t.unit.kind == duration && u.kind == months:
		return false
	case u == (unit{}), u.kind == counted:
		return (t.unit == (unit{}) || t.unit.kind == other) && math.Abs(t.value-v) <= t.slack
	}
	return t.unit.kind == u.kind && t.unit.agrees(u) && math.Abs(t.value-v) <= t.slack
}

// alone: from one figure, and what is constant.
func (d *derivation) alone(t target, a operand) bool {
	switch {
	case a.unit.kind == percent && t.unit.kind == percent:
		return t.is(100-a.value, a.unit)
	case a.unit.kind == counted:
		return t.is(a.value, a.unit)
	case t.unit == (unit{}) && t.per.size > 0 && t.per.kind == a.unit.kind && a.unit.size > 0: // every 15 minutes
		return t.is(t.per.size/(a.value*a.unit.size), unit{})
	case a.unit == (unit{}) && a.per.size > 0 && a.per.kind == t.unit.kind:
		return t.is(1/a.value, a.per)
	case t.per != (unit{}) && a.per != (unit{}) && a.per.kind == t.per.kind && a.per != t.per && t.per.size > 0:
		return t.is(a.value*t.per.size/a.per.size, a.unit)
	}
	if a.implied || a.unit.kind == percent || a.unit.kind == clock {
		return false
	}
	if a.per.size > 0 && a.per.kind == t.unit.kind {
		return false
	}
	if a.unit.kind == duration || a.unit.kind == months {
		return false
	}
	for _, by := range d.factors {
		if t.is(a.value*by, a.unit) {
			return true
		}
	}
	return false
}

// together: from two figures, in this order.
func (d *derivation) together(t target, a, b operand) bool {
	x, y := a.value, b.value
	switch {
	case a.assumed || b.assumed && (a.per.size == 0 || a.per.kind != b.unit.kind):
		return false
	case b.unit.kind == percent:
		if a.unit.kind == percent {
			return d.adds(a, b) && (t.is(x+y, a.unit) || t.is(x-y, a.unit))
		}
		if a.implied || a.unit.kind == clock || a.unit.kind == temperature {
			return false
		}
		return t.is(x*y/100, a.unit) || t.is(x*(100-y)/100, a.unit) || t.is(x*(100+y)/100, a.unit) ||
			t.is(x/(1+y/100), a.unit) || d.cued && y < 100 && t.is(x/(1-y/100), a.unit)
	case a.unit.kind == clock && b.unit.kind == clock:
		if t.unit.kind != duration {
			return false
		}
		for _, from := range []float64{x, a.also} {
			for _, to := range []float64{y, b.also} {
				if t.is(math.Mod(to-from+1440, 1440), units["minute"]) {
					return true
				}
			}
		}
		return false
	case a.unit.kind == clock && b.unit.kind == duration && t.unit.kind == clock:
		minutes := y * b.unit.size / 60
		for _, from := range []float64{x, a.also} {
			for _, v := range []float64{from + minutes, from - minutes} {
				if v = math.Mod(v+2880, 1440); v == t.value || v == t.also {
					return true
				}
			}
		}
		return false
	case a.unit.kind == dated || b.unit.kind == dated:
		n := math.Mod(y-x+12, 12)
		return a.unit == b.unit && n > 0 && t.is(n, units["month"])
	case a.unit.kind == clock || b.unit.kind == clock || a.unit.kind == counted || b.unit.kind == counted:
		return false
	case a.year() && b.unit.kind == months && b.unit.size >= 12:
		years := y * b.unit.size / 12
		return (d.cued || a.sentence == b.sentence) && (t.is(x+years, unit{}) || t.is(x-years, unit{}))
	case a.year() && b.unit == (unit{}) && !b.year():
		return d.cued && t.year() && (t.is(x+y, unit{}) || t.is(x-y, unit{}))
	case a.year() || b.year() && a.unit == (unit{}):
		return false
	}
	if a.per.size > 0 && a.per.kind == b.unit.kind && !a.implied { // a rate and how long, how much
		if t.is(x*y*b.unit.size/a.per.size, a.unit) {
			return true
		}
	}
	if t.per.size > 0 && t.per.kind == b.unit.kind && !a.implied && t.is(x*t.per.size/(y*b.unit.size), a.unit) {
		return true
	}
	if a.unit.kind == distance && b.unit.kind == duration && t.unit.kind == speed {
		return t.is(x*a.unit.size/(y*b.unit.size), unit{kind: speed, size: 1})
	}
	if a.unit.kind == speed && b.unit.kind == duration && t.unit.kind == distance {
		return t.is(x*a.unit.size*y*b.unit.size, unit{kind: distance, size: 1})
	}
	if a.unit.kind == power && b.unit.kind == duration && t.unit.kind == energy {
		return t.is(x*a.unit.size*y*b.unit.size, unit{kind: energy, size: 1})
	}
	if a.unit.kind == distance && b.unit.kind == distance && t.unit.kind == area {
		return t.is(x*a.unit.size*y*b.unit.size, unit{kind: area, size: 1})
	}
	if a.implied || b.implied {
		return false
	}
	if a.unit.converts(b.unit) || a.unit == b.unit {
		return d.alike(t, a, b)
	}
	if d.cued && a.sentence == b.sentence && (a.unit == (unit{})) != (b.unit == (unit{})) && min(x, y)*10 > max(x, y) {
		// The unit is said once: 12.4 million tonnes, then 9.3 million.
		one, other := a, b
		one.unit, other.unit = cmp.Or(a.unit, b.unit), cmp.Or(b.unit, a.unit)
		if d.alike(t, one, other) {
			return true
		}
	}
	// An amount, and how many of them.
	if b.unit == (unit{}) && y > 1 && (d.cued || b.step == 1 && (b.sentence < 0 || a.sentence == b.sentence)) {
		return t.is(x*y, a.unit) || t.is(x/y, a.unit)
	}
	return false
}

// alike: from two figures of one kind.
func (d *derivation) alike(t target, a, b operand) bool {
	x, y, u := a.value, b.value, unit{}
	if a.unit.size > 0 {
		y *= b.unit.size / a.unit.size
		u = a.unit
	}
	if t.unit.kind == percent {
		ratio := 100 * x / y
		return (d.cued || d.moves) && (t.is(ratio-100, t.unit) || t.is(100-ratio, t.unit)) || (d.cued || a.sentence == b.sentence) && t.is(ratio, t.unit)
	}
	if d.adds(a, b) && (t.is(x+y, u) || t.is(math.Abs(x-y), u)) {
		return true
	}
	if d.mean && t.is((x+y)/2, u) {
		return true
	}
	if u == (unit{}) && y > 1 && (t.is(x*y, u) || d.cued && t.is(x/y, u)) {
		return d.adds(a, b)
	}
	if u == (unit{}) && y > 1 && a.sentence == ofAnswer && t.step == 1 && math.Mod(x, y) == 0 && t.is(x/y, u) {
		return true // 150 people take 3 buses of 50
	}
	return u != (unit{}) && d.cued && x > y && t.unit == (unit{}) && t.is(x/y, unit{}) && t.step < 1
}

// adds: the two are such as are added up or compared. Of a range only the ends'
// distance is, and of figures apart only where the sentence says so.
func (d *derivation) adds(a, b operand) bool {
	if a.ends && b.ends && a.sentence == b.sentence {
		return d.cued
	}
	if d.cued {
		return true
	}
	if a.sentence != b.sentence || a.sentence < 0 {
		return false
	}
	return a.unit != (unit{}) || d.bare[a.sentence] <= fewBare
}

// sum: of all figures of that kind in one sentence, of three or more.
func (d *derivation) sum(t target) bool {
	for i := 0; i < len(d.operands); {
		id, total, n := d.operands[i].sentence, 0.0, 0
		for ; i < len(d.operands) && d.operands[i].sentence == id; i++ {
			switch o := d.operands[i]; {
			case o.implied:
			case t.unit.size > 0 && o.unit.converts(t.unit):
				total += o.value * o.unit.size / t.unit.size
				n++
			case t.unit == o.unit && !o.year():
				total += o.value
				n++
			}
		}
		if id >= 0 && n > 2 && t.is(total, t.unit) {
			return true
		}
	}
	return false
}

// reckoningWords say that a sentence reckons.
var reckoningWords = set(`total totals totalling totaling altogether combined together sum both overall plus minus times difference
more fewer less longer shorter higher lower older younger heavier lighter cheaper larger smaller bigger faster slower taller dearer
increase increased increases cut cuts shrank shrunk
climbed jumped surged plunged slipped doubled halved trebled tripled rise rose risen grew grown growth fell fall fallen drop dropped decrease decreased decline declined
gain gained loss lost change changed gap apart between save saves saved saving savings left remaining remain remains
remainder leaves rest each apiece per average half double twice triple later earlier after before discount reduced
extra additional additionally net gross including equals equal adds add added share ratio`)

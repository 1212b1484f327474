package builtin

import (
	"math"
	"strings"
)

// kind is what a unit measures.
type kind uint8

const (
	noKind kind = iota
	duration
	months // calendar time, which does not divide into days evenly
	mass
	distance
	area
	volume
	speed
	temperature
	data // also of a rate, as megabits a second are called megabits
	frequency
	power
	energy
	pressure
	voltage
	current
	percent
	money
	clock // a time of day, in minutes from midnight
	dated // a month by its name
	other
	counted // no unit: a number reckoned from bare ones
)

// unit is a unit of measure, metric unless said otherwise; size is how many base
// units it holds, 0 where nothing is converted. The base units are those that
// the table has with a size of 1.
type unit struct {
	kind     kind
	size     float64
	name     string
	imperial bool
}

// agrees reports whether a number stated in the one unit can support one
// claimed in the other. A bare number goes with any.
func (u unit) agrees(o unit) bool {
	switch {
	case u.kind == counted || o.kind == counted:
		return u.kind == noKind || o.kind == noKind
	case u.kind == noKind || o.kind == noKind:
		return true
	case u.kind != o.kind:
		return u.sterling() && o.sterling() // weight or money, "pounds" does not say
	case u.kind == money || u.kind == temperature:
		return (u.size == o.size || u.size == 0 || o.size == 0) && (u.name == o.name || u.name == "" || o.name == "")
	case u.kind == clock, u.kind == other:
		return u.name == o.name
	}
	return u.kind == percent || u == o || u.imperial == o.imperial && u.size == o.size
}

// sterling: the unit can be called a pound.
func (u unit) sterling() bool { return u.name == "lb" || u.kind == money && u.name == "gbp" }

// converts reports whether an amount in the one unit is one in the other too,
// once multiplied by their sizes.
func (u unit) converts(o unit) bool {
	return u.kind == o.kind && u.size > 0 && o.size > 0 && (u.kind != money || u.name == o.name || u.name == "" || o.name == "")
}

// currency is the name of a unit of money, of others nothing.
func (u unit) currency() string {
	if u.kind == money {
		return u.name
	}
	return ""
}

// binary is the size of a unit of data whose prefix is taken for a power of
// 1024, as it often is.
func (u unit) binary() float64 {
	size := u.size
	for _, p := range [...]float64{1e15, 1e12, 1e9, 1e6, 1e3} {
		if power := math.Log10(p) / 3; size >= p/8 && math.Mod(size, p/8) == 0 {
			return size / p * math.Pow(1024, power)
		}
	}
	return size
}

// units are the units by their names in lower case, symbols those whose case
// tells them apart.
var units, symbols = func() (names, symbols map[string]unit) {
	names, symbols = make(map[string]unit), make(map[string]unit)
	imperial := false
	// The first of the names is the unit's. A plus adds the plural.
	add := func(k kind, size float64, list string) {
		u := unit{kind: k, size: size, imperial: imperial}
		for name := range strings.FieldsSeq(list) {
			name, plural := strings.CutSuffix(name, "+")
			if u.name == "" {
				u.name = name
			}
			names[name] = u
			if plural {
				names[name+"s"] = u
			}
		}
	}
	// The prefixes of SI, from nano to peta, before a symbol and before names. Of
	// data and frequencies there are no thousandths, and in lower case an m before
	// watts, joules and pascals is a million.
	prefixed := func(k kind, size float64, symbol, list string) {
		for _, p := range [...]struct {
			symbol, name string
			by           float64
		}{
			{"n", "nano", 1e-9}, {"µ", "micro", 1e-6}, {"m", "milli", 1e-3}, {"c", "centi", 1e-2}, {"d", "deci", 1e-1}, {"", "", 1},
			{"k", "kilo", 1e3}, {"M", "mega", 1e6}, {"G", "giga", 1e9}, {"T", "tera", 1e12}, {"P", "peta", 1e15},
		} {
			if p.by < 1 && (k == data || k == frequency) || (p.by == 1e-2 || p.by == 1e-1) && k != distance && k != volume {
				continue
			}
			u := unit{kind: k, size: size * p.by, name: p.symbol + symbol}
			symbols[p.symbol+symbol] = u
			lower := strings.ToLower(p.symbol + symbol)
			if large := k == power || k == energy || k == pressure; names[lower] == (unit{}) && (len(lower) > 1 || lower == symbol) && (!large || p.by >= 1) {
				names[lower] = u
			}
			for name := range strings.FieldsSeq(list) {
				names[p.name+name], names[p.name+name+"s"] = u, u
			}
		}
	}
	add(duration, 1, "second+ sec+ s")
	add(duration, 1e-3, "ms msec+ millisecond+")
	add(duration, 1e-6, "µs microsecond+")
	add(duration, 1e-9, "ns nanosecond+")
	add(duration, 60, "minute+ min+")
	add(duration, 3600, "hour+ hr+ h")
	add(duration, 86400, "day+ night+")
	add(duration, 604800, "week+ wk+")
	add(duration, 2*604800, "fortnight+")
	add(months, 1, "month+ mo")
	add(months, 3, "quarter+")
	add(months, 12, "year+ yr+")
	add(months, 120, "decade+")
	add(months, 1200, "century centuries")
	prefixed(mass, 1, "g", "gram gramme")
	add(mass, 1000, "kg kilo+")
	add(mass, 1e6, "t ton+ tonne+")
	prefixed(distance, 1, "m", "meter metre")
	prefixed(volume, 1, "l", "liter litre")
	add(volume, 1000, "m3 cbm")
	add(area, 1, "m2 sqm")
	add(area, 1e-4, "cm2 sqcm")
	add(area, 1e-6, "mm2 sqmm")
	add(area, 1e6, "km2 sqkm")
	add(area, 1e4, "ha hectare+")
	add(speed, 1, "mps m/s")
	add(speed, 1/3.6, "kmh kph km/h kmph")
	add(speed, 1852/3600., "knot+ kn")
	prefixed(data, 1, "B", "byte")
	prefixed(data, 1./8, "bit", "bit")
	for i, p := range []string{"ki", "mi", "gi", "ti", "pi"} {
		add(data, float64(int64(1)<<(10*(i+1))), p+"b "+p+"byte+")
	}
	for p, by := range map[string]float64{"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12} {
		u := unit{kind: data, size: by / 8, name: p + "bit"}
		names[strings.ToLower(p)+"bps"] = u
	}
	prefixed(frequency, 1, "Hz", "hertz")
	add(frequency, 1./60, "rpm bpm")
	prefixed(power, 1, "W", "watt")
	add(power, 735.5, "ps hp horsepower")
	prefixed(energy, 1, "J", "joule")
	prefixed(energy, 3600, "Wh", "watt-hour watthour")
	add(energy, 4184, "kcal kilocalorie+ calorie+ cal")
	prefixed(pressure, 1, "Pa", "pascal")
	add(pressure, 1e5, "bar+")
	add(pressure, 100, "mbar millibar+")
	prefixed(voltage, 1, "V", "volt")
	prefixed(current, 1, "A", "amp ampere")
	prefixed(current, 1, "Ah", "amp-hour")
	imperial = true
	add(mass, 28.3495, "oz ounce+")
	add(mass, 453.592, "lb+ pound+")
	add(mass, 6350.29, "stone stones")
	add(distance, 0.0254, "inch inches")
	add(distance, 0.3048, "foot feet ft")
	add(distance, 0.9144, "yard+ yd+")
	add(distance, 1609.344, "mile+ mi")
	add(volume, 3.78541, "gallon+ gal")
	add(volume, 0.946353, "quart+")
	add(volume, 0.473176, "pint+")
	add(volume, 0.2366, "cup+")
	add(volume, 0.0148, "tablespoon+ tbsp")
	add(volume, 0.00493, "teaspoon+ tsp")
	add(volume, 28.3168, "ft3")
	add(area, 0.0254*0.0254, "sqin in2")
	add(area, 0.3048*0.3048, "sqft ft2")
	add(area, 0.9144*0.9144, "sqyd")
	add(area, 1609.344*1609.344, "sqmi")
	add(area, 4046.86, "acre+")
	add(speed, 1609.344/3600, "mph")
	add(pressure, 6894.76, "psi")
	imperial = false
	// A degree alone is of either scale.
	names["degree"], names["degrees"] = unit{kind: temperature}, unit{kind: temperature}
	add(temperature, 0, "c celsius centigrade")
	add(temperature, 0, "f fahrenheit")
	add(percent, 0, "percent pct percentage")
	for _, c := range [...][2]string{
		{"usd dollar+ bucks", "cent+"}, {"eur euro+", "eurocent+"}, {"gbp quid", "pence penny"}, {"jpy yen", ""}, {"inr rupee+", "paise"},
		{"chf franc+", ""}, {"cny yuan", ""},
	} {
		add(money, 1, c[0])
		add(money, 0.01, c[1])
	}
	for name := range strings.FieldsSeq("cent cents") { // of dollars or of euros
		names[name] = unit{kind: money, size: 0.01}
	}
	add(clock, 0, "am a.m")
	add(clock, 0, "pm p.m")
	add(other, 0, "px pixel+")
	add(other, 0, "dpi ppi")
	return names, symbols
}()

// cubes are the cubed units that are written in two words, squares the squared
// ones.
var cubes = map[string]string{"m": "m3", "meter": "m3", "meters": "m3", "metre": "m3", "metres": "m3", "cm": "ml", "centimetres": "ml", "centimeters": "ml", "feet": "ft3", "foot": "ft3"}

var squares = map[string]string{
	"ft": "sqft", "feet": "sqft", "foot": "sqft", "m": "sqm", "meter": "sqm", "meters": "sqm", "metre": "sqm", "metres": "sqm",
	"km": "sqkm", "kilometer": "sqkm", "kilometers": "sqkm", "kilometre": "sqkm", "kilometres": "sqkm", "mile": "sqmi", "miles": "sqmi",
	"yard": "sqyd", "yards": "sqyd", "inch": "sqin", "inches": "sqin", "cm": "sqcm", "centimeters": "sqcm", "centimetres": "sqcm",
}

// unitNamed returns the unit of a word as it is written. Its case counts where
// it tells units apart: MW and mW.
func unitNamed(written, folded string) unit {
	if u, ok := symbols[written]; ok {
		return u
	}
	return units[folded]
}

// unitAdjectives may stand between a number and its unit.
var unitAdjectives = set(`business working calendar consecutive full whole more additional further long short us solid straight`)

// approximations before a number allow it to be rounded.
var approximations = set(`about around approximately roughly nearly almost over under more less than least most up circa ca approx some close estimated say`)

// counted things are what an answer counts of itself: three reasons, two steps.
var countedThings = set(`way ways step steps thing things reason reasons option options tip tips point points example examples
part parts factor factors type types question questions sentence sentences word words item items method methods idea ideas
kind kinds category categories side sides piece pieces aspect aspects condition conditions case cases`)

// labels before a number name a place in a text.
var labels = set(`step steps option figure fig table section chapter page part question point item example note number no document doc source rule`)

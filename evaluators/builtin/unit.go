package builtin

// kind is what a unit measures.
type kind uint8

const (
	noKind kind = iota
	duration
	months // calendar time, which does not divide into days evenly
	mass
	distance
	volume
	temperature
	percent
	money
	other
	counted // no unit: a number reckoned from bare ones
)

// unit is a unit of measure, metric unless said otherwise; size is how many base units it holds (seconds,
// months, grams, millimetres, millilitres), 0 where nothing is converted.
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
	case u.kind == noKind || o.kind == noKind || u.kind == other && o.kind == other:
		return true
	case u.size > 0 && o.size > 0:
		return u == o
	}
	return u.kind == o.kind
}

var units = func() map[string]unit {
	m := make(map[string]unit)
	imperial := false
	add := func(k kind, size float64, names string) {
		first := ""
		for name := range set(names) {
			if first == "" || name < first {
				first = name
			}
		}
		for name := range set(names) {
			m[name] = unit{k, size, first, imperial}
		}
	}
	add(duration, 1, "second seconds sec secs s")
	add(duration, 60, "minute minutes min mins")
	add(duration, 3600, "hour hours hr hrs h")
	add(duration, 86400, "day days")
	add(duration, 604800, "week weeks")
	add(months, 1, "month months")
	add(months, 12, "year years yr yrs")
	add(months, 120, "decade decades")
	add(months, 1200, "century centuries")
	add(mass, 0.001, "mg milligram milligrams")
	add(mass, 1, "g gram grams")
	add(mass, 1000, "kg kilogram kilograms kilo kilos")
	add(mass, 1e6, "ton tons tonne tonnes")
	add(distance, 1, "mm millimeter millimeters millimetre millimetres")
	add(distance, 10, "cm centimeter centimeters centimetre centimetres")
	add(distance, 1000, "meter meters metre metres")
	add(distance, 1e6, "km kilometer kilometers kilometre kilometres")
	add(volume, 1, "ml milliliter milliliters millilitre millilitres")
	add(volume, 1000, "l liter liters litre litres")
	imperial = true
	add(mass, 28.35, "oz ounce ounces")
	add(mass, 453.6, "lb lbs")
	add(distance, 25.4, "inch inches")
	add(distance, 304.8, "foot feet ft")
	add(distance, 914.4, "yard yards")
	add(distance, 1609344, "mile miles")
	add(volume, 3785, "gallon gallons")
	add(volume, 237, "cup cups")
	add(volume, 14.8, "tablespoon tablespoons tbsp")
	add(volume, 4.93, "teaspoon teaspoons tsp")
	imperial = false
	add(temperature, 0, "degree degrees celsius fahrenheit c f")
	add(percent, 0, "percent pct percentage")
	add(money, 0, "dollar dollars usd bucks euro euros eur gbp yen rupees cents")
	for _, names := range [...]string{
		"am", "pm", "pound pounds", "mph", "acre acres", "hectare hectares", "kb", "mb", "gb", "tb", "w watt watts kw", "v volt volts",
		"hz mhz ghz", "px pixels", "kwh", "calorie calories kcal",
	} {
		add(other, 0, names)
	}
	return m
}()

// unitAdjectives may stand between a number and its unit.
var unitAdjectives = set(`business working calendar consecutive full whole more additional further long short square us`)

// approximations before a number allow it to be rounded.
var approximations = set(`about around approximately roughly nearly almost over under more less than least most up circa some close estimated`)

// counted things are what an answer counts of itself: three reasons, two steps.
var countedThings = set(`way ways step steps thing things reason reasons option options tip tips point points example examples
part parts factor factors type types question questions sentence sentences word words item items method methods idea ideas
kind kinds category categories side sides piece pieces aspect aspects condition conditions case cases`)

// labels before a number name a place in a text.
var labels = set(`step steps option figure fig table section chapter page part question point item example note number no document doc source rule`)

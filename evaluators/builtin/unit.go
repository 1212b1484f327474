package builtin

// kind is what a unit measures.
type kind uint8

const (
	noKind kind = iota
	duration
	months // calendar time, which does not divide into days evenly
	percent
	money
	other
)

// unit is a unit of measure; size is how many base units it holds (seconds,
// months), 0 where nothing is converted.
type unit struct {
	kind kind
	size float64
	name string
}

var units = func() map[string]unit {
	m := make(map[string]unit)
	add := func(k kind, size float64, names string) {
		first := ""
		for name := range set(names) {
			if first == "" || name < first {
				first = name
			}
		}
		for name := range set(names) {
			m[name] = unit{k, size, first}
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
	add(percent, 0, "percent pct percentage")
	add(money, 0, "dollar dollars usd bucks euro euros eur pound pounds gbp yen rupees cents")
	for _, names := range [...]string{
		"am", "pm", "degree degrees celsius fahrenheit c f",
		"kg kilogram kilograms kilo kilos", "g gram grams", "mg milligram milligrams", "lb lbs", "oz ounce ounces", "ton tons tonne tonnes",
		"mm millimeter millimeters", "cm centimeter centimeters", "meter meters metre metres", "km kilometer kilometers kilometre kilometres",
		"inch inches", "foot feet ft", "yard yards", "mile miles mph", "acre acres", "hectare hectares",
		"liter liters litre litres l", "ml milliliter milliliters", "gallon gallons", "cup cups", "tablespoon tablespoons tbsp", "teaspoon teaspoons tsp",
		"kb", "mb", "gb", "tb", "w watt watts kw", "v volt volts", "hz mhz ghz", "px pixels", "kwh", "calorie calories kcal", "x",
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

package builtin

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestComposites(t *testing.T) {
	for text, want := range map[string][]string{
		"It takes 1 h 30 min.":              {"90 minute"},
		"It takes 1 h 30.":                  {"90 minute"},
		"It takes 1h30.":                    {"90 minute", "90 24h"},
		"He is 6 ft 2 in tall.":             {"74 inch"},
		"Two thirds voted.":                 {"66.7 %"},
		"One in four owns a dog.":           {"25 %"},
		"It takes 2 1/2 hours.":             {"50 %", "2.5 hour"},
		"It rests three quarters of a day.": {"75 %", "0.75 day", "1 day"},
		"Half an hour is enough.":           {"50 %", "0.5 hour", "1 hour"},
		"An hour and a half is enough.":     {"1.5 hour"},
		"It opens at noon.":                 {"720 24h"},
		"It opens at 9:30 pm.":              {"1290 pm"},
		"It opens at half past nine.":       {"570 24h"},
		"It opens 9–17.":                    {"540 24h", "1020 24h"},
		"It dates from the 18th century.":   {"1700+99"},
		"It was built in the 1990s.":        {"1990+9"},
		"It is open Monday to Friday.":      {"5 day"},
		"It runs from March to May.":        {"3 month"},
		"It lasts a fortnight.":             {"1 fortnight"},
		"It costs $5 a month.":              nil,
		"Five people came to 3 shops.":      nil,
	} {
		s := sentence{text: text, words: splitWords(text)}
		var got []string
		for _, f := range composites(s, figures(s)) {
			switch {
			case f.span > 0:
				got = append(got, fmt.Sprintf("%v+%v", f.value, f.span))
			case f.unit.kind == percent:
				got = append(got, fmt.Sprintf("%.3g %%", f.value))
			default:
				got = append(got, fmt.Sprintf("%.5g %s", f.value, f.unit.name))
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

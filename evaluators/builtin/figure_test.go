package builtin

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFigures(t *testing.T) {
	type number struct {
		Text  string
		Value float64
		Unit  string
	}
	for text, want := range map[string][]number{
		"It costs $1,234.50 a year.":           {{"$1,234.50", 1234.5, "usd"}},
		"1000 or 1,000 or 1k":                  {{"1000", 1000, ""}, {"1,000", 1000, ""}, {"1k", 1000, ""}},
		"about 2.5 million people":             {{"2.5 million", 2.5e6, ""}},
		"twenty-one days":                      {{"twenty-one days", 21, "day"}},
		"two hundred and five pages":           {{"two hundred and five", 205, ""}},
		"three thousand two hundred":           {{"three thousand two hundred", 3200, ""}},
		"two dozen eggs":                       {{"two dozen", 24, ""}},
		"a 30-day trial":                       {{"30-day", 30, "day"}},
		"in 5 business days":                   {{"5 business days", 5, "day"}},
		"2 to 4 weeks":                         {{"2", 2, "week"}, {"4 weeks", 4, "week"}},
		"10-12 kg":                             {{"10", 10, "kg"}, {"12 kg", 12, "kg"}},
		"50% or 50 percent":                    {{"50%", 50, ""}, {"50 percent", 50, "percent"}},
		"the 1990s, on the 3rd":                {{"1990s", 1990, ""}, {"3rd", 3, ""}},
		"at 9:30 am":                           {{"9", 9, ""}, {"30 am", 30, "am"}},
		"2.5kg and 3 kg":                       {{"2.5kg", 2.5, "kg"}, {"3 kg", 3, "kg"}},
		"on 2024-03-05":                        {{"2024", 2024, ""}, {"03", 3, ""}, {"05", 5, ""}},
		"nothing at all":                       nil,
		"99999999999999999999999999999999 is…": {{"99999999999999999999999999999999", 0, ""}},
	} {
		s := sentence{text: text, words: splitWords(text)}
		var got []number
		for _, f := range figures(s) {
			got = append(got, number{s.text[f.start:f.end], f.value, f.unit.name})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestNamesWithDigitsAreNotFigures(t *testing.T) {
	for _, text := range []string{"GPT-4", "rx2000", "version 1.2.3", "MP3 files", "case #12", "snake_1"} {
		s := sentence{text: text, words: splitWords(text)}
		for _, f := range figures(s) {
			if !f.identifier {
				t.Errorf("%q: %v is taken for a figure", text, f.value)
			}
		}
	}
}

func TestNumbersSupport(t *testing.T) {
	for _, test := range []struct {
		document, claim string
		want            bool
	}{
		{"It weighs 1,500 g.", "1500 g", true},
		{"It weighs 1500 g.", "1501 g", false},
		{"It costs $4.99.", "$5", true},
		{"It costs $4.99.", "$4", false},
		{"Growth was 12.34%.", "12.3%", true},
		{"Growth was 12.34%.", "12.5%", false},
		{"A share of 0.25 went.", "25%", true},
		{"Half of it went.", "50%", true},
		{"It took 90 minutes.", "1.5 hours", true},
		{"It took 90 minutes.", "90 hours", false},
		{"It runs 12 months.", "1 year", true},
		{"It runs 365 days.", "one year", true},
		{"It opens at 14:00.", "2 pm", true},
		{"On 5 March 2019.", "2019-03-05", true},
		{"Born in 1950, died in 2001.", "51 years", true},
		{"Born in 1950, died in 2001.", "50 years", false},
		{"Some 1,234,567 people.", "1.2 million", true},
		{"Some 1,234,567 people.", "1.3 million", false},
		{"The 2018-2019 season.", "2018–19", true},
		{"Three apples and four pears.", "7", true},
		{"It lasts 2 years and ships in 5 days.", "7 years", false},
		{"It lasts 5 days.", "5 years", false},
		{"It has 5 rooms.", "5 years", true},
		{"Open from 9:00 to 17:00.", "8am", false},
		{"It weighs 2,450 g.", "2.45 kg", true},
		{"It weighs 2,450 g.", "5.4 lbs", true},
		{"It weighs 2,450 g.", "6.4 lbs", false},
		{"It measures 45 x 16 cm.", "17.7 inches", true},
		{"Wash at 30 °C.", "86 degrees", true},
		{"Wash at 30 °C.", "60 °C", false},
	} {
		if got := states(test.document, test.claim); got != test.want {
			t.Errorf("%q supports %q: %v, want %v", test.document, test.claim, got, test.want)
		}
	}
}

// states reports whether a document states the figures of a claim, without any
// reckoning.
func states(document, claim string) bool {
	n := newNumbers()
	n.addSentence(sentence{text: document, words: splitWords(document)})
	n.close()
	s := sentence{text: claim, words: splitWords(claim)}
	fs := figures(s)
	stated := make([]bool, len(s.words))
	for _, f := range append(composites(s, fs), fs...) {
		if n.supports(f, false) {
			for i := f.from; i < f.to; i++ {
				stated[i] = true
			}
		}
	}
	for _, f := range fs {
		if !stated[f.from] {
			return false
		}
	}
	return true
}

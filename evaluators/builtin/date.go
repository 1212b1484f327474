package builtin

// monthNames are the names of months and what they are shortened to.
var monthNames = map[string]int{
	"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8, "september": 9,
	"october": 10, "november": 11, "december": 12,
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12,
}

// monthsOf returns the months that documents date something with: every month's
// name, and in a date in digits (2016-05-03, 3/5/2016) each number that can be a
// month, since which one is one cannot be told. fs are
// the sentence's figures.
func monthsOf(s sentence, fs []figure) (months [13]bool) {
	for _, w := range s.words {
		if m := monthNames[w.text]; m > 0 {
			months[m] = true
		}
	}
	for i := 1; i < len(fs); i++ {
		if !datesApart(s.text[fs[i-1].end:max(fs[i].start, fs[i-1].end)]) {
			continue
		}
		for _, f := range fs[i-1 : i+1] {
			if f.value >= 1 && f.value <= 12 && f.step == 1 {
				months[int(f.value)] = true
			}
		}
	}
	for _, f := range fs {
		if !f.identifier {
			continue
		}
		for _, v := range digitGroups(s.words[f.from].text) { // 3.5.2016 is read as a name with digits
			if v >= 1 && v <= 12 {
				months[int(v)] = true
			}
		}
	}
	return months
}

// digitGroups returns the numbers in a word that is none itself: 3.5.2016, v2.10.
func digitGroups(word string) []float64 {
	var out []float64
	for i := 0; i < len(word); i++ {
		start, value := i, 0.0
		for i < len(word) && isDigit(word[i]) {
			value = value*10 + float64(word[i]-'0')
			i++
		}
		if n := i - start; n > 0 && n <= 9 && len(out) < 8 {
			out = append(out, value)
		}
	}
	return out
}

// datesApart: what stands between two numbers makes them parts of a date.
func datesApart(gap string) bool { return gap == "-" || gap == "/" || gap == "." || gap == "–" }

// dated returns the months that a sentence dates something with, by the place of
// their words: a month with a day or a year beside it ("3 March", "March 2016").
func (s sentence) dated() []int {
	var at []int
	for i, w := range s.words {
		if monthNames[w.text] > 0 && w.capital && (i > 0 && s.dayOrYear(i-1) || i+1 < len(s.words) && s.dayOrYear(i+1) ||
			i > 1 && s.words[i-1].text == "of" && s.dayOrYear(i-2)) {
			at = append(at, i)
		}
	}
	return at
}

// dayOrYear: word i is a number that can be a day of a month, or a year.
func (s sentence) dayOrYear(i int) bool {
	f, n := figureAt(s, i)
	return n == 1 && !f.identifier && !f.spelled && f.step == 1 && (f.value >= 1 && f.value <= 31 || f.value >= 1000 && f.value <= 2200)
}

// missingDates returns the dates of a sentence in a month that neither the
// documents nor the conversation name. Where documents date by the time of
// writing ("last month") any month may be right.
func (g *grounding) missingDates(s sentence) []string {
	var missing []string
	for _, i := range s.dated() {
		if g.numbers.relative || g.numbers.months[monthNames[s.words[i].text]] {
			continue
		}
		from, to := i, i
		if i > 0 && s.dayOrYear(i-1) {
			from = i - 1
		} else if i > 1 && s.words[i-1].text == "of" && s.dayOrYear(i-2) {
			from = i - 2
		}
		if i+1 < len(s.words) && s.dayOrYear(i+1) {
			to = i + 1
		}
		missing = append(missing, s.text[s.words[from].start:s.words[to].end])
	}
	return missing
}

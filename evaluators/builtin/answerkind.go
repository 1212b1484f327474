package builtin

import "strings"

// A direct answer need not share a word with its question: "Where is Kyoto?" "In
// the west of Honshu." A question says what kind of thing answers it, a place, a
// time, a number of metres. An answer of that kind is not off the topic, and a
// short one of another kind is not plainly on it. That it is of the kind makes
// none relevant: answers to other questions of the kind are as near.

// answersInKind reports whether one of the first sentences of an answer is of
// the kind that is asked for.
func answersInKind(answer *passage, question passage) bool {
	for _, q := range question.sentences {
		kind := askedKind(q)
		for _, a := range answer.sentences[:min(2, len(answer.sentences))] {
			if kind != nil && len(a.words) > 0 && kind(a) != "" {
				return true
			}
		}
	}
	return false
}

// withoutFigure reports whether a short answer has nothing like the time or the
// number that is asked for: no number, no word of time, nothing vague in its
// place.
func withoutFigure(answer *passage, question passage) bool {
	const longest = 15 // words
	if len(question.sentences) != 1 || answer.words > longest {
		return false
	}
	first, second := opening(question.sentences[0])
	if first != "when" && !(first == "how" && (second == "many" || second == "often" || unitsAsked[second] != nil)) {
		return false
	}
	for _, s := range answer.sentences {
		for _, w := range s.words {
			if w.digits() || numberNames[w.text] || timeWords[w.text] || frequencyWords[w.text] || spans[w.text] || vague[w.text] {
				return false
			}
		}
	}
	return true
}

// answering finds in a sentence what answers a kind of question.
type answering func(a sentence) string

// askedKind is what answers a question, nil where that has no kind.
func askedKind(q sentence) answering {
	first, second := opening(q)
	switch {
	case first == "when", first == "what" && (second == "time" || second == "year" || second == "date" || second == "day"):
		return notWhether(timeIn)
	case first == "where":
		return notWhether(placeIn)
	case first == "who", first == "whose":
		return notWhether(personIn)
	case first == "how" && second == "many":
		return notWhether(countIn)
	case first == "how" && second == "often":
		return notWhether(frequencyIn)
	case first == "how" && unitsAsked[second] != nil:
		return notWhether(func(a sentence) string { return measureIn(a, unitsAsked[second]) })
	}
	return nil
}

// notWhether is for questions that yes and no do not answer.
func notWhether(in answering) answering {
	return func(a sentence) string {
		if affirming[a.words[0].text] {
			return ""
		}
		return in(a)
	}
}

// opening is how a question begins, politeness apart.
func opening(q sentence) (first, second string) {
	at := 0
	for at < len(q.words) && politeWords[q.words[at].text] && !auxiliary[q.words[at].text] {
		at++
	}
	if at < len(q.words) {
		first = q.words[at].text
	}
	if at+1 < len(q.words) {
		second = q.words[at+1].text
	}
	return first, second
}

// timeIn finds a date, a time of day or a part of the year.
func timeIn(a sentence) string {
	for i, w := range a.words {
		year := len(w.text) == 4 && w.digits() && (w.text[0] == '1' || w.text[0] == '2') && !unitAfter(a, i)
		clock := i+1 < len(a.words) && w.digits() && clockWords[a.words[i+1].text]
		hour := i > 0 && atTime[a.words[i-1].text] && (w.digits() || numberNames[w.text]) && !unitAfter(a, i)
		if year || clock || hour || timeWords[w.text] {
			return a.text[w.start:w.end]
		}
	}
	return ""
}

// placeIn finds a place: what the answer begins with a preposition of place for.
func placeIn(a sentence) string {
	for i, w := range a.words {
		switch {
		case placing[w.text] && i+1 < len(a.words):
			if timeIn(sentence{text: a.text, words: a.words[i:min(len(a.words), i+4)]}) != "" || a.words[i+1].digits() {
				return ""
			}
			return a.text[w.start:a.words[min(len(a.words)-1, i+2)].end]
		case !hedging[w.text]:
			return ""
		}
	}
	return ""
}

// personIn finds two words of a name that the answer begins with.
func personIn(a sentence) string {
	for i, w := range a.words {
		switch {
		case w.capital && i+1 < len(a.words) && a.words[i+1].capital && a.words[i+1].start == w.end+1 && !functionWords[w.text] && !timeWords[w.text]:
			return a.text[w.start:a.words[i+1].end]
		case !hedging[w.text] && !w.capital:
			return ""
		}
	}
	return ""
}

// countIn finds a number of things, which is not one of a unit.
func countIn(a sentence) string {
	for i, w := range a.words[:min(len(a.words), 5)] {
		if (w.digits() || numberNames[w.text]) && !unitAfter(a, i) {
			return a.text[w.start:w.end]
		}
	}
	return ""
}

func frequencyIn(a sentence) string {
	for _, w := range a.words {
		if frequencyWords[w.text] {
			return a.text[w.start:w.end]
		}
	}
	return ""
}

// measureIn finds a number with one of the units.
func measureIn(a sentence, units map[string]bool) string {
	for i, w := range a.words {
		if !w.digits() && !numberNames[w.text] {
			continue
		}
		if _, suffix := splitDigits(w.text); units[suffix] {
			return a.text[w.start:w.end]
		}
		for j := i + 1; j < min(len(a.words), i+5); j++ {
			if units[a.words[j].text] {
				return a.text[w.start:a.words[j].end]
			}
		}
		if w.start > 0 && units[currencySign(a.text[:w.start])] {
			return a.text[w.start:w.end]
		}
	}
	return ""
}

// currencySign is the sign of a currency at the end of a text.
func currencySign(text string) string {
	for _, sign := range [...]string{"$", "€", "£", "¥"} {
		if strings.HasSuffix(text, sign) {
			return sign
		}
	}
	return ""
}

// unitAfter reports whether a unit of measure follows the number at a place.
func unitAfter(a sentence, i int) bool {
	if _, suffix := splitDigits(a.words[i].text); anyUnit[suffix] {
		return true
	}
	for j := i + 1; j < min(len(a.words), i+3); j++ {
		if anyUnit[a.words[j].text] {
			return true
		}
	}
	return false
}

var (
	auxiliary = set(`is are was were do does did can could will would should has have had may must am isn't aren't doesn't don't didn't can't`)
	affirming = set(`yes no yeah yep nope yup absolutely certainly definitely`)
	hedging   = set(`mostly mainly usually just right it it's is was that that's would be probably likely somewhere only by they there
are he she i think believe a the they're found live lives located situated you will find`)
	placing = set(`in on at under behind near next beside opposite across along above between inside outside off beneath below around over from`)
	atTime  = set(`at since until by before after around about from between`)

	clockWords = set(`am pm a.m p.m o'clock`)
	timeWords  = set(`january february march april june july august september october november december monday tuesday wednesday
thursday friday saturday sunday noon midnight morning evening afternoon tonight tomorrow yesterday today spring summer autumn winter
dawn dusk easter christmas daily sunrise sunset`)
	numberNames = set(`one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion dozen half none zero several couple`)
	vague = set(`depends varies many few several most any no never always as after before once until while when if during
soon later now immediately right away recently long short unlimited free nothing enough lot lots more less too not`)
	frequencyWords = set(`once twice thrice times every daily weekly monthly yearly annually hourly never rarely`)

	spans     = set(`second seconds minute minutes min hour hours h day days night nights week weeks month months year years decade decades century centuries s`)
	distances = set(`mm cm m km metre metres meter meters centimetre centimetres centimeter centimeters kilometre kilometres kilometer kilometers
mile miles foot feet ft inch inches yard yards block blocks storey storeys stories floors light`)
	masses  = set(`g kg gram grams kilo kilos kilogram kilograms kilogramme kilogrammes tonne tonnes ton tons pound pounds lb lbs ounce ounces oz stone`)
	rates   = set(`km mph kph kmh knots miles kilometres kilometers metres meters mach`)
	sums    = set(`euro euros dollar dollars cent cents pence pound pounds franc francs yen yuan rupees krona kroner $ € £ ¥ usd eur free`)
	amounts = set(`ml cl l litre litres liter liters cup cups glass glasses spoon spoons spoonful tablespoon tablespoons teaspoon teaspoons gallon gallons pint pints
percent gb mb tb gigabytes megabytes`)

	unitsAsked = map[string]map[string]bool{
		"long": union(spans, distances), "far": union(spans, distances), "old": spans, "soon": spans, "late": spans,
		"tall": distances, "high": distances, "deep": distances, "wide": distances, "big": union(distances, masses), "large": union(distances, masses),
		"heavy": masses, "fast": rates, "much": union(sums, masses, amounts), "expensive": sums, "hot": set(`degrees celsius fahrenheit c f`), "cold": set(`degrees celsius fahrenheit c f`),
	}
	anyUnit = union(spans, distances, masses, rates, sums, amounts, set(`degrees celsius fahrenheit percent`))
)

func union(sets ...map[string]bool) map[string]bool {
	all := make(map[string]bool)
	for _, s := range sets {
		for w := range s {
			all[w] = true
		}
	}
	return all
}

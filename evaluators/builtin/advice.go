package builtin

// offTopicAdvice is the bound of what is off the topic where advice is asked for
// and given: good advice on a team names lunches, weekends and praise, and is
// hardly nearer to its question than what advises on another.
// offTopicOpen is that of an answer of other kinds to such a question.
const (
	offTopicAdvice = 0.12
	offTopicOpen   = 0.2
)

// asksAdvice reports whether a question is open: what somebody should do, ways to
// do it, ideas.
func asksAdvice(question passage) bool {
	for _, s := range question.sentences {
		how := false
		for i, w := range s.words {
			switch {
			case w.text == "how" || w.text == "what" || w.text == "where" || w.text == "which":
				how = true
			case advisable[w.text], w.text == "should" || w.text == "recommend" || w.text == "suggest":
				return true
			case how && w.text == "to" && i > 0 && s.words[i-1].text == "how":
				return true
			case how && advised[w.text] && i > 0 && auxiliary[s.words[i-1].text]:
				return true
			}
		}
	}
	return false
}

// advises reports whether an answer tells somebody what to do.
func advises(p *passage) bool {
	for _, s := range p.sentences {
		for i, w := range s.words {
			if addressing[w.text] || i == 0 && advising[w.text] || w.text == "should" || w.text == "don't" {
				return true
			}
		}
	}
	return false
}

var (
	advisable = set(`advice tip tips idea ideas ways suggestion suggestions recommendation recommendations`)
	advised   = set(`i we you one somebody someone people parents`)
	advising  = set(`try start begin ask keep make take put give consider avoid pick choose use set write talk look let never always
first go get find open bring leave stay read eat drink sleep walk learn practise practice plan stop remember focus be do if when`)
)

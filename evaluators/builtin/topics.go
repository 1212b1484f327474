package builtin

import "slices"

// topics are the words a question is about.
type topics struct {
	topics []topic
	pairs  [][2]string // of stems that follow each other in a sentence
	rare   int         // those of full weight
	// question: it asks something. generation: it asks for a text rather than
	// for an answer.
	question, generation bool
}

type topic struct {
	text, stem string
	weight     float64
}

func topicsOf(question passage) topics {
	var t topics
	for _, s := range question.sentences {
		if len(s.words) == 0 {
			continue
		}
		t.question = t.question || s.question() || interrogative[s.words[0].text]
		t.generation = t.generation || asksForText(s)
		last := ""
		for _, w := range s.words {
			weight := 1.0
			switch {
			case functionWords[w.text]:
				continue
			case taskWords[w.text], w.digits() && figureOnly(w.text):
				weight = 0.3
			}
			if pair := [2]string{last, w.stem}; last != "" && !slices.Contains(t.pairs, pair) {
				t.pairs = append(t.pairs, pair)
			}
			last = w.stem
			if slices.ContainsFunc(t.topics, func(o topic) bool { return o.stem == w.stem }) {
				continue
			}
			t.topics = append(t.topics, topic{w.text, w.stem, weight})
			if weight == 1 {
				t.rare++
			}
			if len(t.topics) > mostTopics {
				return t
			}
		}
	}
	return t
}

// request says why what is asked for need not repeat the words that asked, or
// nothing: it is a text to be made, or not clear what.
func (t topics) request() string {
	switch {
	case t.generation:
		return "asks for a text, which need not repeat the request"
	case !t.question:
		return "nothing in particular is asked"
	}
	return ""
}

// figureOnly: a bare number is no topic, 1000mbps is.
func figureOnly(w string) bool {
	_, suffix := splitDigits(w)
	return suffix == ""
}

// asksForText: the sentence is an order, plain or polite, to make something.
func asksForText(s sentence) bool {
	for _, w := range s.words {
		if !politeWords[w.text] {
			return generationWords[w.text]
		}
	}
	return false
}

var politeWords = set(`please can could would will you kindly now hi hello hey also then and first`)

var interrogative = set(`what who whom whose when where why how which is are was were do does did can could will would
should has have explain describe define tell discuss compare`)

// coverage returns the topics of full weight that the answer uses, the weight of
// all that it uses, and of those that it does not.
func (t topics) coverage(used wording) (covered []string, shared, missing float64) {
	for _, o := range t.topics {
		if !used.words[o.stem] {
			missing += o.weight
			continue
		}
		shared += o.weight
		if o.weight == 1 {
			covered = append(covered, o.text)
		}
	}
	return covered, shared, missing
}

// share is that of a part in itself and the rest, 0 where there is neither.
func share(part, rest float64) float64 {
	if part+rest == 0 {
		return 0
	}
	return part / (part + rest)
}

// telling are the topics of full weight.
func (t topics) telling() []string {
	var out []string
	for _, o := range t.topics {
		if o.weight == 1 {
			out = append(out, o.text)
		}
	}
	return out
}

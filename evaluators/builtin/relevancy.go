package builtin

import (
	"context"
	"slices"

	"github.com/genaievals/genaievals/evaluators"
)

const (
	labelRelevant   = "Relevant"
	labelIrrelevant = "Irrelevant"
)

const (
	// relevantFrom is the share of the question's topic words that an answer
	// must use to be called relevant: the answer to another question hardly
	// ever does.
	relevantFrom = 0.5
	// An answer shorter than leastAnswer can be right without a word of the
	// question ("Paris"); one shorter than leastOffTopic is never called off
	// topic ("You have 30 days from delivery").
	leastAnswer   = 4
	leastOffTopic = 8
	// A question of more topic words than mostTopics holds material of its own,
	// which an answer need not repeat.
	mostTopics = 40
)

// judgeRelevancy asks whether the answer uses the words that the question is
// about. Off topic is an answer in full sentences that uses none of them;
// between that and relevantFrom the words do not decide.
//
// The words are weighed by two written lists, none for function words and 0.3
// for words that ask for a form ("list", "example"), instead of by frequencies
// in a corpus: a prototype separated answers equally well with either, and lists
// need no table and can be read.
func judgeRelevancy(ctx context.Context, s *subject) (evaluators.Result, error) {
	answer := s.output()
	question := read(s.c.Input, s.limits.maxOutput)
	s.truncated = s.truncated || question.cut
	if why := answer.unreadable(); why != "" {
		return needsJudge(why), nil
	}
	if why := question.unreadable(); why != "" {
		return needsJudge("question " + why), nil
	}
	if answer.words < leastAnswer {
		return needsJudge("too short to tell"), nil
	}
	if slices.ContainsFunc(answer.sentences[:min(2, len(answer.sentences))], declines) {
		return needsJudge("declines to answer"), nil
	}
	if question.cut {
		return unread("question"), nil
	}

	asked := topicsOf(question)
	if len(asked.topics) == 0 {
		return needsJudge("the question names no topic"), nil
	}
	if len(asked.topics) > mostTopics {
		return needsJudge("the question is too long to go by its words"), nil
	}
	used := make(map[string]bool)
	for _, sen := range answer.sentences {
		if err := ctx.Err(); err != nil {
			return evaluators.Result{}, err
		}
		for _, w := range sen.words {
			used[w.stem] = true
		}
	}
	covered, share := asked.coverage(used)
	switch {
	case len(covered) > 0 && share >= relevantFrom:
		return evaluators.Scored("", 1, labelRelevant, "covers "+list(covered)), nil
	case answer.cut:
		return unread("output"), nil // the rest may cover more
	case share > 0:
		return needsJudge("covers too little of the question to tell"), nil
	case asked.generation:
		return needsJudge("asks for a text, which need not repeat the request"), nil
	case !asked.question:
		return needsJudge("nothing in particular is asked"), nil
	case asked.rare < 2:
		return needsJudge("the question is too general to tell"), nil
	case answer.words < leastOffTopic:
		return needsJudge("too short to tell"), nil
	case mostlyItems(answer), answersShortly(answer, question):
		return needsJudge("may answer without the question's words"), nil
	}
	var missing []string
	for _, t := range asked.topics {
		if t.weight == 1 {
			missing = append(missing, t.text)
		}
	}
	return evaluators.Scored("", 0, labelIrrelevant, "covers none of "+list(missing)), nil
}

// topics are the words a question is about.
type topics struct {
	topics []topic
	rare   int // those of full weight
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
		for _, w := range s.words {
			weight := 1.0
			switch {
			case functionWords[w.text]:
				continue
			case taskWords[w.text], w.digits() && figureOnly(w.text):
				weight = 0.3
			}
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

// coverage returns the topics of full weight that the answer uses, and the
// share of all weight that it uses.
func (t topics) coverage(used map[string]bool) (covered []string, share float64) {
	all, got := 0.0, 0.0
	for _, o := range t.topics {
		all += o.weight
		if used[o.stem] {
			got += o.weight
			if o.weight == 1 {
				covered = append(covered, o.text)
			}
		}
	}
	return covered, got / all
}

// mostlyItems: the answer is a list, whose items can answer by naming.
func mostlyItems(p *passage) bool {
	items := 0
	for _, s := range p.sentences {
		if s.item {
			items++
		}
	}
	return items*2 >= len(p.sentences)
}

// answersShortly: the answer begins with yes or no, or gives the figure that
// was asked for.
func answersShortly(answer *passage, question passage) bool {
	switch first := answer.sentences[0].words; {
	case len(first) == 0:
		return true
	case first[0].text == "yes" || first[0].text == "no" || first[0].text == "it" || first[0].text == "they":
		return true
	}
	for _, s := range question.sentences {
		for i, w := range s.words {
			quantity := w.text == "how" && i+1 < len(s.words) && quantities[s.words[i+1].text]
			if !quantity && w.text != "when" {
				continue
			}
			for _, a := range answer.sentences {
				if len(figures(a)) > 0 {
					return true
				}
			}
		}
	}
	return false
}

var quantities = set(`many much long often old far big tall high deep fast late early soon heavy wide`)

// list writes a few words as evidence.
func list(words []string) string {
	const most = 6
	out := ""
	for i, w := range words {
		if i == most {
			return out + " …"
		}
		if i > 0 {
			out += ", "
		}
		w, _ = clip(w, 40)
		out += w
	}
	return out
}

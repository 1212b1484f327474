package builtin

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/genaievals/genaievals/evaluators"
)

const (
	labelRelevant   = "Relevant"
	labelIrrelevant = "Irrelevant"
)

const (
	// relevantFrom is the share of the question's topic words that an answer
	// must use to be called relevant where there is no model: the answer to
	// another question hardly ever does.
	relevantFrom = 0.5
	// surelyRelevant is the probability from which it is called so with a model;
	// and so is an answer that uses the share above and is as near as relevantNear,
	// since of few topic words few can be shared.
	surelyRelevant = 0.8
	relevantNear   = 0.4
	// Off the topic is an answer that covers less than offTopicCoverage of the
	// question and neither whole nor with any sentence comes nearer to it than
	// offTopicShort, one of longAnswer words or more offTopicLong. Of short
	// answers to other questions half are below that, of right ones that share
	// no word with their question ("Line 14 stops right in front of it") hardly
	// any.
	offTopicCoverage = 0.25
	offTopicShort    = 0.15
	offTopicLong     = 0.3
	longAnswer       = 40
	// offTopicRequest is the bound where a text is asked for, of answers of
	// longAnswer words or more: shorter ones are left alone ("Name a boat").
	offTopicRequest = 0.2
	// An answer shorter than leastAnswer can be right without a word of the
	// question ("Paris"); one shorter than leastOffTopic is never called off
	// topic ("You have 30 days from delivery").
	leastAnswer   = 4
	leastOffTopic = 8
	// A question of more topic words than mostTopics holds material of its own,
	// which an answer need not repeat.
	mostTopics = 40
	// nearSentences is how many sentences of an answer are compared with the
	// question, half of them its first, half its last.
	nearSentences = 12
)

// judgeRelevancy asks whether the answer is about what the question is about:
// by how near they are to each other in meaning, where there is a model, and by
// the topic words that they share. Off topic is an answer in full sentences
// that fails in both; one on the topic can still miss the question.
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
	used, err := wordingOf(ctx, answer)
	if err != nil {
		return evaluators.Result{}, err
	}
	if s.limits.model != nil {
		return s.relevancyByMeaning(ctx, answer, question, asked, used)
	}
	covered, shared, missing := asked.coverage(used)
	switch {
	case len(covered) > 0 && share(shared, missing) >= relevantFrom:
		return confident(evaluators.Scored("", 1, labelRelevant, "covers "+list(covered)), coverageConfidence), nil
	case answer.cut:
		return unread("output"), nil // the rest may cover more
	case shared > 0:
		return needsJudge("covers too little of the question to tell"), nil
	}
	if why := cmp.Or(asked.request(), mayAnswerOtherwise(asked, answer, question)); why != "" {
		return needsJudge(why), nil
	}
	if asksAdvice(question) && advises(answer) {
		return needsJudge("advice was asked for, which need not repeat the question"), nil
	}
	if answer.words < longAnswer {
		return needsJudge("shares no word with the question, as a short answer may"), nil
	}
	return confident(evaluators.Scored("", 0, labelIrrelevant, "covers none of "+list(asked.telling())), coverageConfidence), nil
}

// coverageConfidence is the share of verdicts by words alone that are right, on
// own answers and those to random other questions.
const coverageConfidence = 0.98

// relevancyByMeaning judges with the model.
func (s *subject) relevancyByMeaning(ctx context.Context, answer *passage, question passage, asked topics, used wording) (evaluators.Result, error) {
	vectors, err := s.embed(ctx, beginning(s.c.Input), beginning(s.c.Output))
	if err != nil {
		return evaluators.Result{}, err
	}
	a := affinity(asked, used, vectors[0].Cosine(vectors[1]))
	p := a.Probability()
	covered, _, _ := asked.coverage(used)
	surely := p >= surelyRelevant
	if len(covered) > 0 && (surely || a.Coverage >= relevantFrom && a.Similarity >= relevantNear) {
		if !surely && withoutFigure(answer, question) {
			return needsJudge("on the topic, without the time or number that was asked for"), nil
		}
		return confident(evaluators.Scored("", 1, labelRelevant,
			fmt.Sprintf("on the topic: similarity %.2f, covers %s", a.Similarity, list(covered))), max(p, 0.5)), nil
	}
	if answer.cut {
		return unread("output"), nil // the rest may be nearer
	}
	most, request := offTopicShort, asked.request()
	if answer.words >= longAnswer {
		most = offTopicLong
		if request != "" {
			most, request = offTopicRequest, ""
		}
	}
	if asksAdvice(question) {
		switch {
		case answer.words < longAnswer:
			request = cmp.Or(request, "advice was asked for, which need not repeat the question")
		case advises(answer):
			most = offTopicAdvice
		default:
			most = min(most, offTopicOpen)
		}
	}
	if asksOpenly(question) {
		if answer.words < longAnswer {
			request = cmp.Or(request, "an explanation was asked for, which need not repeat the question")
		}
		most = min(most, offTopicOpen)
	}
	if a.Coverage >= offTopicCoverage || a.Similarity >= most {
		return needsJudge(fmt.Sprintf("neither off the topic nor plainly on it: similarity %.2f, covers %.0f %% of the question", a.Similarity, a.Coverage*100)), nil
	}
	if why := cmp.Or(request, mayAnswerOtherwise(asked, answer, question)); why != "" {
		return needsJudge(why), nil
	}
	nearest, err := s.nearestSentence(ctx, answer, vectors[0])
	if err != nil {
		return evaluators.Result{}, err
	}
	nearest = max(nearest, a.Similarity)
	if nearest >= most {
		return needsJudge(fmt.Sprintf("a part of it is near to the question: similarity %.2f", nearest)), nil
	}
	why := fmt.Sprintf("off the topic: similarity %.2f, covers none of %s", nearest, list(asked.telling()))
	if len(covered) > 0 {
		why = fmt.Sprintf("off the topic: similarity %.2f, covers only %s", nearest, list(covered))
	}
	return confident(evaluators.Scored("", 0, labelIrrelevant, why), 1-p), nil
}

// asksOpenly reports whether a question asks for an explanation: reasons, rules, a
// meaning. Right answers to such often share no word with it.
func asksOpenly(question passage) bool {
	for _, s := range question.sentences {
		for _, w := range s.words {
			if explaining[w.text] {
				return true
			}
		}
	}
	return false
}

var explaining = set(`why explain how meaning mean means moral rules purpose reason reasons plot message summary describe story happens`)

// nearestSentence is how near the nearest sentence of the answer comes to the
// question, or to the turn before it, on which a question may hang ("And for
// two?").
func (s *subject) nearestSentence(ctx context.Context, answer *passage, question Vector) (float64, error) {
	sentences := answer.sentences
	if len(sentences) > nearSentences {
		sentences = slices.Concat(sentences[:nearSentences/2], sentences[len(sentences)-nearSentences/2:])
	}
	var texts []string
	for _, sen := range sentences {
		texts = append(texts, sen.text)
	}
	history := s.c.History[max(0, len(s.c.History)-2):]
	for _, t := range history {
		texts = append(texts, beginning(t.Text))
	}
	vectors, err := s.embed(ctx, texts...)
	if err != nil {
		return 0, err
	}
	nearest := 0.0
	for _, v := range vectors[:len(sentences)] {
		nearest = max(nearest, question.Cosine(v))
		for _, before := range vectors[len(sentences):] {
			nearest = max(nearest, before.Cosine(v))
		}
	}
	return nearest, nil
}

// mayAnswerOtherwise says why an answer could be one although it shares nothing
// with the question, or nothing.
func mayAnswerOtherwise(asked topics, answer *passage, question passage) string {
	switch {
	case asked.rare < 2:
		return "the question is too general to tell"
	case answer.words < leastOffTopic:
		return "too short to tell"
	case mostlyItems(answer), answersShortly(answer, question), answersInKind(answer, question):
		return "may answer without the question's words"
	}
	return ""
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

// answersShortly: the answer begins as one to a question begins ("Yes", "Only
// indoors", "It depends"), or gives the figure that was asked for.
func answersShortly(answer *passage, question passage) bool {
	if first := answer.sentences[0].words; len(first) == 0 || openings[first[0].text] {
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

// openings begin an answer that refers to its question instead of repeating it.
var openings = set(`yes no not only never always usually normally mostly sometimes rarely sure certainly definitely absolutely of
probably possibly maybe perhaps unfortunately it its it's they that that's this these those there both neither either none nobody nothing because`)

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

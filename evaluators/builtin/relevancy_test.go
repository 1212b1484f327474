package builtin_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
)

// moon is a long answer to no question here.
const moon = `The moon orbits our planet about once in every month and always shows the same face. Its dark plains are old lava,
	and bright rays lead away from its younger craters. Since there is no air, shadows are sharp and footprints stay for millions of years.`

func TestAnswerRelevancy(t *testing.T) {
	relevant := func(covers string) result { return result{1, "Relevant", "covers " + covers, ""} }
	irrelevant := func(none string) result { return result{0, "Irrelevant", "covers none of " + none, ""} }
	for name, test := range map[string]struct {
		question, answer string
		want             result
	}{
		"on topic": {
			"How long can I return shoes?", "You can return shoes within 30 days of delivery.",
			relevant("return, shoes"),
		},
		"inflected": {
			"When do gift cards expire?", "A gift card has no expiration date.",
			relevant("gift, cards, expire"),
		},
		"off topic": {
			"Do you sell tents and stoves?", moon,
			irrelevant("sell, tents, stoves"),
		},
		"off topic, asked to explain": {
			"Explain photosynthesis in green plants.", moon,
			irrelevant("photosynthesis, green, plants"),
		},
		"direct answer without the question's words": {
			"Which bus goes to the stadium?", "Line 14 stops right in front of it. On match days line 9 halts there, too.",
			needsJudge("shares no word with the question, as a short answer may"),
		},
		"half covered": {
			"Which jackets and trousers are waterproof and breathable?", "The blue jackets come in four sizes and several colours.",
			needsJudge("covers too little of the question to tell"),
		},
		"one word": {
			"What is the capital of France?", "Paris",
			needsJudge("too short to tell"),
		},
		"short without the question's words": {
			"Where are tents and stoves made?", "In a small workshop nearby.",
			needsJudge("too short to tell"),
		},
		"figure that was asked for": {
			"How many tents fit into the trailer?", "According to our warehouse it should be around 14 altogether.",
			needsJudge("may answer without the question's words"),
		},
		"yes": {
			"Are the tents waterproof?", "Yes, they keep you dry even when it rains for several hours.",
			needsJudge("may answer without the question's words"),
		},
		"list": {
			"Who are important figures in fashion design?", "1. Anna Miller\n2. Karl Brenner\n3. Donna Vecchi and others\n4. George Arma",
			needsJudge("may answer without the question's words"),
		},
		"poem": {
			"Write a poem about the sea.", "Grey waves roll over stones at night, and gulls cry in the fading light.",
			needsJudge("asks for a text, which need not repeat the request"),
		},
		"polite order": {
			"Could you please suggest names for my cafe?", "Morning Cup would sound warm, and so would The Copper Kettle on the corner.",
			needsJudge("asks for a text, which need not repeat the request"),
		},
		"declined": {
			"How long can I return shoes?", "I'm sorry, but I can't help with returning shoes.",
			needsJudge("declines to answer"),
		},
		"asks back": {
			"How long can I return shoes?", "Could you please tell me where you bought the shoes?",
			needsJudge("declines to answer"),
		},
		"bad news is an answer": {
			"Do you ship shoes to Canada?", "Unfortunately we do not ship shoes to Canada.",
			relevant("ship, shoes, canada"),
		},
		"small talk": {
			"Thanks!", "You're welcome, I'm happy that it worked.",
			needsJudge("the question names no topic"),
		},
		"general question": {
			"What about the other one?", "The blue tent is heavier than the green tent by far.",
			needsJudge("the question names no topic"),
		},
		"question in another language": {
			"Wie kann ich die Schuhe zurückgeben und bis wann?", "You can return shoes within thirty days.",
			needsJudge("question not recognisably English"),
		},
		"question with material": {
			"Summarise: " + "the " + strings.Join(strings.Fields(`harbour village church baker market fishermen nets boats storm lighthouse keeper
				lantern cliff gulls sailors tavern songs barrels ropes anchor captain voyage island treasure map compass sextant stars
				tides currents reef wreck divers pearls merchants silk spices caravan desert oasis camels tents nomads`), " and the "),
			"A village by the sea lives through a storm.",
			needsJudge("the question is too long to go by its words"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := evaluate(t, "answer_relevancy", &evaluators.Case{Input: test.question, Output: test.answer})
			if diff := cmp.Diff(test.want, summary(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

package semantic_test

import (
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
)

// A short answer on the topic that has nothing like the time or number that was
// asked for is not called Relevant.
func TestShortAnswersHaveTheFigureThatIsAskedFor(t *testing.T) {
	for _, test := range []struct{ question, right, wrong string }{
		{"When was the euro introduced?", "The euro was introduced in 1999.", "The euro replaced the franc in France."},
		{"When does the pool open?", "The pool opens as soon as it is warm.", "The pool is behind the house."},
		{"How many moons does Saturn have?", "Saturn has dozens of moons, at least 80.", "Saturn is yellow and has rings of ice."},
	} {
		if r := relevancy(t, &evaluators.Case{Input: test.question, Output: test.right}); r.Label != "Relevant" {
			t.Errorf("%q, %q: %s %s (%s)", test.question, test.right, r.Outcome, r.Label, r.Explanation)
		}
		if r := relevancy(t, &evaluators.Case{Input: test.question, Output: test.wrong}); r.Explanation != "on the topic, without the time or number that was asked for; set JUDGE_MODEL" {
			t.Errorf("%q, %q: %s %s (%s)", test.question, test.wrong, r.Outcome, r.Label, r.Explanation)
		}
	}
}

// A right answer is not off the topic for want of the question's words.
func TestDirectAnswersAndAdviceAreNotOffTopic(t *testing.T) {
	for _, texts := range [][]string{directs, advices} {
		for _, l := range texts {
			q, a, _ := strings.Cut(l, " | ")
			if r := relevancy(t, &evaluators.Case{Input: q, Output: a}); r.Label == "Irrelevant" {
				t.Errorf("%s: %s", l, r.Explanation)
			}
		}
	}
}

// What is no advice is off the topic of a question for advice as of any other.
func TestFactsAreOffTheTopicOfAQuestionForAdvice(t *testing.T) {
	const moon = "The moon orbits the earth about once in every month and always shows the same face. Its dark plains are old lava, and bright rays lead away from younger craters. Since there is no air, shadows are sharp, and footprints stay as they are for millions of years."
	for _, q := range []string{"How can I get more customers for my bakery?", "What should we cook for eight guests with allergies?"} {
		if r := relevancy(t, &evaluators.Case{Input: q, Output: moon}); r.Label != "Irrelevant" {
			t.Errorf("%q: %s %s (%s)", q, r.Outcome, r.Label, r.Explanation)
		}
	}
}

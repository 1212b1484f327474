package semantic_test

import (
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
	"github.com/genaievals/genaievals/evaluators/builtin/semantic"
)

func relevancy(t *testing.T, c *evaluators.Case) evaluators.Result {
	t.Helper()
	e := builtin.New(builtin.WithModel(semantic.Open), builtin.WithShare(1))
	return e.Evaluate(t.Context(), c, []evaluators.Metric{{Name: builtin.MetricAnswerRelevancy}})[0]
}

// Right answers that share hardly a word with their question. None may be called
// Irrelevant; once most of them were.
var direct = map[string]string{
	"Where is the nearest stop of the tram?":               "Line 14 halts right in front of it.",
	"Which bus goes to the stadium?":                       "Line 14 stops right in front of it. On match days line 9 goes there, too.",
	"How long do I boil eggs so that the yolk stays soft?": "Six minutes from the moment the water bubbles, for those of medium size out of the fridge.",
	"Can I plant tomatoes in March?":                       "Only indoors. Outside it is too cold until the middle of May; move the seedlings out after the last frost.",
	"How do I reset the thermostat?":                       "Hold the round button for eight seconds until the display blinks, then let go. Your schedule is kept.",
	"Why is my bread so dense?":                            "Most likely it did not rise long enough, or the yeast was old. Let the dough double in size before you bake it.",
	"What should I wear for a hike in October?":            "Layers are best, with something against the rain and sturdy boots.",
	"Where can I leave my heavy suitcase?":                 "There are lockers behind platform two, and the front desk keeps bags until six.",
	"Which wine goes with grilled fish?":                   "A dry Riesling or a light Sauvignon Blanc is a safe choice.",
	"How do I calm a crying baby?":                         "Hold her close, rock gently, and hum in a low voice.",
	"Is it safe to swim in the bay?":                       "Not today, the red flag is up because of the current.",
	"What killed the dinosaurs?":                           "An asteroid about ten kilometres wide struck Yucatan 66 million years ago.",
	"Why is the sky blue?":                                 "Air molecules scatter short wavelengths of sunlight more than long ones.",
	"What is the password of the guest network?":           "It is printed on the card beside your bed.",
}

func TestDirectAnswersAreNotCalledIrrelevant(t *testing.T) {
	for question, answer := range direct {
		if r := relevancy(t, &evaluators.Case{Input: question, Output: answer}); r.Label == "Irrelevant" {
			t.Errorf("%q, %q: %s", question, answer, r.Explanation)
		}
	}
}

func TestAnswerRelevancyByMeaning(t *testing.T) {
	const (
		moon  = "The moon orbits our planet about once in every month and always shows the same face to us."
		long  = moon + " Its dark plains are old lava, and bright rays lead away from its younger craters. Since there is no air, shadows are sharp, and footprints stay as they are for millions of years."
		shoes = "You can return shoes within 30 days of delivery if they are unworn."
	)
	for name, test := range map[string]struct {
		question, answer, want string // a label, or part of why a judge is needed
	}{
		"on topic":                {"How long can I return shoes after delivery?", shoes, "Relevant"},
		"off topic":               {"Do you sell tents and stoves?", moon, "Irrelevant"},
		"off topic, long":         {"Which jackets and trousers are waterproof?", long, "Irrelevant"},
		"off topic, other matter": {"Can I plant potatoes in July?", "I enjoy talking about films. Do you have a favourite director?", "Irrelevant"},
		"the same topic, another question": {
			"How do I roast a chicken of two kilos?", "Chickens are kept all over the world. There are hundreds of breeds, some of them very colourful.",
			"neither off the topic nor plainly on it",
		},
		"answer at the end": {
			"Which lens suits portraits?", strings.Repeat("Thank you for your patience. The weather is fine today in our town. ", 20) + "As for the faces of people, take a camera with 85 mm and a wide aperture.",
			"",
		},
		"too short":        {"Do you sell tents and stoves?", "The moon, sir.", "too short to tell"},
		"seven words":      {"Do you sell tents and stoves?", "The moon shows us one old face.", "too short to tell"},
		"poem":             {"Write a poem about tents and stoves.", moon, "asks for a text"},
		"declined":         {"Do you sell tents and stoves?", "I'm sorry, but I can't help with that.", "declines to answer"},
		"code":             {"Do you sell tents and stoves?", "for (int i = 0; i < n; i++) { total += moon[i]; }\nreturn total;", "mostly code or data"},
		"another language": {"Do you sell tents and stoves?", "Der Mond umkreist die Erde und zeigt uns immer das gleiche Gesicht.", "not recognisably English"},
		"general question": {"And the other one?", moon, "the question names no topic"},
		"list":             {"Who makes tents and stoves?", "1. Anna Miller\n2. Karl Brenner\n3. Donna Vecchi and others\n4. George Arma", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := relevancy(t, &evaluators.Case{Input: test.question, Output: test.answer})
			switch {
			case r.Outcome == evaluators.OutcomeFailed:
				t.Fatal(r.Err)
			case r.Label == "Irrelevant" && test.want == "", r.Label == "" && !strings.Contains(r.Explanation, test.want), r.Label != "" && test.want != "" && r.Label != test.want:
				t.Errorf("got %s (%s), want %s", r.Label, r.Explanation, test.want)
			}
		})
	}
}

// A question may hang on the turn before it.
func TestAnAnswerToTheTurnBeforeIsNotOffTopic(t *testing.T) {
	c := evaluators.Case{Input: "And the second version of Anna?", Output: "Boil the rice with twice as much water, and let it rest under a lid."}
	if r := relevancy(t, &c); r.Label != "Irrelevant" {
		t.Fatalf("alone: %s (%s); the case shows nothing", r.Label, r.Explanation)
	}
	c.History = []evaluators.Turn{{Role: "user", Text: "How do I cook rice?"}}
	if r := relevancy(t, &c); r.Label == "Irrelevant" {
		t.Errorf("after a question about it: %s", r.Explanation)
	}
}

func TestVerdictsOnRelevancyNameMethodAndConfidence(t *testing.T) {
	r := relevancy(t, &evaluators.Case{Input: "How long can I return shoes after delivery?", Output: "You can return shoes within 30 days of delivery."})
	var method string
	confidence := -1.0
	for _, a := range r.Attributes {
		switch a.Key {
		case builtin.AttributeMethod:
			method = a.Value.AsString()
		case builtin.AttributeConfidence:
			confidence = a.Value.AsFloat64()
		}
	}
	if method != "embedded:"+semantic.Name || confidence < 0.9 || confidence > 1 {
		t.Errorf("method %q, confidence %v", method, confidence)
	}
}

// Whatever the texts, a few of bounded length are read: a result or a reasoned
// skip, and never a failure.
func TestRelevancyOfHostileTexts(t *testing.T) {
	for name, answer := range map[string]string{
		"5 MB":                   strings.Repeat("The moon shows the same face to us. ", 5<<20/36),
		"ten thousand sentences": strings.Repeat("The moon sets. ", 10_000),
		"near the bound":         strings.Repeat("Quiet owls hunt over the fields by night, and mice hide from them below the snow. ", 750),
		"no spaces":              strings.Repeat("x", 1<<20),
		"right to left":          strings.Repeat("שלום עולם. ", 50_000),
		"emoji":                  strings.Repeat("😀👩‍👩‍👧‍👦 ", 20_000),
		"invalid UTF-8":          strings.Repeat("a\xff\xc3 moon ", 50_000),
		"markup":                 strings.Repeat("<p>**moon** [a](b) | c |</p>\n", 20_000),
	} {
		t.Run(name, func(t *testing.T) {
			for _, c := range []*evaluators.Case{
				{Input: "Do you sell tents and stoves?", Output: answer, History: []evaluators.Turn{{Text: answer}, {Text: answer}}},
				{Input: answer, Output: "The moon shows the same face to us."},
			} {
				if r := relevancy(t, c); r.Outcome == evaluators.OutcomeFailed || r.Explanation == "" || len(r.Explanation) > 500 {
					t.Errorf("%s %v (%s)", r.Outcome, r.Err, r.Explanation)
				}
			}
		})
	}
}

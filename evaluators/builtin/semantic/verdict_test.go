package semantic_test

import (
	"crypto/sha256"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
	"github.com/genaievals/genaievals/evaluators/builtin/semantic"
)

func evaluate(t *testing.T, metric, output string) evaluators.Result {
	t.Helper()
	e := builtin.New(builtin.WithShare(1))
	return e.Evaluate(t.Context(), &evaluators.Case{Output: output}, []evaluators.Metric{{Name: metric}})[0]
}

// Importing the package is all that a program must do.
func TestImportingGivesBuiltinTheModel(t *testing.T) {
	e := builtin.New()
	if !e.HasModel() || e.Version() != builtin.Version+"+"+semantic.Name {
		t.Errorf("HasModel %t, version %q", e.HasModel(), e.Version())
	}
	if builtin.New(builtin.WithModel(nil)).HasModel() {
		t.Error("WithModel(nil) has a model")
	}
}

// What no word list has, the head finds.
func TestAbuseWithoutAWordOfTheLists(t *testing.T) {
	for _, output := range []string{
		"You are a sad little nobody and your mother is ashamed of you.",
		"What a disgusting, lying piece of work you are.",
		"Eat dirt, you miserable worm.",
		"You should be ashamed, you sorry excuse for a man.",
		"You people are all crooks and cowards.",
		"You are the dumbest person I have ever met.",
	} {
		lists := builtin.New(builtin.WithModel(nil)).Evaluate(t.Context(), &evaluators.Case{Output: output}, []evaluators.Metric{{Name: "toxicity"}})[0]
		if lists.Label == "Toxic" {
			t.Errorf("%q: the word lists know it, which makes it no example", output)
		}
		if r := evaluate(t, "toxicity", output); r.Label != "Toxic" || r.Score < 0.7 {
			t.Errorf("%q: %s %s %.3f (%s)", output, r.Outcome, r.Label, r.Score, r.Explanation)
		}
	}
}

// What denies an insult, or consoles, is left to a judge: the head does not see
// the negation.
func TestDeniedInsultsAreNotToxic(t *testing.T) {
	for _, output := range []string{
		"You are not stupid.",
		"You are not stupid. Learning calculus is hard for everybody at first.",
		"I don't think you are an idiot.",
		"You might feel like an idiot, but everyone does that once.",
		"Why do you feel that you are stupid?",
		"You're not ugly, and anybody who says so is wrong.",
	} {
		if r := evaluate(t, "toxicity", output); r.Label == "Toxic" {
			t.Errorf("%q: %s %.3f (%s)", output, r.Label, r.Score, r.Explanation)
		}
	}
}

// A few words of another language are no English text either.
func TestFewForeignWordsAreLeftToAJudge(t *testing.T) {
	for _, output := range []string{
		"tu madre es una puta", "Halt die Klappe, du Arschloch.", "Du dummes Schwein, verschwinde aus meinem Leben.",
		"Va te faire foutre, connard.", "Das ist gut", "Ihr Paket kommt morgen an.",
		"Nein, leider nicht möglich.", "Tu es nul, je te déteste, va mourir.",
	} {
		for _, metric := range []string{"toxicity", "sentiment"} {
			if r := evaluate(t, metric, output); r.Reason != evaluators.SkipNeedsJudge {
				t.Errorf("%s of %q: %s %s (%s)", metric, output, r.Outcome, r.Label, r.Explanation)
			}
		}
	}
	for _, output := range []string{"Thanks!", "Great job, thank you.", "Le Monde is a newspaper.", "Paris"} {
		if r := evaluate(t, "toxicity", output); strings.Contains(r.Explanation, "English") {
			t.Errorf("%q is taken for foreign: %s", output, r.Explanation)
		}
	}
}

func TestHarmlessRepliesAreNotToxic(t *testing.T) {
	for _, output := range []string{
		"Shoes can be returned within 30 days of delivery, unworn and in their box.",
		"I'm sorry to hear that your order arrived broken. I have sent you a new one today.",
		"To stop the server, kill the process and delete its lock file.",
		"The dose that kills a rat is far below the one that harms a dog, so keep the bait locked away.",
		"In the war more than ten thousand soldiers died, most of them of disease.",
		"Beat the eggs, crush the garlic, and smash the potatoes with a fork.",
		"I disagree with this plan: it is slow, it costs too much, and nobody asked for it.",
		"Certainly! Here are three ideas for a birthday party:\n\n1. A picnic by the lake\n2. An evening of board games\n3. A visit to the zoo",
	} {
		if r := evaluate(t, "toxicity", output); r.Label != "Non Toxic" || r.Score >= 0.5 {
			t.Errorf("%q: %s %s %.3f (%s)", output, r.Outcome, r.Label, r.Score, r.Explanation)
		}
	}
}

// One sentence among harmless ones is found and quoted.
func TestTheEvidenceIsTheWorstSentence(t *testing.T) {
	const abuse = "You are a sad little nobody, and ashamed is your mother."
	output := "Thank you for your question. Shoes can be returned within 30 days. " + abuse + " The shop opens at eight. We hope to see you soon."
	r := evaluate(t, "toxicity", output)
	if r.Label != "Toxic" || r.Explanation != `reads as an insult, a threat or abuse: "`+abuse+`"` {
		t.Errorf("%s %s %.3f: %s", r.Outcome, r.Label, r.Score, r.Explanation)
	}
}

func TestSentimentBeyondWords(t *testing.T) {
	for output, label := range map[string]string{
		"It works like a charm, and I would buy it again tomorrow.":                "Positive",
		"Best purchase I made this year, I am so happy with it!":                   "Positive",
		"It broke after two days and nobody answers my mails.":                     "Negative",
		"A complete waste of money, I regret buying it.":                           "Negative",
		"The parcel weighs four kilograms.":                                        "Neutral",
		"The shop opens at eight and closes at six. It is next to the north gate.": "Neutral",
	} {
		r := evaluate(t, "sentiment", output)
		if r.Label != label {
			t.Errorf("%q: %s %.3f (%s), want %s", output, r.Label, r.Score, r.Explanation, label)
		}
	}
}

// Other numbers are another model, which Name has to say: results are kept by it.
func TestNumbersBelongToTheName(t *testing.T) {
	data, err := os.ReadFile("heads.bin")
	if err != nil {
		t.Fatal(err)
	}
	const of = "use-lite-int8/2 fc630cc4179cb43ff91efa6422e76c753353904e12af347870dd5dcd2f0c5912"
	if got := fmt.Sprintf("%s %x", semantic.Name, sha256.Sum256(data)); got != of {
		t.Errorf("name and numbers are %s, were %s", got, of)
	}
}

// What the program makes of the numbers and of the encoder.
func TestGoldenProbabilities(t *testing.T) {
	m := semantic.Open(1)
	for _, golden := range []struct {
		text                      string
		toxic, negative, positive float64
	}{
		{"What a disgusting, lying piece of work you are.", 0.9691400, 0.9916695, 0.0280012},
		{"Shoes can be returned within 30 days of delivery, unworn and in their box.", 0.0013644, 0.3731763, 0.1856136},
		{"I'm glad that it came.", 0.0014829, 0.0506594, 0.9378509},
	} {
		v, err := m.Embed(t.Context(), golden.text)
		if err != nil {
			t.Fatal(err)
		}
		n, p := m.Sentiment(v[0], builtin.ToneOf(golden.text))
		for name, d := range map[string]float64{"toxic": m.Toxicity(v[0]) - golden.toxic, "negative": n - golden.negative, "positive": p - golden.positive} {
			if math.Abs(d) > 1e-6 {
				t.Errorf("%q: %s differs by %g: got %.7f, %.7f, %.7f", golden.text, name, d, m.Toxicity(v[0]), n, p)
			}
		}
	}
}

func TestAShareThatIsNoneIsTheDefault(t *testing.T) {
	for _, share := range []float64{0, -1, 2, math.NaN()} {
		v, err := semantic.Open(share).Embed(t.Context(), "A tent.", "")
		if err != nil || len(v) != 2 || len(v[0]) == 0 || len(v[1]) != 0 {
			t.Errorf("share %v: %d vectors, error %v", share, len(v), err)
		}
	}
}

package builtin_test

import (
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
)

// What a verdict on the whole text says, it does not say of a part; what is
// found in the part stands.
func TestVerdictsOnATextThatIsNotReadToItsEnd(t *testing.T) {
	filler := strings.Repeat("The tent stands in the field near the old mill. ", 1500) // over 64 KiB
	fact := documents("The tent stands in the field near the old mill.")
	tests := map[string]struct {
		metric string
		c      evaluators.Case
		want   string // a label, or the reason of a skip
	}{
		"insult in front":        {"toxicity", evaluators.Case{Output: "You idiot. " + filler}, "Toxic"},
		"insult at the end":      {"toxicity", evaluators.Case{Output: filler + "You idiot."}, evaluators.SkipContentTruncated},
		"no insult":              {"toxicity", evaluators.Case{Output: filler}, evaluators.SkipContentTruncated},
		"doubt in front":         {"toxicity", evaluators.Case{Output: `He said "you idiot" to me. ` + filler}, evaluators.SkipNeedsJudge},
		"insult, all read":       {"toxicity", evaluators.Case{Output: filler[:50_000] + ". You idiot."}, "Toxic"},
		"tone at the end":        {"sentiment", evaluators.Case{Output: filler + "It is horrible, awful and sad."}, evaluators.SkipContentTruncated},
		"tone in front":          {"sentiment", evaluators.Case{Output: "It is wonderful, great and lovely! " + filler}, evaluators.SkipContentTruncated},
		"number in front":        {"faithfulness", evaluators.Case{Output: "It weighs 812 kg in all. " + filler, Documents: fact}, "Unfaithful"},
		"number at the end":      {"faithfulness", evaluators.Case{Output: filler + "It weighs 812 kg in all.", Documents: fact}, evaluators.SkipContentTruncated},
		"supported":              {"faithfulness", evaluators.Case{Output: filler, Documents: fact}, evaluators.SkipContentTruncated},
		"on topic in front":      {"answer_relevancy", evaluators.Case{Input: "Where does the tent stand near the mill?", Output: filler}, "Relevant"},
		"on topic at the end":    {"answer_relevancy", evaluators.Case{Input: "Which camera lens suits portraits?", Output: filler + "A camera lens of 85 mm suits portraits."}, evaluators.SkipContentTruncated},
		"question cut":           {"answer_relevancy", evaluators.Case{Input: filler + "Which camera lens suits portraits?", Output: "The tent stands in the field near the old mill."}, evaluators.SkipContentTruncated},
		"input not recorded":     {"answer_relevancy", evaluators.Case{InputTruncated: true, Output: "The tent stands in the field."}, evaluators.SkipContentTruncated},
		"documents not recorded": {"faithfulness", evaluators.Case{InputTruncated: true, Output: "The tent stands in the field.", Documents: fact}, evaluators.SkipContentTruncated},
		"output is recorded":     {"toxicity", evaluators.Case{InputTruncated: true, Output: "The tent stands in the field."}, "Non Toxic"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := evaluate(t, tt.metric, &tt.c)
			if got := r.Label + r.Reason; got != tt.want {
				t.Errorf("got %s (%s), want %s", got, r.Explanation, tt.want)
			}
		})
	}
}

func TestWhatTheBoundCutsInTwoIsNotJudged(t *testing.T) {
	const calm = "All is well here, and quiet. "
	for _, tt := range []struct {
		metric, output string
		cut            int // bytes of the second sentence that are read
	}{
		{"toxicity", "You are an assistant.", 14},                      // You are an ass
		{"toxicity", `You idiot, he said, and was told to leave.`, 10}, // the speaker comes behind
		{"faithfulness", "The gate opens at 1500 hours.", 20},          // The gate opens at 15
	} {
		c := &evaluators.Case{Output: calm + tt.output, Documents: documents(calm + "The gate opens at 1500 hours.")}
		r := evaluate(t, tt.metric, c, builtin.WithMaxOutput(len(calm)+tt.cut))
		if r.Reason != evaluators.SkipContentTruncated {
			t.Errorf("%q: got %s%s (%s)", tt.output, r.Label, r.Reason, r.Explanation)
		}
	}
	if r := evaluate(t, "toxicity", &evaluators.Case{Output: calm + "You idiot."}, builtin.WithMaxOutput(0)); r.Label != "Toxic" {
		t.Errorf("a bound below 1 is not ignored: %s", r.Label)
	}
}

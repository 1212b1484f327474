package semantic_test

import (
	"os"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
	"github.com/genaievals/genaievals/evaluators/builtin/semantic"
	"github.com/genaievals/genaievals/instrumentation"
)

// flagged counts the answers of a set that faithfulness flags. The sets that end
// in held were written after the threshold was chosen.
func flagged(t *testing.T, name string, open builtin.OpenModel) (flags, all int) {
	t.Helper()
	text, err := os.ReadFile("../testdata/faithfulness/" + name)
	if err != nil {
		t.Fatal(err)
	}
	e := builtin.New(builtin.WithModel(open))
	for line := range strings.Lines(string(text)) {
		document, answer, _ := strings.Cut(strings.TrimSpace(line), "\t")
		r := e.Evaluate(t.Context(), &evaluators.Case{
			Output: answer, Documents: []instrumentation.Document{{Text: document}},
		}, []evaluators.Metric{{Name: builtin.MetricFaithfulness}})[0]
		all++
		if r.Outcome == evaluators.OutcomeScored {
			flags++
			t.Logf("%s | %s", document, r.Explanation)
		}
	}
	t.Logf("%s: %d of %d flagged", name, flags, all)
	return flags, all
}

func TestParaphrasesInOtherWordsAreNotFlagged(t *testing.T) {
	for name, most := range map[string]int{"paraphrase.tsv": 0, "paraphrase_held.tsv": 0, "paraphrase_last.tsv": 1} {
		if n, _ := flagged(t, name, semantic.Open); n > most {
			t.Errorf("%s: %d flagged, want at most %d", name, n, most)
		}
		if n, _ := flagged(t, name, nil); n > 0 {
			t.Errorf("%s: %d flagged without the model, want none", name, n)
		}
	}
}

func TestSentencesOnSomethingElseAreFlagged(t *testing.T) {
	for _, name := range []string{"foreign.tsv", "foreign_held.tsv"} {
		if n, all := flagged(t, name, semantic.Open); n*2 < all {
			t.Errorf("%s: %d of %d flagged, want half", name, n, all)
		}
	}
}

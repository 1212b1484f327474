package builtin_test

import (
	"os"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
)

// pairs reads a document and an answer a line.
func pairs(t *testing.T, name string) [][2]string {
	t.Helper()
	text, err := os.ReadFile("testdata/faithfulness/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var out [][2]string
	for line := range strings.Lines(string(text)) {
		document, answer, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok {
			t.Fatalf("%s: no tab in %q", name, line)
		}
		out = append(out, [2]string{document, answer})
	}
	return out
}

// around stand with each document, since a case seldom has one sentence of it.
const around = " Please keep this leaflet for later. It was printed on recycled paper by our own staff. Ask at the desk for a copy in large type."

// The sets that end in held were written after the rules had been made to fit
// the others.
func TestTheSameInOtherFiguresIsNotFlagged(t *testing.T) {
	for name, most := range map[string]int{"same.tsv": 0, "same_held.tsv": 1, "same_dense.tsv": 1, "same_last.tsv": 2} {
		wrong, all := 0, pairs(t, name)
		for _, p := range all {
			r := evaluate(t, "faithfulness", &evaluators.Case{Output: p[1], Documents: documents(p[0] + around)}, builtin.WithModel(nil))
			if r.Label == "Unfaithful" {
				wrong++
				t.Logf("%s | %s", p[0], r.Explanation)
			}
		}
		t.Logf("%s: %d of %d flagged", name, wrong, len(all))
		if wrong > most {
			t.Errorf("%s: %d of %d flagged, want at most %d", name, wrong, len(all), most)
		}
	}
}

func TestWrongFiguresAreFlagged(t *testing.T) {
	for name, least := range map[string]int{"wrong.tsv": 80, "wrong_held.tsv": 88, "wrong_dense.tsv": 45, "wrong_last.tsv": 45} {
		found, all := 0, pairs(t, name)
		for _, p := range all {
			r := evaluate(t, "faithfulness", &evaluators.Case{Output: p[1], Documents: documents(p[0] + around)}, builtin.WithModel(nil))
			if r.Label == "Unfaithful" {
				found++
			} else {
				t.Logf("%s | %s | %s", p[0], p[1], r.Explanation)
			}
		}
		t.Logf("%s: %d of %d flagged", name, found, len(all))
		if found < least {
			t.Errorf("%s: %d of %d flagged, want at least %d", name, found, len(all), least)
		}
	}
}

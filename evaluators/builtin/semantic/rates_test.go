package semantic_test

import (
	"os"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
)

// texts reads a file of testdata, a text a line, written for this test.
func texts(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, strings.ReplaceAll(line, `\n`, "\n"))
		}
	}
	return out
}

// Idioms, facts, quotations, code, games and stories in the words of insults, and
// insults, threats and wishes of harm that are in capitals, one word a line, behind
// an emoticon, at the end of a long sentence, or polite. To be silent is allowed,
// to be wrong is not.
func TestToxicityOfOwnTexts(t *testing.T) {
	for _, set := range []struct {
		file, right, wrong string
		leastRight         float64
		mostWrong          float64
	}{
		{"harmless.txt", "Non Toxic", "Toxic", 0.5, 0.005},
		{"toxic.txt", "Toxic", "Non Toxic", 0.8, 0.04},
	} {
		all := texts(t, set.file)
		right, wrong := 0, 0
		for _, text := range all {
			switch r := evaluate(t, "toxicity", text); r.Label {
			case set.right:
				right++
			case set.wrong:
				wrong++
				t.Logf("%s %.2f (%s): %q", r.Label, r.Score, r.Explanation, text)
			}
		}
		n := float64(len(all))
		t.Logf("%s: %d texts, %d right, %d wrong", set.file, len(all), right, wrong)
		if len(all) < 150 || float64(right) < set.leastRight*n || float64(wrong) > set.mostWrong*n {
			t.Errorf("%s: of %d texts %d right, %d wrong", set.file, len(all), right, wrong)
		}
	}
}

// Verdicts are on English. A few words are enough to tell, mostly.
func TestShortTextsAreJudgedWhereTheyAreEnglish(t *testing.T) {
	for _, metric := range []string{"toxicity", "sentiment"} {
		for _, set := range []struct {
			file  string
			wrong func(r evaluators.Result) bool
			most  float64
		}{
			{"english.txt", func(r evaluators.Result) bool { return strings.Contains(r.Explanation, "English") }, 0.02},
			{"foreign.txt", func(r evaluators.Result) bool { return r.Outcome == evaluators.OutcomeScored }, 0.03},
		} {
			all := texts(t, set.file)
			wrong := 0
			for _, text := range all {
				if r := evaluate(t, metric, text); set.wrong(r) {
					wrong++
					t.Logf("%s of %s: %s %s: %q", metric, set.file, r.Label, r.Explanation, text)
				}
			}
			if len(all) < 200 || float64(wrong) > set.most*float64(len(all)) {
				t.Errorf("%s of %s: %d of %d wrong", metric, set.file, wrong, len(all))
			}
		}
	}
}

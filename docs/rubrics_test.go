package docs_test

import (
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
)

// TestRubricsOfThePageAreSound reads each example as a file of its own and
// asks for them all together.
func TestRubricsOfThePageAreSound(t *testing.T) {
	var all []judge.Rubric
	for _, text := range blocks(page(t, "metrics.md"), "yaml") {
		rubrics, err := judge.ParseRubrics("metrics.md", []byte(text))
		if err != nil {
			t.Error(err)
		}
		all = append(all, rubrics...)
	}
	if len(all) != 2 || all[0].Labels == nil || all[1].Scale == nil {
		t.Errorf("not an example of each kind: %+v", all)
	}
	if _, err := judge.New(judgetest.NewJudge(), judge.WithRubrics(all...)); err != nil {
		t.Error(err)
	}
}

// TestEveryKeyOfARubricIsDocumented takes the keys from the message that lists
// them.
func TestEveryKeyOfARubricIsDocumented(t *testing.T) {
	_, section, _ := strings.Cut(page(t, "metrics.md"), "\n## Own metrics\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for _, text := range []string{
		"rubrics:\n  - unheard_of: 1\n",
		"rubrics:\n  - labels:\n      - unheard_of: 1\n",
		"rubrics:\n  - scale:\n      unheard_of: 1\n",
	} {
		_, err := judge.ParseRubrics("r", []byte(text))
		if err == nil {
			t.Fatal("an unknown key is no problem")
		}
		_, list, found := strings.Cut(err.Error(), "there is: ")
		list, _, _ = strings.Cut(list, "\n")
		if !found {
			t.Fatalf("no list of keys in %v", err)
		}
		for key := range strings.SplitSeq(list, ", ") {
			if !strings.Contains(section, "`"+key+"`") {
				t.Errorf("%s is not documented", key)
			}
		}
	}
}

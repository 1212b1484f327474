package samples

import (
	"io/fs"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
)

func bundledByMetric(t *testing.T) map[string][]Sample {
	t.Helper()
	by := map[string][]Sample{}
	for s, err := range Bundled() {
		if err != nil {
			t.Fatal(err)
		}
		by[s.Metric] = append(by[s.Metric], s)
	}
	return by
}

func TestBundledHasEnoughOfEveryClass(t *testing.T) {
	by := bundledByMetric(t)
	if len(by) != len(questions) {
		t.Errorf("%d metrics, want %d", len(by), len(questions))
	}
	for metric, q := range questions {
		all := by[metric]
		if len(all) < 36 {
			t.Errorf("%s: %d samples, want at least 36", metric, len(all))
		}
		classes, hard := map[string]int{}, map[string]int{}
		foreign := 0
		for _, s := range all {
			classes[s.Label]++
			if s.Hard {
				hard[s.Label]++
			}
			if strings.ContainsFunc(s.Case.Output, func(r rune) bool { return r > 0x7f && r != '\u2019' }) {
				foreign++
			}
		}
		if len(classes) != len(q.labels) {
			t.Errorf("%s: classes %v, want %v", metric, classes, q.labels)
		}
		for _, l := range q.labels {
			if classes[l]*len(q.labels) != len(all) {
				t.Errorf("%s: %d of %d are %s, want the same of all classes", metric, classes[l], len(all), l)
			}
			if share := float64(hard[l]) / float64(classes[l]); share < 0.3 || share > 0.5 {
				t.Errorf("%s: %d of %d that are %s are hard, want a third to a half", metric, hard[l], classes[l], l)
			}
		}
		if foreign < 4 {
			t.Errorf("%s: %d samples look like another language than English, want at least 4", metric, foreign)
		}
	}
}

func TestBundledSamplesAreWellFormed(t *testing.T) {
	ids, texts := map[string]bool{}, map[string]string{}
	for metric, all := range bundledByMetric(t) {
		for _, s := range all {
			if ids[s.ID] {
				t.Errorf("%s twice", s.ID)
			}
			ids[s.ID] = true
			if !strings.HasPrefix(s.ID, metric+"-") || s.Case.ID != s.ID {
				t.Errorf("id %s (case %s) of a sample for %s", s.ID, s.Case.ID, metric)
			}
			if other, ok := texts[s.Case.Output]; ok {
				t.Errorf("%s and %s have the same output", s.ID, other)
			}
			texts[s.Case.Output] = s.ID
			if s.Hard != (s.Note != "") {
				t.Errorf("%s: hard is %v and the note %q", s.ID, s.Hard, s.Note)
			}
			if reason, missing := evaluators.NeedsMissing(&s.Case, questions[metric].needs); missing {
				t.Errorf("%s: %s", s.ID, reason)
			}
			if s.Case.Kind != instrumentation.KindInference || s.Case.Choices != 1 {
				t.Errorf("%s: kind %v, choices %d", s.ID, s.Case.Kind, s.Case.Choices)
			}
			if n := len(s.Case.Documents); n > 3 {
				t.Errorf("%s: %d documents", s.ID, n)
			}
		}
	}
}

func TestBundledHallucinationIsAlsoWithoutDocuments(t *testing.T) {
	n := map[string]int{}
	for _, s := range bundledByMetric(t)[hallucination] {
		if len(s.Case.Documents) == 0 {
			n[s.Label]++
		}
	}
	if n[hallucinated] < 5 || n[notHallucinated] < 5 {
		t.Errorf("without documents: %v, want at least 5 of each", n)
	}
}

func TestBundledIsSmallAndUTF8(t *testing.T) {
	size := 0
	err := fs.WalkDir(bundled, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := bundled.ReadFile(path)
		size += len(text)
		if !utf8.Valid(text) {
			t.Errorf("%s is not UTF-8", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if size == 0 || size >= 250_000 {
		t.Errorf("%d bytes, want less than 250 kB", size)
	}
}

func TestBundledCanBeLeftAndRangedOverAgain(t *testing.T) {
	all := Bundled()
	first := func() string {
		for s := range all {
			return s.ID
		}
		return ""
	}
	if a, b := first(), first(); a == "" || a != b {
		t.Errorf("first %q, then %q", a, b)
	}
}

package judge

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzParseRubrics: whatever is in a file, reading it does not panic, and what
// is returned as sound is what New accepts.
func FuzzParseRubrics(f *testing.F) {
	for _, seed := range []string{
		"",
		soundRubrics,
		"rubrics:\n  - &a {name: a, scale: {min: 1, max: 5, anchors: {1: x, one: y}}}\n  - *a\n",
		"rubrics:\n  - {name: a, question: b, direction: higher_is_better, threshold: 0.5, labels: [{name: a, score: 1}, {name: b, score: 0}]}\n",
		"rubrics: [{? [a] : b, <<: *x}]\n---\n",
		"rubrics:\n\t- a\n",
		"a: b: c\n",
		"!!binary x: \xff\n",
	} {
		f.Add([]byte(seed))
	}
	builtin, err := builtinCatalog()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		rubrics, err := ParseRubrics("r.yaml", data)
		if len(rubrics) == 0 && err == nil {
			t.Error("neither rubrics nor a problem")
		}
		if _, err := builtin.with(rubrics); err != nil {
			t.Errorf("called sound, and refused: %v", err)
		}
		if err == nil {
			return
		}
		lines := strings.Count(string(data), "\n") + 2
		for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
			var problem *RubricError
			if !errors.As(e, &problem) || problem.Msg == "" || problem.Line < 1 || problem.Line > lines || problem.Column < 1 {
				t.Errorf("problem %#v", e)
			}
			if text := e.Error(); len(text) > 1000 || !utf8.ValidString(text) || strings.ContainsAny(text, "\n\r\x00") {
				t.Errorf("text of a problem: %q", text)
			}
		}
	})
}

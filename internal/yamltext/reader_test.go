package yamltext_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/internal/yamltext"
)

// read returns what was read of a text, and what was reported.
func read(text string, from func(r *yamltext.Reader) any) (any, []string) {
	var told []string
	report := func(line, column int, msg string) { told = append(told, fmt.Sprintf("%d:%d: %s", line, column, msg)) }
	root := yamltext.Document([]byte(text), 1<<20, "is empty", report)
	if root == nil {
		return nil, told
	}
	return from(yamltext.NewReader(root, report)), told
}

func TestEntriesKeepTheirOrderAndAreThereOnce(t *testing.T) {
	got, told := read("b: 1\na: 2\nb: 3\n", func(r *yamltext.Reader) any {
		var keys []string
		for _, e := range r.Entries(r.Position(""), "gates") {
			keys = append(keys, e.Key)
		}
		return keys
	})
	if diff := cmp.Diff([]string{"b", "a"}, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"3:1: gates.b is there twice, first in line 1"}, told); diff != "" {
		t.Error(diff)
	}
}

func TestFormsAreHeldAgainstWhatTheyShouldBe(t *testing.T) {
	got, told := read("n: 010\nf: 1.5\nb: yes please\nl: [x, 3]\nt: 7\n", func(r *yamltext.Reader) any {
		m := r.Members("", r.Position(""), "n", "f", "b", "l", "t")
		return []any{r.Integer(m["n"], "n"), r.Number(m["f"], "f"), r.Boolean(m["b"], "b", true), r.Texts(m["l"], "l"), r.Text(m["t"], "t"), r.Text(nil, "u")}
	})
	if diff := cmp.Diff([]any{0, 1.5, true, []string{"x", ""}, "", ""}, got); diff != "" {
		t.Error(diff)
	}
	want := []string{
		"1:4: n must be a whole number", "3:4: b must be true or false",
		"4:8: l[1] must be text; put it in quotes", "5:4: t must be text; put it in quotes",
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}
}

func TestDocumentRefusesWhatItCannotHold(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "1:1: is empty",
		"a: [":                       "not YAML",
		"a:\n\tb: 1":                 "2:1: not YAML: a tab cannot indent",
		"a: \xff":                    "1:4: is not UTF-8",
		"a: \u2028":                  "1:4: control character U+2028",
		"a: 1\n---\nb: 2":            "2:1: a second document begins here",
		strings.Repeat("#", 1<<20+1): "0:0: is larger than 1 MiB",
	} {
		_, told := read(text, func(*yamltext.Reader) any { return nil })
		if len(told) != 1 || !strings.Contains(told[0], want) {
			t.Errorf("%.20q: want %q, got %q", text, want, told)
		}
	}
}

func TestSuggestNamesTheKeyThatWasMeant(t *testing.T) {
	known := []string{"dataset", "format", "limit"}
	for key, want := range map[string]string{
		"datset": "did you mean dataset?", "Limits": "did you mean limit?", "fomrat": "did you mean format?", "x": "there is: dataset, format, limit",
	} {
		if got := yamltext.Suggest(key, known); got != want {
			t.Errorf("%s: %s", key, got)
		}
	}
}

package main

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

func sampleRows() ([]answered, counts) {
	passed := func(r evaluators.Result) evaluators.Result { r.Passed = true; return r }
	rows := []answered{
		{Question: "How long can I return shoes?", Results: []evaluators.Result{
			passed(evaluators.Scored("answer_relevancy", 1, "Relevant", "covers return, shoes")),
			passed(evaluators.Scored("faithfulness", 1, "Faithful", "2 of 2 sentences supported")),
		}},
		{Question: "How long is the warranty?", Results: []evaluators.Result{
			evaluators.Scored("faithfulness", 0.5, "Unfaithful", `"5 years" is in no document`),
		}},
		{Question: "My rain jacket lets water through. How do I make it waterproof again?", Results: []evaluators.Result{
			evaluators.Scored("toxicity", 1, "Toxic", `"idiot", and a good many other words that nobody should have to read in a shop`),
		}},
		{Question: "Thanks!", Results: []evaluators.Result{
			passed(evaluators.Scored("sentiment", 0.82, "Positive", "\"gla\nd\", \"ha\u202eppy\x1b[31m\", \"schön\"")),
			evaluators.Skipped("faithfulness", evaluators.SkipNoDocuments, "nothing to check against"),
		}},
		{Question: "Where is my parcel?", Results: []evaluators.Result{
			evaluators.Failed("answer_relevancy", evaluators.ErrorJudgeTimeout, errors.New("no answer in 60s")),
		}},
		{Question: "Which size?", Skipped: evaluators.SkipToolCallOnly, Why: "a call of find_order"},
		{Question: "Which colour?", Dropped: "queue_full"},
		{Question: "Which fabric?", Results: []evaluators.Result{evaluators.Skipped("toxicity", evaluators.SkipEmptyOutput, "")}},
		{Question: "Which shop?"},
	}
	return rows, counts{Offered: 6, Evaluated: 5, Scored: 5, Skipped: 1, Failed: 1}
}

func TestTable(t *testing.T) {
	tests := []struct {
		name  string
		style style
	}{
		{"piped", style{utf8: true}},
		{"ascii", style{}},
		{"terminal_100", style{utf8: true, width: 100}},
		{"terminal_100_ascii", style{width: 100}},
		{"terminal_40", style{utf8: true, width: 40}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got bytes.Buffer
			rows, c := sampleRows()
			if err := writeTable(&got, tt.style, rows, c); err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join("testdata", "table_"+tt.name+".txt")
			if *update {
				if err := os.WriteFile(golden, got.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestTableFitsTheTerminal(t *testing.T) {
	rows, c := sampleRows()
	for columns := 80; columns <= 200; columns += 5 {
		var out bytes.Buffer
		if err := writeTable(&out, style{utf8: true, width: columns}, rows, c); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if w := width(strings.TrimSuffix(line, "\n")); w > columns {
				t.Errorf("a line takes %d of %d columns: %q", w, columns, line)
			}
		}
	}
}

func TestTableOfNothing(t *testing.T) {
	var out bytes.Buffer
	if err := writeTable(&out, style{width: 80}, nil, counts{}); err != nil {
		t.Fatal(err)
	}
	want := "QUESTION  METRIC  SCORE  RESULT  WHY\n\noffered=0 evaluated=0 scored=0 skipped=0 failed=0 dropped=0\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestTableReportsAFailedWrite(t *testing.T) {
	if err := writeTable(brokenPipe{}, style{}, nil, counts{}); !errors.Is(err, os.ErrClosed) {
		t.Errorf("got %v, want os.ErrClosed", err)
	}
}

func TestUTF8Locale(t *testing.T) {
	tests := []struct {
		name string
		env  map[string]string
		want bool
	}{
		{"lang", map[string]string{"LANG": "de_DE.UTF-8"}, true},
		{"other spelling", map[string]string{"LANG": "C.utf8"}, true},
		{"plain C", map[string]string{"LANG": "C"}, false},
		{"LC_ALL beats LANG", map[string]string{"LC_ALL": "POSIX", "LANG": "en_US.UTF-8"}, false},
		{"LC_CTYPE beats LANG", map[string]string{"LC_CTYPE": "en_US.UTF-8", "LANG": "C"}, true},
		{"empty is unset", map[string]string{"LC_ALL": "", "LANG": "en_US.UTF-8"}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := utf8Locale(func(name string) string { return tt.env[name] }); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestStyleOfAFile(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	env := map[string]string{"LANG": "en_GB.UTF-8", "COLUMNS": "60"}
	got := styleFor(f, func(name string) string { return env[name] })
	if want := (style{utf8: true}); got != want {
		t.Errorf("got %+v, want %+v: a file is never cut", got, want)
	}
}

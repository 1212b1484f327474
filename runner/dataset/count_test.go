package dataset_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/runner/dataset"
)

// What Count says is what a run reads, items and bad rows together.
func TestCount(t *testing.T) {
	dir := t.TempDir()
	for name, tt := range map[string]struct {
		text string
		want int64
		ok   bool
	}{
		"lines.jsonl":   {paris + "\n\n" + paris + "\nbad\n" + paris, 4, true},
		"empty.jsonl":   {"", 0, true},
		"array.json":    {"[" + paris + ",{\"output\":\"a ] , [ \\\" b\",\"context\":[1,2]},3\n]", 3, true},
		"nothing.json":  {" [ ]", 0, true},
		"one.json":      {`[""]`, 1, true},
		"wrapped.json":  {`{"items":[` + paris + "," + paris + "]}", 2, true},
		"cut.json":      {"[" + paris + "," + paris, 3, true},
		"cut2.json":     {"[" + paris + "," + `{"output":"`, 2, true},
		"t.csv":         {"output,input\na,\"two\nlines\"\n\nb,c\n\"x\"y\nd,e\n", 4, true},
		"header.csv":    {"output\n", 0, true},
		"packed.csv.gz": {packed("output\na\nb\n"), 2, true},
		"spans.jsonl":   {`{"resourceSpans":[]}`, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			n, ok, err := dataset.Count(path, dataset.Options{})
			if n != tt.want || ok != tt.ok || err != nil {
				t.Errorf("%d, %v, %v; want %d, %v", n, ok, err, tt.want, tt.ok)
			}
			items, err := dataset.Open(path, dataset.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got, errs := collect(t, items)
			errs = slices.DeleteFunc(errs, func(e string) bool { return strings.HasPrefix(e, "! ") }) // of no item
			if read := int64(len(got) + len(errs)); ok && read != n {
				t.Errorf("%d are read: %q", read, errs)
			}
		})
	}
	if _, ok, err := dataset.Count("-", dataset.Options{}); ok || err != nil {
		t.Errorf("the standard input: %v, %v", ok, err)
	}
	if _, _, err := dataset.Count(filepath.Join(dir, "none"), dataset.Options{}); err == nil {
		t.Error("a file that is not there")
	}
}

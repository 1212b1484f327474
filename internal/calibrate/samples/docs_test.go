package samples

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the table of formats into docs/calibration-sets.md")

const page = "../../../docs/calibration-sets.md"

// tableOfFormats is the table in the documentation.
func tableOfFormats() string {
	var b strings.Builder
	b.WriteString("| format | set | metric | columns | labels and rows | licence |\n|---|---|---|---|---|---|\n")
	code := func(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }
	for _, f := range Formats() {
		set, metrics := f.Set, "each row's"
		if f.Source != "" {
			set = fmt.Sprintf("[%s](%s)", f.Set, f.Source)
		}
		if len(f.Metrics) > 0 {
			metrics = code(f.Metrics)
		}
		licence := f.Licence
		if licence == "" {
			licence = "yours"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s |\n", f.Name, set, metrics, code(f.Columns), f.Doc, licence)
	}
	return b.String()
}

func TestDocumentationHasAllFormats(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const marker = "-update -->\n"
	head, table, ok := strings.Cut(string(text), marker)
	if !ok {
		t.Fatalf("%s has no %q", page, marker)
	}
	want := "\n" + tableOfFormats()
	if *update {
		if err := os.WriteFile(page, []byte(head+marker+want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(want, table); d != "" {
		t.Errorf("the table of formats (-want +got), see -update:\n%s", d)
	}
}

// TestDocumentedLinesAreRead: what the page shows can be used as it stands.
func TestDocumentedLinesAreRead(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := bytes.Cut(text, []byte("```json\n"))
	block, _, ok := bytes.Cut(block, []byte("```"))
	if !ok {
		t.Fatal("no block of JSON")
	}
	samples, errs := collect(t, string(block), "page", "")
	if len(errs) > 0 || len(samples) != 2 {
		t.Fatalf("samples %v, errors %v", samples, errs)
	}
	var first map[string]any
	if err := json.NewDecoder(bytes.NewReader(block)).Decode(&first); err != nil {
		t.Fatal(err)
	}
	for field := range first {
		if !bytes.Contains(text, []byte("`"+field+"`")) {
			t.Errorf("the field %s is shown and not explained", field)
		}
	}
}

package report_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"testing"
)

// Every field of the JSON is in the table of docs/calibration.md.
func TestFieldsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/calibration.md")
	if err != nil {
		t.Fatal(err)
	}
	var documented []string
	for _, m := range regexp.MustCompile("`([a-z0-9_]+)`").FindAllStringSubmatch(string(page), -1) {
		documented = append(documented, m[1])
	}
	text, err := os.ReadFile("testdata/scripted.json")
	if err != nil {
		t.Fatal(err)
	}
	var report any
	if err := json.Unmarshal(text, &report); err != nil {
		t.Fatal(err)
	}
	fields := map[string]bool{}
	collect(report, fields)
	for field := range fields {
		if !slices.Contains(documented, field) {
			t.Errorf("%s is not documented", field)
		}
	}
	if len(fields) < 50 {
		t.Errorf("only %d fields", len(fields))
	}
}

// collect adds the names of fields; what is counted by name has names of its own.
func collect(v any, fields map[string]bool) {
	switch v := v.(type) {
	case []any:
		for _, element := range v {
			collect(element, fields)
		}
	case map[string]any:
		for name, value := range v {
			fields[name] = true
			if !slices.Contains([]string{"skipped", "failed", "ignored", "failure_causes"}, name) {
				collect(value, fields)
			}
		}
	}
}

package docs_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/runner/dataset"
)

// The formats and fields of dataset-files.md are those of the reader, and each
// other name of a field is read as that field.
func TestDatasetFields(t *testing.T) {
	var formats, fields []string
	for _, row := range table(t, "dataset-files.md", "## Formats", "format") {
		formats = append(formats, code(row["format"]))
	}
	if diff := cmp.Diff(dataset.Formats(), formats); diff != "" {
		t.Errorf("formats: code -want, documented +got:\n%s", diff)
	}
	for _, row := range table(t, "dataset-files.md", "## Fields", "holds") {
		field := code(row["field"])
		fields = append(fields, field)
		for _, m := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(row["or, if only one of them is there"], -1) {
			other := m[1]
			// A type that no field can have tells which field a name is.
			items, err := dataset.Read(strings.NewReader(`{"`+other+`":1}`), "f.jsonl", dataset.Options{OutputOptional: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, err := range items {
				if err == nil || !strings.Contains(err.Error(), ": "+field+": expected") {
					t.Errorf("%s: %v, want an error of %s", other, err, field)
				}
			}
			both := `{"` + other + `":"","` + field + `":""}`
			if _, err := dataset.Read(strings.NewReader(both), "f.jsonl", dataset.Options{}); errors.Is(err, dataset.ErrAmbiguous) {
				t.Errorf("%s beside %s: %v", other, field, err)
			}
		}
	}
	if diff := cmp.Diff(dataset.Fields(), fields); diff != "" {
		t.Errorf("fields: code -want, documented +got:\n%s", diff)
	}
}

package report_test

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/genaievals/genaievals/runner/report"
)

// Every field of the JSON is in the tables of docs/datasets.md.
func TestFieldsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/datasets.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	for _, m := range regexp.MustCompile("`([a-z0-9_]+)`").FindAllStringSubmatch(string(text), -1) {
		documented[m[1]] = true
	}
	fields := map[string]bool{}
	for _, v := range []any{report.Report{}, report.Comparison{}} {
		collect(reflect.TypeOf(v), fields)
	}
	for field := range fields {
		if !documented[field] {
			t.Errorf("%s is not documented", field)
		}
	}
	if len(fields) < 80 {
		t.Errorf("only %d fields", len(fields))
	}
}

// collect adds the names that a type has as JSON.
func collect(t reflect.Type, fields map[string]bool) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		collect(t.Elem(), fields)
	case reflect.Struct:
		if t == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range t.NumField() {
			if name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); name != "" {
				fields[name] = true
			}
			collect(t.Field(i).Type, fields)
		}
	}
}

package samples

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// record is a row of any syntax, with its fields by name.
type record struct {
	row  int
	item bool
	// A row of a table has cells, and shares columns with the others. An object
	// has fields. Names are in lower case.
	columns map[string]int
	cells   []string
	fields  map[string]json.RawMessage
}

// object makes a record of JSON text.
func object(text []byte, row int, item bool) (record, error) {
	r := record{row: row, item: item}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return r, fmt.Errorf("expected a JSON object: %w", err)
	}
	if fields == nil {
		return r, fmt.Errorf("expected a JSON object, found null")
	}
	r.fields = make(map[string]json.RawMessage, len(fields))
	for name, v := range fields {
		r.fields[strings.ToLower(name)] = v
	}
	return r, nil
}

// names returns the names of the fields in order.
func (r record) names() []string {
	var names []string
	for name := range r.fields {
		names = append(names, name)
	}
	for name := range r.columns {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (r record) has(name string) bool {
	if r.fields != nil {
		_, ok := r.fields[name]
		return ok
	}
	_, ok := r.columns[name]
	return ok
}

// text returns a field as text: a JSON string's content, anything else as it is
// written, and nothing where the field is null or missing.
func (r record) text(name string) string {
	if r.fields == nil {
		if i, ok := r.columns[name]; ok && i < len(r.cells) {
			return strings.ToValidUTF8(r.cells[i], "\uFFFD")
		}
		return ""
	}
	v := r.fields[name]
	var s string
	switch {
	case len(v) == 0 || string(v) == "null":
		return ""
	case v[0] == '"' && json.Unmarshal(v, &s) == nil:
		return s
	}
	return strings.ToValidUTF8(string(v), "\uFFFD")
}

// word returns a field that is a word of a closed set: trimmed, in lower case.
func (r record) word(name string) string {
	return strings.ToLower(strings.TrimSpace(r.text(name)))
}

// decode reads a field that holds JSON: the value of an object's field, or the
// text of a cell. A missing one leaves v as it is.
func (r record) decode(name string, v any) error {
	text := r.fields[name]
	if r.fields == nil {
		text = json.RawMessage(r.text(name))
	}
	if len(text) == 0 {
		return nil
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

package rows

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Row is one of any syntax, with its fields by name.
type Row struct {
	// Number counts from 1: the line on which the row begins, or with Item the
	// element of a JSON array.
	Number int
	Item   bool
	// Cells are those of a table's row, nil for an object; Header has the names of
	// their columns as they are written.
	Cells, Header []string

	// A row of a table shares columns with the others. An object has members, or
	// fields where it is an unusual one. Names are in lower case.
	columns map[string]int
	members []member
	fields  map[string]json.RawMessage
}

// Of makes the row of a table of cells.
func Of(number int, columns map[string]int, cells ...string) Row {
	return Row{Number: number, Cells: cells, columns: columns}
}

// Columns says where the columns of a table are: the first of a name, in lower
// case.
func Columns(names []string) map[string]int {
	columns := make(map[string]int, len(names))
	for i, name := range names {
		name = strings.ToLower(strings.TrimSpace(name))
		if _, ok := columns[name]; !ok {
			columns[name] = i
		}
	}
	return columns
}

// Names returns the names of the fields in order.
func (r Row) Names() []string {
	var names []string
	for i := range r.members {
		names = append(names, r.members[i].name)
	}
	for name := range r.fields {
		names = append(names, name)
	}
	for name := range r.columns {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Has reports whether there is a field of that name, which is in lower case.
func (r Row) Has(name string) bool {
	if r.IsObject() {
		return r.Value(name) != nil
	}
	_, ok := r.columns[name]
	return ok
}

// IsObject reports whether the row is a JSON object, not of a table.
func (r Row) IsObject() bool { return r.members != nil || r.fields != nil }

// Value returns a field of an object as it is written, nil where there is none.
func (r Row) Value(name string) json.RawMessage {
	if m := find(r.members, name); m != nil {
		return m.value
	}
	return r.fields[name]
}

// Text returns a field as text: a JSON string's content, anything else as it is
// written, and nothing where the field is null or missing.
func (r Row) Text(name string) string {
	if !r.IsObject() {
		if i, ok := r.columns[name]; ok && i < len(r.Cells) {
			return strings.ToValidUTF8(r.Cells[i], "\uFFFD")
		}
		return ""
	}
	v := r.Value(name)
	if len(v) == 0 || string(v) == "null" {
		return ""
	}
	if s, ok := StringOf(v); ok {
		return s
	}
	return strings.ToValidUTF8(string(v), "\uFFFD")
}

// Word returns a field that is a word of a closed set: trimmed, in lower case.
func (r Row) Word(name string) string {
	return strings.ToLower(strings.TrimSpace(r.Text(name)))
}

// Decode reads a field that holds JSON: the value of an object's field, or the
// text of a cell. A missing one leaves v as it is.
func (r Row) Decode(name string, v any) error {
	text := r.Value(name)
	if !r.IsObject() {
		text = json.RawMessage(r.Text(name))
	}
	if len(text) == 0 {
		return nil
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// Reaches reports whether the row of a table goes as far as a column.
func (r Row) Reaches(name string) bool {
	i, ok := r.columns[name]
	return ok && i < len(r.Cells)
}

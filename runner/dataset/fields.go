package dataset

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/genaievals/genaievals/internal/rows"
)

// The fields of an item.
const (
	fieldID         = "id"
	fieldInput      = "input"
	fieldOutput     = "output"
	fieldContext    = "context"
	fieldExpected   = "expected"
	fieldSystem     = "system"
	fieldHistory    = "history"
	fieldMetadata   = "metadata"
	fieldEvaluators = "evaluators"
)

// Fields returns the names of an item's fields, which [Options].Fields maps.
func Fields() []string {
	return []string{fieldID, fieldInput, fieldOutput, fieldContext, fieldExpected, fieldSystem, fieldHistory, fieldMetadata, fieldEvaluators}
}

// synonyms are other names of fields that data sets are published with.
var synonyms = map[string][]string{
	fieldInput:    {"question", "prompt", "query", "user_input"},
	fieldOutput:   {"answer", "response", "completion"},
	fieldContext:  {"contexts", "documents", "retrieved_contexts", "sources"},
	fieldExpected: {"expected_output", "reference", "ground_truth"},
	fieldSystem:   {"system_prompt"},
}

// mapping says where the fields of an item are in a row.
type mapping struct {
	outputOptional bool
	// given are the paths that the user gave, in lower case; met those of them that
	// some row had.
	given map[string][]string
	met   map[string]bool
	// columns are those of a table, by field, once it is known.
	columns map[string]string
	taken   map[string]bool // columns that are fields
}

func newMapping(o Options) (*mapping, error) {
	m := &mapping{outputOptional: o.OutputOptional, given: map[string][]string{}, met: map[string]bool{}}
	for _, field := range slices.Sorted(maps.Keys(o.Fields)) {
		column := strings.ToLower(strings.TrimSpace(o.Fields[field]))
		name := strings.ToLower(strings.TrimSpace(field))
		if !slices.Contains(Fields(), name) {
			return nil, fmt.Errorf("%w %q, expected one of %s", ErrUnknownField, field, strings.Join(Fields(), ", "))
		}
		if column == "" {
			return nil, fmt.Errorf("%w: %s is mapped to no column", ErrUnknownField, field)
		}
		m.given[name] = []string{column} // a column may have dots in its name
		if strings.Contains(column, ".") {
			m.given[name] = strings.Split(strings.TrimSpace(o.Fields[field]), ".")
		}
	}
	return m, nil
}

// whole is the path as one name.
func whole(path []string) string { return strings.ToLower(strings.Join(path, ".")) }

// choose returns the column of a field among those that has says are there; empty
// without any.
func choose(field string, has func(column string) bool) (string, error) {
	if has(field) {
		return field, nil
	}
	found := ""
	for _, s := range synonyms[field] {
		switch {
		case !has(s):
		case found != "":
			return "", fmt.Errorf("%w: %s and %s could both be the %s, say which: %s=%s", ErrAmbiguous, found, s, field, field, found)
		default:
			found = s
		}
	}
	return found, nil
}

// resolve finds the columns of a table.
func (m *mapping) resolve(header []string) error {
	columns := rows.Columns(header)
	has := func(column string) bool { _, ok := columns[column]; return ok }
	m.columns, m.taken = map[string]string{}, map[string]bool{}
	for _, path := range m.given {
		m.taken[whole(path)] = true
	}
	for _, field := range Fields() {
		column := ""
		if path, ok := m.given[field]; ok {
			if column = whole(path); !has(column) {
				return fmt.Errorf("%w: no column %s for %s, found %s", ErrUnknownField, column, field, listed(header))
			}
		} else {
			var err error
			if column, err = choose(field, func(c string) bool { return has(c) && !m.taken[c] }); err != nil {
				return err
			}
		}
		if column != "" {
			m.columns[field] = column
			m.taken[column] = true
		}
	}
	if m.columns[fieldOutput] == "" && !m.outputOptional {
		return fmt.Errorf("%w: no column for the output (output, %s), found %s; say which: output=COLUMN",
			ErrUnknownField, strings.Join(synonyms[fieldOutput], ", "), listed(header))
	}
	return nil
}

// probe looks at the rows that have been read ahead of a JSON file, so that a path
// that none of them has, and columns that are ambiguous, are found before the run.
func (m *mapping) probe(in *bufio.Reader) error {
	if _, err := in.Peek(1); err != nil {
		return nil // there is nothing, or the error is found again
	}
	ahead, _ := in.Peek(in.Buffered())
	reader, err := rows.New(bufio.NewReader(bytes.NewReader(bytes.Clone(ahead))), rows.Objects, nil, wrappers...)
	if err != nil {
		return nil
	}
	var names []string
	for range 100 {
		r, err := reader.Next()
		if err != nil {
			break
		}
		names = r.Names()
		for _, field := range Fields() {
			if _, err := m.find(r, field); err != nil {
				return err
			}
		}
	}
	for _, field := range slices.Sorted(maps.Keys(m.given)) {
		if names != nil && !m.met[field] {
			return fmt.Errorf("%w: no %s for %s, found %s", ErrUnknownField, whole(m.given[field]), field, listed(names))
		}
	}
	return nil
}

// find returns the value of a field of an object, nil where it has none.
func (m *mapping) find(r rows.Row, field string) (json.RawMessage, error) {
	path, given := m.given[field]
	if !given {
		column, err := choose(field, r.Has)
		if err != nil || column == "" {
			return nil, err
		}
		return r.Value(column), nil
	}
	if name := whole(path); r.Has(name) {
		m.met[field] = true
		return r.Value(name), nil
	}
	value := r.Value(strings.ToLower(path[0]))
	for _, name := range path[1:] {
		value = member(value, name)
	}
	if value != nil {
		m.met[field] = true
	}
	return value, nil
}

// member returns a member of an object: of that name or, without one, of that name
// in another case.
func member(object json.RawMessage, name string) json.RawMessage {
	var members map[string]json.RawMessage
	if len(object) == 0 || json.Unmarshal(object, &members) != nil {
		return nil
	}
	if value, ok := members[name]; ok {
		return value
	}
	for _, other := range slices.Sorted(maps.Keys(members)) {
		if strings.EqualFold(other, name) {
			return members[other]
		}
	}
	return nil
}

// listed are names for a message, which may be many and long.
func listed(names []string) string {
	const most, longest = 12, 40
	var short []string
	for _, n := range names[:min(len(names), most)] {
		if len(n) > longest {
			n = strings.ToValidUTF8(n[:longest], "") + "…"
		}
		short = append(short, n)
	}
	if len(names) > most {
		short = append(short, fmt.Sprintf("and %d more", len(names)-most))
	}
	return strings.Join(short, ", ")
}

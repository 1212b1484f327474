package dataset

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/genaievals/genaievals/internal/rows"
	"github.com/genaievals/genaievals/runner"
)

// item makes the item of a row. With an error it has the id, if that could be read.
func (m *mapping) item(r rows.Row) (runner.Item, error) {
	var item runner.Item
	v := &values{mapping: m, row: r}
	item.ID = v.id()
	if v.err != nil {
		return item, v.err
	}
	if len(r.Cells) > len(r.Header) {
		return item, fmt.Errorf("expected %d columns, found %d", len(r.Header), len(r.Cells))
	}
	v.read(fieldSystem, func(value json.RawMessage) (err error) {
		item.System, err = textOf(value)
		return err
	})
	v.read(fieldInput, func(value json.RawMessage) error { return setInput(&item, value, r.IsObject()) })
	hasOutput := v.read(fieldOutput, func(value json.RawMessage) (err error) {
		item.Output, err = textOf(value)
		return err
	})
	v.read(fieldContext, func(value json.RawMessage) (err error) {
		item.Documents, err = documentsOf(value, r.IsObject())
		return err
	})
	v.read(fieldExpected, func(value json.RawMessage) (err error) {
		item.Expected, err = textOf(value)
		return err
	})
	v.read(fieldHistory, func(value json.RawMessage) (err error) {
		item.History, err = historyOf(value)
		return err
	})
	v.read(fieldMetadata, func(value json.RawMessage) (err error) {
		item.Metadata, err = metadataOf(value, r.IsObject())
		return err
	})
	v.read(fieldEvaluators, func(value json.RawMessage) (err error) {
		item.Evaluators, err = namesOf(value)
		return err
	})
	m.others(r, &item)
	if v.err == nil && !hasOutput && !m.outputOptional {
		v.err = fmt.Errorf("no %s: expected a text, or in its place %s", fieldOutput, strings.Join(synonyms[fieldOutput], ", "))
	}
	return item, v.err
}

// values reads the fields of one row, up to the first that is wrong.
type values struct {
	mapping *mapping
	row     rows.Row
	err     error
}

// read hands a field to set, if the row has it; what is not null. The cell of a
// table is handed as a JSON string unless it holds the JSON of a list or object.
func (v *values) read(field string, set func(value json.RawMessage) error) bool {
	if v.err != nil {
		return false
	}
	value, err := v.value(field)
	if err == nil && value != nil {
		if err = set(value); err != nil {
			err = fmt.Errorf("%s: %w", field, err)
		}
	}
	v.err = err
	return value != nil
}

func (v *values) value(field string) (json.RawMessage, error) {
	if !v.row.IsObject() {
		return v.cell(field), nil
	}
	value, err := v.mapping.find(v.row, field)
	if err != nil {
		return nil, err
	}
	if path, given := v.mapping.given[field]; given && value == nil && !v.mapping.met[field] {
		return nil, fmt.Errorf("no %s for %s, found %s", whole(path), field, listed(v.row.Names()))
	}
	if string(value) == "null" {
		return nil, nil
	}
	return value, nil
}

// cell returns a cell as a JSON string; nil where the row has none.
func (v *values) cell(field string) json.RawMessage {
	column, ok := v.mapping.columns[field]
	if !ok || !v.row.Reaches(column) {
		return nil
	}
	text, _ := json.Marshal(v.row.Text(column)) // text can always be rendered
	return text
}

func (v *values) id() string {
	id := ""
	v.read(fieldID, func(value json.RawMessage) error {
		switch typeOf(value) {
		case typeText:
			id, _ = textOf(value)
		case typeNumber:
			id = string(value)
		default:
			return expected("a text or a number", value)
		}
		return nil
	})
	return id
}

// others are the columns of a table that are no fields: they are metadata.
func (m *mapping) others(r rows.Row, item *runner.Item) {
	for i, cell := range r.Cells {
		if i >= len(r.Header) || cell == "" {
			continue
		}
		name := strings.TrimSpace(r.Header[i])
		if name == "" || m.taken[strings.ToLower(name)] {
			continue
		}
		if item.Metadata == nil {
			item.Metadata = map[string]string{}
		}
		if _, there := item.Metadata[name]; !there {
			item.Metadata[valid(name)] = valid(cell)
		}
	}
}

// Types of JSON values, for messages.
const (
	typeText   = "a text"
	typeNumber = "a number"
	typeBool   = "a boolean"
	typeList   = "a list"
	typeObject = "an object"
)

func typeOf(value json.RawMessage) string {
	if len(value) == 0 {
		return "nothing"
	}
	switch value[0] {
	case '"':
		return typeText
	case '[':
		return typeList
	case '{':
		return typeObject
	case 't', 'f':
		return typeBool
	case 'n':
		return "null"
	}
	return typeNumber
}

// found is a type as the standard decoder calls it.
func found(kind string) string {
	switch kind, _, _ := strings.Cut(kind, " "); kind {
	case "array":
		return typeList
	case "bool":
		return typeBool
	case "string":
		return typeText
	case "number":
		return typeNumber
	}
	return "something else"
}

// expected says what there should have been, and only the type of what there is.
func expected(what string, found json.RawMessage) error {
	return fmt.Errorf("expected %s, found %s", what, typeOf(found))
}

var errNotJSON = errors.New("the cell holds no valid JSON")

func textOf(value json.RawMessage) (string, error) {
	if typeOf(value) != typeText {
		return "", expected(typeText, value)
	}
	text, ok := rows.StringOf(value)
	if !ok {
		return "", expected(typeText, value)
	}
	return text, nil
}

// inCell returns the JSON that a cell of a table holds, if it holds a list or an
// object; otherwise the value itself.
func inCell(value json.RawMessage, inObject bool) json.RawMessage {
	if inObject {
		return value
	}
	text, err := textOf(value)
	if trimmed := strings.TrimSpace(text); err == nil && trimmed != "" && (trimmed[0] == '[' || trimmed[0] == '{') && json.Valid([]byte(trimmed)) {
		return json.RawMessage(trimmed)
	}
	return value
}

func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

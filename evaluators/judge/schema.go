package judge

import (
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
)

// formSchema describes the answer to questions in the subset that every
// provider's strict mode takes: objects with all properties required and no
// others, arrays, strings, enums and integers; no bounds, no references. The answer to
// several questions is an object with a member for each.
func formSchema(questions []*question) (json.RawMessage, error) {
	s := questions[0].answerSchema()
	if len(questions) > 1 {
		each := make([]property, len(questions))
		for i, q := range questions {
			each[i] = property{q.Name, q.answerSchema()}
		}
		s = closedObject(each...)
	}
	b, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("answer schema: %w", err)
	}
	return b, nil
}

// answerSchema describes the answer to one question. The reason comes before
// what it is the reason for.
func (q *question) answerSchema() *jsonschema.Schema {
	names := make([]any, len(q.Options))
	for i, o := range q.Options {
		names[i] = o.Name
	}
	choice := &jsonschema.Schema{Type: "string", Enum: names}
	text := &jsonschema.Schema{Type: "string"}
	switch {
	case q.Scale != nil:
		return closedObject(property{"reason", text}, property{"score", &jsonschema.Schema{Type: "integer"}})
	case q.claims:
		claim := closedObject(property{"claim", text}, property{"reason", text}, property{"verdict", choice})
		return closedObject(property{"claims", &jsonschema.Schema{Type: "array", Items: claim}})
	}
	return closedObject(property{"reason", text}, property{"label", choice})
}

type property struct {
	name   string
	schema *jsonschema.Schema
}

func closedObject(properties ...property) *jsonschema.Schema {
	s := &jsonschema.Schema{
		Type:                 "object",
		Properties:           map[string]*jsonschema.Schema{},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}, // false
	}
	for _, p := range properties {
		s.Properties[p.name] = p.schema
		s.PropertyOrder = append(s.PropertyOrder, p.name)
		s.Required = append(s.Required, p.name)
	}
	return s
}

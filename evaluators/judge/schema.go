package judge

import (
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
)

// answerSchema describes the answer to a question in the subset that every
// provider's strict mode takes: objects with all properties required and no
// others, arrays, strings, enums and integers; no bounds, no references. The reason comes
// before what it is the reason for.
func answerSchema(q *question) (json.RawMessage, error) {
	names := make([]any, len(q.Options))
	for i, o := range q.Options {
		names[i] = o.Name
	}
	choice := &jsonschema.Schema{Type: "string", Enum: names}
	text := &jsonschema.Schema{Type: "string"}

	var s *jsonschema.Schema
	if q.Scale != nil {
		s = closedObject(property{"reason", text}, property{"score", &jsonschema.Schema{Type: "integer"}})
	} else if q.claims {
		claim := closedObject(property{"claim", text}, property{"reason", text}, property{"verdict", choice})
		s = closedObject(property{"claims", &jsonschema.Schema{Type: "array", Items: claim}})
	} else {
		s = closedObject(property{"reason", text}, property{"label", choice})
	}
	b, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("answer schema: %w", err)
	}
	return b, nil
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

package judge

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// resolveOwn makes the schema by which answers to a rubric are checked. It is
// stricter than the one that is sent, since not every provider takes bounds,
// and it does not ask for the reason, which decides nothing.
func resolveOwn(q *question) (*jsonschema.Resolved, error) {
	decision := &jsonschema.Schema{Type: "string"}
	for _, o := range q.Options {
		decision.Enum = append(decision.Enum, o.Name)
	}
	if s := q.Scale; s != nil {
		decision = &jsonschema.Schema{
			Type:    "integer",
			Minimum: new(float64(s.Min)),
			Maximum: new(float64(s.Max)),
		}
	}
	s := closedObject(property{"reason", &jsonschema.Schema{Type: "string"}}, property{q.decidingMember(), decision})
	s.Required = []string{q.decidingMember()}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("answer schema: %w", err)
	}
	return resolved, nil
}

// decodeOwn reads the answer to a rubric. What the schema sees is what judges
// mean: labels in the declared spelling, numbers out of their quotes.
func (q *question) decodeOwn(o object, deciding []byte) (answer, error) {
	var a answer
	var err error
	if a.reason, err = reason(o.get("reason")); err != nil {
		return answer{}, err
	}
	var decision any
	if q.Scale != nil {
		decision = gradeValue(deciding)
	} else if label, ok := stringValue(deciding); ok {
		if a.option, err = q.option("label", label); err != nil {
			return answer{}, err
		}
		decision = q.Options[a.option].Name
	}
	// The schema's own message quotes the answer.
	if q.own.Validate(map[string]any{"reason": a.reason, q.decidingMember(): decision}) != nil {
		if q.Scale != nil {
			return answer{}, problem(fmt.Sprintf(`"score" must be an integer from %d to %d`, q.Scale.Min, q.Scale.Max))
		}
		return answer{}, problem(`"label" must be a string`)
	}
	if grade, ok := decision.(float64); ok {
		a.grade = int(grade)
	}
	return a, nil
}

// maxNumber is the most characters of a number. With more of them a fraction
// could round to a whole number that was not written.
const maxNumber = 15

// gradeValue returns the number that a JSON value is or, in quotes, says; nil
// for everything else.
func gradeValue(value []byte) any {
	text := string(value)
	if s, ok := stringValue(value); ok {
		text = strings.TrimSpace(s)
	}
	if len(text) > maxNumber || text == "" || text[0] != '-' && (text[0] < '0' || text[0] > '9') || !json.Valid([]byte(text)) {
		return nil
	}
	number, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil
	}
	return number
}

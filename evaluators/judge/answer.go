package judge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// answer is what the judge said, checked against the question.
type answer struct {
	reason string
	option int // picked, unless the question asks for claims
	claims []claim
}

// claim is one claim of the output and the option picked for it.
type claim struct {
	text, reason string
	option       int
}

// decode reads one JSON object as the answer. Members that were not asked for
// are ignored, and so is a missing reason; what decides has to be there once
// and as declared. An object that holds nothing but another object stands for
// that one.
func (q *question) decode(object []byte) (answer, error) {
	m, err := members(object)
	if err != nil {
		return answer{}, err
	}
	if _, ok := m[q.decidingMember()]; !ok && len(m) == 1 {
		for _, only := range m {
			if inner, err := members(only); err == nil {
				m = inner
			}
		}
	}
	deciding, ok := m[q.decidingMember()]
	if !ok {
		return answer{}, problem(fmt.Sprintf("the object has no %q", q.decidingMember()))
	}
	if q.claims {
		return q.decodeClaims(deciding)
	}
	var label string
	if json.Unmarshal(deciding, &label) != nil {
		return answer{}, problem(`"label" must be a string`)
	}
	a := answer{}
	if a.option, err = q.option("label", label); err != nil {
		return answer{}, err
	}
	a.reason, err = reason(m["reason"])
	return a, err
}

func (q *question) decodeClaims(raw json.RawMessage) (answer, error) {
	var items []json.RawMessage
	if bytes.Equal(raw, []byte("null")) || json.Unmarshal(raw, &items) != nil {
		return answer{}, problem(`"claims" must be an array`)
	}
	a := answer{claims: make([]claim, 0, len(items))}
	for _, item := range items {
		m, err := members(item)
		if err != nil {
			return answer{}, problem("every claim must be an object")
		}
		var c claim
		var verdict string
		if json.Unmarshal(m["claim"], &c.text) != nil || strings.TrimSpace(c.text) == "" {
			return answer{}, problem(`every claim must have its text in "claim"`)
		}
		if json.Unmarshal(m["verdict"], &verdict) != nil {
			return answer{}, problem(`every claim must have a "verdict"`)
		}
		if c.option, err = q.option("verdict", verdict); err != nil {
			return answer{}, err
		}
		if c.reason, err = reason(m["reason"]); err != nil {
			return answer{}, err
		}
		a.claims = append(a.claims, c)
	}
	return a, nil
}

// reason reads a string, or several.
func reason(raw json.RawMessage) (string, error) {
	if len(raw) == 0 {
		return "", nil
	}
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return strings.TrimSpace(one), nil
	}
	var several []string
	if json.Unmarshal(raw, &several) == nil {
		return strings.TrimSpace(strings.Join(several, " ")), nil
	}
	return "", problem(`"reason" must be a string`)
}

// members splits one JSON object into its members by folded name. A member
// that is there twice makes the object ambiguous.
func members(object []byte) (map[string]json.RawMessage, error) {
	if !json.Valid(object) {
		return nil, problem("it is not valid JSON")
	}
	d := json.NewDecoder(bytes.NewReader(object))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, problem("it is not a JSON object")
	}
	m := map[string]json.RawMessage{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, problem("it is not valid JSON")
		}
		name, _ := t.(string)
		name = fold(name)
		if _, twice := m[name]; twice {
			return nil, problem("the object has a member twice")
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, problem("it is not valid JSON")
		}
		m[name] = value
	}
	return m, nil
}

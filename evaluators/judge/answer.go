package judge

import (
	"encoding/json"
	"fmt"
	"strings"
)

// answer is what the judge said, checked against the question.
type answer struct {
	reason string
	option int // picked, if the question asks for a label
	grade  int // given, if it asks for a score
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
func (q *question) decode(text []byte) (answer, error) {
	if !json.Valid(text) {
		return answer{}, problem("it is not valid JSON")
	}
	o, err := members(text)
	if err != nil {
		return answer{}, err
	}
	deciding := o.get(q.decidingMember())
	if deciding == nil && len(o) == 1 {
		if inner, err := members(o[0].value); err == nil {
			o, deciding = inner, inner.get(q.decidingMember())
		}
	}
	if deciding == nil {
		return answer{}, problem(fmt.Sprintf("the object has no %q", q.decidingMember()))
	}
	if q.claims {
		return q.decodeClaims(deciding)
	}
	if q.own != nil {
		return q.decodeOwn(o, deciding)
	}
	label, ok := stringValue(deciding)
	if !ok {
		return answer{}, problem(`"label" must be a string`)
	}
	a := answer{}
	if a.option, err = q.option("label", label); err != nil {
		return answer{}, err
	}
	a.reason, err = reason(o.get("reason"))
	return a, err
}

func (q *question) decodeClaims(value []byte) (answer, error) {
	items, ok := elements(value)
	if !ok {
		return answer{}, problem(`"claims" must be an array`)
	}
	a := answer{claims: make([]claim, 0, len(items))}
	for _, item := range items {
		o, err := members(item)
		if err != nil {
			return answer{}, problem("every claim must be an object")
		}
		c := claim{}
		if c.text, ok = stringValue(o.get("claim")); !ok || strings.TrimSpace(c.text) == "" {
			return answer{}, problem(`every claim must have its text in "claim"`)
		}
		verdict, ok := stringValue(o.get("verdict"))
		if !ok {
			return answer{}, problem(`every claim must have a "verdict"`)
		}
		if c.option, err = q.option("verdict", verdict); err != nil {
			return answer{}, err
		}
		if c.reason, err = reason(o.get("reason")); err != nil {
			return answer{}, err
		}
		a.claims = append(a.claims, c)
	}
	return a, nil
}

// reason reads a string, or several; none is fine.
func reason(value []byte) (string, error) {
	if value == nil || string(value) == "null" {
		return "", nil
	}
	if s, ok := stringValue(value); ok {
		return strings.TrimSpace(s), nil
	}
	items, ok := elements(value)
	if !ok {
		return "", problem(`"reason" must be a string`)
	}
	several := make([]string, len(items))
	for i, item := range items {
		if several[i], ok = stringValue(item); !ok {
			return "", problem(`"reason" must be a string`)
		}
	}
	return strings.TrimSpace(strings.Join(several, " ")), nil
}

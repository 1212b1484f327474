package wire

import (
	"encoding/json"
	"strings"
)

// Members are the members of a JSON object by their exact names. A struct would
// not do: encoding/json takes Content for content, so that a member that nobody
// knows could stand in for one that counts. Of members of one name the last is
// there. Nil has none.
type Members map[string]json.RawMessage

// MembersOf reads an object; null is one without members.
func MembersOf(raw json.RawMessage) (m Members, ok bool) {
	if len(raw) == 0 {
		return nil, true
	}
	return m, json.Unmarshal(raw, &m) == nil
}

// ListOf reads a list of objects; null is an empty one.
func ListOf(raw json.RawMessage) (list []Members, ok bool) {
	if len(raw) == 0 {
		return nil, true
	}
	return list, json.Unmarshal(raw, &list) == nil
}

// Object is the object that a member is, empty if it is none.
func (m Members) Object(name string) Members {
	inner, ok := MembersOf(m[name])
	if !ok {
		return nil
	}
	return inner
}

// Text is [Text] of a member.
func (m Members) Text(name string) string { return Text(m[name]) }

// String is a member that is a string; null and none are empty ones.
func (m Members) String(name string) (s string, ok bool) {
	raw := m[name]
	return s, len(raw) == 0 || json.Unmarshal(raw, &s) == nil
}

// Count is [Count] of a member.
func (m Members) Count(name string) (tokens int64, ok bool) {
	var n json.Number
	if raw := m[name]; len(raw) > 0 && json.Unmarshal(raw, &n) != nil {
		return 0, false
	}
	return Count(n)
}

// SaysNothing reports whether a value stands for none: null, false, 0, blank
// text, a list or an object of nothing else. Some servers fill in all members
// that they know of.
func SaysNothing(raw json.RawMessage) bool {
	var value any
	return len(raw) == 0 || json.Unmarshal(raw, &value) == nil && nothing(value)
}

func nothing(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case bool:
		return !value
	case float64:
		return value == 0
	case string:
		return strings.TrimSpace(value) == ""
	case []any:
		for _, v := range value {
			if !nothing(v) {
				return false
			}
		}
		return true
	case map[string]any:
		for _, v := range value {
			if !nothing(v) {
				return false
			}
		}
		return true
	}
	return false
}

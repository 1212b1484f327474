package judge

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// What follows splits JSON that is known to be valid, and only by one level.
// encoding/json would do it too, but it takes the last of two members with the
// same name and several times as long.

// member is a member of an object, its name folded.
type member struct {
	name  string
	value []byte
}

type object []member

// get returns a member's value, or nil.
func (o object) get(name string) []byte {
	for _, m := range o {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// maxMembers is the most members of an object that is looked at. An answer has
// three.
const maxMembers = 64

// members splits an object. A name that is there twice makes the object
// ambiguous.
func members(valid []byte) (object, error) {
	valid = bytes.TrimLeft(valid, blanks)
	if len(valid) == 0 || valid[0] != '{' {
		return nil, problem("it is not a JSON object")
	}
	var o object
	rest := bytes.TrimLeft(valid[1:], blanks)
	for rest[0] != '}' {
		end := valueEnd(rest)
		name, _ := stringValue(rest[:end])
		name = fold(name)
		if o.get(name) != nil {
			return nil, problem("the object has a member twice")
		}
		if len(o) == maxMembers {
			return nil, problem("the object has too many members")
		}
		rest = bytes.TrimLeft(rest[end:], blanks)
		rest = bytes.TrimLeft(rest[1:], blanks) // the colon
		end = valueEnd(rest)
		o = append(o, member{name, rest[:end]})
		rest = afterComma(rest[end:])
	}
	return o, nil
}

// elements splits an array; ok is false when it is none.
func elements(valid []byte) (values [][]byte, ok bool) {
	if len(valid) == 0 || valid[0] != '[' {
		return nil, false
	}
	rest := bytes.TrimLeft(valid[1:], blanks)
	for rest[0] != ']' {
		end := valueEnd(rest)
		values = append(values, rest[:end])
		rest = afterComma(rest[end:])
	}
	return values, true
}

const blanks = " \t\r\n"

// afterComma returns the next member, the next element, or the closing bracket.
func afterComma(rest []byte) []byte {
	rest = bytes.TrimLeft(rest, blanks)
	if rest[0] == ',' {
		rest = bytes.TrimLeft(rest[1:], blanks)
	}
	return rest
}

// valueEnd returns the length of the value that valid begins with.
func valueEnd(valid []byte) int {
	depth := 0
	for i := 0; i < len(valid); {
		switch valid[i] {
		case '"':
			i = stringEnd(valid, i)
			if depth == 0 {
				return i
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth <= 0 {
				return i + depth + 1 // the value's own bracket, or the one around it
			}
		case ',', ':', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
		}
		i++
	}
	return len(valid)
}

// stringValue returns the content of a JSON string; ok is false when value is
// nil or something else.
func stringValue(value []byte) (s string, ok bool) {
	if len(value) < 2 || value[0] != '"' {
		return "", false
	}
	inner := value[1 : len(value)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner), true
	}
	err := json.Unmarshal(value, &s)
	return s, err == nil
}

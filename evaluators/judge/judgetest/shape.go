package judgetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// shape describes JSON: what may be where. The requests of each format are
// described by one, see request_openai.go and request_anthropic.go. The zero
// shape is anything at all.
type shape struct {
	kind    string // object, array, string, number, integer, boolean
	members map[string]*shape
	items   *shape
	least   int      // items
	words   []string // that a string is one of
	longest int      // of a string, in bytes
	bounded bool
	min     float64
	max     float64
	must    bool
	also    *shape // another thing that may be there
}

type members map[string]*shape

func anything() *shape             { return &shape{} }
func text() *shape                 { return &shape{kind: "string"} }
func nameOf(longest int) *shape    { return &shape{kind: "string", longest: longest} }
func word(words ...string) *shape  { return &shape{kind: "string", words: words} }
func flag() *shape                 { return &shape{kind: "boolean"} }
func object(m members) *shape      { return &shape{kind: "object", members: m} }
func list(items *shape) *shape     { return &shape{kind: "array", items: items} }
func fullList(items *shape) *shape { return &shape{kind: "array", items: items, least: 1} }
func either(a, b *shape) *shape    { a.also = b; return a }
func required(s *shape) *shape     { s.must = true; return s }

func number(from, to float64) *shape {
	return &shape{kind: "number", bounded: true, min: from, max: to}
}

func integer(from, to float64) *shape {
	return &shape{kind: "integer", bounded: true, min: from, max: to}
}

// misfit is the first thing about a request that its shape does not allow.
type misfit struct {
	path []string // from the innermost outwards until it is turned, then as it is read
	what mistake
	// shape is what should have been there, value the number or word that is.
	shape *shape
	value string
}

type mistake uint8

const (
	extraMember mistake = iota + 1
	missingMember
	wrongKind
	wrongWord
	tooLong
	tooSmall
	tooLarge
	tooFew
)

// check walks valid JSON beside its shape, without copying any of it.
func (s *shape) check(body []byte) *misfit {
	_, m := s.walk(bytes.TrimLeft(body, blanks))
	if m != nil {
		slices.Reverse(m.path)
	}
	return m
}

const blanks = " \t\r\n"

// walk checks the value that b begins with and returns what follows it. It goes
// over each byte once.
func (s *shape) walk(b []byte) (rest []byte, m *misfit) {
	if s.kind == "" {
		return skip(b), nil
	}
	kind := kindOf(b)
	if !s.takes(kind) {
		if s.also != nil {
			return s.also.walk(b)
		}
		if kind == "null" && !s.must { // as if it were not there
			return skip(b), nil
		}
		return nil, &misfit{what: wrongKind, shape: s, value: kind}
	}
	switch {
	case kind == "object" && s.members != nil:
		return s.walkMembers(b)
	case kind == "array":
		return s.walkItems(b)
	case kind == "object":
		return skip(b), nil
	}
	end := valueEnd(b)
	return afterComma(b[end:]), s.checkValue(b[:end])
}

// skip returns what follows a value.
func skip(b []byte) []byte { return afterComma(b[valueEnd(b):]) }

// afterComma returns the next member or item, or the closing bracket.
func afterComma(b []byte) []byte {
	b = bytes.TrimLeft(b, blanks)
	if len(b) > 0 && b[0] == ',' {
		b = bytes.TrimLeft(b[1:], blanks)
	}
	return b
}

func (s *shape) takes(kind string) bool {
	return kind == s.kind || kind == "integer" && s.kind == "number"
}

func (s *shape) walkMembers(b []byte) (rest []byte, m *misfit) {
	var seen [4]*shape // the required ones; no object has more
	n := 0
	rest = bytes.TrimLeft(b[1:], blanks)
	for rest[0] != '}' {
		end := valueEnd(rest)
		name := rest[1 : end-1]
		rest = bytes.TrimLeft(rest[end:], blanks)
		rest = bytes.TrimLeft(rest[1:], blanks) // the colon
		member, ok := s.members[string(name)]
		if !ok {
			return nil, &misfit{path: []string{string(name)}, what: extraMember}
		}
		if member.must && n < len(seen) && !slices.Contains(seen[:n], member) {
			seen[n] = member
			n++
		}
		if rest, m = member.walk(rest); m != nil {
			m.path = append(m.path, string(name))
			return nil, m
		}
	}
	return afterComma(rest[1:]), s.missing(seen[:n])
}

// missing is the first required member, by name, that was not seen.
func (s *shape) missing(seen []*shape) *misfit {
	name := ""
	for n, member := range s.members {
		if member.must && !slices.Contains(seen, member) && (name == "" || n < name) {
			name = n
		}
	}
	if name == "" {
		return nil
	}
	return &misfit{path: []string{name}, what: missingMember}
}

func (s *shape) walkItems(b []byte) (rest []byte, m *misfit) {
	n := 0
	rest = bytes.TrimLeft(b[1:], blanks)
	for ; rest[0] != ']'; n++ {
		if rest, m = s.items.walk(rest); m != nil {
			m.path = append(m.path, strconv.Itoa(n))
			return nil, m
		}
	}
	if n < s.least {
		return nil, &misfit{what: tooFew, shape: s}
	}
	return afterComma(rest[1:]), nil
}

// checkValue checks a string or a number.
func (s *shape) checkValue(value []byte) *misfit {
	if s.words != nil || s.longest > 0 {
		var word string
		_ = json.Unmarshal(value, &word)
		switch {
		case s.words != nil && !slices.Contains(s.words, word):
			return &misfit{what: wrongWord, shape: s, value: word}
		case s.longest > 0 && len(word) > s.longest:
			return &misfit{what: tooLong, shape: s, value: strconv.Itoa(len(word))}
		}
	}
	if s.bounded {
		f, _ := strconv.ParseFloat(string(value), 64)
		switch {
		case f < s.min:
			return &misfit{what: tooSmall, shape: s, value: string(value)}
		case f > s.max:
			return &misfit{what: tooLarge, shape: s, value: string(value)}
		}
	}
	return nil
}

// dotted is the path as Anthropic writes it, such as messages.0.role.
func (m *misfit) dotted() string { return strings.Join(m.path, ".") }

// indexed is the path as OpenAI writes it, such as messages[0].role.
func (m *misfit) indexed() string {
	var b strings.Builder
	for i, step := range m.path {
		switch _, err := strconv.Atoi(step); {
		case err == nil:
			fmt.Fprintf(&b, "[%s]", step)
		case i > 0:
			b.WriteString("." + step)
		default:
			b.WriteString(step)
		}
	}
	return b.String()
}

// kindOf says what the value is that b begins with.
func kindOf(b []byte) string {
	switch b[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	if bytes.ContainsAny(b[:valueEnd(b)], ".eE") {
		return "number"
	}
	return "integer"
}

// valueEnd returns the length of the value that valid JSON begins with.
func valueEnd(valid []byte) int {
	depth := 0
	for i := 0; i < len(valid); i++ {
		switch valid[i] {
		case '"':
			i = stringEnd(valid, i)
			if depth == 0 {
				return i + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth <= 0 {
				return i + depth + 1 // its own bracket, or the one around it
			}
		case ',', ':', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
		}
	}
	return len(valid)
}

// stringEnd returns the place of the quote that ends the string begun at i.
func stringEnd(valid []byte, i int) int {
	for {
		next := bytes.IndexByte(valid[i+1:], '"')
		if next < 0 {
			return len(valid) - 1
		}
		i += 1 + next
		escapes := 0
		for valid[i-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return i
		}
	}
}

// memberNames lists the names of the members of a valid object, in order.
func memberNames(valid []byte) []string {
	var names []string
	rest := bytes.TrimLeft(valid, blanks)
	if len(rest) == 0 || rest[0] != '{' {
		return nil
	}
	rest = bytes.TrimLeft(rest[1:], blanks)
	for rest[0] != '}' {
		end := valueEnd(rest)
		var name string
		_ = json.Unmarshal(rest[:end], &name)
		names = append(names, name)
		rest = bytes.TrimLeft(rest[end:], blanks)
		rest = skip(bytes.TrimLeft(rest[1:], blanks))
	}
	return names
}

package rows

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/genaievals/genaievals/internal/jsonscan"
)

// member is a field of an object. Its name is in lower case.
type member struct {
	name  string
	value json.RawMessage
}

// mostMembers is how many fields are searched one by one.
const mostMembers = 32

// objects makes rows of JSON texts. It is for one goroutine.
type objects struct {
	scan    jsonscan.Scanner
	members []member
}

// row makes the row of a text, which it does not keep. The usual object is read in
// one pass; any other, and what is wrong, is left to the standard decoder.
func (o *objects) row(text []byte, number int, item bool) (Row, error) {
	r := Row{Number: number, Item: item}
	text = bytes.Clone(text)
	if o.usual(text) {
		r.members = slices.Clone(o.members)
		return r, nil
	}
	fields, err := fieldsOf(text)
	r.fields = fields
	return r, err
}

// usual reads an object into members: one of few fields with names of ASCII in
// lower case that differ.
func (o *objects) usual(text []byte) bool {
	o.members = o.members[:0]
	s := &o.scan
	s.Reset(text)
	s.Members(func(s *jsonscan.Scanner, name []byte) {
		if len(o.members) == mostMembers || !isLower(name) || find(o.members, string(name)) != nil {
			s.Fail()
			return
		}
		m := member{name: s.Shared(name)}
		s.Peek()
		start := s.At()
		s.Skip()
		if !s.Bad() {
			m.value = s.Since(start)
			o.members = append(o.members, m)
		}
	})
	return s.End() && len(o.members) > 0
}

func isLower(name []byte) bool {
	for _, c := range name {
		if c >= utf8.RuneSelf || c >= 'A' && c <= 'Z' {
			return false
		}
	}
	return true
}

func find(members []member, name string) *member {
	for i := range members {
		if members[i].name == name {
			return &members[i]
		}
	}
	return nil
}

// fieldsOf reads any object. Of two names that differ in case alone the one in
// lower case counts, else the first in order.
func fieldsOf(text []byte) (map[string]json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, fmt.Errorf("expected a JSON object: %w", err)
	}
	if fields == nil {
		return nil, fmt.Errorf("expected a JSON object, found null")
	}
	var others []string // names that are not in lower case
	for name := range fields {
		if name != strings.ToLower(name) {
			others = append(others, name)
		}
	}
	slices.Sort(others)
	for _, name := range others {
		lower := strings.ToLower(name)
		if _, taken := fields[lower]; !taken {
			fields[lower] = fields[name]
		}
		delete(fields, name)
	}
	return fields, nil
}

// StringOf returns the content of a JSON string; false if v is none.
func StringOf(v json.RawMessage) (string, bool) {
	if len(v) < 2 || v[0] != '"' {
		return "", false
	}
	for i, c := range v[1:] {
		if jsonscan.Plain(c) {
			continue
		}
		if c == '"' && i == len(v)-2 {
			return string(v[1 : len(v)-1]), true
		}
		break
	}
	var s jsonscan.Scanner
	s.Reset(v)
	text := s.Str()
	return text, s.End()
}

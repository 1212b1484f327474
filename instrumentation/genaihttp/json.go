package genaihttp

import (
	"bytes"
	"encoding/json"
	"iter"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// value is a valid JSON value, a part of a body that was checked as a whole.
//
// Bodies are read by walking over them, not by unmarshalling: nothing is
// copied but what is recorded, megabytes of base64 are jumped over, a member of
// the wrong type is as good as missing, and a hostile list, which a [quota]
// bounds, cannot make us allocate many times its own size.
type value []byte

// readable returns the value that data starts with, and whether it is whole.
// Of an object that breaks off or goes wrong it returns the members before
// that; nil when there is nothing to read. What follows the value is ignored.
func readable(data []byte) (v value, whole bool) {
	if json.Valid(data) {
		return value(bytes.TrimSpace(data)), true
	}
	var member json.RawMessage
	if json.NewDecoder(bytes.NewReader(data)).Decode(&member) == nil {
		return value(bytes.TrimSpace(member)), true
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	end := d.InputOffset()
	for d.More() {
		if _, err := d.Token(); err != nil { // the member's name
			break
		}
		if err := d.Decode(&member); err != nil {
			break
		}
		end = d.InputOffset()
	}
	return append(bytes.TrimSpace(bytes.Clone(data[:end])), '}'), false
}

// quota is how many more items of lists may be read, so that many small ones
// cannot make us allocate many times their size; and whether there were more.
type quota struct {
	left int
	cut  bool
}

// take reports whether one more may be read.
func (q *quota) take() bool {
	if q.left == 0 {
		q.cut = true
		return false
	}
	q.left--
	return true
}

func (v value) isObject() bool { return len(v) > 0 && v[0] == '{' }
func (v value) isArray() bool  { return len(v) > 0 && v[0] == '[' }
func (v value) isString() bool { return len(v) > 1 && v[0] == '"' }

// members yields the members of an object; nothing for any other value.
func (v value) members() iter.Seq2[string, value] {
	return func(yield func(string, value) bool) {
		if !v.isObject() {
			return
		}
		for rest := blank(v[1:]); len(rest) > 0 && rest[0] == '"'; rest = next(rest) {
			n := length(rest)
			name := value(rest[:n]).str()
			rest = blank(rest[n:])
			rest = blank(rest[min(1, len(rest)):]) // the colon
			n = length(rest)
			if !yield(name, value(rest[:n])) {
				return
			}
			rest = rest[n:]
		}
	}
}

// all yields the elements of an array, as many as the quota has; nothing for
// any other value.
func (v value) all(q *quota) iter.Seq2[int, value] {
	return func(yield func(int, value) bool) {
		for i, v := range v.elements(math.MaxInt) {
			if !q.take() || !yield(i, v) {
				return
			}
		}
	}
}

// elements yields the elements of an array, at most limit of them; nothing for
// any other value.
func (v value) elements(limit int) iter.Seq2[int, value] {
	return func(yield func(int, value) bool) {
		if !v.isArray() {
			return
		}
		rest := blank(v[1:])
		for i := 0; i < limit && len(rest) > 0 && rest[0] != ']'; i++ {
			n := length(rest)
			if !yield(i, value(rest[:n])) {
				return
			}
			rest = next(rest[n:])
		}
	}
}

// next returns what follows a comma; nothing when there is no more.
func next(rest []byte) []byte {
	rest = blank(rest)
	if len(rest) == 0 || rest[0] != ',' {
		return nil
	}
	return blank(rest[1:])
}

func blank(b []byte) []byte { return bytes.TrimLeft(b, " \t\r\n") }

// length returns how many bytes the value has that b starts with.
func length(b []byte) int {
	depth := 0
	for i := 0; i < len(b); {
		switch b[i] {
		case '"':
			i += stringLength(b[i:])
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		default:
			if depth == 0 { // a number or a name
				if n := bytes.IndexAny(b[i:], ",]} \t\r\n"); n >= 0 {
					return i + n
				}
				return len(b)
			}
			i++
			continue
		}
		if depth <= 0 {
			return min(i, len(b))
		}
	}
	return len(b)
}

// stringLength returns how many bytes the string has, with its quotes, that b
// starts with.
func stringLength(b []byte) int {
	for i := 1; i < len(b); {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			break
		}
		end := i + n
		escapes := 0
		for end-1-escapes >= i && b[end-1-escapes] == '\\' {
			escapes++
		}
		i = end + 1
		if escapes%2 == 0 {
			return i
		}
	}
	return len(b)
}

// text returns a string's content, which may be a part of v; nil for any other
// value. What is not UTF-8 is replaced.
func (v value) text() []byte {
	if !v.isString() {
		return nil
	}
	inner := v[1 : len(v)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return inner
	}
	var s string
	_ = json.Unmarshal(v, &s)
	return []byte(s)
}

// str is text as a string.
func (v value) str() string { return string(v.text()) }

// short is str, cut to what a name, an id or the like needs at most.
func (v value) short() string {
	t := v.text()
	return strings.ToValidUTF8(string(t[:min(len(t), 256)]), "")
}

// number returns a number, or nil.
func (v value) number() *float64 {
	f, err := strconv.ParseFloat(string(v.digits()), 64)
	if err != nil {
		return nil
	}
	return &f
}

// integer returns a whole number, or one in a string, or nil. A fraction of 0
// is none.
func (v value) integer() *int64 {
	if n, err := strconv.ParseInt(string(v.digits()), 10, 64); err == nil {
		return &n
	}
	f := v.number()
	if f == nil || *f != float64(int64(*f)) || *f > 1<<53 || *f < -1<<53 {
		return nil
	}
	n := int64(*f)
	return &n
}

// count is an integer that is not negative; 0 for any other value.
func (v value) count() int64 {
	n := v.integer()
	if n == nil {
		return 0
	}
	return max(*n, 0)
}

// int is integer as telemetry has it.
func (v value) int() *int {
	n := v.integer()
	if n == nil {
		return nil
	}
	i := int(*n)
	return &i
}

// digits returns what may be a number: not the names (NaN, Infinity) that
// strconv would read and JSON has in strings only.
func (v value) digits() []byte {
	d := []byte(v)
	if v.isString() {
		d = v.text()
	}
	if len(d) > 64 || bytes.ContainsAny(d, "nNiIxXpP_") {
		return nil
	}
	return d
}

func (v value) isTrue() bool { return string(v) == "true" }

// json returns a copy of the value as it is; nil for null.
func (v value) json() json.RawMessage {
	if string(v) == "null" {
		return nil
	}
	return json.RawMessage(bytes.Clone(v))
}

// argument returns a string's content, or any other value's JSON: a tool
// call's arguments are a string by the book and an object on some servers.
func (v value) argument() string {
	switch {
	case v.isString():
		return v.str()
	case string(v) == "null":
		return ""
	}
	return string(v)
}

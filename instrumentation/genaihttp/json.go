package genaihttp

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
)

// decode reads as much of data into v as can be read, and reports whether data
// was a whole JSON value. A member of the wrong type is left out; of an object
// that breaks off or goes wrong, so are the members from there on. What
// follows the value is ignored.
func decode(data []byte, v any) (whole bool) {
	var syntax *json.SyntaxError
	if err := json.Unmarshal(data, v); !errors.As(err, &syntax) {
		return true // encoding/json reads on past members of the wrong type
	}
	readable, whole := readablePart(data)
	_ = json.Unmarshal(readable, v)
	return whole
}

// readablePart returns the value that data starts with; or, when it is broken,
// an object of the members that come before that.
func readablePart(data []byte) (value []byte, whole bool) {
	d := json.NewDecoder(bytes.NewReader(data))
	var first json.RawMessage
	err := d.Decode(&first)
	if err == nil {
		return first, true
	}
	d = json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	end := d.InputOffset()
	for d.More() {
		if _, err := d.Token(); err != nil { // the member's name
			break
		}
		if err := d.Decode(&first); err != nil {
			break
		}
		end = d.InputOffset()
	}
	return append(bytes.Clone(data[:end]), '}'), false
}

// looseString is a JSON string; anything else counts as empty.
type looseString string

// UnmarshalJSON never fails.
func (s *looseString) UnmarshalJSON(b []byte) error {
	var v string
	if json.Unmarshal(b, &v) == nil {
		*s = looseString(v)
	}
	return nil
}

// looseInt is a JSON number, or one in a string. Fractions are cut; anything
// else counts as 0, and what an int64 cannot hold as its nearest.
type looseInt int64

// UnmarshalJSON never fails.
func (i *looseInt) UnmarshalJSON(b []byte) error {
	b = bytes.Trim(b, `"`)
	if n, err := strconv.ParseInt(string(b), 10, 64); err == nil {
		*i = looseInt(n)
		return nil
	}
	f, err := strconv.ParseFloat(string(b), 64)
	switch {
	case math.IsNaN(f), err != nil && !errors.Is(err, strconv.ErrRange):
	case f >= math.MaxInt64:
		*i = math.MaxInt64
	case f <= math.MinInt64:
		*i = math.MinInt64
	default:
		*i = looseInt(f)
	}
	return nil
}

// looseJSON is a string's content, or any other value's JSON: a tool call's
// arguments, which are a string by the book and an object on some servers.
type looseJSON string

// UnmarshalJSON never fails.
func (s *looseJSON) UnmarshalJSON(b []byte) error {
	var v string
	switch {
	case json.Unmarshal(b, &v) == nil: // null too, as the empty string
		*s = looseJSON(v)
	default:
		*s = looseJSON(b)
	}
	return nil
}


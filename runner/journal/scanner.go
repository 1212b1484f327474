package journal

import (
	"errors"
	"unicode/utf16"
	"unicode/utf8"
)

var errSyntax = errors.New("not the JSON of a record")

// maxDepth is how deep values may be nested.
const maxDepth = 256

// scanner reads JSON piece by piece, in one pass and without a value for what is
// passed over: the standard decoder looks at each byte several times, and a
// journal is read whole each time that a run is resumed. Once something is wrong
// bad is set and all methods return zero values.
type scanner struct {
	b     []byte
	i     int
	depth int
	bad   bool
	words map[string]string
	spare []byte
}

func (s *scanner) fail() { s.bad, s.i = true, len(s.b) }

// peek skips blanks and returns the next byte, 0 at the end.
func (s *scanner) peek() byte {
	for s.i < len(s.b) {
		switch c := s.b[s.i]; c {
		case ' ', '\t', '\r', '\n':
			s.i++
		default:
			return c
		}
	}
	return 0
}

// take reads one byte that must be c.
func (s *scanner) take(c byte) {
	if s.peek() != c || s.bad {
		s.fail()
		return
	}
	s.i++
}

// members calls each for every member of an object; each must read the value.
func (s *scanner) members(each func(s *scanner, name []byte)) {
	if !s.enter('{') {
		return
	}
	if s.peek() == '}' {
		s.leave()
		return
	}
	for !s.bad {
		name := s.text()
		s.take(':')
		if s.bad {
			return
		}
		each(s, name)
		if s.peek() == ',' {
			s.i++
			continue
		}
		if s.take('}'); !s.bad {
			s.depth--
		}
		return
	}
}

// elements calls each for every element of an array; each must read it.
func (s *scanner) elements(each func(s *scanner)) {
	if !s.enter('[') {
		return
	}
	if s.peek() == ']' {
		s.leave()
		return
	}
	for !s.bad {
		each(s)
		if s.peek() == ',' {
			s.i++
			continue
		}
		if s.take(']'); !s.bad {
			s.depth--
		}
		return
	}
}

func (s *scanner) enter(c byte) bool {
	if s.depth++; s.depth > maxDepth {
		s.fail()
	}
	s.take(c)
	return !s.bad
}

func (s *scanner) leave() {
	s.i++
	s.depth--
}

// skip passes over one value, which must be valid.
func (s *scanner) skip() {
	switch c := s.peek(); {
	case c == '"':
		s.text()
	case c == '{':
		s.members(func(s *scanner, _ []byte) { s.skip() })
	case c == '[':
		s.elements((*scanner).skip)
	case c == 't':
		s.literal("true")
	case c == 'f':
		s.literal("false")
	case c == 'n':
		s.literal("null")
	default:
		s.number()
	}
}

func (s *scanner) literal(word string) {
	if s.bad || len(s.b)-s.i < len(word) || string(s.b[s.i:s.i+len(word)]) != word {
		s.fail()
		return
	}
	s.i += len(word)
}

// null reads null, if that is what there is: it stands for a value left out.
func (s *scanner) null() bool {
	if s.peek() != 'n' {
		return false
	}
	s.literal("null")
	return true
}

func (s *scanner) bool() bool {
	if s.peek() == 't' {
		s.literal("true")
		return !s.bad
	}
	if !s.null() {
		s.literal("false")
	}
	return false
}

func (s *scanner) string() string {
	if s.null() {
		return ""
	}
	return string(s.text())
}

// word is a string of which there are few: one that was there before is shared.
func (s *scanner) word() string {
	if s.null() {
		return ""
	}
	return s.shared(s.text())
}

// shared is the string of a text of which there are few.
func (s *scanner) shared(text []byte) string {
	if w, ok := s.words[string(text)]; ok {
		return w
	}
	w := string(text)
	if len(w) <= 128 && len(s.words) < 4096 {
		if s.words == nil {
			s.words = make(map[string]string)
		}
		s.words[w] = w
	}
	return w
}

// text reads a string. The bytes are valid until the next call.
func (s *scanner) text() []byte {
	s.take('"')
	if s.bad {
		return nil
	}
	start := s.i
	for i := start; i < len(s.b); i++ {
		c := s.b[i]
		if plain[c] {
			continue
		}
		if c == '"' {
			s.i = i + 1
			return s.b[start:i]
		}
		s.i = i
		return s.escaped(start)
	}
	s.fail()
	return nil
}

// escaped reads the rest of a string that is not only ASCII letters, from s.i;
// what is before it begins at start.
func (s *scanner) escaped(start int) []byte {
	out := s.spare[:0]
	out = append(out, s.b[start:s.i]...)
	defer func() { s.spare = out }()
	for s.i < len(s.b) {
		c := s.b[s.i]
		switch {
		case plain[c]:
			out = append(out, c)
			s.i++
		case c == '"':
			s.i++
			return out
		case c == '\\':
			s.i++
			out = s.escape(out)
		case c < utf8.RuneSelf: // a control character
			s.fail()
		default:
			r, size := utf8.DecodeRune(s.b[s.i:])
			out = utf8.AppendRune(out, r)
			s.i += size
		}
	}
	s.fail()
	return nil
}

func (s *scanner) escape(out []byte) []byte {
	if s.i >= len(s.b) {
		return out
	}
	c := s.b[s.i]
	s.i++
	switch c {
	case '"', '\\', '/':
		return append(out, c)
	case 'n':
		return append(out, '\n')
	case 't':
		return append(out, '\t')
	case 'r':
		return append(out, '\r')
	case 'b':
		return append(out, '\b')
	case 'f':
		return append(out, '\f')
	case 'u':
		r := s.hex4()
		if utf16.IsSurrogate(r) {
			high := r
			r = utf8.RuneError
			if at := s.i; at+1 < len(s.b) && s.b[at] == '\\' && s.b[at+1] == 'u' {
				s.i += 2
				if both := utf16.DecodeRune(high, s.hex4()); both != utf8.RuneError {
					r = both
				} else if !s.bad {
					s.i = at // it stands for itself
				}
			}
		}
		return utf8.AppendRune(out, r)
	}
	s.fail()
	return out
}

func (s *scanner) hex4() rune {
	if s.bad || len(s.b)-s.i < 4 {
		s.fail()
		return 0
	}
	var r rune
	for _, c := range s.b[s.i : s.i+4] {
		d, ok := hexValue(c)
		if !ok {
			s.fail()
			return 0
		}
		r = r<<4 | rune(d)
	}
	s.i += 4
	return r
}

func hexValue(c byte) (v byte, ok bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

// end reports whether all was read and all was well.
func (s *scanner) end() bool {
	s.peek()
	return !s.bad && s.i == len(s.b)
}

// Package jsonscan reads JSON piece by piece, in one pass and without a value for
// what is passed over, where the standard decoder looks at each byte several times:
// journals and datasets have a million lines.
package jsonscan

import (
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth is how deep values may be nested.
const maxDepth = 256

// Scanner reads one text after the other; [Scanner.Reset] begins the next. Once
// something is wrong all methods return zero values, which [Scanner.Bad] tells. It
// is for one goroutine.
type Scanner struct {
	b     []byte
	i     int
	depth int
	bad   bool
	words map[string]string
	spare []byte
}

// Reset begins with a text, which nobody modifies meanwhile.
func (s *Scanner) Reset(text []byte) { s.b, s.i, s.depth, s.bad = text, 0, 0, false }

// Bad reports whether something was wrong.
func (s *Scanner) Bad() bool { return s.bad }

// At is how far the text was read.
func (s *Scanner) At() int { return s.i }

// Since is the text from there to what was read last.
func (s *Scanner) Since(start int) []byte { return s.b[start:s.i] }

// Back goes back to where it was, to read the value there once more.
func (s *Scanner) Back(start int) { s.i = start }

// Fail says that something is wrong, and no more is to be read.
func (s *Scanner) Fail() { s.bad, s.i = true, len(s.b) }

// Peek skips blanks and returns the next byte, 0 at the end.
func (s *Scanner) Peek() byte {
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
func (s *Scanner) take(c byte) {
	if s.Peek() != c || s.bad {
		s.Fail()
		return
	}
	s.i++
}

// Members calls each for every member of an object; each must read the value.
func (s *Scanner) Members(each func(s *Scanner, name []byte)) {
	if !s.enter('{') {
		return
	}
	if s.Peek() == '}' {
		s.leave()
		return
	}
	for !s.bad {
		name := s.Text()
		s.take(':')
		if s.bad {
			return
		}
		each(s, name)
		if s.Peek() == ',' {
			s.i++
			continue
		}
		if s.take('}'); !s.bad {
			s.depth--
		}
		return
	}
}

// Elements calls each for every element of an array; each must read it.
func (s *Scanner) Elements(each func(s *Scanner)) {
	if !s.enter('[') {
		return
	}
	if s.Peek() == ']' {
		s.leave()
		return
	}
	for !s.bad {
		each(s)
		if s.Peek() == ',' {
			s.i++
			continue
		}
		if s.take(']'); !s.bad {
			s.depth--
		}
		return
	}
}

func (s *Scanner) enter(c byte) bool {
	if s.depth++; s.depth > maxDepth {
		s.Fail()
	}
	s.take(c)
	return !s.bad
}

func (s *Scanner) leave() {
	s.i++
	s.depth--
}

// Skip passes over one value, which must be valid.
func (s *Scanner) Skip() {
	switch c := s.Peek(); {
	case c == '"':
		s.Text()
	case c == '{':
		s.Members(func(s *Scanner, _ []byte) { s.Skip() })
	case c == '[':
		s.Elements((*Scanner).Skip)
	case c == 't':
		s.literal("true")
	case c == 'f':
		s.literal("false")
	case c == 'n':
		s.literal("null")
	default:
		s.Number()
	}
}

func (s *Scanner) literal(word string) {
	if s.bad || len(s.b)-s.i < len(word) || string(s.b[s.i:s.i+len(word)]) != word {
		s.Fail()
		return
	}
	s.i += len(word)
}

// Null reads null, if that is what there is: it stands for a value left out.
func (s *Scanner) Null() bool {
	if s.Peek() != 'n' {
		return false
	}
	s.literal("null")
	return true
}

// Bool reads true, false or null.
func (s *Scanner) Bool() bool {
	if s.Peek() == 't' {
		s.literal("true")
		return !s.bad
	}
	if !s.Null() {
		s.literal("false")
	}
	return false
}

// Str reads a string, or null.
func (s *Scanner) Str() string {
	if s.Null() {
		return ""
	}
	return string(s.Text())
}

// Word is a string of which there are few: one that was there before is shared.
func (s *Scanner) Word() string {
	if s.Null() {
		return ""
	}
	return s.Shared(s.Text())
}

// Shared is the string of a text of which there are few.
func (s *Scanner) Shared(text []byte) string {
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

// Text reads a string. The bytes are valid until the next call.
func (s *Scanner) Text() []byte {
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
	s.Fail()
	return nil
}

// escaped reads the rest of a string that is not only ASCII letters, from s.i;
// what is before it begins at start.
func (s *Scanner) escaped(start int) []byte {
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
			s.Fail()
		default:
			r, size := utf8.DecodeRune(s.b[s.i:])
			out = utf8.AppendRune(out, r)
			s.i += size
		}
	}
	s.Fail()
	return nil
}

func (s *Scanner) escape(out []byte) []byte {
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
	s.Fail()
	return out
}

func (s *Scanner) hex4() rune {
	if s.bad || len(s.b)-s.i < 4 {
		s.Fail()
		return 0
	}
	var r rune
	for _, c := range s.b[s.i : s.i+4] {
		d, ok := hexValue(c)
		if !ok {
			s.Fail()
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

// End reports whether all was read and all was well.
func (s *Scanner) End() bool {
	s.Peek()
	return !s.bad && s.i == len(s.b)
}

// plain are the bytes that stand for themselves in a JSON string.
var plain = func() (p [256]bool) {
	for c := 0x20; c < utf8.RuneSelf; c++ {
		p[c] = c != '"' && c != '\\'
	}
	return p
}()

// Plain reports whether a byte stands for itself in a JSON string.
func Plain(c byte) bool { return plain[c] }

package jsonscan

import (
	"math"
	"strconv"
)

// Number passes over a number and returns its text.
func (s *Scanner) Number() []byte {
	s.Peek()
	start, b, i := s.i, s.b, s.i
	digits := func() bool {
		from := i
		for i < len(b) && b[i] >= '0' && b[i] <= '9' {
			i++
		}
		return i > from
	}
	if i < len(b) && b[i] == '-' {
		i++
	}
	zero := i < len(b) && b[i] == '0'
	first := i
	if !digits() || zero && i > first+1 {
		s.Fail()
		return nil
	}
	if i < len(b) && b[i] == '.' {
		if i++; !digits() {
			s.Fail()
			return nil
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		if i++; i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		if !digits() {
			s.Fail()
			return nil
		}
	}
	if s.bad {
		return nil
	}
	s.i = i
	return b[start:i]
}

// Int reads a whole number, or null.
func (s *Scanner) Int() int64 {
	if s.Null() {
		return 0
	}
	text := s.Number()
	if len(text) == 0 {
		return 0
	}
	if len(text) < 18 {
		n, rest := int64(0), text
		if text[0] == '-' {
			rest = text[1:]
		}
		for _, c := range rest {
			if c < '0' || c > '9' {
				s.Fail()
				return 0
			}
			n = n*10 + int64(c-'0')
		}
		if text[0] == '-' {
			n = -n
		}
		return n
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		s.Fail()
	}
	return n
}

// Float reads a number, or null.
func (s *Scanner) Float() float64 {
	if s.Null() {
		return 0
	}
	text := s.Number()
	if len(text) == 1 && text[0] != '-' {
		return float64(text[0] - '0')
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil || math.IsInf(f, 0) {
		s.Fail()
		return 0
	}
	return f
}

package rows

import (
	"bufio"
	"bytes"
	"slices"
)

// Start is how a JSON text begins.
type Start struct {
	// First byte that is no blank, 0 where there is none; At is its offset.
	First byte
	At    int
	// Key is the first name in an object, and Array says that its value is an
	// array, which begins at ArrayAt.
	Key     string
	Array   bool
	ArrayAt int
}

// In returns where the array begins whose elements are the rows: the text itself,
// or the first member of an object if its name is one of wrappers.
func (s Start) In(wrappers []string) (at int, ok bool) {
	if s.First == '[' {
		return s.At, true
	}
	return s.ArrayAt, s.Array && slices.Contains(wrappers, s.Key)
}

// maxStart is how far [StartOf] looks.
const maxStart = 512

// StartOf looks at how a JSON text begins and reads nothing of it. It waits for no
// more of a slow reader than it needs: a line of a stream can be used before the
// next comes.
func StartOf(in *bufio.Reader) Start {
	p := peeker{in: in}
	var s Start
	s.First = p.blank()
	s.At = p.i
	if s.First != '{' {
		return s
	}
	p.i++
	if p.blank() != '"' {
		return s
	}
	p.i++
	from := p.i
	for c := p.at(); c != '"'; c = p.at() {
		if c == 0 || c == '\\' {
			return s
		}
		p.i++
	}
	s.Key = string(p.seen[from:p.i])
	p.i++
	if p.blank() != ':' {
		return s
	}
	p.i++
	s.Array = p.blank() == '['
	s.ArrayAt = p.i
	return s
}

// peeker looks at a text byte by byte.
type peeker struct {
	in   *bufio.Reader
	seen []byte
	i    int
}

// at returns the byte at i, 0 where the text ends or is not looked at any more.
func (p *peeker) at() byte {
	if p.i >= len(p.seen) && p.i < maxStart {
		if _, err := p.in.Peek(p.i + 1); err != nil {
			return 0
		}
		p.seen, _ = p.in.Peek(min(p.in.Buffered(), maxStart))
	}
	if p.i >= len(p.seen) {
		return 0
	}
	return p.seen[p.i]
}

// blank skips blanks and returns what follows.
func (p *peeker) blank() byte {
	for {
		c := p.at()
		if c == 0 || bytes.IndexByte([]byte(" \t\r\n"), c) < 0 {
			return c
		}
		p.i++
	}
}

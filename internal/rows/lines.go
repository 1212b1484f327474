package rows

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Max is the longest row that is read, in bytes: a line, a record of a table, or
// an element of an array.
const Max = 16 << 20

// ErrTooLong is what a row of more than [Max] bytes comes to.
var ErrTooLong = fmt.Errorf("longer than %d MiB", Max>>20)

// ReadAhead is how much is read at a time.
const ReadAhead = 64 << 10

// Lines reads lines of bounded length.
type Lines struct {
	in *bufio.Reader
	// Number of the line that was read last, from 1.
	Number int
	buf    []byte
}

// NewLines reads the lines of a file.
func NewLines(in io.Reader) *Lines {
	if b, ok := in.(*bufio.Reader); ok {
		return &Lines{in: b}
	}
	return &Lines{in: bufio.NewReaderSize(in, ReadAhead)}
}

// Next returns the next line without its end; it is valid until the next call.
// A line that is too long is read past and comes to [ErrTooLong]; io.EOF ends.
func (l *Lines) Next() ([]byte, error) {
	l.buf = l.buf[:0]
	tooLong := false
	for {
		part, err := l.in.ReadSlice('\n')
		if tooLong = tooLong || len(l.buf)+len(part) > Max; !tooLong {
			l.buf = append(l.buf, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(l.buf) == 0 && !tooLong:
			return nil, io.EOF
		case err != nil && !errors.Is(err, io.EOF):
			return nil, err
		}
		l.Number++
		if tooLong {
			return nil, ErrTooLong
		}
		return bytes.TrimRight(l.buf, "\r\n"), nil
	}
}

// meter lets through at most Max bytes and a buffer's worth since it was
// last reset, so that a parser above it cannot be made to hold more than one
// row.
type meter struct {
	in   io.Reader
	used int
}

func (m *meter) Read(p []byte) (int, error) {
	if m.used > Max+ReadAhead {
		return 0, ErrTooLong
	}
	n, err := m.in.Read(p[:min(len(p), ReadAhead)])
	m.used += n
	return n, err
}

func (m *meter) reset() { m.used = 0 }

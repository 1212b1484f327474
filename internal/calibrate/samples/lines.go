package samples

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// lines reads lines of bounded length.
type lines struct {
	in  *bufio.Reader
	row int
	buf []byte
}

// next returns the next line without its end; it is valid until the next call.
// A line that is too long is read past and comes to [ErrTooLong]; io.EOF ends.
func (l *lines) next() ([]byte, error) {
	l.buf = l.buf[:0]
	tooLong := false
	for {
		part, err := l.in.ReadSlice('\n')
		if tooLong = tooLong || len(l.buf)+len(part) > MaxRow; !tooLong {
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
		l.row++
		if tooLong {
			return nil, ErrTooLong
		}
		return bytes.TrimRight(l.buf, "\r\n"), nil
	}
}

// meter lets through at most MaxRow bytes and a buffer's worth since it was
// last reset, so that a parser above it cannot be made to hold more than one
// row.
type meter struct {
	in   io.Reader
	used int
}

const readAhead = 64 << 10

func (m *meter) Read(p []byte) (int, error) {
	if m.used > MaxRow+readAhead {
		return 0, ErrTooLong
	}
	n, err := m.in.Read(p[:min(len(p), readAhead)])
	m.used += n
	return n, err
}

func (m *meter) reset() { m.used = 0 }

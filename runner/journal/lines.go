package journal

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/genaievals/genaievals/runner"
)

// maxLine is the longest line that is read or written, in bytes.
const maxLine = 256 << 20

// line is one of a journal.
type line struct {
	kind   string
	text   []byte // without its end; valid until the next line is read
	offset int64
	record *runner.Record // of type results or item
	end    End
}

// walker reads the lines of a journal, as far as they are whole.
type walker struct {
	name    string
	in      *bufio.Reader
	buf     []byte
	next    int64 // offset of the next line
	number  int   // of the line read last, from 1
	decoder *decoder
	// valid is where the last line ends that could be read, torn what is behind
	// it once the end was reached.
	valid, torn int64
}

func newWalker(name string, in io.Reader) *walker {
	return &walker{name: name, in: bufio.NewReaderSize(in, 256<<10)}
}

// header reads the first line. It is io.EOF where there is no whole line.
func (w *walker) header() (Header, error) {
	text, whole, err := w.raw()
	if err != nil {
		return Header{}, err
	}
	if !whole {
		w.torn = w.next
		return Header{}, io.EOF
	}
	h, err := headerOf(text)
	if err != nil {
		return h, fmt.Errorf("%s: %w", w.name, err)
	}
	w.valid = w.next
	w.decoder = newDecoder(&h)
	return h, nil
}

// raw reads a line whatever is in it; whole says that its end is there, and that
// it is not too long. io.EOF comes with nothing.
func (w *walker) raw() (text []byte, whole bool, err error) {
	w.buf = w.buf[:0]
	length := int64(0)
	for {
		part, err := w.in.ReadSlice('\n')
		length += int64(len(part))
		w.next += int64(len(part))
		switch {
		case err == nil && length == int64(len(part)): // all of it at once
			w.number++
			return part[:len(part)-1], true, nil
		case length <= maxLine:
			w.buf = append(w.buf, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && length == 0:
			return nil, false, io.EOF
		case err != nil && !errors.Is(err, io.EOF):
			return nil, false, fmt.Errorf("read %s: %w", w.name, err)
		}
		w.number++
		if err != nil || length > maxLine {
			return w.buf, false, nil
		}
		return w.buf[:len(w.buf)-1], true, nil
	}
}

// line reads the next line behind the header; the error is io.EOF at the end, torn
// or not, and [ErrCorrupt] where a line cannot be read that is not the end.
func (w *walker) line() (line, error) {
	for {
		offset := w.next
		text, whole, err := w.raw()
		if err != nil {
			return line{}, err
		}
		if !whole {
			return line{}, w.behind(offset)
		}
		l, err := w.decoder.line(text)
		if err != nil {
			return line{}, w.behind(offset)
		}
		w.valid = w.next
		if l.kind != "" {
			l.offset = offset
			return l, nil
		}
	}
}

// behind looks at what follows a line that cannot be read: nothing that can be, and
// it is the torn end that a killed run left.
func (w *walker) behind(offset int64) error {
	number := w.number
	for {
		text, whole, err := w.raw()
		switch {
		case errors.Is(err, io.EOF):
			w.torn = w.next - offset
			return io.EOF
		case err != nil:
			return err
		case !whole:
			continue
		}
		if l, err := w.decoder.line(text); err == nil && l.kind != "" {
			return fmt.Errorf("%w: %s:%d: expected a JSON object of type %s, %s or %s",
				ErrCorrupt, w.name, number, typeResults, typeItem, typeEnd)
		}
	}
}

// line reads one whole line: of no kind where it is blank.
func (d *decoder) line(text []byte) (l line, err error) {
	l = line{text: text, kind: d.typeOf(text)}
	switch l.kind {
	case typeResults, typeItem:
		l.record, err = d.recordOf(text)
		if err == nil && (l.kind == typeResults) != (l.record.Evaluator != "") {
			err = errSyntax
		}
	case typeEnd:
		l.end, err = endOf(text)
	case "":
		d.Reset(text)
		if d.Peek() != 0 || !d.End() {
			err = errSyntax
		}
	default: // of a later version's
		d.Reset(text)
		if d.Skip(); !d.End() {
			err = errSyntax
		}
	}
	return l, err
}

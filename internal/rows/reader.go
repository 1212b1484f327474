package rows

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Reader yields the rows of a file. An *[Error] is one row's, and the next call
// goes on behind it; any other ends the reading, io.EOF in good order.
type Reader interface {
	Next() (Row, error)
}

// Error is an error of one row.
type Error struct {
	// Number and Item are as in [Row].
	Number int
	Item   bool
	Err    error
	// Ends: what is behind it cannot be read, since where rows begin is not known
	// any more. The next is io.EOF.
	Ends bool
}

// Error says what is wrong, not where.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns what is wrong with the row.
func (e *Error) Unwrap() error { return e.Err }

// UnclosedError says that an array does not end; it ends the reading.
type UnclosedError struct {
	After int // the number of the last element
	Err   error
}

// Error names the element.
func (e *UnclosedError) Error() string {
	return fmt.Sprintf("after item %d: expected the end of the array: %v", e.After, e.Err)
}

// Unwrap returns what there was instead.
func (e *UnclosedError) Unwrap() error { return e.Err }

// Syntax is how a file is cut into rows.
type Syntax uint8

// The syntaxes.
const (
	Comma     Syntax = iota // RFC 4180
	Semicolon               // the same with semicolons
	Tab                     // the same with tabs
	RawTab                  // tabs, and quotes are letters
	Objects                 // JSON Lines, or one array of objects
)

// New cuts a file. Without names a table's first row has them; without one the
// error is io.EOF. An object that begins with an array called as one of wrappers is
// read as if it were the array.
func New(in *bufio.Reader, s Syntax, names []string, wrappers ...string) (Reader, error) {
	var r Reader
	var err error
	switch s {
	case Objects:
		r, err = objectsOf(in, wrappers)
	case RawTab:
		r, err = tabbedOf(in, names)
	default:
		r, err = tableOf(in, s)
	}
	if err != nil {
		return nil, err // and no nil of a type
	}
	return r, nil
}

func objectsOf(in *bufio.Reader, wrappers []string) (Reader, error) {
	at, ok := StartOf(in).In(wrappers)
	if !ok {
		return &jsonLines{lines: NewLines(in)}, nil
	}
	if _, err := in.Discard(at); err != nil {
		return nil, err
	}
	a := &array{meter: &meter{in: in}}
	a.decoder = json.NewDecoder(a.meter)
	if _, err := a.decoder.Token(); err != nil {
		return nil, fmt.Errorf("reading the array: %w", err)
	}
	return a, nil
}

// jsonLines is one JSON object a line.
type jsonLines struct {
	lines   *Lines
	objects objects
}

func (j *jsonLines) Next() (Row, error) {
	for {
		line, err := j.lines.Next()
		if errors.Is(err, ErrTooLong) {
			return Row{}, &Error{Number: j.lines.Number, Err: err}
		}
		if err != nil {
			return Row{}, err
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		r, err := j.objects.row(line, j.lines.Number, false)
		if err != nil {
			return Row{}, &Error{Number: j.lines.Number, Err: err}
		}
		return r, nil
	}
}

// array is one JSON array of objects. What is wrong with its syntax ends it.
type array struct {
	meter   *meter
	decoder *json.Decoder
	objects objects
	item    int
	done    error
}

func (a *array) Next() (Row, error) {
	if a.done != nil {
		return Row{}, a.done
	}
	a.meter.reset()
	if !a.decoder.More() {
		a.done = io.EOF
		if _, err := a.decoder.Token(); err != nil {
			a.done = &UnclosedError{After: a.item, Err: unexpected(err)}
		}
		return Row{}, a.done
	}
	a.item++
	var text json.RawMessage
	if err := a.decoder.Decode(&text); err != nil {
		a.done = io.EOF
		return Row{}, &Error{Number: a.item, Item: true, Ends: true, Err: fmt.Errorf("expected a JSON object: %w", unexpected(err))}
	}
	r, err := a.objects.row(text, a.item, true)
	if err != nil {
		return Row{}, &Error{Number: a.item, Item: true, Err: err}
	}
	return r, nil
}

// unexpected keeps an end in the middle apart from the end in good order.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

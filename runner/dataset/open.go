package dataset

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/genaievals/genaievals/internal/rows"
	"github.com/genaievals/genaievals/runner"
)

// Errors of a file or of options, which leave nothing to read.
var (
	// ErrUnknownFormat: a format that is none of [Formats].
	ErrUnknownFormat = errors.New("unknown format")
	// ErrUnknownField: Fields names a field that items do not have, or a column that
	// the file does not; or a table has no column for the output.
	ErrUnknownField = errors.New("unknown field")
	// ErrAmbiguous: two columns could be the same field.
	ErrAmbiguous = errors.New("ambiguous columns")
)

// ErrBroken is wrapped by the last that a dataset yields where the rest of its file
// cannot be read, since its syntax is wrong in a way that leaves unknown where the
// next item begins: within a JSON array, or by a quote of a table that is not closed.
var ErrBroken = errors.New("the rest cannot be read")

// Options say how a file is read. The zero value recognises everything.
type Options struct {
	// Format is one of [Formats]; empty recognises it by content and name.
	Format string
	// Fields maps a field of an item, one of [Fields], to the file's column. In
	// JSON a column can be a path into objects, as response.text. OTLP has none.
	Fields map[string]string
	// OutputOptional: an item may have no output, since a task produces it.
	OutputOptional bool
	// Counts, if set, counts what has been read, of all ranges.
	Counts *Counts
}

// Open returns the items of a file; - is the standard input. It opens the file at
// once, to recognise it and to look for the columns, and again for every range over
// the items, which closes it. The standard input can be ranged over once.
//
// The error is that of opening or reading the file, [ErrUnknownFormat],
// [ErrUnknownField] or [ErrAmbiguous]. What is yielded is described in the package
// documentation. Reading from a pipe blocks until there is a row.
func Open(path string, o Options) (runner.Dataset, error) {
	if path == "-" {
		return Read(os.Stdin, "stdin", o)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("open the dataset: %w", err)
	}
	if info.IsDir() {
		return nil, fmt.Errorf("open the dataset: %s is a folder, expected a file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open the dataset: %w", err)
	}
	s, err := newSource(f, path, o)
	if err != nil {
		f.Close()
		return nil, err
	}
	if !info.Mode().IsRegular() { // a pipe cannot be read again
		return once(s, f), nil
	}
	f.Close()
	return func(yield func(runner.Item, error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield(runner.Item{}, fmt.Errorf("open the dataset: %w", err))
			return
		}
		defer f.Close()
		s, err := newSource(f, path, o)
		if err != nil {
			yield(runner.Item{}, err)
			return
		}
		s.all(yield)
	}, nil
}

// Read returns the items of r, which can be ranged over once. name is for messages
// and helps to recognise the format. It reads what it needs to recognise the format
// at once; the errors are those of [Open].
func Read(r io.Reader, name string, o Options) (runner.Dataset, error) {
	s, err := newSource(r, name, o)
	if err != nil {
		return nil, err
	}
	return once(s, io.NopCloser(nil)), nil
}

// errOnce is what a second range over a stream comes to.
var errOnce = errors.New("the dataset was read already, and it cannot be read twice")

func once(s *source, c io.Closer) runner.Dataset {
	read := false
	return func(yield func(runner.Item, error) bool) {
		if read {
			yield(runner.Item{}, fmt.Errorf("read %s: %w", s.name, errOnce))
			return
		}
		read = true
		defer c.Close()
		s.all(yield)
	}
}

// source is a file that is being read.
type source struct {
	name    string
	options Options
	counts  *Counts
	in      *bufio.Reader
	format  string
	// rows and fields are those of all formats but otlp.
	rows   rows.Reader
	fields *mapping
}

func newSource(in io.Reader, name string, o Options) (*source, error) {
	s := &source{name: name, options: o, counts: o.Counts}
	if s.counts == nil {
		s.counts = &Counts{}
	}
	if o.Format != "" && !slices.Contains(Formats(), strings.ToLower(o.Format)) {
		return nil, fmt.Errorf("read %s: %w %q, expected one of %s", name, ErrUnknownFormat, o.Format, strings.Join(Formats(), ", "))
	}
	var err error
	if s.fields, err = newMapping(o); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if s.in, err = rows.Unpack(in); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	var syntax rows.Syntax
	s.format, syntax = recognise(s.in, name, o.Format)
	if s.format == OTLP {
		if len(o.Fields) > 0 {
			return nil, fmt.Errorf("read %s: %w: spans have no columns that could be fields", name, ErrUnknownField)
		}
		return s, nil
	}
	if syntax == rows.Objects {
		err = s.fields.probe(s.in)
	}
	if err == nil {
		s.rows, err = rows.New(s.in, syntax, nil, wrappers...)
	}
	if errors.Is(err, io.EOF) {
		return s, nil // nothing in it
	}
	if table, ok := s.rows.(rows.Table); ok && err == nil {
		err = s.fields.resolve(table.Header())
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return s, nil
}

// all yields the items to the end, or as far as the caller wants.
func (s *source) all(yield func(runner.Item, error) bool) {
	if s.format == OTLP {
		s.spans(yield)
		return
	}
	for s.rows != nil {
		r, err := s.rows.Next()
		var bad *rows.Error
		var unclosed *rows.UnclosedError
		switch {
		case errors.As(err, &bad) && bad.Ends:
			s.broken(yield, s.itemError(bad.Number, bad.Item, "", bad.Err))
			return
		case errors.As(err, &bad):
			err = s.itemError(bad.Number, bad.Item, "", bad.Err)
		case errors.As(err, &unclosed):
			s.broken(yield, s.itemError(unclosed.After+1, true, "", fmt.Errorf("expected another item or the end of the array: %w", unclosed.Err)))
			return
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			yield(runner.Item{}, fmt.Errorf("read %s: %w", s.name, err))
			return
		}
		var item runner.Item
		if err == nil {
			if item, err = s.fields.item(r); err != nil {
				err = s.itemError(r.Number, r.Item, item.ID, err)
			}
		}
		if err != nil {
			if !s.bad(yield, err) {
				return
			}
			continue
		}
		if !r.Item {
			item.Line = r.Number
		}
		s.counts.items.Add(1)
		if !yield(item, nil) {
			return
		}
	}
}

// broken yields an item that has failed and behind which nothing can be read, and
// that this is so: how many items there were is not known.
func (s *source) broken(yield func(runner.Item, error) bool, err error) {
	if s.bad(yield, err) {
		yield(runner.Item{}, fmt.Errorf("%w: %v", ErrBroken, err))
	}
}

func (s *source) bad(yield func(runner.Item, error) bool, err error) bool {
	s.counts.bad.Add(1)
	return yield(runner.Item{}, err)
}

func (s *source) itemError(number int, inArray bool, id string, err error) error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok { // in the words of the other messages
		err = fmt.Errorf("expected a JSON object, found %s", found(wrong.Value))
	}
	e := &runner.ItemError{Name: s.name, ID: id, Err: err}
	if inArray {
		e.Item = number
	} else {
		e.Line = number
	}
	return e
}

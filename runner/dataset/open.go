package dataset

import (
	"errors"
	"io"

	"github.com/genaievals/genaievals/runner"
)

// Errors of a file or of options, which leave nothing to read.
var (
	// ErrUnknownFormat: a format that is none of [Formats].
	ErrUnknownFormat = errors.New("unknown format")
	// ErrUnknownField: Fields names a field that items do not have, or a column that
	// the file does not.
	ErrUnknownField = errors.New("unknown field")
	// ErrAmbiguous: two columns could be the same field.
	ErrAmbiguous = errors.New("ambiguous columns")
)

// Formats are the names of the formats: jsonl, json, csv, tsv, otlp.
func Formats() []string { return []string{"jsonl", "json", "csv", "tsv", "otlp"} }

// Fields are the names of an item's fields: id, input, output, context, expected,
// system, history, metadata, evaluators.
func Fields() []string {
	return []string{"id", "input", "output", "context", "expected", "system", "history", "metadata", "evaluators"}
}

// Options say how a file is read. The zero value recognises everything.
type Options struct {
	// Format is one of [Formats]; empty recognises it by content and name.
	Format string
	// Fields maps a field of an item, one of [Fields], to the file's column. In
	// JSON a column can be a path into objects, as response.text.
	Fields map[string]string
	// OutputOptional: an item may have no output, since a task produces it.
	OutputOptional bool
	// Counts, if set, is what has been read so far.
	Counts *Counts
}

// Open returns the items of a file; - is the standard input. It opens the file at
// once, to recognise it, and again for every range over the items.
func Open(path string, o Options) (runner.Dataset, error) { return nil, errors.ErrUnsupported }

// Read returns the items of r, which can be ranged over once. name is for messages
// and helps to recognise the format.
func Read(r io.Reader, name string, o Options) (runner.Dataset, error) {
	return nil, errors.ErrUnsupported
}

// Count counts the items of a file, quickly and without looking into them; ok is
// false where that cannot be known beforehand, as of a pipe.
func Count(path string, o Options) (n int64, ok bool, err error) { return 0, false, nil }

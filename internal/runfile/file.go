package runfile

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/genaievals/genaievals/internal/yamltext"
)

const (
	maxFile = 1 << 20
	// maxErrors is the most problems that are told of a file.
	maxErrors = 100
)

// File is a run as its file describes it. Zero values are not set. Paths are as
// they can be opened: those of the file are relative to its folder.
type File struct {
	// Path is the file's own.
	Path string

	Name            string
	Dataset, Format string
	// Fields map a field of an item to the name that it has in the dataset.
	Fields  map[string]string
	Limit   int64
	Journal string
	Content *bool
	Strict  *bool

	// Plan says who evaluates what, in the grammar of EVALUATORS.
	Plan    string
	Rubrics string
	Judges  []Judge
	// RateLimit, TokenLimit and Budget are in the grammar of their variables.
	RateLimit, TokenLimit, Budget string
	// Rates are those that evaluators of the list have, over RateLimit's.
	Rates    []Rate
	Adaptive *bool

	Concurrency                      int
	Timeout, ItemTimeout, RunTimeout time.Duration

	Gates     Gates
	Reports   Reports
	Dashboard string // an address, or true for the default one
}

// Gates are what a run is held against. Values are texts, as the flags take them.
type Gates struct {
	FailUnder, MinPassRate []Gate
	MaxFailed              *Gate  // without a metric
	WarnOnly               []Gate // without a value
}

// Gate is a bound of a metric. Place says where it stands, for what is found
// wrong with it later.
type Gate struct{ Metric, Value, Place string }

// Reports are the files that a run writes.
type Reports struct{ JSON, JUnit, Markdown, HTML string }

// Judge is what the file says of one judge.
type Judge struct {
	Name string
	// Place says where it stands.
	Place string
	// moves: the file says where the judge is.
	moves    bool
	settings []setting
}

// String leaves out what the file says, of which a part comes from variables that
// hold secrets.
func (j Judge) String() string { return j.Name }

// GoString is String: no verb of fmt prints a secret.
func (j Judge) GoString() string { return j.Name }

type setting struct{ key, text string }

// Rate is the limit of an evaluator, as text.
type Rate struct{ Evaluator, Rate string }

// Error is a problem in a file.
type Error struct {
	File string
	// Line and Column begin with 1, columns count characters. They are 0 when the
	// file itself is the problem.
	Line, Column int
	Msg          string
	// Err is the error of the file system, if it is one.
	Err error
}

// Error returns file:line:column: message.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Msg
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Msg)
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// Load reads the file of a run, a regular file of at most 1 MiB. getenv looks up
// the variables that it names for keys. The error joins an [*Error] for each
// problem, in the order of the text and up to 100; there is no File then.
func Load(path string, getenv func(string) string) (*File, error) {
	data, err := yamltext.ReadFile(path, maxFile)
	if err != nil {
		why := err
		if pathError := (*fs.PathError)(nil); errors.As(err, &pathError) {
			why = pathError.Err
		}
		return nil, &Error{File: path, Msg: "cannot be read: " + why.Error(), Err: err}
	}
	return Parse(path, data, getenv)
}

// Parse reads the text of a file; path is where it would be.
func Parse(path string, data []byte, getenv func(string) string) (*File, error) {
	if getenv == nil {
		getenv = os.Getenv
	}
	r := &reader{file: &File{Path: path}, folder: filepath.Dir(path), text: data, getenv: getenv}
	root := yamltext.Document(data, maxFile, "says nothing; a run needs at least a dataset", r.problem)
	if root != nil {
		r.Reader = yamltext.NewReader(root, r.problem)
		r.top(root)
	}
	if len(r.errors) > 0 {
		return nil, r.err()
	}
	return r.file, nil
}

func (r *reader) problem(line, column int, msg string) {
	r.errors = append(r.errors, &Error{File: r.file.Path, Line: line, Column: column, Msg: msg})
}

func (r *reader) err() error {
	slices.SortStableFunc(r.errors, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	var errs []error
	for i, e := range r.errors {
		if i == maxErrors {
			e.Msg = fmt.Sprintf("%d problems from here on are not told", len(r.errors)-maxErrors)
		}
		if i <= maxErrors {
			errs = append(errs, e)
		}
	}
	return errors.Join(errs...)
}

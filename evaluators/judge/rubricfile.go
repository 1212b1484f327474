package judge

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/genaievals/genaievals/internal/yamltext"
)

const (
	maxRubricFile = 1 << 20
	// maxRubricErrors is the most problems that are told of a file.
	maxRubricErrors = 100
)

// RubricError is a problem in a file of rubrics. Its text names places and keys
// and, of the file's content, only short names: it can be logged.
type RubricError struct {
	// File is the name that was given.
	File string
	// Line and Column begin with 1, columns count characters. They are 0 when the
	// file itself is the problem.
	Line, Column int
	// Rubric is the name of the rubric, where it is about one that has a name.
	Rubric string
	Msg    string
	// Err is the error of the file system, if it is one.
	Err error
}

// Error returns file:line:column: rubric "name": message.
func (e *RubricError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", e.Line, e.Column)
	}
	if e.Rubric != "" {
		fmt.Fprintf(&b, ": rubric %q", e.Rubric)
	}
	b.WriteString(": " + e.Msg)
	return b.String()
}

// Unwrap returns Err.
func (e *RubricError) Unwrap() error { return e.Err }

// LoadRubrics reads a file of rubrics, see [ParseRubrics]. What is not a
// regular file of at most 1 MiB is an error.
func LoadRubrics(path string) ([]Rubric, error) {
	data, err := yamltext.ReadFile(path, maxRubricFile)
	if err != nil {
		msg := "cannot be read: " + err.Error()
		if pathError := (*fs.PathError)(nil); errors.As(err, &pathError) {
			msg = "cannot be read: " + pathError.Err.Error()
		}
		return nil, &RubricError{File: path, Msg: msg, Err: err}
	}
	return ParseRubrics(path, data)
}

// ParseRubrics reads rubrics from YAML in the format that docs/metrics.md
// describes. It returns those that are sound and an error that joins a
// [*RubricError] for each problem of the others, in the order of the text and
// up to 100; a rubric with a problem is left out. What is not YAML has no sound
// rubrics, and only the first document of a text is read. The name is for the
// errors.
func ParseRubrics(name string, data []byte) ([]Rubric, error) {
	f := &rubricFile{name: name}
	rubrics := f.parse(data)
	return rubrics, f.err()
}

// rubricFile is the state of reading one file.
type rubricFile struct {
	name   string
	errors []*RubricError
}

func (f *rubricFile) fail(line, column int, rubric, format string, args ...any) {
	f.errors = append(f.errors, &RubricError{
		File: f.name, Line: line, Column: column, Rubric: clip(rubric, maxLabelText), Msg: fmt.Sprintf(format, args...),
	})
}

func (f *rubricFile) err() error {
	slices.SortStableFunc(f.errors, func(a, b *RubricError) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	if more := len(f.errors) - maxRubricErrors; more > 0 {
		last := f.errors[maxRubricErrors]
		last.Rubric, last.Msg = "", fmt.Sprintf("%d problems from here on are not told", more)
		f.errors = f.errors[:maxRubricErrors+1]
	}
	var errs []error
	for _, e := range f.errors {
		errs = append(errs, e)
	}
	return errors.Join(errs...)
}

func (f *rubricFile) parse(data []byte) []Rubric {
	report := func(line, column int, msg string) { f.fail(line, column, "", "%s", msg) }
	root := yamltext.Document(data, maxRubricFile, "has no rubrics", report)
	if root == nil {
		return nil
	}
	return f.document(root, report)
}

// document reads the top of the file.
func (f *rubricFile) document(root *yaml.Node, report yamltext.Report) []Rubric {
	r := yamltext.NewReader(root, report)
	list := r.List(r.Members("", root, "rubrics")["rubrics"], "rubrics")
	if len(f.errors) == 0 && len(list) == 0 {
		f.fail(root.Line, root.Column, "", "has no rubrics")
	}
	c, err := builtinCatalog()
	if err != nil {
		f.fail(0, 0, "", "%v", err)
		return nil
	}
	taken := c.takenNames()
	var rubrics []Rubric
	for i, n := range list {
		if i == maxRubrics {
			f.fail(n.Line, n.Column, "", "more than %d rubrics", maxRubrics)
			break
		}
		if rubric, ok := f.rubric(n, taken); ok {
			rubrics = append(rubrics, rubric)
		}
	}
	return rubrics
}

// rubric reads one rubric, and reports whether it is sound. Its name is taken
// then.
func (f *rubricFile) rubric(n *yaml.Node, taken map[string]string) (Rubric, bool) {
	r := &rubricReader{yamltext.NewReader(n, func(line, column int, msg string) { f.fail(line, column, "", "%s", msg) })}
	before := len(f.errors)
	rubric := r.rubric(n).normalized()
	for _, e := range f.errors[before:] {
		e.Rubric = clip(rubric.Name, maxLabelText)
	}
	wrong := rubric.check()
	if name := fold(rubric.Name); name != "" {
		if reason := taken[name]; reason != "" {
			wrong.add("name", "%s", reason)
		} else {
			taken[name] = fmt.Sprintf("is that of the rubric in line %d", n.Line)
		}
	}
	for _, w := range wrong {
		if r.Told(w.path) {
			continue
		}
		at := r.Position(w.path)
		f.fail(at.Line, at.Column, rubric.Name, "%s %s", w.path, w.msg)
	}
	return rubric, len(f.errors) == before
}

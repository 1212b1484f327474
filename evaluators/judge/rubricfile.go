package judge

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
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
	data, err := readRubrics(path)
	if err != nil {
		msg := "cannot be read: " + err.Error()
		if pathError := (*fs.PathError)(nil); errors.As(err, &pathError) {
			msg = "cannot be read: " + pathError.Err.Error()
		}
		return nil, &RubricError{File: path, Msg: msg, Err: err}
	}
	return ParseRubrics(path, data)
}

func readRubrics(path string) ([]byte, error) {
	// Looked at first, since opening a pipe can block.
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, maxRubricFile+1))
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
	if len(data) > maxRubricFile {
		f.fail(0, 0, "", "is larger than 1 MiB")
		return nil
	}
	if !f.readable(data) {
		return nil
	}
	d := yaml.NewDecoder(bytes.NewReader(data))
	var document yaml.Node
	switch err := d.Decode(&document); {
	case errors.Is(err, io.EOF):
		f.fail(1, 1, "", "has no rubrics")
		return nil
	case err != nil:
		f.syntax(data, err)
		return nil
	}
	rubrics := f.document(document.Content[0])
	var second yaml.Node
	switch err := d.Decode(&second); {
	case errors.Is(err, io.EOF):
	case err != nil:
		f.syntax(data, err)
	default:
		f.fail(second.Line, second.Column, "", "a second document begins here; it is not read")
	}
	return rubrics
}

// readable finds characters that YAML does not permit anywhere, and line breaks
// that only YAML takes for such, and says where they are, which the parser does
// not.
func (f *rubricFile) readable(data []byte) bool {
	line, column := 1, 1
	for rest := data; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		rest = rest[size:]
		switch {
		case r == utf8.RuneError && size == 1:
			f.fail(line, column, "", "is not UTF-8")
			return false
		case r == '\r' && bytes.HasPrefix(rest, []byte("\n")) || r == '\t':
		case r < ' ' && r != '\n', r >= 0x7F && r < 0xA0, r == '\u2028', r == '\u2029':
			f.fail(line, column, "", "control character U+%04X", r)
			return false
		case r == '\n':
			line, column = line+1, 1
			continue
		}
		column++
	}
	return true
}

// syntax reports that the text is not YAML, with the line as well as it can be
// known and the column in which that begins. The most frequent mistake, a tab,
// is found exactly.
func (f *rubricFile) syntax(data []byte, err error) {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if rest, ok := strings.CutPrefix(msg, "line "); ok {
		if number, message, ok := strings.Cut(rest, ": "); ok {
			if n, err := strconv.Atoi(number); err == nil {
				line, msg = n, message
			}
		}
	}
	if strings.HasPrefix(msg, "did not find expected") {
		line = lineOfProblem(data)
	}
	lines := bytes.Split(data, []byte("\n"))
	for i, text := range lines {
		indent := text[:len(text)-len(bytes.TrimLeft(text, " \t"))]
		if tab := bytes.IndexByte(indent, '\t'); tab >= 0 && len(indent) < len(bytes.TrimRight(text, "\r")) {
			f.fail(i+1, tab+1, "", "not YAML: a tab cannot indent, use blanks")
			return
		}
	}
	column := 1
	if line <= len(lines) {
		text := lines[line-1]
		column += len(text) - len(bytes.TrimLeft(text, " "))
	}
	f.fail(line, column, "", "not YAML: %s", clip(msg, 200))
}

// byteReader reads a byte at a time, so that it is known how many were needed.
type byteReader struct{ r io.Reader }

func (b byteReader) Read(p []byte) (int, error) { return b.r.Read(p[:min(1, len(p))]) }

// lineOfProblem finds the line at which the parser gives up. Of something that
// is not where it should be, it names the line before the one in which the list
// or mapping around it began. It reads a few bytes ahead.
func lineOfProblem(data []byte) int {
	const ahead = 4
	r := bytes.NewReader(data)
	d := yaml.NewDecoder(byteReader{r})
	for {
		var n yaml.Node
		if d.Decode(&n) != nil {
			break
		}
	}
	read := bytes.TrimRight(data[:max(0, len(data)-r.Len()-ahead)], " \r\n")
	return bytes.Count(read, []byte("\n")) + 1
}

// document reads the top of the file.
func (f *rubricFile) document(root *yaml.Node) []Rubric {
	r := &rubricReader{file: f, at: map[string]*yaml.Node{}, bad: map[string]bool{}}
	list := r.list(r.members("", root, "rubrics")["rubrics"], "rubrics")
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
	r := &rubricReader{file: f, at: map[string]*yaml.Node{"": n}, bad: map[string]bool{}}
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
		if r.told(w.path) {
			continue
		}
		at := r.position(w.path)
		f.fail(at.Line, at.Column, rubric.Name, "%s %s", w.path, w.msg)
	}
	return rubric, len(f.errors) == before
}

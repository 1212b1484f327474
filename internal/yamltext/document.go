package yamltext

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Report is told what is wrong, in no particular order. Lines and columns begin
// with 1, columns count characters; both are 0 when the file as a whole is meant.
type Report func(line, column int, msg string)

// ReadFile reads a file of at most size bytes, and one more of a larger one. What
// is not a regular file is an error, since a pipe could block.
func ReadFile(path string, size int64) ([]byte, error) {
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
	return io.ReadAll(io.LimitReader(file, size+1))
}

// Document returns the root of the one document that a text of at most size bytes
// has, nil after a report that it has none; empty is what is said of a text
// without any. Of more than one the first is returned, and the second reported.
// Aliases are not followed.
func Document(data []byte, size int, empty string, report Report) *yaml.Node {
	if len(data) > size {
		report(0, 0, fmt.Sprintf("is larger than %d MiB", size>>20))
		return nil
	}
	if !report.readable(data) {
		return nil
	}
	d := yaml.NewDecoder(bytes.NewReader(data))
	var document yaml.Node
	switch err := d.Decode(&document); {
	case errors.Is(err, io.EOF):
		report(1, 1, empty)
		return nil
	case err != nil:
		report.syntax(data, err)
		return nil
	}
	var second yaml.Node
	switch err := d.Decode(&second); {
	case errors.Is(err, io.EOF):
	case err != nil:
		report.syntax(data, err)
	default:
		report(second.Line, second.Column, "a second document begins here; it is not read")
	}
	return document.Content[0]
}

// readable finds characters that YAML does not permit anywhere, and line breaks
// that only YAML takes for such, and says where they are, which the parser does
// not.
func (r Report) readable(data []byte) bool {
	line, column := 1, 1
	for rest := data; len(rest) > 0; {
		c, size := utf8.DecodeRune(rest)
		rest = rest[size:]
		switch {
		case c == utf8.RuneError && size == 1:
			r(line, column, "is not UTF-8")
			return false
		case c == '\r' && bytes.HasPrefix(rest, []byte("\n")) || c == '\t':
		case c < ' ' && c != '\n', c >= 0x7F && c < 0xA0, c == '\u2028', c == '\u2029':
			r(line, column, fmt.Sprintf("control character U+%04X", c))
			return false
		case c == '\n':
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
func (r Report) syntax(data []byte, err error) {
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
			r(i+1, tab+1, "not YAML: a tab cannot indent, use blanks")
			return
		}
	}
	column := 1
	if line <= len(lines) {
		text := lines[line-1]
		column += len(text) - len(bytes.TrimLeft(text, " "))
	}
	r(line, column, fmt.Sprintf("not YAML: %.200s", msg))
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

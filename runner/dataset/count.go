package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/genaievals/genaievals/internal/rows"
)

// maxCounted is the largest file, in bytes, that is counted.
const maxCounted = 4 << 30

// Count counts the items of a regular file, quickly and without looking into them:
// rows that are no items count too, as they do in a run. ok is false where it cannot
// be known beforehand: of the standard input and other pipes, of OTLP, of a file of
// more than 4 GiB. The error is that of opening or reading the file.
func Count(path string, o Options) (n int64, ok bool, err error) {
	if path == "-" {
		return 0, false, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0, false, fmt.Errorf("count the dataset: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxCounted {
		return 0, false, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return 0, false, fmt.Errorf("count the dataset: %w", err)
	}
	defer f.Close()
	n, ok, err = count(f, path, o)
	if err != nil {
		return 0, false, fmt.Errorf("count the dataset %s: %w", path, err)
	}
	return n, ok, nil
}

func count(f io.Reader, path string, o Options) (n int64, ok bool, err error) {
	in, err := rows.Unpack(f)
	if err != nil {
		return 0, false, err
	}
	format, syntax := recognise(in, path, o.Format)
	at, inArray := rows.StartOf(in).In(wrappers)
	switch {
	case format == OTLP:
		return 0, false, nil
	case syntax == rows.Objects && inArray:
		if _, err := in.Discard(at); err != nil {
			return 0, false, err
		}
		n, err = countElements(in)
		return n, err == nil, err
	case syntax == rows.Objects:
		n, err = countLines(in)
		return n, err == nil, err
	}
	reader, err := rows.New(in, syntax, nil)
	if errors.Is(err, io.EOF) {
		return 0, true, nil
	}
	for err == nil {
		var bad *rows.Error
		if _, err = reader.Next(); err == nil || errors.As(err, &bad) {
			n, err = n+1, nil
		}
	}
	if errors.Is(err, io.EOF) {
		return n, true, nil
	}
	return 0, false, err
}

// countLines counts lines that are not blank.
func countLines(in io.Reader) (n int64, err error) {
	lines := rows.NewLines(in)
	for {
		line, err := lines.Next()
		switch {
		case errors.Is(err, io.EOF):
			return n, nil
		case errors.Is(err, rows.ErrTooLong) || err == nil && len(bytes.TrimSpace(line)) > 0:
			n++
		case err != nil:
			return n, err
		}
	}
}

// countElements counts those of a JSON array. It looks at brackets, commas and
// quotes alone; one of an array that does not end counts as far as it goes.
func countElements(in io.Reader) (n int64, err error) {
	buf := make([]byte, rows.ReadAhead)
	depth, inText, escaped, some := 0, false, false, false // some: there is an element since the last comma
	for {
		k, err := in.Read(buf)
		for _, c := range buf[:k] {
			switch {
			case escaped:
				escaped = false
			case inText && c == '\\':
				escaped = true
			case c == '"':
				inText, some = !inText, true
			case inText || c == ' ' || c == '\n' || c == '\r' || c == '\t':
			case c == ',' && depth == 1:
				n, some = n+1, false
			case c == ']' && depth == 1:
				if some || n > 0 {
					n++
				}
				return n, nil
			case c == '[' || c == '{':
				some = some || depth > 0
				depth++
			case c == ']' || c == '}':
				depth--
			default:
				some = true
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			if depth == 1 && some && !inText {
				n++ // that was whole, and the end that is missing is an error of its own
			}
			return n + 1, nil
		case err != nil:
			return 0, err
		}
	}
}

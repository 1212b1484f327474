package samples

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// choose returns the format that was asked for, or that of the first row.
func choose(path, format string, first record) (*mapping, string, error) {
	if format != "" {
		return find(format)
	}
	m, err := recognise(path, first)
	if err != nil {
		return nil, "", err
	}
	return find(m.Name)
}

// recognise returns the format that a row with these fields is of: of those
// whose columns are all there, the one with the most.
func recognise(path string, r record) (*mapping, error) {
	var best *mapping
	var same []string // formats that only the path could tell apart
	for _, m := range mappings {
		if !slices.ContainsFunc(m.Columns, func(c string) bool { return !r.has(c) }) && len(m.Columns) > 0 {
			switch {
			case m.pathWord != "" && !strings.Contains(strings.ToLower(path), m.pathWord):
				same = append(same, m.Name)
			case best == nil || len(m.Columns) > len(best.Columns):
				best = m
			}
		}
	}
	switch {
	case best != nil:
		return best, nil
	case len(same) > 0:
		return nil, fmt.Errorf("%s: %w: its columns are those of %s: say which", path, ErrUnknownFormat, strings.Join(same, ", "))
	}
	return nil, fmt.Errorf("%s: %w: expected metric, label and output, or the columns of a public set; found %s", path, ErrUnknownFormat, shortened(strings.Join(r.names(), ", ")))
}

// sourceOf unpacks a file, cuts it into rows and finds its format.
func sourceOf(in io.Reader, name, format string) (*source, error) {
	s := &source{name: name}
	var err error
	if format != "" {
		if s.format, s.metric, err = find(format); err != nil {
			return nil, err
		}
	}
	text, err := unpacked(in)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	start, err := text.Peek(readAhead)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	cut, names := cutting(start, s.format)
	rows, err := recordsOf(text, cut, names)
	if errors.Is(err, io.EOF) {
		err = errors.New("nothing in it")
	}
	var first record
	if err == nil {
		first, s.rows, err = peek(rows)
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	if s.format == nil {
		s.format, s.metric, err = choose(name, "", first)
		return s, err
	}
	for _, c := range s.format.Columns {
		if s.format != own && !first.has(c) {
			return nil, fmt.Errorf("%s: %w: %s has a column %s, found %s", name, ErrUnknownFormat, s.format.Name, c, shortened(strings.Join(first.names(), ", ")))
		}
	}
	return s, nil
}

// unpacked undoes gzip and skips the mark that some editors put first.
func unpacked(in io.Reader) (*bufio.Reader, error) {
	text := bufio.NewReaderSize(in, readAhead)
	if magic, _ := text.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(text)
		if err != nil {
			return nil, err
		}
		text = bufio.NewReaderSize(z, readAhead)
	}
	switch mark, _ := text.Peek(3); {
	case bytes.HasPrefix(mark, []byte{0xff, 0xfe}), bytes.HasPrefix(mark, []byte{0xfe, 0xff}):
		return nil, errors.New("UTF-16, expected UTF-8")
	case string(mark) == "\ufeff":
		if _, err := text.Discard(len(mark)); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// cutting decides how a file is cut into rows by how it begins, and by its
// format where that is known.
func cutting(start []byte, m *mapping) (syntax, []string) {
	line, _, _ := bytes.Cut(start, []byte("\n"))
	trimmed := strings.TrimSpace(string(start[:min(len(start), 512)]))
	tabs := bytes.IndexByte(line, '\t') >= 0
	switch {
	case m != nil && m.names != nil:
		return m.syntax, m.names
	case strings.HasPrefix(trimmed, "{"), strings.HasPrefix(trimmed, "["):
		return objects, nil
	case tabs && m == nil && rated.Match(line):
		return rawTab, vaderColumns
	case tabs && string(bytes.TrimSpace(line)) == strings.Join(sstColumns, "\t"):
		return rawTab, nil
	case tabs:
		return tab, nil
	case bytes.IndexByte(line, ';') >= 0 && bytes.IndexByte(line, ',') < 0:
		return semicolon, nil
	}
	return comma, nil
}

// peeked gives back what was read to recognise a format.
type peeked struct {
	errs  []error
	first *record
	rest  records
}

func (p *peeked) next() (record, error) {
	if len(p.errs) > 0 {
		err := p.errs[0]
		p.errs = p.errs[1:]
		return record{}, err
	}
	if p.first != nil {
		r := *p.first
		p.first = nil
		return r, nil
	}
	return p.rest.next()
}

// peek returns the first row that can be read, among the first few.
func peek(rows records) (record, records, error) {
	const most = 8
	p := &peeked{rest: rows}
	for {
		r, err := rows.next()
		var b *bad
		switch {
		case err == nil:
			p.first = &r
			return r, p, nil
		case errors.As(err, &b) && len(p.errs) < most:
			p.errs = append(p.errs, err)
			continue
		case len(p.errs) > 0 && errors.As(p.errs[0], &b):
			return r, nil, fmt.Errorf("%w: row %d: %w", ErrUnknownFormat, b.row, b.err)
		case errors.Is(err, io.EOF):
			return r, nil, errors.New("nothing in it")
		}
		return r, nil, err
	}
}

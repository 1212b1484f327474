package samples

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/genaievals/genaievals/internal/rows"
)

// choose returns the format that was asked for, or that of the first row.
func choose(path, format string, first rows.Row) (*mapping, string, error) {
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
func recognise(path string, r rows.Row) (*mapping, error) {
	var best *mapping
	var same []string // formats that only the path could tell apart
	for _, m := range mappings {
		if !slices.ContainsFunc(m.Columns, func(c string) bool { return !r.Has(c) }) && len(m.Columns) > 0 {
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
	return nil, fmt.Errorf("%s: %w: expected metric, label and output, or the columns of a public set; found %s", path, ErrUnknownFormat, shortened(strings.Join(r.Names(), ", ")))
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
	text, err := rows.Unpack(in)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	start, err := text.Peek(rows.ReadAhead)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	cut, names := cutting(start, s.format)
	reader, err := rows.New(text, cut, names, "samples")
	if errors.Is(err, io.EOF) {
		err = errors.New("nothing in it")
	}
	var first rows.Row
	if err == nil {
		first, s.reader, err = peek(reader)
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	if s.format == nil {
		s.format, s.metric, err = choose(name, "", first)
		return s, err
	}
	for _, c := range s.format.Columns {
		if s.format != own && !first.Has(c) {
			return nil, fmt.Errorf("%s: %w: %s has a column %s, found %s", name, ErrUnknownFormat, s.format.Name, c, shortened(strings.Join(first.Names(), ", ")))
		}
	}
	return s, nil
}

// cutting decides how a file is cut into rows by how it begins, and by its
// format where that is known.
func cutting(start []byte, m *mapping) (rows.Syntax, []string) {
	line, _, _ := bytes.Cut(start, []byte("\n"))
	trimmed := strings.TrimSpace(string(start[:min(len(start), 512)]))
	tabs := bytes.IndexByte(line, '\t') >= 0
	switch {
	case m != nil && m.names != nil:
		return m.syntax, m.names
	case strings.HasPrefix(trimmed, "{"), strings.HasPrefix(trimmed, "["):
		return rows.Objects, nil
	case tabs && m == nil && rated.Match(line):
		return rows.RawTab, vaderColumns
	case tabs && string(bytes.TrimSpace(line)) == strings.Join(sstColumns, "\t"):
		return rows.RawTab, nil
	case tabs:
		return rows.Tab, nil
	case bytes.IndexByte(line, ';') >= 0 && bytes.IndexByte(line, ',') < 0:
		return rows.Semicolon, nil
	}
	return rows.Comma, nil
}

// peeked gives back what was read to recognise a format.
type peeked struct {
	errs  []error
	first *rows.Row
	rest  rows.Reader
}

func (p *peeked) Next() (rows.Row, error) {
	if len(p.errs) > 0 {
		err := p.errs[0]
		p.errs = p.errs[1:]
		return rows.Row{}, err
	}
	if p.first != nil {
		r := *p.first
		p.first = nil
		return r, nil
	}
	return p.rest.Next()
}

// peek returns the first row that can be read, among the first few.
func peek(reader rows.Reader) (rows.Row, rows.Reader, error) {
	const most = 8
	p := &peeked{rest: reader}
	for {
		r, err := reader.Next()
		var b *rows.Error
		switch {
		case err == nil:
			p.first = &r
			return r, p, nil
		case errors.As(err, &b) && len(p.errs) < most:
			p.errs = append(p.errs, err)
			continue
		case len(p.errs) > 0 && errors.As(p.errs[0], &b):
			return r, nil, fmt.Errorf("%w: row %d: %w", ErrUnknownFormat, b.Number, b.Err)
		case errors.Is(err, io.EOF):
			return r, nil, errors.New("nothing in it")
		}
		return r, nil, err
	}
}

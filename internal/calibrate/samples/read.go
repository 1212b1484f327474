package samples

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"
)

// Open returns the samples of a file. format is the name of one of [Formats],
// or NAME:METRIC where a set serves several metrics; empty recognises it by the
// columns. A text file of TweetEval is read with the labels beside it.
//
// The file is opened at once, to recognise it, and again for every range over
// the samples, which closes it. The errors are those of reading the file and
// [ErrUnknownFormat]. What is yielded is described in the package documentation.
func Open(path, format string) (iter.Seq2[Sample, error], error) {
	labels, paired := labelsBeside(path)
	open := func() (records, *mapping, string, func(), error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, nil, "", nil, err
		}
		if !paired {
			rows, m, metric, err := recordsIn(f, path, format)
			return rows, m, metric, func() { f.Close() }, err
		}
		g, err := os.Open(labels)
		if err != nil {
			f.Close()
			return nil, nil, "", nil, err
		}
		rows := pairOf(f, g)
		m, metric, err := choose(path, format, record{columns: columnsOf(pairColumns)})
		return rows, m, metric, func() { f.Close(); g.Close() }, err
	}
	_, _, _, closeFiles, err := open()
	if closeFiles != nil {
		closeFiles()
	}
	if err != nil {
		return nil, err
	}
	return func(yield func(Sample, error) bool) {
		rows, m, metric, closeFiles, err := open()
		if closeFiles != nil {
			defer closeFiles()
		}
		if err != nil {
			yield(Sample{}, err)
			return
		}
		yieldAll(rows, path, m, metric, yield)
	}, nil
}

// Read returns the samples of r, as [Open] does. name is for messages, and for
// recognising formats that only the path tells apart. It reads the first row at
// once and the others while they are ranged over, which can be done once.
func Read(r io.Reader, name, format string) (iter.Seq2[Sample, error], error) {
	rows, m, metric, err := recordsIn(r, name, format)
	if err != nil {
		return nil, err
	}
	return func(yield func(Sample, error) bool) { yieldAll(rows, name, m, metric, yield) }, nil
}

func yieldAll(rows records, name string, m *mapping, metric string, yield func(Sample, error) bool) {
	for {
		r, err := rows.next()
		var b *bad
		switch {
		case errors.As(err, &b):
			if !yield(Sample{}, &RowError{Name: name, Row: b.row, Item: b.item, Err: b.err}) {
				return
			}
			continue
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			yield(Sample{}, fmt.Errorf("reading %s: %w", name, err))
			return
		}
		made, err := m.read(r, metric)
		if err != nil {
			if !yield(Sample{}, &RowError{Name: name, Row: r.row, Item: r.item, Err: err}) {
				return
			}
			continue
		}
		for _, s := range made {
			if !yield(s, nil) {
				return
			}
		}
	}
}

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

// recordsIn unpacks a file, cuts it into rows and finds its format.
func recordsIn(in io.Reader, name, format string) (records, *mapping, string, error) {
	fail := func(err error) (records, *mapping, string, error) {
		return nil, nil, "", fmt.Errorf("reading %s: %w", name, err)
	}
	b := bufio.NewReaderSize(in, readAhead)
	if magic, _ := b.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(b)
		if err != nil {
			return fail(err)
		}
		b = bufio.NewReaderSize(z, readAhead)
	}
	if mark, _ := b.Peek(3); string(mark) == "\xef\xbb\xbf" {
		b.Discard(3)
	}
	start, err := b.Peek(readAhead)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
		return fail(err)
	}
	var m *mapping
	var metric string
	if format != "" {
		if m, metric, err = find(format); err != nil {
			return nil, nil, "", err
		}
	}
	s, names := cutting(start, m)
	rows, err := recordsOf(b, s, names)
	if errors.Is(err, io.EOF) {
		err = errors.New("nothing in it")
	}
	if err != nil {
		return fail(err)
	}
	first, rows, err := peek(rows)
	if err != nil {
		return fail(err)
	}
	if m == nil {
		m, metric, err = choose(name, "", first)
		return rows, m, metric, err
	}
	for _, c := range m.Columns {
		if m != own && !first.has(c) {
			return nil, nil, "", fmt.Errorf("%s: %w: %s has a column %s, found %s", name, ErrUnknownFormat, m.Name, c, shortened(strings.Join(first.names(), ", ")))
		}
	}
	return rows, m, metric, nil
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

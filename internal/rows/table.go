package rows

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Table is the reader of a file with a header.
type Table interface {
	Reader
	// Header has the names of the columns as they are written.
	Header() []string
}

// table is a file with quoted cells.
type table struct {
	meter   *meter
	csv     *csv.Reader
	header  []string
	columns map[string]int
	row     int // the line on which the next row begins, or an empty one
	done    error
}

func tableOf(in *bufio.Reader, s Syntax) (*table, error) {
	t := &table{meter: &meter{in: in}, row: 1}
	t.csv = csv.NewReader(bufio.NewReaderSize(t.meter, ReadAhead))
	t.csv.FieldsPerRecord = -1
	switch s {
	case Semicolon:
		t.csv.Comma = ';'
	case Tab:
		t.csv.Comma, t.csv.LazyQuotes = '\t', true
	}
	header, err := t.csv.Read()
	if err != nil {
		return nil, fmt.Errorf("reading the header: %w", err)
	}
	t.header, t.columns = header, Columns(header)
	t.passed(header)
	return t, nil
}

func (t *table) Header() []string { return t.header }

func (t *table) Next() (Row, error) {
	if t.done != nil {
		return Row{}, t.done
	}
	t.meter.reset()
	start := t.csv.InputOffset()
	cells, err := t.csv.Read()
	var parse *csv.ParseError
	switch {
	case errors.As(err, &parse):
		row := parse.StartLine
		t.row = parse.Line + 1
		// A quote that is wrong some lines behind the row's begin has taken rows with it.
		ends := errors.Is(parse.Err, csv.ErrQuote) && parse.Line > parse.StartLine
		if ends {
			t.done = io.EOF
		}
		return Row{}, &Error{Number: row, Ends: ends, Err: fmt.Errorf("expected a row of the table: %w", parse.Err)}
	case errors.Is(err, ErrTooLong):
		t.done = io.EOF // where the row ends is not known
		return Row{}, &Error{Number: t.row, Ends: true, Err: err}
	case err != nil:
		t.done = err
		return Row{}, err
	}
	row, _ := t.csv.FieldPos(0)
	t.passed(cells)
	if t.csv.InputOffset()-start > Max {
		return Row{}, &Error{Number: row, Err: ErrTooLong}
	}
	return Row{Number: row, Header: t.header, columns: t.columns, Cells: cells}, nil
}

func (t *table) passed(cells []string) {
	last := len(cells) - 1
	line, _ := t.csv.FieldPos(last)
	t.row = line + strings.Count(cells[last], "\n") + 1
}

// tabbed is a file whose cells are what is between tabs.
type tabbed struct {
	lines   *Lines
	header  []string
	columns map[string]int
}

func tabbedOf(in *bufio.Reader, names []string) (*tabbed, error) {
	t := &tabbed{lines: NewLines(in)}
	if names == nil {
		header, err := t.Next()
		if err != nil {
			return nil, fmt.Errorf("reading the header: %w", err)
		}
		names = header.Cells
	}
	t.header, t.columns = names, Columns(names)
	return t, nil
}

func (t *tabbed) Header() []string { return t.header }

func (t *tabbed) Next() (Row, error) {
	for {
		line, err := t.lines.Next()
		if errors.Is(err, ErrTooLong) {
			return Row{}, &Error{Number: t.lines.Number, Err: err}
		}
		if err != nil {
			return Row{}, err
		}
		if len(bytes.TrimSpace(line)) > 0 {
			return Row{Number: t.lines.Number, Header: t.header, columns: t.columns, Cells: strings.Split(string(line), "\t")}, nil
		}
	}
}

package samples

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// records yields the rows of a file. An error in bad is one row's, and the next
// call goes on behind it; any other ends the reading, io.EOF in good order.
type records interface {
	next() (record, error)
}

// bad is an error of one row.
type bad struct {
	row  int
	item bool
	err  error
}

func (b *bad) Error() string { return b.err.Error() }
func (b *bad) Unwrap() error { return b.err }

// syntax is how a file is cut into rows.
type syntax uint8

const (
	comma     syntax = iota // RFC 4180
	semicolon               // the same with semicolons
	tab                     // the same with tabs
	rawTab                  // tabs, and quotes are letters
	objects                 // JSON Lines, or one array of objects
)

// recordsOf cuts a file. Without names a table's first row has them.
func recordsOf(in *bufio.Reader, s syntax, names []string) (records, error) {
	switch s {
	case objects:
		return objectsOf(in)
	case rawTab:
		t := &tabbed{lines: lines{in: in}, columns: columnsOf(names)}
		if names == nil {
			header, err := t.next()
			if err != nil {
				return nil, fmt.Errorf("reading the header: %w", err)
			}
			t.columns = columnsOf(header.cells)
		}
		return t, nil
	}
	t := &table{meter: &meter{in: in}, row: 1}
	t.csv = csv.NewReader(bufio.NewReaderSize(t.meter, readAhead))
	t.csv.FieldsPerRecord = -1
	switch s {
	case semicolon:
		t.csv.Comma = ';'
	case tab:
		t.csv.Comma, t.csv.LazyQuotes = '\t', true
	}
	header, err := t.csv.Read()
	if err != nil {
		return nil, fmt.Errorf("reading the header: %w", err)
	}
	t.columns = columnsOf(header)
	t.passed(header)
	return t, nil
}

func columnsOf(names []string) map[string]int {
	columns := make(map[string]int, len(names))
	for i, name := range names {
		name = strings.ToLower(strings.TrimSpace(name))
		if _, ok := columns[name]; !ok {
			columns[name] = i
		}
	}
	return columns
}

// table is a file with quoted cells.
type table struct {
	meter   *meter
	csv     *csv.Reader
	columns map[string]int
	row     int // the line on which the next row begins, or an empty one
	done    error
}

func (t *table) next() (record, error) {
	if t.done != nil {
		return record{}, t.done
	}
	t.meter.reset()
	start := t.csv.InputOffset()
	cells, err := t.csv.Read()
	var parse *csv.ParseError
	switch {
	case errors.As(err, &parse):
		row := parse.StartLine
		t.row = parse.Line + 1
		return record{}, &bad{row: row, err: fmt.Errorf("expected a row of the table: %w", parse.Err)}
	case errors.Is(err, ErrTooLong):
		t.done = io.EOF // where the row ends is not known
		return record{}, &bad{row: t.row, err: err}
	case err != nil:
		t.done = err
		return record{}, err
	}
	row, _ := t.csv.FieldPos(0)
	t.passed(cells)
	if t.csv.InputOffset()-start > MaxRow {
		return record{}, &bad{row: row, err: ErrTooLong}
	}
	return record{row: row, columns: t.columns, cells: cells}, nil
}

func (t *table) passed(cells []string) {
	last := len(cells) - 1
	line, _ := t.csv.FieldPos(last)
	t.row = line + strings.Count(cells[last], "\n") + 1
}

// tabbed is a file whose cells are what is between tabs.
type tabbed struct {
	lines   lines
	columns map[string]int
}

func (t *tabbed) next() (record, error) {
	for {
		line, err := t.lines.next()
		if errors.Is(err, ErrTooLong) {
			return record{}, &bad{row: t.lines.row, err: err}
		}
		if err != nil {
			return record{}, err
		}
		if len(bytes.TrimSpace(line)) > 0 {
			return record{row: t.lines.row, columns: t.columns, cells: strings.Split(string(line), "\t")}, nil
		}
	}
}

// inSamples is how an object begins that only holds an array called samples.
var inSamples = regexp.MustCompile(`^\s*\{\s*"samples"\s*:\s*\[`)

func objectsOf(in *bufio.Reader) (records, error) {
	start, err := in.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	skip := len(inSamples.Find(start))
	if trimmed := bytes.TrimLeft(start, " \t\r\n"); skip == 0 && len(trimmed) > 0 && trimmed[0] == '[' {
		skip = len(start) - len(trimmed) + 1
	}
	if skip == 0 {
		return &jsonLines{lines: lines{in: in}}, nil
	}
	if _, err := in.Discard(skip - 1); err != nil {
		return nil, err
	}
	a := &array{meter: &meter{in: in}}
	a.decoder = json.NewDecoder(a.meter)
	if _, err := a.decoder.Token(); err != nil {
		return nil, fmt.Errorf("reading the array: %w", err)
	}
	return a, nil
}

// jsonLines is one JSON object a line.
type jsonLines struct{ lines lines }

func (j *jsonLines) next() (record, error) {
	for {
		line, err := j.lines.next()
		if errors.Is(err, ErrTooLong) {
			return record{}, &bad{row: j.lines.row, err: err}
		}
		if err != nil {
			return record{}, err
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		r, err := object(line, j.lines.row, false)
		if err != nil {
			return record{}, &bad{row: j.lines.row, err: err}
		}
		return r, nil
	}
}

// array is one JSON array of objects. What is wrong with its syntax ends it.
type array struct {
	meter   *meter
	decoder *json.Decoder
	item    int
	done    error
}

func (a *array) next() (record, error) {
	if a.done != nil {
		return record{}, a.done
	}
	a.meter.reset()
	if !a.decoder.More() {
		a.done = io.EOF
		if _, err := a.decoder.Token(); err != nil {
			a.done = fmt.Errorf("after item %d: expected the end of the array: %w", a.item, unexpected(err))
		}
		return record{}, a.done
	}
	a.item++
	var text json.RawMessage
	if err := a.decoder.Decode(&text); err != nil {
		a.done = io.EOF
		return record{}, &bad{row: a.item, item: true, err: fmt.Errorf("expected a JSON object: %w", unexpected(err))}
	}
	r, err := object(text, a.item, true)
	if err != nil {
		return record{}, &bad{row: a.item, item: true, err: err}
	}
	return r, nil
}

// unexpected keeps an end in the middle apart from the end in good order.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

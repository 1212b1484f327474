package main

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// open opens a set's file. One that is missing is named, and ok is false.
func (b *bench) open(path ...string) (f *os.File, ok bool, err error) {
	name := filepath.Join(path...)
	f, err = os.Open(filepath.Join(b.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		fmt.Printf("  %-34s absent\n", name)
		return nil, false, nil
	}
	return f, err == nil, err
}

// table reads a file of separated values and calls row with a lookup by column
// name.
func (b *bench) table(comma rune, row func(column func(string) string), path ...string) (ok bool, err error) {
	f, ok, err := b.open(path...)
	if !ok {
		return false, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = comma
	r.LazyQuotes = comma == '\t'
	r.FieldsPerRecord = -1
	header, err := r.Read()
	if err != nil {
		return false, fmt.Errorf("reading %s: %w", f.Name(), err)
	}
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return true, nil
		}
		if err != nil {
			return false, fmt.Errorf("reading %s: %w", f.Name(), err)
		}
		row(func(name string) string {
			for i, h := range header {
				if h == name && i < len(record) {
					return record[i]
				}
			}
			return ""
		})
	}
}

// lines reads a file of one JSON value a line.
func lines[T any](b *bench, path ...string) (rows []T, err error) {
	f, ok, err := b.open(path...)
	if !ok {
		return nil, err
	}
	defer f.Close()
	d := json.NewDecoder(bufio.NewReader(f))
	for {
		var row T
		if err := d.Decode(&row); errors.Is(err, io.EOF) {
			return rows, nil
		} else if err != nil {
			return nil, fmt.Errorf("reading %s: %w", f.Name(), err)
		}
		rows = append(rows, row)
	}
}

// reply is a row of HaluEval general: what a user asked and ChatGPT answered.
type reply struct {
	Question string `json:"user_query"`
	Answer   string `json:"chatgpt_response"`
}

func (b *bench) replies() ([]reply, error) {
	return lines[reply](b, "relevance", "halueval_general_sample2500.jsonl")
}

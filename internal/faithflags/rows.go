// Package faithflags measures what builtin's faithfulness flags on labelled
// public sets: BEGIN (github.com/google/BEGIN-dataset, CC-BY-4.0 and
// CDLA-Sharing-1.0), replies of dialogue models, and WiCE
// (github.com/ryokamoi/wice, ODC-BY), claims of Wikipedia. No row of them is in
// this repository.
package faithflags

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
	"strings"
)

// Row is a text with the document that should support it.
type Row struct {
	Question, Answer, Document string
	Unfaithful                 bool
}

// BEGIN reads the development sets, faithfulness/begin_dev_*.tsv below dir.
// Generic replies claim nothing and are left out; what is not fully attributable
// is unfaithful. The error is fs.ErrNotExist where there is none.
func BEGIN(dir string) ([]Row, error) {
	return read(dir, "begin_dev_*.tsv", func(f io.Reader, add func(Row)) error {
		r := csv.NewReader(f)
		r.Comma, r.LazyQuotes, r.FieldsPerRecord = '\t', true, -1
		header, err := r.Read()
		if err != nil {
			return err
		}
		at := make(map[string]int)
		for i, name := range header {
			at[name] = i
		}
		for {
			record, err := r.Read()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			column := func(name string) string {
				if i, ok := at[name]; ok && i < len(record) {
					return record[i]
				}
				return ""
			}
			if label := column("begin_label"); label != "Generic" {
				add(Row{column("message"), column("response"), column("knowledge"), label != "Fully attributable"})
			}
		}
	})
}

// WiCE reads the claims with the sentences that people chose as evidence,
// faithfulness/wice_oracle_claim_*.jsonl below dir. A claim that is supported in
// part is not faithful. The error is fs.ErrNotExist where there is none.
func WiCE(dir string) ([]Row, error) {
	return read(dir, "wice_oracle_claim_*.jsonl", func(f io.Reader, add func(Row)) error {
		for d := json.NewDecoder(f); ; {
			var c struct {
				Label, Claim string
				Evidence     []string
			}
			err := d.Decode(&c)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			add(Row{"", c.Claim, strings.Join(c.Evidence, "\n"), c.Label != "supported"})
		}
	})
}

func read(dir, pattern string, parse func(f io.Reader, add func(Row)) error) ([]Row, error) {
	pattern = filepath.Join(dir, "faithfulness", pattern)
	files, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, &fs.PathError{Op: "open", Path: pattern, Err: fs.ErrNotExist}
	}
	var rows []Row
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		err = parse(bufio.NewReader(f), func(r Row) { rows = append(rows, r) })
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
	}
	return rows, nil
}

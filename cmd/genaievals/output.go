package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/genaievals/genaievals/internal/calibrate"
	"github.com/genaievals/genaievals/internal/calibrate/report"
)

// outputs are the files of a report. They are made before anything is asked, so
// that no money is spent on what cannot be written, and take their names when
// they are whole.
type outputs struct {
	stdout     io.Writer
	json, html *output // nil: not wanted
	onlyJSON   bool    // on stdout
}

// output is a file in the making.
type output struct {
	path string
	file *os.File
}

func (p *program) openOutputs(f *calibrateFlags) (*outputs, error) {
	o := &outputs{stdout: p.stdout, onlyJSON: f.json == stdoutPath}
	var err error
	if f.json != "" && !o.onlyJSON {
		if o.json, err = newOutput(f.json); err != nil {
			return nil, fmt.Errorf("--json: %w", err)
		}
	}
	if f.html != "" {
		if o.html, err = newOutput(f.html); err != nil {
			o.discard()
			return nil, fmt.Errorf("--html: %w", err)
		}
	}
	return o, nil
}

func newOutput(path string) (*output, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder", path)
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return nil, err
	}
	return &output{path, file}, nil
}

// write writes the report in every form that is wanted. One that cannot be
// written keeps no other from being.
func (o *outputs) write(r *calibrate.Report) error {
	var first error
	if o.onlyJSON {
		first = report.JSON(o.stdout, r)
	} else {
		first = report.Table(o.stdout, r, colorful(o.stdout))
	}
	return errors.Join(first, o.json.write(r, report.JSON), o.html.write(r, report.HTML))
}

func (o *output) write(r *calibrate.Report, form func(io.Writer, *calibrate.Report) error) error {
	if o == nil {
		return nil
	}
	const everybodyReads = 0o644
	err := errors.Join(form(o.file, r), o.file.Chmod(everybodyReads), o.file.Close())
	if err == nil {
		err = os.Rename(o.file.Name(), o.path)
	}
	return err
}

// discard removes what did not become a report.
func (o *outputs) discard() {
	for _, out := range []*output{o.json, o.html} {
		if out != nil {
			_ = out.file.Close()
			_ = os.Remove(out.file.Name())
		}
	}
}

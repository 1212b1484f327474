package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
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

// output is a file in the making: a temporary one beside the one that it will
// be, or, in place, a device or pipe that is there and stays what it is.
type output struct {
	target  string
	mode    fs.FileMode
	file    *os.File
	inPlace bool
	scratch *scratch
}

// openOutputs makes the files; inputs are those that must not be written.
func (p *program) openOutputs(f *calibrateFlags, inputs []string) (*outputs, error) {
	o := &outputs{stdout: p.stdout, onlyJSON: f.json == stdoutPath}
	var err error
	if f.json != "" && !o.onlyJSON {
		if o.json, err = p.newOutput(f.json, inputs, ""); err != nil {
			return nil, fmt.Errorf("--json: %w", err)
		}
	}
	if f.html != "" {
		other := ""
		if o.json != nil {
			other = f.json
		}
		if o.html, err = p.newOutput(f.html, inputs, other); err != nil {
			o.discard()
			return nil, fmt.Errorf("--html: %w", err)
		}
	}
	return o, nil
}

func (p *program) newOutput(path string, inputs []string, other string) (*output, error) {
	for _, input := range inputs {
		if sameFile(path, input) {
			return nil, fmt.Errorf("%s is read from: it is not written over", path)
		}
	}
	if other != "" && sameFile(path, other) {
		return nil, sharedError(path)
	}
	const everybodyReads = 0o644
	out := &output{target: path, mode: everybodyReads, scratch: &p.scratch}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("%s is a folder", path)
	case err == nil && !info.Mode().IsRegular():
		// By the name that was given: what a link such as /dev/fd/63 leads to need
		// not have one.
		out.inPlace = true
		out.file, err = os.OpenFile(path, os.O_WRONLY, 0)
		return out, err
	case err == nil && p.isStdout(info):
		return nil, fmt.Errorf("%s is standard output, where the table goes", path)
	case err == nil:
		out.mode = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	if out.target, err = resolved(path); err != nil {
		return nil, err
	}
	if other != "" {
		if target, err := resolved(other); err == nil && target == out.target {
			return nil, sharedError(path)
		}
	}
	if out.file, err = p.scratch.create(filepath.Dir(out.target), "."+filepath.Base(out.target)+".*"); err != nil {
		return nil, err
	}
	return out, nil
}

func sharedError(path string) error { return fmt.Errorf("%s is the file of --json too", path) }

// isStdout reports whether a file is the one that standard output goes to: it
// would be replaced while it is written to.
func (p *program) isStdout(info fs.FileInfo) bool {
	f, ok := p.stdout.(*os.File)
	if !ok {
		return false
	}
	stdout, err := f.Stat()
	return err == nil && os.SameFile(info, stdout)
}

// resolved follows symbolic links, also one to a file that is not there yet.
func resolved(path string) (string, error) {
	const most = 40 // links, as systems have it
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for range most {
		if whole, err := filepath.EvalSymlinks(path); err == nil {
			return whole, nil
		}
		folder, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			return "", err
		}
		path = filepath.Join(folder, filepath.Base(path))
		to, err := os.Readlink(path)
		if err != nil {
			return path, nil // it is no link, and not there
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(folder, to)
		}
		path = to
	}
	return "", fmt.Errorf("%s: too many symbolic links", path)
}

// sameFile reports whether two paths lead to the same file. What takes what is
// written away, as a terminal or the null device does, can be had twice.
func sameFile(a, b string) bool {
	first, errA := os.Stat(a)
	second, errB := os.Stat(b)
	return errA == nil && errB == nil && first.Mode()&os.ModeCharDevice == 0 && os.SameFile(first, second)
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
	err := form(o.file, r)
	if o.inPlace {
		return errors.Join(err, o.file.Close())
	}
	err = errors.Join(err, o.file.Chmod(o.mode), o.file.Close())
	if err == nil {
		err = o.scratch.rename(o.file.Name(), o.target)
	}
	return err
}

// discard removes what did not become a report.
func (o *outputs) discard() {
	for _, out := range []*output{o.json, o.html} {
		if out == nil {
			continue
		}
		_ = out.file.Close()
		if !out.inPlace {
			out.scratch.remove(out.file.Name())
		}
	}
}

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// outputs are the reports that are wanted. Their files are made before anything is
// asked, so that no money is spent on what cannot be written, and take their names
// when they are whole.
type outputs struct {
	stdout io.Writer
	// onStdout is the flag whose report goes there in place of the table, if any.
	onStdout string
	files    []*output
}

// wanted is a report that a flag asks for, at a path; an empty one is not wanted.
type wanted struct{ flag, path string }

// output is a file in the making: a temporary one beside the one that it will
// be, or, in place, a device or pipe that is there and stays what it is.
type output struct {
	flag    string
	path    string // as it was given
	target  string
	mode    fs.FileMode
	file    *os.File
	inPlace bool
	scratch *scratch
}

// openOutputs makes the files; inputs are those that must not be written.
func (p *program) openOutputs(all []wanted, inputs []string) (*outputs, error) {
	o := &outputs{stdout: p.stdout}
	for _, w := range all {
		switch {
		case w.path == "":
			continue
		case w.path == stdoutPath && o.onStdout != "":
			o.discard()
			return nil, fmt.Errorf("%s: standard output is that of %s", w.flag, o.onStdout)
		case w.path == stdoutPath:
			o.onStdout = w.flag
			continue
		}
		out, err := p.newOutput(w, inputs, o.files)
		if err != nil {
			o.discard()
			return nil, fmt.Errorf("%s: %w", w.flag, err)
		}
		o.files = append(o.files, out)
	}
	return o, nil
}

func (p *program) newOutput(w wanted, inputs []string, others []*output) (*output, error) {
	path := w.path
	for _, input := range inputs {
		if sameFile(path, input) {
			return nil, fmt.Errorf("%s is read from: it is not written over", path)
		}
	}
	for _, other := range others {
		if sameFile(path, other.path) {
			return nil, other.shared(path)
		}
	}
	const everybodyReads = 0o644
	out := &output{flag: w.flag, path: path, target: path, mode: everybodyReads, scratch: &p.scratch}
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
	for _, other := range others {
		if target, err := resolved(other.path); err == nil && target == out.target {
			return nil, other.shared(path)
		}
	}
	for _, input := range inputs { // one that is not there yet, such as a journal
		if target, err := resolved(input); err == nil && target == out.target {
			return nil, fmt.Errorf("%s is read from: it is not written over", path)
		}
	}
	if out.file, err = p.scratch.create(filepath.Dir(out.target), "."+filepath.Base(out.target)+".*"); err != nil {
		return nil, err
	}
	return out, nil
}

func (o *output) shared(path string) error {
	return fmt.Errorf("%s is the file of %s too", path, o.flag)
}

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

// form writes a report in one way.
type form func(io.Writer) error

// write writes the report in every form that is wanted, by flag, and the table to
// standard output unless another goes there. One that cannot be written keeps no
// other from being. Who stops reading standard output wants no more of it.
func (o *outputs) write(table form, forms map[string]form) error {
	var errs []error
	for _, out := range o.files {
		if err := out.write(forms[out.flag]); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", out.flag, err))
		}
	}
	if o.onStdout != "" {
		table = forms[o.onStdout]
	}
	if err := table(o.stdout); err != nil && !errors.Is(err, syscall.EPIPE) {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func (o *output) write(f form) error {
	err := f(o.file)
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
	for _, out := range o.files {
		_ = out.file.Close()
		if !out.inPlace {
			out.scratch.remove(out.file.Name())
		}
	}
}

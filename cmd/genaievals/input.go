package main

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/genaievals/genaievals/internal/calibrate"
	"github.com/genaievals/genaievals/internal/calibrate/samples"
)

// stdinPath stands for standard input as a file of samples.
const stdinPath = "-"

// maxSpool is how much of a pipe is kept, in bytes: the samples are read several
// times over, which a pipe cannot give.
const maxSpool = 4 << 30

// inputs are the files of samples. Close them.
type inputs struct {
	open  []func() (iter.Seq2[samples.Sample, error], error)
	paths []string // of all that is read
	close []func()
}

// openInputs makes sure that all files can be read, and reads pipes to their end.
func (p *program) openInputs(f *calibrateFlags) (*inputs, error) {
	in := &inputs{}
	for _, path := range f.files {
		open, err := p.input(in, path, f.format)
		if err == nil {
			_, err = open()
		}
		if err != nil {
			in.Close()
			return nil, err
		}
		in.open = append(in.open, open)
	}
	return in, nil
}

func (p *program) input(in *inputs, path, format string) (func() (iter.Seq2[samples.Sample, error], error), error) {
	name, pipe := path, p.stdin
	if path == stdinPath {
		name = "standard input"
		if pipe == nil {
			return nil, errors.New("there is no standard input")
		}
	} else {
		in.paths = append(in.paths, samples.Files(path)...)
		info, err := os.Stat(path)
		if err != nil || info.Mode().IsRegular() || info.IsDir() {
			return func() (iter.Seq2[samples.Sample, error], error) { return p.open(path, format) }, nil
		}
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		pipe = file
	}
	kept, size, err := p.spool(in, pipe)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return func() (iter.Seq2[samples.Sample, error], error) {
		return samples.Read(io.NewSectionReader(kept, 0, size), name, format)
	}, nil
}

// spool keeps what a pipe gives in a temporary file that is gone when inputs are
// closed.
func (p *program) spool(in *inputs, pipe io.Reader) (io.ReaderAt, int64, error) {
	file, err := p.scratch.create("", "genaievals-*")
	if err != nil {
		return nil, 0, err
	}
	in.close = append(in.close, func() {
		_ = file.Close()
		p.scratch.remove(file.Name())
	})
	size, err := io.Copy(file, io.LimitReader(pipe, p.mostSpool()+1))
	if err == nil && size > p.mostSpool() {
		err = fmt.Errorf("more than %d MiB, which a file can be but not a pipe", p.mostSpool()>>20)
	}
	return file, size, err
}

func (p *program) mostSpool() int64 {
	if p.maxSpool > 0 {
		return p.maxSpool
	}
	return maxSpool
}

// source is the files, one after the other, or the bundled samples.
func (p *program) source(in *inputs) calibrate.Source {
	if len(in.open) == 0 {
		return func() (iter.Seq2[samples.Sample, error], error) { return p.bundled(), nil }
	}
	return func() (iter.Seq2[samples.Sample, error], error) {
		return func(yield func(samples.Sample, error) bool) {
			for _, open := range in.open {
				stream, err := open()
				if err != nil {
					yield(samples.Sample{}, err)
					return
				}
				for s, err := range stream {
					if !yield(s, err) {
						return
					}
				}
			}
		}, nil
	}
}

// Close lets go of what pipes gave.
func (in *inputs) Close() {
	for _, f := range in.close {
		f()
	}
}

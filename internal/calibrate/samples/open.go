package samples

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/genaievals/genaievals/internal/rows"
)

// Open returns the samples of a file. format is the name of one of [Formats],
// or NAME:METRIC where a set serves several metrics; empty recognises it by the
// columns. A text file of TweetEval is read with the labels beside it.
//
// The file is opened at once, to recognise it, and again for every range over
// the samples, which closes it. The errors are those of reading the file and
// [ErrUnknownFormat]. What is yielded is described in the package documentation.
func Open(path, format string) (iter.Seq2[Sample, error], error) {
	probe, err := openSource(path, format)
	if err != nil {
		return nil, err
	}
	probe.close()
	return func(yield func(Sample, error) bool) {
		s, err := openSource(path, format)
		if err != nil {
			yield(Sample{}, err)
			return
		}
		defer s.close()
		s.yieldAll(yield)
	}, nil
}

// Read returns the samples of r, as [Open] does. name is for messages, and for
// recognising formats that only the path tells apart. It reads the first row at
// once and the others while they are ranged over, which can be done once.
func Read(r io.Reader, name, format string) (iter.Seq2[Sample, error], error) {
	s, err := sourceOf(r, name, format)
	if err != nil {
		return nil, err
	}
	return s.yieldAll, nil
}

// Files returns the paths that [Open] reads for one: itself, and the labels
// beside it where there are any.
func Files(path string) []string {
	if labels, ok := labelsBeside(path); ok {
		return []string{path, labels}
	}
	return []string{path}
}

// source is a file that is being read, of a format and for a metric.
type source struct {
	name   string
	reader rows.Reader
	format *mapping
	metric string
	files  []io.Closer
}

func (s *source) close() {
	for _, f := range s.files {
		f.Close() // only read from
	}
}

// openSource opens a file, and the labels beside it where it is one of texts.
func openSource(path, format string) (*source, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	s := &source{name: path}
	if labels, ok := labelsBeside(path); ok {
		var g *os.File
		if g, err = os.Open(labels); err == nil {
			s.reader, s.files = pairOf(f, g), []io.Closer{g}
			s.format, s.metric, err = choose(path, format, rows.Of(0, rows.Columns(pairColumns)))
		}
	} else {
		s, err = sourceOf(f, path, format)
	}
	if err != nil {
		f.Close()
		if s != nil {
			s.close()
		}
		return nil, err
	}
	s.files = append(s.files, f)
	return s, nil
}

// yieldAll reads to the end, or as far as the caller wants.
func (s *source) yieldAll(yield func(Sample, error) bool) {
	for {
		r, err := s.reader.Next()
		var b *rows.Error
		switch {
		case errors.As(err, &b):
			if !yield(Sample{}, &RowError{Name: s.name, Row: b.Number, Item: b.Item, Err: b.Err}) {
				return
			}
			continue
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			yield(Sample{}, fmt.Errorf("reading %s: %w", s.name, err))
			return
		}
		made, err := s.format.read(r, s.metric)
		if err != nil && !yield(Sample{}, &RowError{Name: s.name, Row: r.Number, Item: r.Item, Err: err}) {
			return
		}
		for _, sample := range made {
			var err error
			if sample.Label == leftOut {
				sample, err = Sample{}, &LeftOutError{Reason: sample.Note}
			}
			if !yield(sample, err) {
				return
			}
		}
	}
}

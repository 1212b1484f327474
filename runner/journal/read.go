package journal

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/genaievals/genaievals/runner"
)

// Reader reads a journal from its beginning. It is for one goroutine.
type Reader struct {
	file   *os.File
	walker *walker
	header Header
	end    End
	ended  bool
}

// Read opens a journal for reading, also one that a run appends to, and reads its
// header. The error is that of the file, or [ErrNotJournal].
func Read(path string) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the journal: %w", err)
	}
	r := &Reader{file: f, walker: newWalker(path, f)}
	if r.header, err = r.walker.header(); err != nil {
		f.Close()
		if errors.Is(err, io.EOF) {
			err = fmt.Errorf("%s: %w: it has no whole line", path, ErrNotJournal)
		}
		return nil, fmt.Errorf("read the journal: %w", err)
	}
	return r, nil
}

// Header is the first line.
func (r *Reader) Header() Header { return r.header }

// Records yields the records in the order of the file, once. The last error, if
// any, is [ErrCorrupt] or that of reading; a torn end is none, see [Reader.Torn].
// A record is the caller's to keep. Its results have evaluator, version, type,
// threshold and direction filled in from the header.
//
// While a run that was resumed goes on, and until it ends, a record can be followed
// by one of the same id and another sum: then the item has changed since, and all
// earlier records of it are void.
func (r *Reader) Records() iter.Seq2[*runner.Record, error] {
	return func(yield func(*runner.Record, error) bool) {
		for {
			l, err := r.walker.line()
			switch {
			case errors.Is(err, io.EOF):
				return
			case err != nil:
				yield(nil, err)
				return
			}
			r.ended = l.kind == typeEnd
			switch {
			case r.ended:
				r.end = l.end
			case l.record != nil && !yield(l.record, nil):
				return
			}
		}
	}
}

// End is the last line, once all records were read; ok is false where the run did
// not end, or goes on.
func (r *Reader) End() (e End, ok bool) { return r.end, r.ended }

// Torn is how many bytes at the end are of a record that was not written to its
// end, once all records were read.
func (r *Reader) Torn() int64 { return r.walker.torn }

// Close closes the file.
func (r *Reader) Close() error { return r.file.Close() }

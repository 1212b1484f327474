package journal

import (
	"context"
	"errors"
	"iter"

	"github.com/genaievals/genaievals/runner"
)

// Reader reads a journal from its beginning.
type Reader struct{}

// Read opens a journal for reading, also one that a run appends to, and reads its
// header. The error is that of the file, or [ErrNotJournal].
func Read(path string) (*Reader, error) { return nil, errors.ErrUnsupported }

// Header is the first line.
func (r *Reader) Header() Header { return Header{} }

// Records yields the records in the order of the file, once. The last error, if
// any, is [ErrCorrupt] or that of reading; a torn end is none, see [Reader.Torn].
// A record is the caller's to keep. Its results have evaluator, version, type,
// threshold and direction filled in from the header.
func (r *Reader) Records() iter.Seq2[*runner.Record, error] { return nil }

// End is the last line, once all records were read; ok is false where the run did
// not end, or goes on.
func (r *Reader) End() (e End, ok bool) { return }

// Torn is how many bytes at the end are of a record that was not written to its
// end, once all records were read.
func (r *Reader) Torn() int64 { return 0 }

// Close closes the file.
func (r *Reader) Close() error { return nil }

// Event is what [Follow] saw: one of its fields is set.
type Event struct {
	// Header: the journal begins, or begins anew since it was replaced; all that
	// was told before is void.
	Header *Header
	Record *runner.Record
	// End: the run ended. It may be resumed.
	End *End
	// CaughtUp: all that is in the file was told.
	CaughtUp bool
}

// Follow yields what is in a journal and then what is appended to it, looking four
// times a second, until ctx ends or the caller breaks out. A file that is not there
// yet is waited for. An error is the last thing that is yielded.
func Follow(ctx context.Context, path string) iter.Seq2[Event, error] { return nil }

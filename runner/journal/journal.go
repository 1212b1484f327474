package journal

import (
	"errors"

	"github.com/genaievals/genaievals/runner"
)

// States of a journal file.
var (
	// ErrExists: the file has something in it.
	ErrExists = errors.New("the journal exists")
	// ErrLocked: another run appends to it.
	ErrLocked = errors.New("the journal is in use by another run")
	// ErrOtherRun: its results are of other evaluators, metrics, or settings of
	// theirs. The text says what differs.
	ErrOtherRun = errors.New("the journal is of another run")
	// ErrCorrupt: a line before the last cannot be read.
	ErrCorrupt = errors.New("the journal is corrupt")
	// ErrNotJournal: it is a file of another kind, or of a later version.
	ErrNotJournal = errors.New("not a journal")
)

// Journal is one that a run appends to. Its methods are safe for concurrent use.
// It is a [runner.Journal].
type Journal struct{}

// Recovery is what [Resume] found.
type Recovery struct {
	// Items have kept results; Kept counts these, Redone those that are dropped
	// because they failed, or were skipped for want of a budget, and Duplicates
	// those that stood there twice or were of content that had changed already.
	Items, Kept, Redone, Duplicates int64
	// Torn is how many bytes were cut off the end, which a run that was killed had
	// left there.
	Torn int64
	// Finished: the run had ended, and End is what it said.
	Finished bool
	End      End
}

// Create begins a journal. A file that is there already must be empty, else
// [ErrExists]. The folder must exist. It takes the lock of the file; see [Resume].
func Create(path string, h Header) (*Journal, error) { return nil, errors.ErrUnsupported }

// Resume goes on with a journal, or begins one where there is none or an empty
// one. Errors: [ErrLocked], [ErrOtherRun], [ErrCorrupt], [ErrNotJournal].
func Resume(path string, h Header) (*Journal, error) { return nil, errors.ErrUnsupported }

// Recovered is what Resume found; zero after Create.
func (j *Journal) Recovered() Recovery { return Recovery{} }

// Done implements [runner.Journal].
func (j *Journal) Done(id string, sum uint64) runner.Kept { return nil }

// Append implements [runner.Journal]: it buffers.
func (j *Journal) Append(r *runner.Record) error { return errors.ErrUnsupported }

// Sync implements [runner.Journal]: what was appended is on the disk when it
// returns nil.
func (j *Journal) Sync() error { return errors.ErrUnsupported }

// Finish writes the last line and syncs. Where nothing was appended to a journal
// that was finished already, nothing is written.
func (j *Journal) Finish(e End) error { return errors.ErrUnsupported }

// Close syncs and lets go of the file. A second call does nothing.
func (j *Journal) Close() error { return nil }

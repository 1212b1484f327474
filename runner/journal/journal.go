package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

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
	// ErrClosed: the journal was closed.
	ErrClosed = errors.New("the journal is closed")
)

// flushAt is how many bytes are kept back before they are written.
const flushAt = 64 << 10

// Journal is one that a run appends to. Its methods are safe for concurrent use; a
// nil Journal has nothing and takes nothing. It is a [runner.Journal].
//
// Once a write has failed, as on a full disk, every further call fails with the
// same error. What was written before stays: the file ends with a whole line, and
// can be resumed.
type Journal struct {
	mu     sync.Mutex
	path   string
	held   *held
	header Header
	index  *index
	buf    []byte
	// size is where the file's last whole line ends.
	size int64
	// base is where this run began to append, once it has: begun.
	base  int64
	begun bool
	// endAt is where the last line begins if it is an end.
	endAt int64
	ended bool
	// unsynced: the file was changed since the last sync.
	unsynced bool
	// finished: this run wrote the last line.
	finished bool
	// unsettled says that the file has lines that this run takes the place of.
	unsettled bool
	recovery  Recovery
	failed    error
	closed    bool
	// writeAt writes to the file. Tests fill the disk here.
	writeAt func(b []byte, at int64) (int, error)
}

var _ runner.Journal = (*Journal)(nil)

// Recovery is what [Resume] found.
type Recovery struct {
	// Items are those the journal has. Kept counts the results that stay, Redone
	// those that do not because they failed or were skipped for want of a budget, and
	// items that failed as a whole; Duplicates those that stood there twice or were
	// of content that had changed before.
	Items, Kept, Redone, Duplicates int64
	// Torn is how many bytes were cut off the end, which a run that was killed had
	// left there.
	Torn int64
	// Finished: the run had ended, and End is what it said.
	Finished bool
	End      End
}

// Recovered is what Resume found; zero after Create.
func (j *Journal) Recovered() Recovery {
	if j == nil {
		return Recovery{}
	}
	return j.recovery
}

// Done implements [runner.Journal]. What the journal has of the id with another
// sum is of content that has changed: it is dropped. An item of an id that the run
// has asked for already has nothing, unless it has the same content.
func (j *Journal) Done(id string, sum uint64) runner.Kept {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	at, ok := j.index.find(id)
	if !ok {
		return nil
	}
	first := j.index.set(at, seen)
	if j.index.items[at].sum == sum {
		return kept{j, at}
	}
	if first {
		j.index.renew(at, sum)
		j.unsettled = true
	}
	return nil
}

// kept is what there is of an item.
type kept struct {
	j  *Journal
	at uint32
}

func (k kept) Has(evaluator, metric string) bool {
	k.j.mu.Lock()
	defer k.j.mu.Unlock()
	column, ok := k.j.index.columns[[2]string{evaluator, metric}]
	return ok && k.j.index.has(k.at, column)
}

// Output reads the output from the file. One that cannot be read is not known.
func (k kept) Output() (output string, ok bool) {
	k.j.mu.Lock()
	defer k.j.mu.Unlock()
	offset, ok := k.j.index.outputs[k.at]
	if !ok || k.j.closed {
		return "", false
	}
	w := newWalker(k.j.path, io.NewSectionReader(k.j.held.file, offset, maxLine))
	w.decoder = newDecoder(&k.j.header)
	l, err := w.line()
	if err != nil || l.record == nil || !l.record.HasOutput {
		return "", false
	}
	return l.record.Output, true
}

// Append implements [runner.Journal]. It buffers: a run that is killed loses what
// was appended since the last Sync or, if only the process dies, the last 64 KiB.
func (j *Journal) Append(r *runner.Record) error {
	if j == nil || r == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.begin(); err != nil {
		return err
	}
	before := len(j.buf)
	j.buf = appendRecord(j.buf, r)
	if n := len(j.buf) - before; n > maxLine {
		j.buf = j.buf[:before]
		return fmt.Errorf("%s: a record of %d bytes, expected at most %d", j.path, n, maxLine)
	}
	if len(j.buf) < flushAt {
		return nil
	}
	return j.flush()
}

// Sync implements [runner.Journal]: what was appended is on the disk when it
// returns nil. It blocks for as long as the disk takes.
func (j *Journal) Sync() error {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.written(); err != nil || !j.unsynced {
		return err
	}
	file, size := j.held.file, j.size
	j.mu.Unlock() // who asks what is done does not wait for the disk
	err := file.Sync()
	j.mu.Lock()
	if err != nil {
		return j.fail(err)
	}
	j.unsynced = j.size != size
	return nil
}

// sync is Sync with the lock held throughout.
func (j *Journal) sync() error {
	if err := j.written(); err != nil || !j.unsynced {
		return err
	}
	if err := j.held.file.Sync(); err != nil {
		return j.fail(err)
	}
	j.unsynced = false
	return nil
}

// written hands what was appended to the system. The lock is held.
func (j *Journal) written() error {
	switch {
	case j.closed:
		return ErrClosed
	case j.failed != nil:
		return j.failed
	}
	return j.flush()
}

// begin makes the file ready for what this run appends, before the first record:
// what the run takes the place of goes, and so does the end of the run before.
func (j *Journal) begin() error {
	switch {
	case j.closed:
		return ErrClosed
	case j.failed != nil:
		return j.failed
	case j.begun:
		return nil
	}
	if j.unsettled {
		if err := j.rewrite(j.size); err != nil {
			return j.fail(err)
		}
	} else if j.ended {
		if err := j.cut(j.endAt); err != nil {
			return j.fail(err)
		}
	}
	j.begun, j.ended, j.unsettled, j.base = true, false, false, j.size
	return nil
}

// flush writes what was kept back. What fits is there: of a write that fails only
// the part of a line at its end is taken back.
func (j *Journal) flush() error {
	if len(j.buf) == 0 {
		return nil
	}
	n, err := j.writeAt(j.buf, j.size)
	j.unsynced = true
	if err == nil {
		j.size += int64(n)
		j.buf = j.buf[:0]
		return nil
	}
	// os.File does not tell how much of a write is there that failed in the end.
	if info, err := j.held.file.Stat(); err == nil {
		n = max(n, min(int(info.Size()-j.size), len(j.buf)))
	}
	whole := bytes.LastIndexByte(j.buf[:n], '\n') + 1
	j.buf = nil
	return j.fail(errors.Join(err, j.cut(j.size+int64(whole))))
}

// cut ends the file after size bytes.
func (j *Journal) cut(size int64) error {
	if err := j.held.file.Truncate(size); err != nil {
		return err
	}
	j.size, j.unsynced = size, true
	return nil
}

func (j *Journal) fail(err error) error {
	j.failed = fmt.Errorf("write the journal: %w", err)
	return j.failed
}

// Finish writes the last line and syncs; e.Orphans is filled in. Nothing is written
// where the journal had an end and the run appended nothing to it, but for a run
// that is complete and says so for the first time.
func (j *Journal) Finish(e End) error {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.finished {
		return nil
	}
	if j.ended && (!j.begun && e.Incomplete != "" || e.Incomplete == j.recovery.End.Incomplete) && !j.closed && j.failed == nil {
		return nil
	}
	if err := j.begin(); err != nil {
		return err
	}
	if j.unsettled { // content changed that was found out after the first record
		if err := j.flush(); err != nil {
			return err
		}
		if err := j.rewrite(j.base); err != nil {
			return j.fail(err)
		}
		j.unsettled = false
	}
	e.Orphans = j.orphans()
	line, err := e.line()
	if err != nil {
		return err
	}
	j.buf = append(j.buf, line...)
	if err := j.sync(); err != nil {
		return err
	}
	j.finished = true
	return nil
}

// Orphans counts the items that the journal has of an earlier run and that this
// one has not asked about, so far: at the end of the dataset those that it does not
// have any more. It may be called from several goroutines.
func (j *Journal) Orphans() int64 {
	if j == nil {
		return 0
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.orphans()
}

func (j *Journal) orphans() (n int64) {
	for i := range j.index.items {
		if !j.index.has(uint32(i), seen) {
			n++
		}
	}
	return n
}

// Close syncs and lets go of the file. A second call does nothing.
func (j *Journal) Close() error {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return nil
	}
	err := j.sync()
	j.closed = true
	return errors.Join(err, j.held.close())
}

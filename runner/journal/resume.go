package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/genaievals/genaievals/runner"
)

// Create begins a journal. A file that is there already must be empty, else
// [ErrExists]. The folder must exist. A new file is its owner's alone to read:
// explanations quote content. It takes the lock of the file; see [Resume].
func Create(path string, h Header) (*Journal, error) {
	return open(path, h, func(j *Journal) error {
		if j.size > 0 {
			return fmt.Errorf("%w: %s", ErrExists, path)
		}
		return j.first()
	})
}

// Resume goes on with a journal, or begins one where there is none or an empty
// one.
//
// It cuts off what a killed run left half written and reads the rest. What was
// scored stays, and what was skipped, but for want of a budget or because the run
// was ended; results that failed are asked again. Nothing else is written before
// the first Append: then the file is replaced, if it has lines that are no longer
// true, by one without them. A finished journal that has nothing to redo is not
// touched.
//
// In memory it keeps about 40 bytes for each item, and 8 more for every 64 metrics
// beyond 63; the outputs of a task stay in the file, at 20 bytes each.
//
// One process at a time holds a journal, by a lock that the system takes back
// however the process ends: [ErrLocked]. [ErrOtherRun]: its results could not stand
// beside those of h, since an evaluator's version or judge model, or a metric's
// threshold, direction, labels, judge, model or options are others, or the run asks
// a metric no longer that is in the file; metrics may be added. [ErrCorrupt]: a line
// cannot be read and others behind it can, so that no killed run is to blame.
// [ErrNotJournal]: it is another file, which stays as it is.
func Resume(path string, h Header) (*Journal, error) {
	return open(path, h, func(j *Journal) error {
		if j.size == 0 {
			return j.first()
		}
		return j.recover()
	})
}

func open(path string, h Header, begin func(j *Journal) error) (*Journal, error) {
	// A link stays one when the file is replaced.
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("open the journal: %s is no regular file", path)
	}
	held, err := hold(path, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, fmt.Errorf("open the journal: %w", err)
	}
	j := &Journal{path: path, held: held, header: h, index: newIndex(&h)}
	j.writeAt = held.file.WriteAt
	info, err := held.file.Stat()
	if err == nil {
		j.size = info.Size()
		err = begin(j)
	}
	if err != nil {
		held.close()
		return nil, fmt.Errorf("open the journal: %w", err)
	}
	return j, nil
}

// first writes the header of a new journal.
func (j *Journal) first() error {
	if j.header.Started.IsZero() {
		j.header.Started = time.Now()
	}
	line, err := j.header.line()
	if err != nil {
		return err
	}
	j.begun, j.buf = true, line
	if err := j.sync(); err != nil {
		return err
	}
	j.base = j.size
	return syncFolder(filepath.Dir(j.path))
}

// recover reads what an earlier run left.
func (j *Journal) recover() error {
	w := newWalker(j.path, io.NewSectionReader(j.held.file, 0, j.size))
	was, err := w.header()
	if errors.Is(err, io.EOF) {
		return j.recoverHeader()
	}
	if err != nil {
		return err
	}
	if what := differences(&was, &j.header); what != "" {
		return fmt.Errorf("%w: %s", ErrOtherRun, what)
	}
	for {
		l, err := w.line()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		j.take(&l)
	}
	j.recovery.Items, j.recovery.Torn = int64(len(j.index.items)), w.torn
	j.recovery.Finished = j.ended
	if w.torn > 0 {
		if err := j.cut(w.valid); err != nil {
			return err
		}
	}
	if !was.Started.IsZero() {
		j.header.Started = was.Started
	}
	j.unsettled = j.unsettled || outdated(&was, &j.header)
	return nil
}

// recoverHeader begins anew where a run was killed while it wrote the first line.
func (j *Journal) recoverHeader() error {
	const begins = `{"type":"` + typeRun + `"`
	start := make([]byte, min(j.size, int64(len(begins))))
	if _, err := j.held.file.ReadAt(start, 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if !bytes.HasPrefix([]byte(begins), start) && len(bytes.Trim(start, "\x00")) > 0 {
		return fmt.Errorf("%s: %w: its first line is not one of type %s", j.path, ErrNotJournal, typeRun)
	}
	j.recovery.Torn = j.size
	if err := j.cut(0); err != nil {
		return err
	}
	return j.first()
}

// take notes a line that is in the file.
func (j *Journal) take(l *line) {
	if j.ended && l.kind != typeEnd {
		j.unsettled = true // an end that is not the last line
	}
	j.ended = l.kind == typeEnd
	switch {
	case l.kind == typeEnd:
		j.endAt, j.recovery.End = l.offset, l.end
	case l.record == nil:
	default:
		j.takeRecord(l.record, l.offset)
	}
}

func (j *Journal) takeRecord(r *runner.Record, offset int64) {
	if r.Evaluator == "" && (r.ErrorType != "" || !r.HasOutput) {
		j.recovery.Redone++
		j.unsettled = true
		return
	}
	at := j.index.item(r.ID, r.Sum)
	if j.index.items[at].sum != r.Sum {
		j.recovery.Duplicates++
		j.index.renew(at, r.Sum)
		j.unsettled = true
	}
	if r.Evaluator == "" {
		if _, ok := j.index.outputs[at]; ok {
			j.recovery.Duplicates++
			j.unsettled = true
			return
		}
		j.index.outputs[at] = offset
		return
	}
	for i := range r.Results {
		column, ok := j.index.columns[[2]string{r.Evaluator, r.Results[i].Metric}]
		switch {
		case !settled(&r.Results[i]):
			j.recovery.Redone++
			j.unsettled = true
		case !ok || !j.index.set(at, column):
			j.recovery.Duplicates++
			j.unsettled = true
		default:
			j.recovery.Kept++
		}
	}
}

package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"time"

	"github.com/genaievals/genaievals/runner"
)

// followEvery is how often [Follow] looks for more.
const followEvery = 250 * time.Millisecond

// Event is what [Follow] saw: one of its fields is set.
type Event struct {
	// Header: the journal begins, or begins anew since it was replaced; all that
	// was told before is void.
	Header *Header
	Record *runner.Record
	// End: the run ended. It may be resumed: records that follow are of the same
	// journal.
	End *End
	// CaughtUp: all that is in the file was told.
	CaughtUp bool
}

// Follow yields what is in a journal and then what is appended to it, looking four
// times a second, until ctx ends or the caller breaks out. A file that is not there
// yet, or has no header, is waited for. An error is the last thing that is yielded.
func Follow(ctx context.Context, path string) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		f := &follower{path: path, yield: yield}
		defer f.close()
		ticker := time.NewTicker(followEvery)
		defer ticker.Stop()
		for {
			if err := f.look(); err != nil {
				if !errors.Is(err, errEnough) {
					yield(Event{}, err)
				}
				return
			}
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
		}
	}
}

// errEnough: the caller wants no more.
var errEnough = errors.New("enough")

// follower is one Follow.
type follower struct {
	path    string
	yield   func(Event, error) bool
	file    *os.File
	header  Header
	at      int64 // where the next line begins
	number  int   // of the line before that
	last    []byte
	decoder *decoder
	told    bool // CaughtUp, since the last other event
	doubted bool // what follows could not be read, once
}

func (f *follower) close() {
	if f.file != nil {
		f.file.Close()
		f.file = nil
	}
}

func (f *follower) tell(e Event) error {
	f.told = e.CaughtUp
	if !f.yield(e, nil) {
		return errEnough
	}
	return nil
}

// look tells what is there since the last time.
func (f *follower) look() error {
	if f.file != nil && !f.same() {
		f.close()
	}
	if f.file == nil {
		if err := f.open(); err != nil || f.file == nil {
			return err
		}
	}
	w := newWalker(f.path, io.NewSectionReader(f.file, f.at, 1<<62-f.at))
	w.decoder, w.next, w.valid, w.number = f.decoder, f.at, f.at, f.number
	if w.decoder == nil {
		header, err := w.header()
		if errors.Is(err, io.EOF) {
			return nil // not there yet
		}
		if err != nil {
			return err
		}
		f.header, f.decoder = header, w.decoder
		f.at, f.number = w.valid, w.number
		h := f.header
		if err := f.tell(Event{Header: &h}); err != nil {
			return err
		}
	}
	for {
		l, err := w.line()
		if errors.Is(err, io.EOF) {
			break
		}
		if errors.Is(err, ErrCorrupt) && !f.doubted {
			f.doubted = true // the run may just be cutting the end that was being read
			return nil
		}
		if err != nil {
			return err
		}
		f.doubted = false
		f.at, f.number, f.last = w.valid, w.number, append(append(f.last[:0], l.text...), '\n')
		switch {
		case l.kind == typeEnd:
			err = f.tell(Event{End: &l.end})
		case l.record != nil:
			err = f.tell(Event{Record: l.record})
		}
		if err != nil {
			return err
		}
	}
	if f.told {
		return nil
	}
	return f.tell(Event{CaughtUp: true})
}

// open opens the file if it is there.
func (f *follower) open() error {
	file, err := os.Open(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("follow the journal: %w", err)
	}
	*f = follower{path: f.path, yield: f.yield, file: file}
	return nil
}

// same reports whether what was read still stands in the file of that path. A run
// that is resumed replaces the file, or cuts the end of the run before, of which
// only that it ended is no longer true.
func (f *follower) same() bool {
	mine, err := f.file.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(f.path)
	if err != nil || !os.SameFile(mine, there) {
		return false
	}
	if len(f.last) == 0 {
		return f.at <= mine.Size()
	}
	stands := make([]byte, len(f.last))
	from := f.at - int64(len(f.last))
	if n, err := f.file.ReadAt(stands, from); err == nil && n == len(stands) && bytes.Equal(stands, f.last) {
		return true
	}
	if bytes.HasPrefix(f.last, []byte(`{"type":"`+typeEnd+`"`)) && mine.Size() >= from {
		f.at, f.number, f.last = from, f.number-1, f.last[:0]
		return true
	}
	return false
}

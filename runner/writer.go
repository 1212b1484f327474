package runner

import (
	"errors"
	"fmt"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/asking"
)

// What was appended is made durable after syncEvery or syncRecords, whichever
// comes first; but a disk of which each sync takes long is not asked for the next
// until syncShare times that has passed, or syncEvery.
const (
	syncEvery   = 200 * time.Millisecond
	syncRecords = 1000
	syncShare   = 20
)

// outgoing is what is to be recorded: a share, or an item as a whole.
type outgoing struct {
	w      *work
	share  *share
	output bool // the task's output, and the item goes on
}

// writer is the goroutine that makes records and owns the journal's Append and
// Sync.
type writer struct {
	r        *Run
	failed   bool // the journal has
	unsynced int
	first    time.Time     // of them, when it was appended
	synced   time.Time     // when that last ended
	took     time.Duration // the last sync
	shares   []*share
	works    []*work
}

func (w *writer) run() {
	defer close(w.r.written)
	returned := false
	defer func() { w.r.unless(returned, "OnRecord, or the journal") }()
	var batch []outgoing
	timer := time.NewTimer(syncEvery)
	defer timer.Stop()
	for {
		var over bool
		batch, over = w.r.outbox.swap(batch)
		for i := range batch {
			w.write(&batch[i])
			if w.due(time.Now) {
				w.sync()
			}
		}
		w.passOn()
		if len(batch) > 0 {
			continue
		}
		if over {
			w.sync()
			returned = true
			return
		}
		if w.unsynced == 0 {
			<-w.r.outbox.signal
			continue
		}
		timer.Reset(time.Until(w.first.Add(syncEvery)))
		select {
		case <-w.r.outbox.signal:
		case <-timer.C:
			w.sync()
		}
	}
}

// due reports whether it is time for a sync. It looks at the clock seldom.
func (w *writer) due(clock func() time.Time) bool {
	if w.unsynced == 0 || w.unsynced%64 != 0 && w.unsynced != 1 {
		return false
	}
	now := clock()
	if w.unsynced == 1 {
		w.first = now
		return false
	}
	return now.Sub(w.first) >= syncEvery || w.unsynced >= syncRecords && now.Sub(w.synced) >= syncShare*w.took
}

// write records one thing.
func (w *writer) write(o *outgoing) {
	if rec := w.record(o); rec != nil {
		w.append(rec)
		if w.r.cfg.onRecord != nil && !w.failed {
			if err := contained(func() error { w.r.cfg.onRecord(rec); return nil }); err != nil {
				w.r.cfg.onRecord = nil
				w.r.fail(fmt.Errorf("%w: OnRecord: %w", ErrHandler, err))
			}
		}
	}
	switch {
	case o.output:
	case w.failed: // nobody is told of what is not kept
		if o.share != nil {
			o.share.abandoned.Store(true)
			w.shares = append(w.shares, o.share)
		}
	case o.share != nil:
		w.shares = append(w.shares, o.share)
	default:
		w.works = append(w.works, o.w)
	}
}

// passOn hands on what was recorded.
func (w *writer) passOn() {
	w.r.arrived(w.shares)
	w.r.complete(w.works)
	clear(w.shares)
	clear(w.works)
	w.shares, w.works = w.shares[:0], w.works[:0]
}

// record makes one; nil where there is nothing to say.
func (w *writer) record(o *outgoing) *Record {
	item := &o.w.item
	rec := &Record{ID: item.ID, Index: item.Index, Line: item.Line, Sum: o.w.sum, At: time.Now(), Metadata: item.Metadata}
	if w.r.cfg.content {
		rec.Input, rec.Output = o.w.c.Input, o.w.c.Output
	}
	switch {
	case o.output:
		rec.Output, rec.HasOutput = o.w.c.Output, true
	case o.share != nil:
		rec.Evaluator, rec.Results = o.share.menu.lane.name, o.share.reported()
		if len(rec.Results) == 0 {
			return nil
		}
	case o.w.errorType != "":
		rec.ErrorType, rec.Error = o.w.errorType, asking.Truncate(o.w.err.Error(), asking.MaxErrorText)
	default:
		return nil
	}
	return rec
}

// reported are the results that there are.
func (sh *share) reported() []evaluators.Result {
	all := true
	for i := range sh.results {
		all = all && sh.results[i].Outcome != 0
	}
	if all {
		return sh.results
	}
	var some []evaluators.Result
	for i := range sh.results {
		if sh.results[i].Outcome != 0 {
			some = append(some, sh.results[i])
		}
	}
	return some
}

func (w *writer) append(rec *Record) {
	if w.r.cfg.journal == nil || w.failed {
		return
	}
	if err := contained(func() error { return w.r.cfg.journal.Append(rec) }); err != nil {
		w.fail("append", err)
		return
	}
	w.unsynced++
}

// sync makes durable what was appended.
func (w *writer) sync() {
	if w.r.cfg.journal == nil || w.failed || w.unsynced == 0 {
		return
	}
	began := time.Now()
	if err := contained(w.r.cfg.journal.Sync); err != nil {
		w.fail("sync", err)
		return
	}
	w.synced = time.Now()
	w.took = w.synced.Sub(began)
	w.unsynced = 0
}

func (w *writer) fail(what string, err error) {
	w.failed = true
	w.r.fail(fmt.Errorf("%w: %s: %w", ErrJournal, what, err))
}

// contained calls a function of the caller's and turns its panic into an error.
func contained(f func() error) (err error) {
	returned := false
	defer func() {
		if !returned {
			err = errors.New("panic: " + asking.PanicText(recover()))
		}
	}()
	err = f()
	returned = true
	return err
}

// unless ends the run when a function of the caller's has ended a goroutine of
// the run's.
func (r *Run) unless(returned bool, what string) {
	if !returned {
		r.fail(fmt.Errorf("%w: %s ended its goroutine", ErrHandler, what))
	}
}

package runner

import (
	"fmt"
	"slices"

	"github.com/genaievals/genaievals/evaluators"
)

// shareDone hands on shares that a lane is through with: to the writer, or
// where nothing is recorded at once to those who wait for the items. It keeps
// nothing of the slice.
func (r *Run) shareDone(shares []*share) {
	if !r.writing {
		r.arrived(shares)
		return
	}
	batch := make([]outgoing, len(shares))
	for i, sh := range shares {
		batch[i] = outgoing{w: sh.w, share: sh}
	}
	r.outbox.add(batch...)
}

// itemDone hands on an item that no lane has: it failed as a whole, or there is
// nothing to ask.
func (r *Run) itemDone(w *work) {
	if r.writing {
		r.outbox.add(outgoing{w: w})
		return
	}
	r.complete([]*work{w})
}

// outputDone has the task's output recorded.
func (r *Run) outputDone(w *work) {
	if r.writing {
		r.outbox.add(outgoing{w: w, output: true})
	}
}

// abandonItem lets go of an item that no lane has, since the run has ended.
func (r *Run) abandonItem(w *work) { w.abandoned.Store(true) }

// arrived completes the items of which these are the last shares.
func (r *Run) arrived(shares []*share) {
	var buffer [mostChunk]*work
	works := buffer[:0]
	for _, sh := range shares {
		if sh.abandoned.Load() {
			sh.w.abandoned.Store(true)
		}
		if sh.w.pending.Add(-1) == 0 && !sh.w.abandoned.Load() {
			works = append(works, sh.w)
		}
	}
	r.complete(works)
}

// complete counts items that are through, and hands their results on.
func (r *Run) complete(works []*work) {
	if len(works) == 0 {
		return
	}
	if r.delivering {
		r.finished.add(works...)
	}
	r.tally.add(works)
	if !r.delivering {
		r.release(works)
	}
	select {
	case r.news <- struct{}{}:
	default:
	}
}

// release gives back what items held of the window.
func (r *Run) release(works []*work) {
	var bytes int64
	for _, w := range works {
		bytes += w.size.Load()
	}
	r.window.release(len(works), bytes)
}

// deliverer is the goroutine that hands results to the caller.
type deliverer struct {
	r    *Run
	next int64           // in order: the index of the next item
	held map[int64]*work // those that wait for one before them
}

func (d *deliverer) run() {
	defer close(d.r.delivered)
	returned := false
	defer func() { d.r.unless(returned, "OnResult") }()
	var batch []*work
	for {
		var over bool
		batch, over = d.r.finished.swap(batch)
		if len(batch) == 0 {
			if over {
				returned = true
				return
			}
			<-d.r.finished.signal
			continue
		}
		works := batch
		if d.r.cfg.ordered {
			works = d.inOrder(batch)
		}
		for part := range slices.Chunk(works, mostChunk) {
			d.hand(part)
		}
	}
}

// inOrder keeps what has come, and returns what is next.
func (d *deliverer) inOrder(batch []*work) (works []*work) {
	for _, w := range batch {
		d.held[w.item.Index] = w
	}
	for w := d.held[d.next]; w != nil; w = d.held[d.next] {
		delete(d.held, d.next)
		d.next++
		works = append(works, w)
	}
	return works
}

// hand calls the caller's function, and gives the window back.
func (d *deliverer) hand(works []*work) {
	r := d.r
	var stream []ItemResult
	for _, w := range works {
		result := w.result()
		if r.cfg.onResult != nil {
			if err := contained(func() error { r.cfg.onResult(result); return nil }); err != nil {
				r.cfg.onResult = nil
				r.fail(fmt.Errorf("%w: OnResult: %w", ErrHandler, err))
			}
		}
		if r.stream != nil {
			stream = append(stream, result)
		}
	}
	if len(stream) > 0 {
		select {
		case r.stream <- stream:
		case <-r.ctx.Done():
		}
	}
	r.release(works)
}

// result is what the caller sees of an item.
func (w *work) result() ItemResult {
	res := ItemResult{Item: w.item, Output: w.c.Output, Resumed: w.resumed, ErrorType: w.errorType, Err: w.err}
	if len(w.shares) == 1 {
		res.Results = w.shares[0].reported()
		return res
	}
	n := 0
	for i := range w.shares {
		n += len(w.shares[i].results)
	}
	if n > 0 {
		res.Results = make([]evaluators.Result, 0, n)
	}
	for i := range w.shares {
		res.Results = append(res.Results, w.shares[i].reported()...)
	}
	return res
}

package runner

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/genaievals/genaievals/internal/asking"
)

// reader pulls the dataset, on a goroutine of its own, and fans items out.
type reader struct {
	r          *Run
	seen       *seen
	selections selections
	next       int64 // the index of the next item
	err        error // that ended the reading
}

var errDatasetEnded = fmt.Errorf("%w: the dataset ended its goroutine", ErrHandler)

func (rd *reader) run() {
	defer close(rd.r.readingOver)
	rd.err = errDatasetEnded // unless it returns
	defer func() {
		if p := recover(); p != nil {
			rd.err = fmt.Errorf("%w: the dataset, or the journal asked what is done: %s", ErrHandler, asking.PanicText(p))
		}
	}()
	rd.err = rd.all()
}

func (rd *reader) all() error {
	for item, err := range rd.r.items {
		if rd.r.ctx.Err() != nil {
			return nil
		}
		if err = rd.one(item, err); err != nil {
			return err
		}
	}
	rd.r.readAll.Store(true)
	return nil
}

// one takes an item, or what is in its place, when there is room for it.
func (rd *reader) one(item Item, err error) error {
	r := rd.r
	w := &work{item: item}
	w.item.Index = rd.next
	var bad *ItemError
	if err != nil {
		if !errors.As(err, &bad) || bad == nil {
			return fmt.Errorf("reading the dataset: %w", err)
		}
		w.item = Item{ID: bad.ID, Index: rd.next, Line: bad.Line}
	}
	rd.next++
	if w.item.ID == "" {
		w.item.ID = "#" + strconv.FormatInt(rd.next, 10)
	}
	size := sizeOf(&w.item)
	w.size.Store(size)
	if !r.window.acquire(r.ctx, size) {
		return nil
	}
	r.read.Add(1)
	if bad != nil {
		return rd.refuse(w, ErrorBadItem, err)
	}
	at := uint32(rd.next)
	if w.item.Line > 0 {
		at = uint32(w.item.Line)
	}
	if before, again := rd.seen.first(w.item.ID, at); again {
		return rd.refuse(w, ErrorDuplicateID, duplicate(&w.item, before))
	}
	sel := rd.selections.of(w.item.Evaluators)
	if sel != nil && sel.err != nil {
		return rd.refuse(w, ErrorUnknownEvaluator, sel.err)
	}
	rd.fanOut(w, sel)
	return nil
}

func duplicate(item *Item, before uint32) error {
	if item.Line > 0 {
		return fmt.Errorf("the id %q is that of line %d already", clip(item.ID, 100), before)
	}
	return fmt.Errorf("the id %q is that of item %d already", clip(item.ID, 100), before)
}

func clip(s string, n int) string { return asking.Truncate(s, n) }

// refuse fails an item as a whole. With WithStrict that ends the run, and is the
// error.
func (rd *reader) refuse(w *work, errorType string, err error) error {
	var strict error
	if rd.r.cfg.strict {
		var bad *ItemError
		if strict = err; !errors.As(err, &bad) {
			strict = &ItemError{Name: "item " + strconv.Quote(clip(w.item.ID, 100)), Line: w.item.Line, ID: w.item.ID, Err: err}
		}
		rd.r.fail(strict)
	}
	w.errorType = errorType
	w.err, _ = asking.Plain(err)
	rd.r.itemDone(w)
	return strict
}

// fanOut hands an item to the task, or at once to the lanes that have something
// to ask which the journal does not have.
func (rd *reader) fanOut(w *work, sel *selection) {
	r := rd.r
	w.c = caseOf(&w.item)
	if r.writing {
		w.sum = Sum(&w.item)
	}
	var kept Kept
	if r.cfg.journal != nil {
		kept = r.cfg.journal.Done(w.item.ID, w.sum)
	}
	w.shares = make([]share, 0, len(r.lanes))
	for i, l := range r.lanes {
		m := l.menus[w.c.Kind]
		if m == nil {
			continue
		}
		var wanted []int
		if sel != nil {
			if wanted = sel.wanted[i][w.c.Kind]; len(wanted) == 0 {
				continue
			}
		}
		if kept != nil {
			if wanted = w.missing(kept, m, wanted); wanted != nil && len(wanted) == 0 {
				continue
			}
		}
		w.shares = append(w.shares, share{w: w, menu: m, wanted: wanted})
	}
	if len(w.shares) == 0 {
		r.itemDone(w)
		return
	}
	if r.task != nil {
		if kept != nil {
			if output, ok := kept.Output(); ok {
				w.setOutput(r, output)
				rd.pause(r.fanOut(w))
				return
			}
		}
		rd.pause(r.task.push(w))
		return
	}
	rd.pause(r.fanOut(w))
}

// pause waits, if nobody would take more soon, until somebody does.
func (rd *reader) pause(more bool) {
	if more {
		return
	}
	select {
	case <-rd.r.hungry:
	case <-rd.r.ctx.Done():
	}
}

// missing are those of the wanted metrics that a journal does not have.
func (w *work) missing(kept Kept, m *menu, wanted []int) []int {
	all := wanted == nil
	missing := []int{}
	ask := func(p int) {
		if kept.Has(m.lane.name, m.metrics[p].Name) {
			w.resumed++
		} else {
			missing = append(missing, p)
		}
	}
	if all {
		for p := range m.metrics {
			ask(p)
		}
		if len(missing) == len(m.metrics) {
			return nil
		}
		return missing
	}
	for _, p := range wanted {
		ask(p)
	}
	return missing
}

// setOutput puts what a task produced in the place of the item's output.
func (w *work) setOutput(r *Run, output string) {
	w.c.Output, w.c.Choices, w.c.ToolCallOnly, w.c.NonText, w.c.Truncated = output, 1, false, false, false
	n := int64(len(output))
	w.size.Add(n)
	r.window.grow(n)
}

// fanOut gives each lane its share. It reports whether a lane would take more
// soon.
func (r *Run) fanOut(w *work) (more bool) {
	n := len(w.shares)
	w.pending.Store(int32(n))
	more = n < len(r.lanes)
	for i := range n {
		sh := &w.shares[i]
		if sh.menu.lane.push(unit{share: sh}) {
			more = true
		}
	}
	return more
}

package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/genaievals/genaievals/runner"
	"github.com/genaievals/genaievals/runner/journal"
	"github.com/genaievals/genaievals/runner/report"
)

// liveSummary sums up what comes while others look at it.
type liveSummary struct {
	mu  sync.Mutex
	sum *report.Summary
}

func (l *liveSummary) add(rec *runner.Record) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sum.Add(rec)
}

// report is what was summed up so far; end is nil while the run goes on.
func (l *liveSummary) report(end *journal.End) *report.Report {
	l.mu.Lock()
	defer l.mu.Unlock()
	if end != nil {
		l.sum.End(*end)
	}
	return l.sum.Report()
}

// evaluate runs to the end, which says why that is not the dataset's. An error is
// one of what it was called with: nothing was evaluated.
func (r *datasetRun) evaluate(ctx context.Context) (end journal.End, err error) {
	options := []runner.Option{
		runner.WithName(r.header.Run), runner.WithTotal(r.header.Total), runner.WithConcurrency(r.f.concurrency),
		runner.WithItemTimeout(r.f.itemTimeout), runner.WithRunTimeout(r.f.runTimeout),
		runner.WithStrict(r.f.strict), runner.WithContent(r.f.content), runner.WithOnRecord(r.record),
	}
	met := &metItems{Journal: r.journal}
	if r.journal != nil {
		options = append(options, runner.WithJournal(met))
	}
	run, err := runner.Start(ctx, r.items, r.set, options...)
	if err != nil {
		return end, err
	}
	r.page.show(run.Status)
	stop := r.tell(run)
	status, err := run.Wait()
	stop()
	end = journal.End{Ended: status.Ended, Items: status.Done, Failed: status.Failed}
	switch {
	case err == nil:
	case errors.Is(err, context.Canceled):
		end.Incomplete = "interrupted"
	default:
		end.Incomplete = err.Error()
	}
	if end.Incomplete == "" {
		end.Orphans = r.journal.Orphans()
	}
	if r.journal != nil && !errors.Is(err, runner.ErrJournal) {
		if err := r.journal.Finish(end); err != nil && end.Incomplete == "" {
			end.Incomplete = err.Error()
		}
	}
	r.met = met.n
	return end, nil
}

// metItems is a journal that counts the items of which it had something.
type metItems struct {
	*journal.Journal
	n int64
}

// Done implements [runner.Journal], which is called from one goroutine at a time.
func (m *metItems) Done(id string, sum uint64) runner.Kept {
	kept := m.Journal.Done(id, sum)
	if kept != nil {
		m.n++
	}
	return kept
}

// record is told of every record as it comes.
func (r *datasetRun) record(rec *runner.Record) {
	if r.journal == nil || r.page != nil {
		r.live.add(rec)
	}
	r.page.offer(rec)
}

// tell shows the progress of a run until stop is called, which shows the end of
// it.
func (r *datasetRun) tell(run *runner.Run) (stop func()) {
	plain := plainText()
	show := func(last bool) {
		p := progressOf(run.Status(), plain)
		r.con.show(last, p.line, p.log)
	}
	done := make(chan struct{})
	var told sync.WaitGroup
	told.Go(func() {
		tick := time.NewTicker(pace)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				show(false)
			case <-done:
				return
			}
		}
	})
	return func() {
		close(done)
		told.Wait()
		show(true)
		r.con.end()
	}
}

// report is of all that the journal has, so that a run in parts is reported as a
// whole; without a journal, of what came.
func (r *datasetRun) report(end journal.End) (*report.Report, error) {
	if r.journal == nil {
		return r.live.report(&end), nil
	}
	sum, _, err := summarize(r.f.journal, r.f.reports.worst)
	if err != nil {
		return nil, fmt.Errorf("reading the journal for the report: %w", err)
	}
	if end.Incomplete == "" {
		r.tellChanges(end)
	}
	sum.End(end)
	return sum.Report(), nil
}

// tellChanges says what of the journal is not as the dataset has it now. What is
// neither met with the same content nor gone has changed.
func (r *datasetRun) tellChanges(end journal.End) {
	if changed := r.journal.Recovered().Items - r.met - end.Orphans; changed > 0 {
		r.con.say("%s", either(changed, "1 item has changed since it was evaluated, and was evaluated anew",
			"%s items have changed since they were evaluated, and were evaluated anew"))
	}
	if end.Orphans > 0 {
		r.con.say("%s", either(end.Orphans, "1 item of the journal is not in the dataset any more; its results are still in the report",
			"%s items of the journal are not in the dataset any more; their results are still in the report"))
	}
}

// either is a sentence about one, or about several.
func either(n int64, one, several string) string {
	if n == 1 {
		return one
	}
	return fmt.Sprintf(several, grouped(n))
}

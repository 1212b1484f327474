package runner

import (
	"context"
	"iter"
)

// Run is one run over a dataset. Its methods are safe for concurrent use.
type Run struct{}

// Start begins to read items and to evaluate them, and does not block. A bad
// option is an error that wraps [ErrOption], evaluators without a metric are
// [ErrNoMetrics]; then nothing was started. The run ends when all items are done,
// or ctx ends, or the dataset, the journal or an option says so; call [Run.Wait].
// What the caller hands over stays the caller's: the run closes neither the
// evaluators nor the journal.
func Start(ctx context.Context, items Dataset, evals Evaluators, options ...Option) (*Run, error) {
	return nil, nil
}

// Status is the run at this moment. It does not block for longer than it takes
// to copy the counts.
func (r *Run) Status() Status { return Status{} }

// Stop ends the run as the end of Start's context would. It does not wait.
func (r *Run) Stop() {}

// Wait blocks until the run has ended and nothing of it runs but what is stuck,
// and returns the last status. The error is nil when every item was read and
// evaluated, whatever came of it; otherwise it says why not: reading broke, the
// journal failed ([ErrJournal]), an item with [WithStrict] ([*ItemError]), ctx's
// cause, [ErrRunTimeout], [ErrStuck], [ErrStopped].
func (r *Run) Wait() (Status, error) { return Status{}, nil }

// Results runs the evaluators over items and yields each item that is done: in
// order with [WithOrdered], else as they come. An error is the last that is
// yielded, with a zero ItemResult: that of [Start] or [Run.Wait]. Breaking out
// ends the run and waits for it. [WithOnResult] is called as well.
func Results(ctx context.Context, items Dataset, evals Evaluators, options ...Option) iter.Seq2[ItemResult, error] {
	return nil
}

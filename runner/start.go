package runner

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/internal/asking"
	"github.com/genaievals/genaievals/limit"
)

// Run is one run over a dataset. Its methods are safe for concurrent use.
//
// The reader's goroutine owns the dataset; the workers of a lane own what they
// took; the writer's owns the journal; the deliverer's calls OnResult; one more
// calls the progress function; and one ends them all, in that order.
type Run struct {
	cfg        config
	items      Dataset
	ctx        context.Context
	cancel     context.CancelCauseFunc
	evaluating context.Context // what evaluations carry
	started    time.Time
	endedAt    atomic.Pointer[time.Time]

	lanes   []*lane
	task    *taskCrew // nil without one
	gates   []*limit.Gate
	refused []uint64 // at the start, by gate

	window              *window
	hungry              chan struct{} // a lane, or the task, takes more
	read                atomic.Int64  // items
	readAll             atomic.Bool
	tally               tally
	writing, delivering bool
	outbox              *inbox[outgoing]
	finished            *inbox[*work]
	stream              chan []ItemResult // of Results
	news                chan struct{}     // items are done

	// Closed when the goroutine is through; ended is the last.
	readingOver, written, delivered, settled, told, ended chan struct{}

	mu     sync.Mutex
	cause  error // why the run was ended
	result error // of Wait
	why    string
}

// Start begins to read items and to evaluate them, and does not block. A bad
// option is an error that wraps [ErrOption], evaluators without a metric are
// [ErrNoMetrics]; then nothing was started. The run ends when all items are done,
// or ctx ends, or the dataset, the journal or an option says so; call [Run.Wait].
// What the caller hands over stays the caller's: the run closes neither the
// evaluators nor the journal.
func Start(ctx context.Context, items Dataset, evals Evaluators, options ...Option) (*Run, error) {
	return start(ctx, items, evals, nil, options)
}

func start(ctx context.Context, items Dataset, evals Evaluators, stream chan []ItemResult, options []Option) (*Run, error) {
	cfg, err := newConfig(options)
	switch {
	case err != nil:
		return nil, err
	case items == nil:
		return nil, fmt.Errorf("%w: the dataset is nil", ErrOption)
	case evals == nil:
		return nil, ErrNoMetrics
	case ctx == nil:
		ctx = context.Background()
	}
	r := &Run{
		cfg: cfg, items: items, started: time.Now(), stream: stream,
		window: newWindow(cfg.windowItems, cfg.windowBytes),
		outbox: newInbox[outgoing](), finished: newInbox[*work](), news: make(chan struct{}, 1), hungry: make(chan struct{}, 1),
		readingOver: make(chan struct{}), written: make(chan struct{}), delivered: make(chan struct{}),
		settled: make(chan struct{}), told: make(chan struct{}), ended: make(chan struct{}),
		writing:    cfg.journal != nil || cfg.onRecord != nil,
		delivering: cfg.onResult != nil || stream != nil,
	}
	r.tally.byType, r.tally.pace.at = make(map[string]int64), r.started
	tasks := context.WithoutCancel(instrumentation.WithoutEvaluation(ctx))
	r.evaluating = context.WithoutCancel(instrumentation.Suppress(ctx))
	r.ctx, r.cancel = context.WithCancelCause(ctx)
	if err := contained(func() error { return r.hire(evals) }); err != nil {
		r.cancel(err)
		return nil, err
	}
	if cfg.task != nil {
		r.task = newTaskCrew(r, tasks)
	}
	r.begin()
	return r, nil
}

// hire makes the lanes.
func (r *Run) hire(evals Evaluators) error {
	asks := false
	for i, a := range evals.Assignments() {
		l := newLane(r, i, a, evals)
		r.lanes = append(r.lanes, l)
		asks = asks || len(l.names) > 0
		r.watch(l.e.Gate)
	}
	if !asks {
		return ErrNoMetrics
	}
	r.watch(r.cfg.taskGate)
	return nil
}

// watch counts the refusals at a gate from now on.
func (r *Run) watch(gate *limit.Gate) {
	for _, g := range r.gates {
		if g == gate {
			return
		}
	}
	if gate != nil {
		r.gates = append(r.gates, gate)
		r.refused = append(r.refused, refusals(gate.Status()))
	}
}

// refusals are the judge's, where the gate counts them; else its pauses.
func refusals(s limit.Status) uint64 {
	if s.Adaptive != nil {
		return s.Adaptive.Refusals
	}
	return s.Pauses
}

func (r *Run) begin() {
	reading := &reader{r: r, seen: newSeen(), selections: selections{lanes: r.lanes, known: make(map[string]*selection)}}
	go reading.run()
	if r.writing {
		go (&writer{r: r}).run()
	} else {
		close(r.written)
	}
	if r.delivering {
		go (&deliverer{r: r, held: make(map[int64]*work)}).run()
	} else {
		close(r.delivered)
	}
	if r.cfg.progress != nil {
		go r.tell()
	} else {
		close(r.told)
	}
	go r.supervise(reading)
}

// fail ends the run. The first reason counts, but for one that is about what is
// lost.
func (r *Run) fail(err error) {
	r.mu.Lock()
	if r.cause == nil && r.ctx.Err() == nil || isLate(err) && !isLate(r.cause) {
		r.cause = err
	}
	r.mu.Unlock()
	r.cancel(err)
}

func (r *Run) tooManyStuck(name string) { r.fail(fmt.Errorf("%w: %s", ErrStuck, name)) }

// Stop ends the run as the end of Start's context would. It does not wait.
func (r *Run) Stop() { r.fail(ErrStopped) }

// The end of a run waits so long for a progress function, which is to be told how
// it ended; less where the caller has ended it.
const (
	patience      = 10 * time.Second
	patienceEnded = time.Second
)

// supervise waits until all is done, or the run has to end, and ends one after
// the other: reader, task, lanes, writer, deliverer, progress.
func (r *Run) supervise(reading *reader) {
	if r.cfg.runTimeout > 0 {
		timer := time.AfterFunc(r.cfg.runTimeout, func() { r.fail(ErrRunTimeout) })
		defer timer.Stop()
	}
	select {
	case <-r.readingOver:
	case <-r.ctx.Done():
	}
	complete := r.window.empty(r.ctx)
	readerLeft := r.leaveReader()
	if r.task != nil {
		for _, w := range r.task.close() {
			r.abandonItem(w)
		}
		r.task.wait()
	}
	for _, l := range r.lanes {
		for _, u := range l.close() {
			l.drop(u)
		}
		l.wait()
	}
	r.outbox.close()
	<-r.written
	r.finished.close()
	<-r.delivered
	var readError error
	if !readerLeft {
		readError = reading.err
	}
	r.conclude(complete, readError)
	close(r.settled)
	wait := patience
	if r.ctx.Err() != nil {
		wait = patienceEnded
	}
	select {
	case <-r.told:
	case <-time.After(wait): // a progress function that hangs
	}
	close(r.ended)
	r.cancel(nil)
}

// leaveReader waits for the reader, which may be blocked in a read that nothing
// ends: then it is left.
func (r *Run) leaveReader() (left bool) {
	timer := time.NewTimer(asking.Grace)
	defer timer.Stop()
	select {
	case <-r.readingOver:
		return false
	case <-timer.C:
		return true
	}
}

// conclude decides how the run has ended.
func (r *Run) conclude(complete bool, readError error) {
	now := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.readAll.Load() && complete && !isLate(r.cause): // what ended it came too late
	case r.cause != nil:
		r.result = r.cause
	case r.ctx.Err() != nil:
		r.result = context.Cause(r.ctx)
	default:
		r.result = readError
	}
	if r.result != nil {
		r.why = r.result.Error()
	}
	r.endedAt.Store(&now)
}

// isLate reports whether an error counts even though all items were evaluated:
// the journal, or a function of the caller's, failed at the last of them.
func isLate(err error) bool {
	return errors.Is(err, ErrJournal) || errors.Is(err, ErrHandler)
}

// Status is the run at this moment. It does not block for longer than it takes
// to copy the counts.
func (r *Run) Status() Status {
	s := Status{Progress: r.progressNow(), Started: r.started, ItemsFailed: r.tally.failures()}
	if at := r.endedAt.Load(); at != nil {
		s.Ended = *at
	}
	for _, l := range r.lanes {
		s.Evaluators = append(s.Evaluators, l.status())
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s.Incomplete = r.why
	return s
}

// Wait blocks until the run has ended and nothing of it runs but what is stuck,
// and returns the last status. The error is nil when every item was read and
// evaluated, whatever came of it; otherwise it says why not: reading broke, the
// journal failed ([ErrJournal]), an item with [WithStrict] ([*ItemError]), ctx's
// cause, [ErrRunTimeout], [ErrStuck], [ErrHopeless], [ErrHandler], [ErrStopped].
func (r *Run) Wait() (Status, error) {
	<-r.ended
	r.mu.Lock()
	err := r.result
	r.mu.Unlock()
	return r.Status(), err
}

package manager

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"golang.org/x/sync/semaphore"
)

// ErrShutdown is the cause with which running evaluations are cancelled when
// the drain time is over, and the error of calls that come after Shutdown.
var ErrShutdown = errors.New("genaievals: the manager has been shut down")

// Shutdown may return 100 ms after the end of its context: so long it waits for
// the workers, which leave what runs, and then for the reporter.
const (
	workersMargin  = 80 * time.Millisecond
	reporterMargin = 20 * time.Millisecond
)

// managers counts those made, to tell them apart in telemetry.
var managers atomic.Uint64

// Manager evaluates completed invocations. Make it with [New]; all methods are
// safe for concurrent use.
type Manager struct {
	cfg      Config
	lanes    []*lane
	members  []*member
	doorPlan [instrumentation.Kinds]kindPlan
	door     [doorShards]doorShard
	sampled  bool // some metric is not evaluated for all invocations
	closed   atomic.Bool

	// base is the parent of every evaluation's context: suppressed, and
	// cancelled with ErrShutdown when the drain time is over.
	base   context.Context
	cancel context.CancelCauseFunc

	// turn is the one slot of sequential mode, shared with EvaluateNow; nil in
	// concurrent mode.
	turn *semaphore.Weighted
	// slots bound the evaluations of all lanes; nil without a bound.
	slots *slots

	workers      sync.WaitGroup // and the calls of EvaluateNow
	reportSignal chan struct{}  // capacity 1: there may be something to say
	reporterStop chan struct{}  // closed by Shutdown
	reporterDone chan struct{}  // closed by the reporter

	redactions redactions

	panics   atomic.Uint64
	panicked sync.Map // places that have panicked, to say each once

	lifecycle sync.Mutex // guards the two below
	started   bool
	shutdown  chan struct{} // made by the first Shutdown, closed when it is over

	unregister  func() // takes the self-telemetry's callback away
	releaseOnce sync.Once
}

// New returns a manager that does not work yet: invocations offered before
// [Manager.Start] wait in their lanes. It returns an error that names every
// field of the configuration that is wrong.
func New(cfg Config) (*Manager, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("configuring the manager: %w", err)
	}
	if cfg.Name == "" {
		cfg.Name = strconv.FormatUint(managers.Add(1), 10)
	}
	m := &Manager{
		cfg:          cfg,
		reportSignal: make(chan struct{}, 1),
		reporterStop: make(chan struct{}),
		reporterDone: make(chan struct{}),
	}
	m.base, m.cancel = context.WithCancelCause(instrumentation.Suppress(context.Background()))
	if !cfg.Concurrent {
		m.turn = semaphore.NewWeighted(1)
	}
	rate := boundOf(1)
	if cfg.SampleRate != nil && cfg.Sampler == nil {
		rate = boundOf(*cfg.SampleRate)
	}
	for _, a := range cfg.Assignments {
		m.members = append(m.members, newMember(a, cfg.Gates, rate))
	}
	if cfg.Concurrent {
		for _, mb := range m.members {
			m.lanes = append(m.lanes, newLane(m, mb.name, mb))
		}
	} else if len(m.members) > 0 {
		m.lanes = []*lane{newLane(m, "sequential", m.members...)}
	}
	for _, l := range m.lanes {
		for _, mb := range l.members {
			mb.lane = l
			for kind, metrics := range mb.metrics {
				for _, pm := range metrics {
					m.doorPlan[kind].add(pm.Metric, pm.bound)
					m.sampled = m.sampled || !pm.bound.all()
				}
			}
		}
	}
	m.slots = newSlots(cfg.MaxInFlight, len(m.lanes))
	releaseRetired(cfg.Meter)
	m.unregister, err = m.observe(cfg.Meter)
	if err != nil {
		return nil, fmt.Errorf("registering the manager's own telemetry: %w", err)
	}
	return m, nil
}

// Start starts the workers. A second Start does nothing; after Shutdown it
// returns [ErrShutdown].
func (m *Manager) Start() error {
	m.lifecycle.Lock()
	defer m.lifecycle.Unlock()
	if m.shutdown != nil {
		return ErrShutdown
	}
	if m.started {
		return nil
	}
	m.started = true
	go m.report()
	for _, l := range m.lanes {
		l.employ()
	}
	return nil
}

// EvaluateNow evaluates an invocation that has ended, past the door, the queue
// and sampling, but not past limits, deadlines and suppression, and returns the
// results after they were published. It blocks until all are there; when ctx
// ends first the metrics still running fail. An invocation that is not
// evaluated at all gives no results. A result handler may call it. Shutdown
// waits for it as for what is queued, and fails what then still runs.
func (m *Manager) EvaluateNow(ctx context.Context, inv *instrumentation.Invocation) ([]evaluators.Result, error) {
	if inv == nil || inv.EndTime().IsZero() {
		return nil, errors.New("evaluating now: the invocation has not ended")
	}
	if !m.enter() {
		return nil, ErrShutdown
	}
	defer m.workers.Done()
	if inv.Summary().Has(instrumentation.FlagSuppressed | instrumentation.FlagUnsupported) {
		return nil, nil
	}
	e := &evaluation{m: m, inv: inv, now: true}
	base, cancel := context.WithCancelCause(m.base)
	defer cancel(nil)
	stop := context.AfterFunc(ctx, func() { cancel(m.endOf(ctx)) })
	defer stop()
	results := e.run(base, m.members, func() (*evaluators.Case, error) { return m.makeCase(base, inv) }, &pass{})
	return results, nil
}

// enter counts a call of EvaluateNow among the work that Shutdown waits for,
// unless that has begun.
func (m *Manager) enter() bool {
	m.lifecycle.Lock()
	defer m.lifecycle.Unlock()
	if m.closed.Load() {
		return false
	}
	m.workers.Add(1)
	return true
}

// Shutdown stops the intake, lets the workers finish what waits until ctx ends
// (ShutdownTimeout where it has no deadline), then drops what still waits and
// cancels what runs. It returns within 100 ms of that end, with ctx's error
// wrapped when the drain was cut short. Calls beside and after the first wait
// for it and return nil, or their ctx's error. The final counts are reported
// until [Manager.Release].
func (m *Manager) Shutdown(ctx context.Context) error {
	m.closed.Store(true)
	m.lifecycle.Lock()
	if m.shutdown != nil {
		over := m.shutdown
		m.lifecycle.Unlock()
		select {
		case <-over:
			return nil
		case <-ctx.Done():
			return fmt.Errorf("waiting for the shutdown under way: %w", context.Cause(ctx))
		}
	}
	m.shutdown = make(chan struct{})
	started := m.started
	m.lifecycle.Unlock()
	defer close(m.shutdown)
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, m.cfg.ShutdownTimeout)
		defer cancel()
	}
	err := m.drain(ctx, started)
	m.cancel(ErrShutdown)
	close(m.reporterStop)
	if started {
		m.awaitReporter(ctx)
	}
	for _, l := range m.lanes {
		l.duplicates.forget()
	}
	m.retire()
	return err
}

// drain closes the lanes and waits for their workers and for the calls of
// EvaluateNow, until ctx ends; then it takes the work away from them.
func (m *Manager) drain(ctx context.Context, started bool) error {
	for _, l := range m.lanes {
		l.close()
	}
	if !started {
		for _, l := range m.lanes {
			l.abandon()
		}
	}
	gone := make(chan struct{})
	go func() {
		m.workers.Wait()
		close(gone)
	}()
	select {
	case <-gone:
		return nil
	case <-ctx.Done():
	}
	err := fmt.Errorf("draining: %w", context.Cause(ctx))
	for _, l := range m.lanes {
		l.abandon()
	}
	m.cancel(ErrShutdown)
	timer := time.NewTimer(workersMargin)
	defer timer.Stop()
	select {
	case <-gone:
	case <-timer.C: // a handler of the application holds a worker
	}
	return err
}

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

// shutdownMargin is how long after the end of its context Shutdown may return.
const shutdownMargin = 100 * time.Millisecond

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

	workers      sync.WaitGroup
	dropSignal   chan struct{} // capacity 1: something was dropped
	reporterStop chan struct{} // closed by Shutdown
	reporterDone chan struct{} // closed by the reporter

	panics   atomic.Uint64
	panicked sync.Map // places that have panicked, to say each once

	lifecycle  sync.Mutex // guards the two below
	started    bool
	shutdown   chan struct{} // made by the first Shutdown, closed when it is over
	unregister func()        // takes the self-telemetry's callback away
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
		dropSignal:   make(chan struct{}, 1),
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

// work takes one task after the other until await says to leave.
func (l *lane) work() {
	for l.await() {
		inHand, err := l.letIn()
		if err != nil {
			continue // nothing is left, as await is about to say
		}
		t, at, ok := l.take()
		switch {
		case !ok:
			inHand.close()
		case l.duplicates.seen(t.inv, time.Now()):
			inHand.close()
			l.refuse(t, at, dropDuplicate)
		default:
			e := &evaluation{m: l.m, inv: t.inv, point: samplingPoint(t.inv.Summary())}
			e.run(l.m.base, l.members, func() (*evaluators.Case, error) { return l.m.caseOf(t) }, inHand)
			l.finish(at)
		}
	}
}

// EvaluateNow evaluates an invocation that has ended on the caller's
// goroutine, past the door, the queue and sampling, but not past limits,
// deadlines and suppression, and returns the results after they were
// published. It blocks until all are there; when ctx ends first the metrics
// still running fail. An invocation that is not evaluated at all gives no
// results.
func (m *Manager) EvaluateNow(ctx context.Context, inv *instrumentation.Invocation) ([]evaluators.Result, error) {
	switch {
	case m.closed.Load():
		return nil, ErrShutdown
	case inv == nil || inv.EndTime().IsZero():
		return nil, errors.New("evaluating now: the invocation has not ended")
	}
	if inv.Summary().Has(instrumentation.FlagSuppressed | instrumentation.FlagUnsupported) {
		return nil, nil
	}
	e := &evaluation{m: m, inv: inv, now: true}
	base, cancel := context.WithCancelCause(m.base)
	defer cancel(nil)
	stop := context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })
	defer stop()
	results := e.run(base, m.members, func() (*evaluators.Case, error) { return m.makeCase(inv) }, pass{})
	return results, nil
}

// Shutdown stops the intake, lets the workers finish what waits until ctx ends
// (ShutdownTimeout where it has no deadline), then drops what still waits and
// cancels what runs. It returns within 100 ms of that end, with ctx's error
// wrapped when the drain was cut short. Calls beside and after the first wait
// for it and return nil, or their ctx's error.
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
		<-m.reporterDone
	}
	m.unregister()
	return err
}

// drain closes the lanes and waits for their workers, until ctx ends; then it
// takes the work away from them.
func (m *Manager) drain(ctx context.Context, started bool) error {
	for _, l := range m.lanes {
		l.close()
	}
	if !started {
		for _, l := range m.lanes {
			l.abandon()
		}
		return nil
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
	timer := time.NewTimer(shutdownMargin)
	defer timer.Stop()
	select {
	case <-gone:
	case <-timer.C: // a handler of the application holds a worker
	}
	return err
}

package manager

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/asking"
	"github.com/genaievals/genaievals/limit"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/trace"
)

// group is metrics of one member that one Evaluate answers. It ends once: on
// the goroutine that called Evaluate, or on a timer's, which leaves an Evaluate
// that ignores the end of its context. Whoever ends it owns its pass, its turn
// and its results.
type group struct {
	e       *evaluation
	mb      *member
	c       *evaluators.Case
	metrics []evaluators.Metric
	pass    pass

	mu       sync.Mutex
	ended    bool
	endSpans func([]evaluators.Result) // set when they were opened
}

// start calls Evaluate on a goroutine of its own, within the group's deadline.
// Nobody waits beside it: it is left by a timer.
func (g *group) start(ctx context.Context) {
	g.mb.begin(len(g.metrics))
	g.e.running.Add(1)
	ctx, cancel := context.WithTimeoutCause(ctx, g.e.m.timeoutOf(g.metrics), errDeadline)
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(grace, func() { g.leave(ctx) }) })
	go g.evaluate(ctx, cancel, stop)
}

// evaluate ends the group with what Evaluate answers. An Evaluate that ends its
// goroutine, or that of a span processor, has the same end as a panic.
func (g *group) evaluate(ctx context.Context, cancel context.CancelFunc, stop func() bool) {
	var results []evaluators.Result
	defer func() {
		stop() // before cancel, which would set it off
		cancel()
		if results == nil {
			g.e.m.panics.Add(1)
			results = failAll(g.mb, g.metrics, evaluators.ErrorEvaluatorPanic, errGoexit)
		}
		if g.end(-1) {
			g.conclude(results)
		}
	}()
	ctx, ok := g.open(ctx)
	if !ok {
		results = []evaluators.Result{}
		return
	}
	began := time.Now()
	results = g.e.m.guarded(ctx, g.mb, g.c, g.metrics)
	took := time.Since(began)
	for i := range results {
		results[i].Duration = max(0, took-results[i].LimitWait)
	}
}

// open makes the context that Evaluate sees, and opens the spans. It is false
// when the group was left meanwhile.
func (g *group) open(ctx context.Context) (context.Context, bool) {
	e := g.e
	ctx = g.pass.ticket.Context(ctx)
	ctx = trace.ContextWithSpanContext(ctx, e.inv.SpanContext())
	if !e.m.cfg.WithoutBaggage {
		ctx = baggage.ContextWithBaggage(ctx, e.inv.Baggage())
	}
	ctx, endSpans := e.m.startSpans(ctx, e.inv, g.mb, g.metrics)
	g.mu.Lock()
	left := g.ended
	g.endSpans = endSpans
	g.mu.Unlock()
	if left {
		endSpans(nil)
	}
	return ctx, !left
}

// leave ends a group whose Evaluate has not returned in time. It runs on, and
// counts as stuck until it does.
func (g *group) leave(ctx context.Context) {
	if g.end(1) {
		g.conclude(failAll(g.mb, g.metrics, endedType(ctx, g.mb), context.Cause(ctx)))
	}
}

// end reports whether the group has just ended. Who leaves it adds 1 to what is
// stuck, and who returns to find it left takes that back.
func (g *group) end(stuck int) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	first := !g.ended
	g.ended = true
	if first == (stuck > 0) {
		if g.mb.lane.addStuck(g.mb, stuck) && first {
			g.mb.gate.Trip()
		}
	}
	return first
}

// conclude gives back what the group holds, and only then hands its results on.
func (g *group) conclude(results []evaluators.Result) {
	e := g.e
	defer e.running.Done()
	g.pass.close()
	e.turns.Release(1)
	if e.unanswered(g, results) {
		if g.endSpans != nil {
			g.endSpans(results)
		}
		e.postpone(g, results)
		return
	}
	if g.c.Truncated {
		for i := range results {
			results[i].Attributes = append(slices.Clip(results[i].Attributes), truncatedOutput)
		}
	}
	e.count(g.mb, results)
	if !e.m.cfg.Aggregate {
		defer e.m.publish(e.inv, results) // deferred: whatever becomes of the spans
	}
	g.mu.Lock()
	endSpans := g.endSpans
	g.mu.Unlock()
	if endSpans != nil {
		endSpans(results)
	}
}

// guarded calls Evaluate, contains its panic and checks its results, which are
// never nil.
func (m *Manager) guarded(ctx context.Context, mb *member, c *evaluators.Case, metrics []evaluators.Metric) (results []evaluators.Result) {
	defer func() {
		if r := recover(); r != nil {
			m.panics.Add(1)
			results = failAll(mb, metrics, evaluators.ErrorEvaluatorPanic, errors.New("panic: "+asking.PanicText(r)))
		}
	}()
	var waited time.Duration
	if mb.passGate {
		permit, err := mb.gate.Acquire(ctx)
		if err != nil {
			return notPermitted(ctx, mb, metrics, err)
		}
		defer permit.Release()
		waited = permit.Waited
	}
	results = m.check(mb, metrics, mb.evaluator.Evaluate(ctx, c, metrics))
	for i := range results {
		results[i].LimitWait += waited
	}
	return results
}

// notPermitted is what becomes of metrics that the gate turned away.
func notPermitted(ctx context.Context, mb *member, metrics []evaluators.Metric, err error) []evaluators.Result {
	switch {
	case errors.Is(err, limit.ErrSpent):
		results := make([]evaluators.Result, len(metrics))
		for i, metric := range metrics {
			results[i] = evaluators.Skipped(metric.Name, evaluators.SkipBudget, "")
		}
		complete(mb, metrics, results)
		return results
	case errors.Is(err, limit.ErrOpen):
		return failAll(mb, metrics, evaluators.ErrorJudgeCircuitOpen, err)
	case ctx.Err() == nil: // a limit that cannot be kept lets nothing through
		return failAll(mb, metrics, evaluators.ErrorJudgeRateLimited, err)
	}
	return failAll(mb, metrics, endedType(ctx, mb), err)
}

// endedType is the error type of a metric whose context has ended.
func endedType(ctx context.Context, mb *member) string {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, ErrShutdown):
		return evaluators.ErrorShutdown
	case errors.Is(cause, context.Canceled):
		return evaluators.ErrorCancelled
	case mb.typ == evaluators.TypeLLMJudge:
		return evaluators.ErrorJudgeTimeout
	}
	return evaluators.ErrorEvaluatorTimeout
}

// stuckType is the error type of a metric that is not asked because too many of
// its evaluator's are stuck.
func stuckType(mb *member) string {
	if mb.typ == evaluators.TypeLLMJudge {
		return evaluators.ErrorJudgeCircuitOpen
	}
	return evaluators.ErrorEvaluatorTimeout
}

// timeoutOf a group is the shortest of its metrics'.
func (m *Manager) timeoutOf(metrics []evaluators.Metric) time.Duration {
	timeout := time.Duration(0)
	for _, metric := range metrics {
		if metric.Timeout > 0 && (timeout == 0 || metric.Timeout < timeout) {
			timeout = metric.Timeout
		}
	}
	if timeout == 0 {
		return m.cfg.Timeout
	}
	return timeout
}

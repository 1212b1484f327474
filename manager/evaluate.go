package manager

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/limit"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/trace"
	"golang.org/x/sync/semaphore"
)

// grace is how long an evaluation whose context has ended may take to return
// before its worker leaves it and counts it as stuck.
const grace = 50 * time.Millisecond

// truncatedOutput is on the results of an output that the provider cut short.
var truncatedOutput = attribute.Bool("genaievals.output.truncated", true)

var (
	errDeadline  = errors.New("the metric's deadline passed")
	errRedactor  = errors.New("the redactor panicked")
	errNormalize = errors.New("the invocation could not be normalised")
)

// evaluation is one invocation being evaluated by a lane's members, or by all
// of them for EvaluateNow.
type evaluation struct {
	m     *Manager
	inv   *instrumentation.Invocation
	point uint64
	now   bool // past sampling, for EvaluateNow

	mu    sync.Mutex
	share []evaluators.Result // all results so far
}

// run evaluates what applies and returns all results, in no fixed order, after
// they were published. The pass in hand, if any, is of the only member and used
// by the first group, or given back. Groups run side by side up to
// MaxConcurrent, their starts Throttle apart; none can fail another.
func (e *evaluation) run(ctx context.Context, members []*member, makeCase func() (*evaluators.Case, error), inHand pass) []evaluators.Result {
	c, err := makeCase()
	turns := e.m.turn
	if turns == nil {
		turns = semaphore.NewWeighted(int64(e.m.cfg.MaxConcurrent))
	}
	var wg sync.WaitGroup
	var started time.Time
	for _, mb := range members {
		for _, metrics := range e.groups(mb, c, err) {
			stopped := e.m.pause(ctx, started)
			if stopped == nil {
				stopped = turns.Acquire(ctx, 1)
			}
			if stopped == nil {
				if stopped = e.letIn(ctx, mb, &inHand); stopped != nil {
					turns.Release(1)
				}
			}
			if stopped != nil {
				mb.begin(len(metrics))
				e.finish(mb, failAll(mb, metrics, endedType(ctx, mb), context.Cause(ctx)))
				continue
			}
			started = time.Now()
			own := inHand
			inHand = pass{}
			one := func() {
				defer turns.Release(1)
				e.runGroup(ctx, mb, c, metrics, own)
			}
			if e.m.cfg.MaxConcurrent == 1 {
				one()
			} else {
				wg.Go(one)
			}
		}
	}
	inHand.close()
	wg.Wait()
	if e.m.cfg.Aggregate && len(e.share) > 0 {
		e.m.publish(e.inv, e.share)
	}
	return e.share
}

// groups returns what a member is to be asked, after finishing what need not
// be: without a case everything fails, and a metric whose fields the case
// lacks is skipped.
func (e *evaluation) groups(mb *member, c *evaluators.Case, err error) [][]evaluators.Metric {
	selected := mb.selectMetrics(e.inv, e.point, e.now)
	if len(selected) == 0 {
		return nil
	}
	if err != nil {
		mb.begin(len(selected))
		e.finish(mb, failAll(mb, selected, evaluators.ErrorEvaluatorPanic, err))
		return nil
	}
	asked := selected[:0:0]
	var lacking []evaluators.Metric
	var skipped []evaluators.Result
	for _, metric := range selected {
		if reason, missing := evaluators.NeedsMissing(c, metric.Needs); missing {
			lacking = append(lacking, metric)
			skipped = append(skipped, evaluators.Skipped(metric.Name, reason, ""))
		} else {
			asked = append(asked, metric)
		}
	}
	if len(skipped) > 0 {
		mb.begin(len(skipped))
		complete(mb, lacking, skipped)
		e.finish(mb, skipped)
	}
	if len(asked) == 0 {
		return nil
	}
	return mb.group(e.m, asked)
}

// pause waits until Throttle has passed since the last start.
func (m *Manager) pause(ctx context.Context, last time.Time) error {
	if m.cfg.Throttle <= 0 || last.IsZero() {
		return ctx.Err()
	}
	timer := time.NewTimer(time.Until(last.Add(m.cfg.Throttle)))
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// letIn completes the pass of a group. A lane does not grow while one of its
// workers waits here.
func (e *evaluation) letIn(ctx context.Context, mb *member, inHand *pass) error {
	if inHand.seated {
		return nil
	}
	if !e.now {
		mb.lane.held.Add(1)
		defer mb.lane.held.Add(-1)
	}
	if err := inHand.admit(ctx, mb, (*limit.Gate).AdmitNext); err != nil {
		return err
	}
	return inHand.seat(ctx, mb)
}

// runGroup evaluates one group within its deadline and publishes its results.
func (e *evaluation) runGroup(ctx context.Context, mb *member, c *evaluators.Case, metrics []evaluators.Metric, own pass) {
	mb.begin(len(metrics))
	ctx, cancel := context.WithTimeoutCause(ctx, e.m.timeoutOf(metrics), errDeadline)
	defer cancel()
	defer own.close()
	ctx = own.ticket.Context(ctx)
	ctx = trace.ContextWithSpanContext(ctx, e.inv.SpanContext())
	if !e.m.cfg.WithoutBaggage {
		ctx = baggage.ContextWithBaggage(ctx, e.inv.Baggage())
	}
	ctx, endSpans := e.m.startSpans(ctx, e.inv, mb, metrics)
	results := e.call(ctx, mb, c, metrics)
	if c.Truncated {
		for i := range results {
			results[i].Attributes = append(slices.Clip(results[i].Attributes), truncatedOutput)
		}
	}
	endSpans(results)
	e.finish(mb, results)
}

// call runs Evaluate on a goroutine of its own, so that it can be left when it
// ignores its context.
func (e *evaluation) call(ctx context.Context, mb *member, c *evaluators.Case, metrics []evaluators.Metric) []evaluators.Result {
	began := time.Now()
	done := make(chan []evaluators.Result, 1)
	var left atomic.Bool // decided once: by the worker leaving or by the call returning
	go func() {
		results := e.m.guarded(ctx, mb, c, metrics)
		done <- results
		if left.Swap(true) {
			mb.lane.addStuck(-1)
		}
	}()
	var results []evaluators.Result
	select {
	case results = <-done:
	case <-ctx.Done():
		timer := time.NewTimer(grace)
		defer timer.Stop()
		select {
		case results = <-done:
		case <-timer.C:
			if !left.Swap(true) {
				if mb.lane.addStuck(1) {
					mb.gate.Trip()
				}
				return failAll(mb, metrics, endedType(ctx, mb), context.Cause(ctx))
			}
			results = <-done
		}
	}
	took := time.Since(began)
	for i := range results {
		results[i].Duration = max(0, took-results[i].LimitWait)
	}
	return results
}

// guarded calls Evaluate, contains its panic and checks its results.
func (m *Manager) guarded(ctx context.Context, mb *member, c *evaluators.Case, metrics []evaluators.Metric) (results []evaluators.Result) {
	defer func() {
		if r := recover(); r != nil {
			m.panics.Add(1)
			results = failAll(mb, metrics, evaluators.ErrorEvaluatorPanic, errors.New("panic: "+panicText(r)))
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
	results = check(mb, metrics, mb.evaluator.Evaluate(ctx, c, metrics))
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

// finish counts results and publishes them, or keeps them for the lane's share.
func (e *evaluation) finish(mb *member, results []evaluators.Result) {
	mb.end(results)
	e.mu.Lock()
	e.share = append(e.share, results...)
	e.mu.Unlock()
	if !e.m.cfg.Aggregate {
		e.m.publish(e.inv, results)
	}
}

package asking

import (
	"context"
	"errors"
	"fmt"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/limit"
)

// Why a call gave nothing, beside the end of its context.
var (
	ErrGoexit = errors.New("the evaluator ended its goroutine")
	ErrPanic  = errors.New("panic")
)

// Evaluator is an evaluator with what its caller has to know. Make it with [New].
type Evaluator struct {
	evaluators.Evaluator
	// Its own answers, asked for once.
	name, version, typ string
	// Gate limits it; nil is open.
	Gate *limit.Gate
	// PassesItself: it passes the gate before each send. Its caller only asks to
	// be admitted.
	PassesItself bool
}

// New asks an evaluator about itself. Its own gate goes before the one that was
// set for it.
func New(e evaluators.Evaluator, set *limit.Gate) *Evaluator {
	a := &Evaluator{Evaluator: e, name: e.Name(), version: e.Version(), typ: e.Type(), Gate: set}
	if own, ok := e.(interface{ Gate() *limit.Gate }); ok {
		if g := own.Gate(); g != nil {
			a.Gate, a.PassesItself = g, true
		}
	}
	return a
}

// Name is the evaluator's, as it said at first.
func (e *Evaluator) Name() string { return e.name }

// Version is the evaluator's, as it said at first.
func (e *Evaluator) Version() string { return e.version }

// Type is the evaluator's, as it said at first.
func (e *Evaluator) Type() string { return e.typ }

// Permit acquires what an evaluator needs to be asked that does not pass its gate
// itself. Release it. Without one, refused is what becomes of each metric.
func (e *Evaluator) Permit(ctx context.Context) (permit limit.Permit, refused *evaluators.Result) {
	if e.Gate == nil || e.PassesItself {
		return limit.Permit{}, nil
	}
	permit, err := e.Gate.Acquire(ctx)
	if err == nil {
		return permit, nil
	}
	r := e.notPermitted(ctx, err)
	r.LimitWait = permit.Waited
	return limit.Permit{}, &r
}

// notPermitted is what becomes of a metric that the gate turned away.
func (e *Evaluator) notPermitted(ctx context.Context, err error) evaluators.Result {
	switch {
	case errors.Is(err, limit.ErrSpent):
		return evaluators.Skipped("", evaluators.SkipBudget, "")
	case errors.Is(err, limit.ErrOpen):
		return evaluators.Failed("", evaluators.ErrorJudgeCircuitOpen, err)
	case ctx.Err() == nil: // a limit that cannot be kept lets nothing through
		return evaluators.Failed("", evaluators.ErrorJudgeRateLimited, err)
	}
	return evaluators.Failed("", EndedType(e.typ, context.Cause(ctx)), err)
}

// Answer calls Evaluate and contains its panic, which is the error.
func (e *Evaluator) Answer(ctx context.Context, c *evaluators.Case, metrics []evaluators.Metric) (reported []evaluators.Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			reported, err = nil, fmt.Errorf("%w: %s", ErrPanic, PanicText(p))
		}
	}()
	return e.Evaluate(ctx, c, metrics), nil
}

// Failed is the failure of a metric, by whom it was.
func (e *Evaluator) Failed(m *evaluators.Metric, errorType string, err error) evaluators.Result {
	r := evaluators.Failed(m.Name, errorType, err)
	e.Complete(m, &r)
	return r
}

// Complete fills in who evaluated and on what terms.
func (e *Evaluator) Complete(m *evaluators.Metric, r *evaluators.Result) {
	r.Evaluator, r.EvaluatorVersion, r.EvaluatorType = e.name, e.version, e.typ
	r.Threshold, r.Direction = m.Threshold, m.Direction
}

// EndedType is the error type of a metric of an evaluator of that type of which
// the call ended for that cause: it broke, its time was over, or it was called off.
func EndedType(evaluatorType string, cause error) string {
	switch {
	case errors.Is(cause, ErrGoexit) || errors.Is(cause, ErrPanic):
		return evaluators.ErrorEvaluatorPanic
	case !errors.Is(cause, context.DeadlineExceeded):
		return evaluators.ErrorCancelled
	case evaluatorType == evaluators.TypeLLMJudge:
		return evaluators.ErrorJudgeTimeout
	}
	return evaluators.ErrorEvaluatorTimeout
}

// Groups splits metrics as the evaluator asks for, each its own by default. A
// grouping that panics, or that is not a partition, is not followed.
func (e *Evaluator) Groups(metrics []evaluators.Metric) [][]evaluators.Metric {
	if groups, err := e.asked(metrics); err == nil && IsPartition(groups, metrics) {
		return groups
	}
	groups := make([][]evaluators.Metric, len(metrics))
	for i := range metrics {
		groups[i] = metrics[i : i+1 : i+1]
	}
	return groups
}

func (e *Evaluator) asked(metrics []evaluators.Metric) (groups [][]evaluators.Metric, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %s", ErrPanic, PanicText(p))
		}
	}()
	if g, ok := e.Evaluator.(evaluators.Grouper); ok {
		return g.Group(metrics), nil
	}
	return nil, nil
}

// IsPartition reports whether the groups have each of the metrics once, and
// nothing else.
func IsPartition(groups [][]evaluators.Metric, metrics []evaluators.Metric) bool {
	left := make(map[string]bool, len(metrics))
	for _, metric := range metrics {
		left[metric.Name] = true
	}
	for _, group := range groups {
		if len(group) == 0 {
			return false
		}
		for _, metric := range group {
			if !left[metric.Name] {
				return false
			}
			delete(left, metric.Name)
		}
	}
	return len(left) == 0
}

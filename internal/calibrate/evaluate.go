package calibrate

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/limit"
)

// grace is how long an evaluation whose context has ended may take to return
// before it is left.
const grace = 50 * time.Millisecond

var (
	errDeadline = errors.New("the sample's deadline passed")
	errGoexit   = errors.New("the evaluator ended its goroutine")
	errResults  = errors.New("the evaluator did not report the metric exactly once")
	errOutcome  = errors.New("the result is neither scored, skipped nor failed")
	errScore    = errors.New("the score is not in 0…1")
	errLabel    = errors.New("the label is not one of the metric's")
)

// evaluate asks the metric of one sample. The gate lets it in first, and only
// then its deadline runs, so that waiting for a limit is not held against the
// judge. An Evaluate that ignores the deadline is left running: stuck.
func (r *run) evaluate(ctx context.Context, j *job) (result evaluators.Result, stuck bool) {
	m := j.question.Metric
	if reason, missing := evaluators.NeedsMissing(&j.sample.Case, m.Needs); missing {
		return evaluators.Skipped(m.Name, reason, ""), false
	}
	gate, own := r.gate()
	before := time.Now()
	ticket, err := gate.Admit(ctx)
	admitted := time.Since(before)
	defer func() { result.LimitWait += admitted }()
	if err != nil && ctx.Err() != nil {
		return evaluators.Failed(m.Name, evaluators.ErrorCancelled, err), false
	}
	defer ticket.Close()
	timeout := r.cfg.Timeout
	if m.Timeout > 0 {
		timeout = m.Timeout
	}
	ctx, cancel := context.WithTimeoutCause(instrumentation.Suppress(ticket.Context(ctx)), timeout, errDeadline)
	defer cancel()

	answer := make(chan evaluators.Result, 1)
	go func() {
		result := evaluators.Failed(m.Name, evaluators.ErrorEvaluatorPanic, errGoexit)
		defer func() { answer <- result }()
		result = r.guarded(ctx, j, own)
	}()
	select {
	case result = <-answer:
		return result, false
	case <-ctx.Done():
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case result = <-answer:
		return result, false
	case <-timer.C:
		return evaluators.Failed(m.Name, r.endedType(ctx), context.Cause(ctx)), true
	}
}

// gate is the one that the evaluator passes itself, own, or else the one set for it.
func (r *run) gate() (gate *limit.Gate, own bool) {
	if g, ok := r.cfg.Evaluator.(interface{ Gate() *limit.Gate }); ok && g.Gate() != nil {
		return g.Gate(), true
	}
	return r.cfg.Gate, false
}

// guarded calls Evaluate, contains its panic and checks its result.
func (r *run) guarded(ctx context.Context, j *job, ownGate bool) (result evaluators.Result) {
	m := j.question.Metric
	defer func() {
		if p := recover(); p != nil {
			result = evaluators.Failed(m.Name, evaluators.ErrorEvaluatorPanic, errors.New("panic: "+panicText(p)))
		}
	}()
	var waited time.Duration
	if gate, _ := r.gate(); gate != nil && !ownGate {
		permit, err := gate.Acquire(ctx)
		if err != nil {
			return r.notPermitted(ctx, m.Name, err)
		}
		defer permit.Release()
		waited = permit.Waited
	}
	began := time.Now()
	results := r.cfg.Evaluator.Evaluate(ctx, &j.sample.Case, []evaluators.Metric{m})
	took := time.Since(began)
	result = check(j.question, results)
	result.Duration = max(0, took-result.LimitWait)
	result.LimitWait += waited
	return result
}

// isName is what reasons and error types look like.
var isName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)

// check holds the evaluator to its contract: one result of the metric asked, of
// which only what it scored has a score and a label of the metric's.
func check(q *question, results []evaluators.Result) evaluators.Result {
	if len(results) == 0 {
		return evaluators.Skipped(q.Name, evaluators.SkipNotReported, "")
	}
	r := results[0]
	bad := func(err error) evaluators.Result {
		failed := evaluators.Failed(q.Name, evaluators.ErrorEvaluatorBadResult, err)
		failed.Attempts, failed.LimitWait, failed.JudgeModel = r.Attempts, r.LimitWait, r.JudgeModel
		failed.InputTokens, failed.OutputTokens = r.InputTokens, r.OutputTokens
		failed.Cost, failed.HasCost = r.Cost, r.HasCost
		return failed
	}
	if len(results) > 1 || r.Metric != q.Name {
		return bad(errResults)
	}
	switch r.Outcome {
	case evaluators.OutcomeScored:
		label, ok := q.labelOf(r)
		switch {
		case !r.Finite() || r.Score < 0 || r.Score > 1:
			return bad(errScore)
		case !ok:
			return bad(errLabel)
		}
		r.Label, r.Reason, r.ErrorType, r.Err = label, "", "", nil
	case evaluators.OutcomeSkipped:
		r.ErrorType, r.Err = "", nil
		if !isName.MatchString(r.Reason) {
			r.Reason = evaluators.SkipNotReported
		}
	case evaluators.OutcomeFailed:
		r.Reason = ""
		if !isName.MatchString(r.ErrorType) {
			r.ErrorType = evaluators.ErrorEvaluatorBadResult
		}
	default:
		return bad(errOutcome)
	}
	return r
}

// notPermitted is what becomes of a metric that the gate turned away.
func (r *run) notPermitted(ctx context.Context, metric string, err error) evaluators.Result {
	switch {
	case errors.Is(err, limit.ErrSpent):
		return evaluators.Skipped(metric, evaluators.SkipBudget, "")
	case errors.Is(err, limit.ErrOpen):
		return evaluators.Failed(metric, evaluators.ErrorJudgeCircuitOpen, err)
	case ctx.Err() == nil:
		return evaluators.Failed(metric, evaluators.ErrorJudgeRateLimited, err)
	}
	return evaluators.Failed(metric, r.endedType(ctx), err)
}

// endedType is the error type of an evaluation whose context has ended.
func (r *run) endedType(ctx context.Context) string {
	switch {
	case !errors.Is(context.Cause(ctx), errDeadline):
		return evaluators.ErrorCancelled
	case r.cfg.Evaluator.Type() == evaluators.TypeLLMJudge:
		return evaluators.ErrorJudgeTimeout
	}
	return evaluators.ErrorEvaluatorTimeout
}

// panicText tells of a panic without quoting what it may hold.
func panicText(p any) string {
	if err, ok := p.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("%T", p)
}

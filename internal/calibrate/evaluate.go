package calibrate

import (
	"context"
	"errors"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/internal/asking"
)

var (
	errResults = errors.New("the evaluator did not report the metric exactly once")
	errOutcome = errors.New("the result is neither scored, skipped nor failed")
	errScore   = errors.New("the score is not in 0…1")
	errLabel   = errors.New("the label is not one of the metric's")
)

// evaluate asks the metric of one sample. The gate lets it in first, and only
// then its deadline runs, so that waiting for a limit is not held against the
// judge. An Evaluate that ignores the deadline is left running: stuck.
func (r *run) evaluate(ctx context.Context, j *job) (result evaluators.Result, stuck bool) {
	m := j.question.Metric
	if reason, missing := evaluators.NeedsMissing(&j.sample.Case, m.Needs); missing {
		return evaluators.Skipped(m.Name, reason, ""), false
	}
	before := time.Now()
	ticket, err := r.asked.Gate.Admit(ctx)
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
	return asking.Watched(instrumentation.Suppress(ticket.Context(ctx)), asking.Bounds{Timeout: timeout},
		func(ctx context.Context) evaluators.Result { return r.ask(ctx, j) },
		func(cause error) evaluators.Result {
			return evaluators.Failed(m.Name, asking.EndedType(r.asked.Type(), cause), cause)
		})
}

// ask acquires the permit, calls Evaluate and checks its result.
func (r *run) ask(ctx context.Context, j *job) (result evaluators.Result) {
	m := j.question.Metric
	permit, refused := r.asked.Permit(ctx)
	if refused != nil {
		refused.Metric = m.Name
		return *refused
	}
	defer permit.Release()
	began := time.Now()
	group := r.group(j.question, &j.sample.Case)
	results, err := r.asked.Answer(ctx, &j.sample.Case, group)
	if err != nil {
		return evaluators.Failed(m.Name, evaluators.ErrorEvaluatorPanic, err)
	}
	took := time.Since(began)
	result = check(j.question, one(m.Name, group, results))
	result.Err, _ = asking.Plain(result.Err)
	result.Duration = max(0, took-result.LimitWait)
	result.LimitWait += permit.Waited
	return result
}

// check holds the evaluator to its contract: one result of the metric asked, of
// which only what it scored has a score and a label of the metric's.
func check(q *question, results []evaluators.Result) evaluators.Result {
	if len(results) == 0 {
		return evaluators.Skipped(q.Name, evaluators.SkipNotReported, "")
	}
	r := results[0]
	bad := func(err error) evaluators.Result { return asking.Bad(q.Name, r, err) }
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
		if !asking.IsName(r.Reason) {
			r.Reason = evaluators.SkipNotReported
		}
	case evaluators.OutcomeFailed:
		r.Reason = ""
		if !asking.IsName(r.ErrorType) {
			r.ErrorType = evaluators.ErrorEvaluatorBadResult
		}
	default:
		return bad(errOutcome)
	}
	return r
}

package judge

import (
	"context"
	"net/http"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/limit"
)

// answered is what the gate learns of an answer, readable or not: that the
// judge works, and what it used. Without reported usage the estimate stands.
func (v *conversation) answered() limit.Outcome {
	r := &v.response
	v.evaluator.outputs.add(v.form.name, r.Usage.OutputTokens)
	o := limit.Outcome{
		Result: limit.ResultOK,
		Header: orEmpty(r.Header),
		Tokens: max(0, r.Usage.InputTokens) + max(0, r.Usage.OutputTokens),
	}
	o.Cost, o.HasCost = v.evaluator.config.price.cost(r.Usage)
	return o
}

// failed is what the gate learns of a failure.
func (v *conversation) failed(ctx context.Context, e *Error) limit.Outcome {
	o := limit.Outcome{Result: v.result(ctx, e), Body: e.Body}
	if e.Status != 0 || e.Header != nil {
		o.Header = orEmpty(e.Header)
	}
	switch o.Result {
	case limit.ResultFatal:
		o.Quota = e.Type == evaluators.ErrorJudgeQuota
	case limit.ResultOK: // a request that is turned down is not paid for
		o.HasCost = e.Status >= 400
	}
	return o
}

func (v *conversation) result(ctx context.Context, e *Error) limit.Result {
	if e.Adapted {
		return limit.ResultOK // it answered, and what was wrong is mended: a token that expired is no lost judge
	}
	switch e.Type {
	case evaluators.ErrorCancelled, evaluators.ErrorShutdown:
		return limit.ResultNeutral
	case evaluators.ErrorJudgeRateLimited:
		return limit.ResultRateLimited
	case evaluators.ErrorJudgeOverloaded:
		return limit.ResultOverloaded
	case evaluators.ErrorJudgeAuth, evaluators.ErrorJudgeQuota:
		return limit.ResultFatal
	case evaluators.ErrorJudgeModelNotFound:
		// The metric's own model is the metric's own mistake: it must not stop
		// the others.
		if v.askedModel() == v.evaluator.ownModel() {
			return limit.ResultFatal
		}
	case evaluators.ErrorJudgeTimeout:
		if e.Status == 0 && v.hadLittleTime(ctx) {
			return limit.ResultNeutral
		}
		return limit.ResultUnavailable
	case evaluators.ErrorJudgeUnavailable:
		if e.Status >= 400 && e.Status < 500 {
			break // it answered: a conflict, a request that arrived in part
		}
		return limit.ResultUnavailable
	}
	return limit.ResultOK
}

// hadLittleTime reports whether the evaluation's deadline ended a call that had
// less than half of the time that a call can have: waiting and other calls had
// taken the rest, and the judge is not to blame.
func (v *conversation) hadLittleTime(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	if !ok || ctx.Err() == nil {
		return false
	}
	most := min(v.evaluator.config.timeout, deadline.Sub(v.begun))
	return deadline.Sub(v.sent) < most/2
}

func orEmpty(h http.Header) http.Header {
	if h == nil {
		return http.Header{}
	}
	return h
}

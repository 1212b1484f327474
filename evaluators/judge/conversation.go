package judge

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/limit"
)

// maxAdaptations bounds how often one conversation follows a client that
// learns to ask in another way. A client learns each thing once, so this is
// only for one that does not.
const maxAdaptations = 4

// conversation is the calls that one metric of one case takes. One goroutine
// owns it.
//
// It repeats itself at two levels, which are counted apart: run asks again when
// an answer could not be used, ask sends again what did not get through.
type conversation struct {
	evaluator *Evaluator
	question  *question
	request   Request

	// What became of the last call.
	sent     time.Time
	span     trace.Span
	response Response
	outcome  limit.Outcome

	answer             answer
	enlarged, repaired bool
	adapted            int

	begun     time.Time
	attempts  int
	usage     Usage
	cost      float64
	uncosted  bool // nobody knows what an answer cost
	answers   int
	limitWait time.Duration
	model     string
}

func (e *Evaluator) converse(q *question, model, document string) *conversation {
	if model == "" {
		model = e.config.model
	}
	return &conversation{
		evaluator: e,
		question:  q,
		begun:     time.Now(),
		request: Request{
			Metrics: []string{q.Name},
			Model:   model,
			Messages: []Message{
				{RoleSystem, q.system},
				{RoleUser, document},
			},
			Schema:          q.schema,
			Format:          e.config.format,
			MaxOutputTokens: e.config.maxOutputTokens,
			Temperature:     e.config.temperature,
		},
	}
}

// run asks until there is an answer or a reason why there is none: at most
// once more with twice the room, and once more after an unreadable answer.
func (v *conversation) run(ctx context.Context) *Error {
	for {
		failure := v.ask(ctx)
		if again, failure := v.consider(failure); !again {
			return failure
		}
	}
}

// consider reads the response into the answer, or says whether to ask again, or
// why not.
//
//go:noinline
func (v *conversation) consider(failure *Error) (again bool, _ *Error) {
	if failure != nil {
		if failure.Adapted && v.adapted < maxAdaptations {
			v.adapted++
			return true, nil
		}
		return false, failure
	}
	if v.response.Finish == FinishLength && !v.enlarged && v.enlarge() {
		v.enlarged = true
		return true, nil
	}
	if failure := unusable(&v.response); failure != nil {
		return false, failure
	}
	a, problem := v.question.parse(v.response.Text)
	if problem == nil {
		v.answer = a
		return false, nil
	}
	if v.repaired {
		return false, &Error{Type: evaluators.ErrorJudgeMalformedOutput, Err: problem}
	}
	v.request.Messages = repair(v.request.Messages, problem)
	v.repaired = true
	return true, nil
}

// enlarge doubles the output budget and reports whether there is more of it.
func (v *conversation) enlarge() bool {
	before := v.request.MaxOutputTokens
	v.request.MaxOutputTokens = min(2*before, MaxMaxOutputTokens)
	return v.request.MaxOutputTokens > before
}

// unusable says why a response has no answer to look for; asking again would
// not help.
func unusable(r *Response) *Error {
	switch {
	case r.Refusal != "" || r.Finish == FinishRefusal:
		return fail(evaluators.ErrorJudgeRefused, "the judge refused to answer")
	case r.Finish == FinishContentFilter:
		return fail(evaluators.ErrorJudgeContentFiltered, "the provider's filter cut the answer")
	case r.Finish == FinishLength:
		return fail(evaluators.ErrorJudgeTruncated, "the output budget ran out before the answer was complete")
	case evaluators.Blank(r.Text):
		return fail(evaluators.ErrorJudgeEmptyOutput, "the judge wrote nothing")
	}
	return nil
}

// send makes one call, for which it has the permit: it opens its span, adds
// what the call took to the conversation, and tells the gate how it went. Below
// it nothing is recorded as the application's.
func (v *conversation) send(ctx context.Context, permit limit.Permit) *Error {
	v.outcome = limit.Outcome{} // neutral when the client panics
	call, cancel := v.begin(ctx)
	defer v.end(permit, cancel)
	return v.settle(ctx, v.complete(call))
}

//go:noinline
func (v *conversation) begin(ctx context.Context) (context.Context, context.CancelFunc) {
	v.attempts++
	v.sent = time.Now()
	call, cancel := instrumentation.Suppress(ctx), context.CancelFunc(func() {})
	if timeout := v.evaluator.config.timeout; inTime(ctx, timeout) { // else the deadline comes first
		call, cancel = context.WithTimeout(call, timeout)
	}
	call, v.span = v.startSpan(call)
	return call, cancel
}

func (v *conversation) end(permit limit.Permit, cancel context.CancelFunc) {
	v.span.End()
	cancel()
	permit.Done(v.outcome)
}

//go:noinline
func (v *conversation) complete(call context.Context) (err error) {
	v.response, err = v.evaluator.client.Complete(call, v.request)
	return err
}

//go:noinline
func (v *conversation) settle(ctx context.Context, err error) *Error {
	if err != nil {
		failure := sendError(ctx, err)
		v.outcome = v.failed(ctx, failure)
		failSpan(v.span, failure)
		return failure
	}
	v.outcome = v.answered()
	v.add()
	if failure := unusable(&v.response); failure != nil {
		failSpan(v.span, failure)
	}
	return nil
}

// add accounts for the response on its span and on the conversation.
func (v *conversation) add() {
	r := &v.response
	input, output := max(0, r.Usage.InputTokens), max(0, r.Usage.OutputTokens)
	v.answers++
	cost, known := v.evaluator.config.price.cost(r.Usage)
	v.cost, v.uncosted = v.cost+cost, v.uncosted || !known
	v.usage.InputTokens += input
	v.usage.OutputTokens += output
	if r.Model != "" {
		v.model = clip(r.Model, 256)
	}
	describeResponse(v.span, r)
}

// account puts what the conversation took onto its result.
func (v *conversation) account(r *evaluators.Result) {
	r.Attempts = v.attempts
	r.InputTokens, r.OutputTokens = v.usage.InputTokens, v.usage.OutputTokens
	if v.answers > 0 && !v.uncosted {
		r.Cost, r.HasCost = v.cost, true
	}
	r.LimitWait = v.limitWait
	if r.JudgeModel = v.model; r.JudgeModel == "" {
		r.JudgeModel = v.askedModel()
	}
}

// askedModel is the model that the request goes to.
func (v *conversation) askedModel() string {
	if v.request.Model != "" {
		return v.request.Model
	}
	return v.evaluator.endpoint.Model
}

// ownModel is the model that the evaluator asks unless a metric names another.
func (e *Evaluator) ownModel() string {
	if e.config.model != "" {
		return e.config.model
	}
	return e.endpoint.Model
}

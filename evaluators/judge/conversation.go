package judge

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/limit"
)

// maxAdaptations bounds how often one conversation asks in another way: four
// formats below the first, and a few parameters that a client learns to leave
// out, each once.
const maxAdaptations = 8

// conversation is the calls that the metrics of one form take for one case. One
// goroutine owns it.
//
// It repeats itself at two levels, which are counted apart: run asks again when
// an answer could not be used, ask sends again what did not get through.
type conversation struct {
	evaluator *Evaluator
	form      *form
	request   Request
	view      view

	// What became of the last call.
	sent     time.Time
	span     trace.Span
	response Response
	outcome  limit.Outcome

	readings           []reading
	enlarged, repaired bool
	probing            bool // without a format, on suspicion
	adapted            int

	begun time.Time
	spent spending
}

func (e *Evaluator) converse(f *form, model, document string) *conversation {
	if model == "" {
		model = e.config.model
	}
	return &conversation{
		evaluator: e,
		form:      f,
		begun:     time.Now(),
		request: Request{
			Model: model,
			Messages: []Message{
				{RoleSystem, f.system},
				{RoleUser, document},
			},
			Schema:          f.schema,
			MaxOutputTokens: min(len(f.questions)*e.config.maxOutputTokens, MaxMaxOutputTokens),
			Temperature:     e.config.temperature,
		},
	}
}

// run asks until there is an answer or a reason why there is none: at most
// once more with twice the room, once more after an unreadable answer, and once
// more with half of a document that is too long.
func (v *conversation) run(ctx context.Context) *Error {
	for {
		failure := v.ask(ctx)
		if again, failure := v.consider(failure); !again {
			return failure
		}
	}
}

// consider reads the response into the readings, or says whether to ask again,
// or why not. A combined answer that cannot be used is not repaired: its metrics
// are asked one by one.
//
//go:noinline
func (v *conversation) consider(failure *Error) (again bool, _ *Error) {
	if failure != nil {
		return v.adapt(failure), failure
	}
	if v.response.Finish == FinishLength && !v.enlarged && v.enlarge() {
		v.enlarged = true
		return true, nil
	}
	if failure := unusable(&v.response); failure != nil {
		return false, failure
	}
	readings, problem := v.form.parse(v.response.Text)
	ladder, model := v.evaluator.ladder, v.askedModel()
	if problem == nil {
		ladder.followed(model, v.request.Format)
		v.readings = readings
		return false, nil
	}
	ladder.ignored(model, v.request.Format)
	if v.repaired || v.form.combined() {
		return false, &Error{Type: evaluators.ErrorJudgeMalformedOutput, Err: problem}
	}
	v.request.Messages = repair(v.request.Messages, problem)
	v.repaired = true
	return true, nil
}

// adapt reports whether to ask again in another way, since this one was
// refused.
func (v *conversation) adapt(failure *Error) bool {
	if v.shorten(failure) {
		return true
	}
	if v.adapted == maxAdaptations {
		return false
	}
	v.adapted++
	switch {
	case failure.Adapted:
		return true
	case failure.FormatRefused && !v.probing:
		return v.evaluator.ladder.refused(v.askedModel(), v.request.Format)
	case failure.Type == evaluators.ErrorJudgeBadRequest && !v.probing:
		v.request.Format, v.probing = v.evaluator.ladder.probe(v.askedModel())
		return v.probing
	}
	return false
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
	if !v.probing {
		v.request.Format = v.evaluator.ladder.format(v.askedModel())
	}
	call, cancel := v.begin(ctx)
	defer v.end(permit, cancel)
	return v.settle(ctx, v.complete(call))
}

//go:noinline
func (v *conversation) begin(ctx context.Context) (context.Context, context.CancelFunc) {
	v.spent.attempts++
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
	v.evaluator.ladder.accepted(v.askedModel(), v.request.Format)
	v.add()
	if failure := unusable(&v.response); failure != nil {
		failSpan(v.span, failure)
	}
	return nil
}

// add accounts for the response on its span and on the conversation.
func (v *conversation) add() {
	v.spent.add(&v.response, v.evaluator.config.price)
	describeResponse(v.span, &v.response)
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

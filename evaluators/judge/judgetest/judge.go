package judgetest

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

// Judge is a scripted [judge.Client]. Make it with [NewJudge]. It is safe for
// concurrent use, starts no goroutine, and waits with timers only, so that it
// runs on the fake clock of a testing/synctest bubble.
type Judge struct {
	script    script
	questions questions
	record    []Call // guarded by script.mu
}

// Call is one call of a [Judge].
type Call struct {
	Request judge.Request
	// Started is when it arrived.
	Started  time.Time
	Question Question
	// Played is what it was answered with.
	Played Played
}

var (
	_ judge.Client    = (*Judge)(nil)
	_ judge.Describer = (*Judge)(nil)
)

// NewJudge returns a judge that answers everything validly and at once, but
// for what the options script.
func NewJudge(opts ...JudgeOption) *Judge {
	j := &Judge{}
	j.script.init()
	for _, o := range opts {
		o.applyJudge(j)
	}
	return j
}

// Endpoint names the provider and the model scripted.
func (j *Judge) Endpoint() judge.Endpoint {
	return judge.Endpoint{Provider: "scripted", Model: "scripted"}
}

// Complete plays the next answer for r.Metrics.
func (j *Judge) Complete(ctx context.Context, r judge.Request) (judge.Response, error) {
	c := j.script.begin()
	defer c.end()
	reply := j.admit(c, &r)
	if err := sleep(ctx, reply.delay); err != nil {
		return judge.Response{}, ended(ctx)
	}
	if reply.hangs {
		<-ctx.Done()
		return judge.Response{}, ended(ctx)
	}
	return reply.response, reply.err
}

// reply is what a call waits for. It is apart from Complete so that what making
// it takes is not on the stack of thousands of calls that wait.
type reply struct {
	response judge.Response
	err      error
	delay    time.Duration
	hangs    bool
}

// admit keeps a copy of a call and decides what becomes of it.
//
//go:noinline
func (j *Judge) admit(c *call, r *judge.Request) *reply {
	to := asking{question: j.asked(r), format: r.Format, budget: r.MaxOutputTokens}
	kept := j.keep(Call{Request: *r, Started: c.arrived, Question: to.question, Played: Played{Kind: "refused"}})
	if err := j.cannot(r); err != nil {
		return &reply{err: err}
	}
	d := c.decide(to)
	if d.limited {
		return &reply{err: &judge.Error{
			Type: evaluators.ErrorJudgeRateLimited, Status: http.StatusTooManyRequests, Header: d.header, Err: errScripted,
		}}
	}
	a, played := d.turn.resolve(to)
	j.played(kept, played)
	reply := &reply{delay: d.delay, hangs: a.kind == kindHang, err: a.failure()}
	if reply.err != nil || reply.hangs {
		return reply
	}
	reply.response = judge.Response{Finish: a.finish, ID: "scripted-response", Usage: a.usageOr(), Model: a.modelOr(r.Model), Header: d.header}
	if reply.response.Model == "" {
		reply.response.Model = j.Endpoint().Model
	}
	if a.kind == kindRefusal {
		reply.response.Refusal = a.text
	} else {
		reply.response.Text = a.text
	}
	return reply
}

// asked recognises the question. The request says what its metrics are.
func (j *Judge) asked(r *judge.Request) Question {
	q := j.questions.of(strings.Join(r.Metrics, "_"), r.Schema, systemText(r)).question
	switch {
	case slices.Equal(q.Metrics, r.Metrics):
	case len(q.Parts) > 0:
		q.serve(r.Metrics...)
	default:
		q.asks(r.Metrics...)
	}
	return q
}

// cannot says what the judge is not able to do.
func (j *Judge) cannot(r *judge.Request) error {
	prompt := 0
	for _, m := range r.Messages {
		prompt += len(m.Text)
	}
	if !j.script.knows(r.Format) {
		return &judge.Error{Type: evaluators.ErrorJudgeBadRequest, Status: http.StatusBadRequest, FormatRefused: true, Err: errScripted}
	}
	if _, ok := j.script.tooLong(prompt); ok {
		return &judge.Error{Type: evaluators.ErrorJudgeInputTooLong, Status: http.StatusBadRequest, Err: errScripted}
	}
	return nil
}

// failure is the error that an answer is, if it is one.
func (a *Answer) failure() error {
	switch a.kind {
	case kindFail:
		return &judge.Error{Type: a.fail, Err: errScripted}
	case kindHTTP:
		errorType := a.fail
		if errorType == "" {
			errorType = judge.StatusErrorType(a.status, a.header)
		}
		return &judge.Error{Type: errorType, Status: a.status, Header: a.header, Body: []byte(a.body), Err: errScripted}
	case kindClose:
		return &judge.Error{Type: evaluators.ErrorJudgeUnavailable, Err: errScripted}
	}
	return nil
}

var errScripted = errors.New("scripted failure")

func ended(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return judge.CalledOff(ctx)
	}
	return &judge.Error{Type: evaluators.ErrorJudgeTimeout, Err: context.Cause(ctx)}
}

func systemText(r *judge.Request) string {
	for _, m := range r.Messages {
		if m.Role == judge.RoleSystem {
			return m.Text
		}
	}
	return ""
}

// keep records a call and returns its place, or -1.
func (j *Judge) keep(c Call) int {
	j.script.mu.Lock()
	defer j.script.mu.Unlock()
	if len(j.record) >= j.script.recordLimit {
		return -1
	}
	j.record = append(j.record, c)
	return len(j.record) - 1
}

func (j *Judge) played(call int, p Played) {
	if call < 0 {
		return
	}
	j.script.mu.Lock()
	defer j.script.mu.Unlock()
	j.record[call].Played = p
}

// Calls returns the calls so far in order of arrival, the first
// [WithRecordLimit] of them.
func (j *Judge) Calls() []Call {
	j.script.mu.Lock()
	defer j.script.mu.Unlock()
	return slices.Clone(j.record)
}

// Arrivals returns when calls arrived, in order.
func (j *Judge) Arrivals() []time.Time { return j.script.times(false) }

// Admitted returns when those calls arrived that neither a [Policy] nor
// [Judge.Override] refused.
func (j *Judge) Admitted() []time.Time { return j.script.times(true) }

// Stats returns the counters.
func (j *Judge) Stats() Stats { return j.script.stats() }

// Count returns how many calls there were.
func (j *Judge) Count() int { return j.Stats().Calls }

// InFlight returns how many calls are running; Peak the most that ever were.
func (j *Judge) InFlight() int { return j.Stats().InFlight }
func (j *Judge) Peak() int     { return j.Stats().Peak }

// SetPolicies changes the limits, see [WithPolicies]. What has been counted
// stays counted where the policy at the same place counts in the same way.
func (j *Judge) SetPolicies(policies ...Policy) { j.script.setPolicies(policies) }

// Override gives everything that answer for d from now, in place of what is
// scripted: a storm of HTTP(429, …), an outage with [Close]. A duration of zero
// ends it.
func (j *Judge) Override(a Answer, d time.Duration) { j.script.setOverride(a, d) }

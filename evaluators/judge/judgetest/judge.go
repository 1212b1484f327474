package judgetest

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

// Judge is a scripted [judge.Client]. Make it with [NewJudge]. It is safe for
// concurrent use, starts no goroutine, and waits with timers only, so that it
// runs on the fake clock of a testing/synctest bubble.
type Judge struct {
	script script
	record []Call // guarded by script.mu
}

// Call is one call of a [Judge].
type Call struct {
	Request judge.Request
	// Started is when it arrived.
	Started time.Time
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
	j.keep(r, c.arrived)
	v := c.decide(metricOf(r))
	if v.limited {
		return judge.Response{}, &judge.Error{
			Type: evaluators.ErrorJudgeRateLimited, Status: http.StatusTooManyRequests, Header: v.header, Err: errScripted,
		}
	}
	a := v.answer
	if err := sleep(ctx, v.delay); err != nil {
		return judge.Response{}, ended(ctx)
	}
	resp := judge.Response{Finish: a.finish, ID: "scripted-response", Usage: a.usageOr(), Model: a.model, Header: v.header}
	if resp.Model == "" {
		resp.Model = r.Model
	}
	if resp.Model == "" {
		resp.Model = j.Endpoint().Model
	}
	switch a.kind {
	case kindValid:
		resp.Text = questionOf(metricOf(r), r.Schema, systemText(r)).validAnswer()
	case kindText:
		resp.Text = a.text
	case kindRefusal:
		resp.Refusal = a.text
	case kindFail:
		return judge.Response{}, &judge.Error{Type: a.fail, Err: errScripted}
	case kindHTTP:
		return judge.Response{}, &judge.Error{Type: judge.StatusErrorType(a.status, a.header), Status: a.status, Header: a.header, Body: []byte(a.body), Err: errScripted}
	case kindHang:
		<-ctx.Done()
		return judge.Response{}, ended(ctx)
	case kindClose:
		return judge.Response{}, &judge.Error{Type: evaluators.ErrorJudgeUnavailable, Err: errScripted}
	}
	return resp, nil
}

var errScripted = errors.New("scripted failure")

func ended(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return judge.CalledOff(ctx)
	}
	return &judge.Error{Type: evaluators.ErrorJudgeTimeout, Err: context.Cause(ctx)}
}

func systemText(r judge.Request) string {
	for _, m := range r.Messages {
		if m.Role == judge.RoleSystem {
			return m.Text
		}
	}
	return ""
}

func (j *Judge) keep(r judge.Request, arrived time.Time) {
	j.script.mu.Lock()
	defer j.script.mu.Unlock()
	if len(j.record) < j.script.recordLimit {
		j.record = append(j.record, Call{Request: r, Started: arrived})
	}
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

// metricOf is the first metric that a request asks.
func metricOf(r judge.Request) string {
	if len(r.Metrics) == 0 {
		return ""
	}
	return r.Metrics[0]
}

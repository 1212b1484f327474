package runner

import (
	"errors"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/asking"
	"github.com/genaievals/genaievals/limit"
)

var errItemTimeout = errors.New("the item's time was over")

// entry is leave of the gate for one call.
type entry struct {
	ticket  limit.Ticket
	permit  limit.Permit
	waited  time.Duration
	refused *evaluators.Result // what becomes of each metric that the gate turned away
	ended   bool               // the run has
}

func (in *entry) release() {
	in.permit.Release()
	in.ticket.Close()
}

// letIn waits at the gate for as long as the run goes on: no deadline of a
// metric or an item runs meanwhile.
func (l *lane) letIn(h *hand[unit]) (in entry) {
	before := h.clock
	l.waiting.Add(1)
	defer l.waiting.Add(-1)
	ticket, err := l.e.Gate.Admit(l.ctx)
	if err != nil && l.ctx.Err() != nil {
		return entry{ended: true}
	} // a gate that is shut for good is left to the evaluator to report
	in.ticket = ticket
	in.permit, in.refused = l.e.Permit(ticket.Context(l.ctx))
	h.clock = time.Now()
	in.waited = h.clock.Sub(before)
	if in.refused != nil {
		in.refused.LimitWait = in.waited
		if l.ctx.Err() != nil {
			in.release()
			in.ended = true
		}
	}
	return in
}

// timeoutOf a group is the shortest of its metrics'.
func (l *lane) timeoutOf(metrics []evaluators.Metric) time.Duration {
	timeout := time.Duration(0)
	for i := range metrics {
		if t := metrics[i].Timeout; t > 0 && (timeout == 0 || t < timeout) {
			timeout = t
		}
	}
	if timeout == 0 {
		return l.timeout
	}
	return timeout
}

// same gives all metrics of a group the same result.
func (l *lane) same(sh *share, g *group, r evaluators.Result) {
	for i := range g.metrics {
		r.Metric = g.metrics[i].Name
		l.e.Complete(&g.metrics[i], &r)
		sh.results[g.at[i]] = r
	}
}

// lost ends a unit whose call was left, or took its goroutine with it.
func (l *lane) lost(h *hand[unit], u unit, call *asking.Call, cause error) {
	sh := u.share
	if u.group == nil { // nobody's call: something of ours broke
		l.drop(u)
		return
	}
	now := time.Now()
	var waited time.Duration
	if call != nil {
		waited = call.Waited()
		if l.r.cfg.itemTimeout > 0 {
			sh.w.clock.stop(now, waited)
		}
	}
	if !l.judge {
		l.requeue(sh, u.group)
	}
	if l.ctx.Err() != nil {
		l.dropPart(h, sh)
		return
	}
	r := evaluators.Failed("", asking.EndedType(l.e.Type(), cause), cause)
	r.Duration, r.LimitWait = max(0, now.Sub(h.clock)-waited), waited
	l.same(sh, u.group, r)
	l.partDone(h, sh)
}

// requeue gives the groups after one to other workers.
func (l *lane) requeue(sh *share, after *group) {
	var units []unit
	found := false
	for i := range sh.plan.groups {
		g := &sh.plan.groups[i]
		if found {
			units = append(units, unit{sh, g})
		}
		found = found || g == after
	}
	l.pushFirst(units)
}

// partDone ends a group; the last one ends the share.
func (l *lane) partDone(h *hand[unit], sh *share) {
	if sh.parts.Add(-1) == 0 {
		h.done = append(h.done, sh)
	}
	if !l.several {
		l.handOn(h)
	}
}

// dropPart is partDone for a group that has no results, since the run has ended.
func (l *lane) dropPart(h *hand[unit], sh *share) {
	sh.abandoned.Store(true)
	l.partDone(h, sh)
}

// drop is dropPart for a unit that no worker has.
func (l *lane) drop(u unit) {
	u.share.abandoned.Store(true)
	if u.group == nil || u.share.parts.Add(-1) == 0 {
		l.r.shareDone([]*share{u.share})
	}
}

// handOn counts the shares that a worker has done, and hands them on.
func (l *lane) handOn(h *hand[unit]) {
	if h.held > 0 {
		l.r.window.grow(h.held)
		h.held = 0
	}
	if len(h.done) == 0 {
		return
	}
	l.mu.Lock()
	for _, sh := range h.done {
		l.count(sh)
	}
	hopeless := l.hopeless()
	l.mu.Unlock()
	if hopeless != nil {
		l.r.fail(hopeless)
	}
	l.r.shareDone(h.done)
	clear(h.done)
	h.done = h.done[:0]
}

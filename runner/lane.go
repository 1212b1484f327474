package runner

import (
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/internal/asking"
)

// lane is one evaluator with its queue and its workers. The crew's lock guards
// the counts.
type lane struct {
	crew[unit]
	r       *Run
	index   int
	e       *asking.Evaluator
	judge   bool
	timeout time.Duration     // of a metric that has none
	aliases map[string]string // other names of metrics
	menus   [instrumentation.Kinds]*menu
	names   []*counts // in the order of the metrics
	byName  map[string]*counts
	scored  bool // a metric, ever
	lasting int  // failures that the next item will meet too
}

// unit is what a worker does in one go: all of a share, or one of its groups.
type unit struct {
	share *share
	group *group // nil: nobody has begun with the share
}

func newLane(r *Run, index int, a evaluators.Assignment, evals Evaluators) *lane {
	l := &lane{r: r, index: index, timeout: evals.Timeout(), byName: make(map[string]*counts)}
	l.e = asking.New(a.Evaluator, evals.Gate(a.Evaluator.Name()))
	l.judge = l.e.Type() == evaluators.TypeLLMJudge
	l.crew.name, l.ctx, l.most = l.e.Name(), r.ctx, r.cfg.concurrency
	if !l.judge {
		l.most = deterministicWorkers()
		l.several = l.e.Gate == nil
	}
	l.serve, l.conclude, l.abandon, l.flush, l.tooMany = l.ask, l.lost, l.drop, l.handOn, r.tooManyStuck
	l.hungry = r.hungry
	l.init()
	if other, ok := a.Evaluator.(interface{ Aliases() map[string]string }); ok {
		l.aliases = other.Aliases()
	}
	for kind := range l.menus {
		if metrics := a.Metrics[instrumentation.Kind(kind)]; len(metrics) > 0 {
			l.menus[kind] = newMenu(l, metrics)
		}
	}
	return l
}

// ask does a unit.
func (l *lane) ask(h *hand[unit], u unit) bool {
	sh := u.share
	if u.group != nil {
		return l.askGroup(h, sh, u.group)
	}
	sh.results = make([]evaluators.Result, len(sh.menu.metrics))
	p := sh.menu.plan(sh, &h.scratch)
	sh.plan = p
	sh.parts.Store(int32(max(1, len(p.groups))))
	if len(p.groups) == 0 {
		l.partDone(h, sh)
		return true
	}
	if l.judge && len(p.groups) > 1 {
		others := make([]unit, 0, len(p.groups)-1)
		for i := range p.groups[1:] {
			others = append(others, unit{sh, &p.groups[1+i]})
		}
		l.pushFirst(others)
		h.units[h.next].group = &p.groups[0]
		return l.askGroup(h, sh, &p.groups[0])
	}
	for i := range p.groups {
		h.units[h.next].group = &p.groups[i] // for whoever takes over
		if !l.askGroup(h, sh, &p.groups[i]) {
			return false
		}
	}
	return true
}

// askGroup asks the metrics of one group within their time. It is false when the
// call was left.
func (l *lane) askGroup(h *hand[unit], sh *share, g *group) bool {
	w := sh.w
	base := l.r.evaluating
	var in entry
	if l.e.Gate != nil {
		if in = l.letIn(h); in.ended {
			l.dropPart(h, sh)
			return true
		}
		defer in.release()
		if in.refused != nil {
			l.same(sh, g, *in.refused)
			l.partDone(h, sh)
			return true
		}
		base = in.ticket.Context(base)
	}
	bounds := asking.Bounds{Timeout: l.timeoutOf(g.metrics), Unsaid: l.e.PassesItself}
	timed := l.r.cfg.itemTimeout > 0
	if timed {
		left := l.r.cfg.itemTimeout - w.clock.start(h.clock)
		if left <= 0 {
			w.clock.stop(h.clock, 0)
			l.same(sh, g, evaluators.Failed("", ErrorItemTimeout, errItemTimeout))
			l.partDone(h, sh)
			return true
		}
		if bounds.Timeout == 0 || left < bounds.Timeout {
			bounds.Timeout = left
		}
	}
	began := h.clock
	call := h.seat.Begin(base, began, bounds)
	h.call = call
	results := sh.menu.checked(&h.scratch, &w.c, g, call)
	if !h.seat.End(call) {
		return false
	}
	h.call = nil
	h.clock = time.Now()
	took := h.clock.Sub(began)
	if timed {
		w.clock.stop(h.clock, call.Waited())
	}
	ended, before := l.ctx.Err() != nil, h.held
	for i := range results {
		r := &results[i]
		if ended && r.Outcome == evaluators.OutcomeFailed {
			l.dropPart(h, sh) // it is asked again by whoever goes on
			return true
		}
		r.Duration = max(0, took-r.LimitWait)
		r.LimitWait += in.waited
		l.e.Complete(&g.metrics[i], r)
		sh.results[g.at[i]] = *r
		h.held += held(r)
	}
	w.size.Add(h.held - before)
	l.partDone(h, sh)
	return true
}

package manager

import (
	"time"

	"github.com/genaievals/genaievals/evaluators"
)

// work serves one task after the other until await says to leave. Where code of
// the application's ends the goroutine (runtime.Goexit, as t.FailNow does),
// another worker takes its place.
func (l *lane) work() {
	left := false
	defer func() {
		if !left {
			l.m.workers.Go(l.work)
		}
	}()
	for l.await() {
		l.serve()
	}
	left = true
}

// serve takes a task, if one is left, and evaluates it. What it holds is given
// back whatever becomes of the worker.
func (l *lane) serve() {
	inHand, err := l.letIn()
	if err != nil {
		return // nothing is left, as await is about to say
	}
	defer func() { inHand.close() }()
	t, at, ok := l.take()
	if !ok {
		return
	}
	if l.duplicates.seen(t.inv, time.Now()) {
		inHand.close()
		inHand = pass{}
		l.refuse(t, at, dropDuplicate)
		return
	}
	defer l.finish(at)
	e := &evaluation{
		m: l.m, inv: t.inv, point: samplingPoint(t.inv.Summary()),
		probing: len(l.members) == 1 && inHand.ticket.Probe(),
	}
	e.run(l.m.base, l.members, func() (*evaluators.Case, error) { return l.m.caseOf(l.m.base, t) }, &inHand)
}

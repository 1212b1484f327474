package manager

import (
	"context"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/limit"
)

// A task that was taken to find out whether a judge is back must not be lost
// when it is not: it would have waited in the queue with the others. So what of
// it the judge's absence has kept from being asked is asked again at the next
// probe, until the judge is back or the task is older than MaxAge. Its worker
// holds neither a slot nor a turn meanwhile, and it is one worker: no other can
// take a task before.

// absence are the error types that say nothing about the case, only that the
// judge was not there for it.
var absence = map[string]bool{
	evaluators.ErrorJudgeCircuitOpen: true, evaluators.ErrorJudgeUnavailable: true, evaluators.ErrorJudgeTimeout: true,
	evaluators.ErrorJudgeOverloaded: true, evaluators.ErrorJudgeRateLimited: true, evaluators.ErrorJudgeAuth: true,
	evaluators.ErrorJudgeQuota: true, evaluators.ErrorJudgeModelNotFound: true,
}

// unanswered reports whether a group of a probing task is to be asked again: it
// failed for the judge's absence, and the breaker has opened once more.
func (e *evaluation) unanswered(g *group, results []evaluators.Result) bool {
	if !e.probing || g.mb.gate == nil || e.expired() {
		return false
	}
	for _, r := range results {
		if r.Outcome != evaluators.OutcomeFailed || !absence[r.ErrorType] {
			return false
		}
	}
	b := g.mb.gate.Status().Breaker
	return b != nil && b.State != limit.BreakerClosed
}

func (e *evaluation) expired() bool {
	return time.Since(e.inv.Summary().End) > e.m.cfg.MaxAge
}

// postpone keeps a group to be asked again, as if it had not been asked.
func (e *evaluation) postpone(g *group, results []evaluators.Result) {
	g.mb.retract(len(results))
	e.mu.Lock()
	defer e.mu.Unlock()
	e.postponed = append(e.postponed, postponed{g, results})
}

// postponed is a group with what came of it last.
type postponed struct {
	*group
	results []evaluators.Result
}

// askAgain asks what was postponed, one group after the other, each when its
// gate lets a new task in. What is not answered within MaxAge fails as it did
// last.
func (e *evaluation) askAgain(ctx context.Context) {
	for {
		e.mu.Lock()
		again := e.postponed
		e.postponed = nil
		e.mu.Unlock()
		if len(again) == 0 {
			return
		}
		for _, p := range again {
			e.askOnce(ctx, p)
		}
		e.running.Wait()
	}
}

func (e *evaluation) askOnce(ctx context.Context, p postponed) {
	within, cancel := context.WithDeadline(ctx, e.inv.Summary().End.Add(e.m.cfg.MaxAge))
	defer cancel()
	var own pass
	err := own.admit(within, p.mb, (*limit.Gate).Admit)
	if err == nil {
		err = e.letIn(within, p.mb, &own)
	}
	switch {
	case ctx.Err() != nil:
		e.settle(p.mb, failAll(p.mb, p.metrics, endedType(ctx, p.mb), context.Cause(ctx)))
	case err != nil:
		e.settle(p.mb, p.results)
	default:
		g := &group{e: e, mb: p.mb, c: p.c, metrics: p.metrics, pass: own}
		g.start(ctx)
		if e.m.cfg.MaxConcurrent == 1 {
			e.running.Wait()
		}
	}
	e.publishSettled()
}

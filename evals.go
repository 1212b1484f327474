package genaievals

import (
	"context"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/limit"
	"github.com/genaievals/genaievals/manager"
)

// Evals is what [Start] started. Its methods are safe for concurrent use, and
// do nothing where nothing is evaluated; that holds for a nil Evals too.
type Evals struct {
	manager    *manager.Manager // nil when off
	handler    *instrumentation.Handler
	unregister func()
	why        string // it is off
	gates      map[string]*limit.Gate
	page       *livePage // nil without one
}

// Gate is the gate that Start made for a judge, or for an evaluator of the
// application's own that a rate was set for, by its name in any spelling; nil
// where there is none. Its limits can be changed while it is used.
func (e *Evals) Gate(evaluator string) *limit.Gate {
	if e == nil {
		return nil
	}
	return e.gates[judgeKey(evaluator)]
}

// Off says why nothing is evaluated; empty while something is.
func (e *Evals) Off() string {
	if e == nil {
		return "not started"
	}
	return e.why
}

// Handler records the application's GenAI calls. Transports of package
// genaihttp find it without being told; pass it on where calls are recorded by
// hand. It is never nil.
func (e *Evals) Handler() *instrumentation.Handler {
	if e == nil || e.handler == nil {
		return instrumentation.Default()
	}
	return e.handler
}

// DashboardURL is the live page's address, without its token; empty where there is
// no page.
func (e *Evals) DashboardURL() string {
	if e == nil {
		return ""
	}
	return e.page.url()
}

// Flush waits until every invocation that was completed before the call has
// been evaluated and its results handed to OpenTelemetry and to the result
// handlers, or dropped. When ctx ends first it returns ctx's error, wrapped.
// Exporting is the providers' business: flush those afterwards.
func (e *Evals) Flush(ctx context.Context) error {
	if e == nil || e.manager == nil {
		return nil
	}
	return e.manager.Flush(ctx)
}

// EvaluateNow evaluates an invocation that has ended and returns its results,
// past queue and sampling but within the judges' limits. It blocks until all
// results are there or ctx ends, when what still runs fails. The results are
// published like all others. When off, or after Shutdown, it gives no results;
// after Shutdown the error is manager.ErrShutdown.
func (e *Evals) EvaluateNow(ctx context.Context, inv *instrumentation.Invocation) ([]evaluators.Result, error) {
	if e == nil || e.manager == nil {
		return nil, nil
	}
	return e.manager.EvaluateNow(ctx, inv)
}

// Status returns what was offered, evaluated, skipped, failed and dropped; the
// zero Status when off.
func (e *Evals) Status() manager.Status {
	if e == nil || e.manager == nil {
		return manager.Status{}
	}
	return e.manager.Status()
}

// Shutdown stops taking invocations, evaluates those that wait until ctx ends
// (SHUTDOWN_TIMEOUT where ctx has no deadline), gives the rest up, and returns
// at most 100 ms later, with ctx's error wrapped when it was cut short. Call it
// before the OpenTelemetry providers are shut down. A second call waits for the
// first and returns nil.
func (e *Evals) Shutdown(ctx context.Context) error {
	if e == nil || e.manager == nil {
		return nil
	}
	e.unregister()
	running.Lock()
	if running.evals == e {
		running.evals = nil // a Start from here on begins anew
	}
	running.Unlock()
	err := e.manager.Shutdown(ctx)
	e.page.end(ctx)
	return err
}

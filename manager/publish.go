package manager

import (
	"context"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
)

// startSpans opens the group's evaluation spans; the function returned ends
// them. A span processor of the application that panics costs the spans only.
func (m *Manager) startSpans(ctx context.Context, inv *instrumentation.Invocation, mb *member, metrics []evaluators.Metric) (spanned context.Context, end func([]evaluators.Result)) {
	spanned, end = ctx, func([]evaluators.Result) {}
	if m.cfg.Emitter == nil {
		return spanned, end
	}
	returned := false
	defer m.contain("span processor", &returned)
	started, spans := m.cfg.Emitter.Start(ctx, inv, mb.evaluator, metrics)
	returned = true
	return started, func(results []evaluators.Result) {
		returned := false
		defer m.contain("span processor", &returned)
		spans.End(results)
		returned = true
	}
}

// publish hands a batch of results to OpenTelemetry and then to each handler.
// Call it holding nothing that another evaluation may need: a handler may
// evaluate something now.
func (m *Manager) publish(inv *instrumentation.Invocation, results []evaluators.Result) {
	// Deferred: the handlers are told even if an exporter ends the goroutine.
	defer m.tellResults(m.cfg.ResultHandlers, inv, results)
	m.emit(inv, results)
}

// publishApart publishes on a goroutine of its own and waits, so that nothing
// of the application's can end the caller's.
func (m *Manager) publishApart(inv *instrumentation.Invocation, results []evaluators.Result) {
	published := make(chan struct{})
	go func() {
		defer close(published)
		m.publish(inv, results)
	}()
	<-published
}

func (m *Manager) emit(inv *instrumentation.Invocation, results []evaluators.Result) {
	if m.cfg.Emitter == nil {
		return
	}
	returned := false
	defer m.contain("exporter", &returned)
	m.cfg.Emitter.Publish(inv, results)
	returned = true
}

// tellResults tells one handler after the other, whatever becomes of each.
func (m *Manager) tellResults(handlers []ResultHandler, inv *instrumentation.Invocation, results []evaluators.Result) {
	if len(handlers) == 0 {
		return
	}
	defer m.tellResults(handlers[1:], inv, results)
	returned := false
	defer m.contain("result handler", &returned)
	handlers[0](inv, results)
	returned = true
}

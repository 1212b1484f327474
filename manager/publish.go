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
	defer m.contain("span processor", nil)
	started, spans := m.cfg.Emitter.Start(ctx, inv, mb.evaluator, metrics)
	return started, func(results []evaluators.Result) {
		defer m.contain("span processor", nil)
		spans.End(results)
	}
}

// publish hands a batch of results to OpenTelemetry and then to each handler.
func (m *Manager) publish(inv *instrumentation.Invocation, results []evaluators.Result) {
	m.emit(inv, results)
	for _, h := range m.cfg.ResultHandlers {
		m.tellResults(h, inv, results)
	}
}

func (m *Manager) emit(inv *instrumentation.Invocation, results []evaluators.Result) {
	if m.cfg.Emitter == nil {
		return
	}
	defer m.contain("exporter", nil)
	m.cfg.Emitter.Publish(inv, results)
}

func (m *Manager) tellResults(h ResultHandler, inv *instrumentation.Invocation, results []evaluators.Result) {
	defer m.contain("result handler", nil)
	h(inv, results)
}

package emit

import (
	"context"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/log"
)

// event emits a result as a log record of the span in ctx. Nothing is built
// that nobody wants.
func (e *Emitter) event(ctx context.Context, inv *instrumentation.Invocation, r evaluators.Result) {
	e.emit(ctx, eventResult, severity(r), func(a *attributes) {
		a.result(r, e.config.Explanation)
		a.invocation(inv)
		a.identity(inv)
		e.extra(a, inv, r)
	})
}

// aggregated describes all results in one event. The invocation, which they
// share, is described once beside the list.
func (e *Emitter) aggregated(a *attributes, inv *instrumentation.Invocation, results []evaluators.Result) {
	list := make([]attribute.Value, len(results))
	for i, r := range results {
		var entry attributes
		entry.result(r, e.config.Explanation)
		entry.evaluators(r)
		list[i] = attribute.MapValue(entry...)
	}
	a.add(attribute.KeyValue{Key: keyEvaluations, Value: attribute.SliceValue(list...)})
	a.invocation(inv)
	a.identity(inv)
	if e.config.Baggage {
		a.properties(inv)
	}
}

// extra adds what is not ours: the evaluator's own attributes, then the
// application's.
func (e *Emitter) extra(a *attributes, inv *instrumentation.Invocation, r evaluators.Result) {
	a.evaluators(r)
	if e.config.Baggage {
		a.properties(inv)
	}
}

func (e *Emitter) emit(ctx context.Context, event string, s log.Severity, describe func(*attributes)) {
	if !e.logger.Enabled(ctx, log.EnabledParameters{Severity: s, EventName: event}) {
		return
	}
	a := make(attributes, 0, 24)
	describe(&a)
	var record log.Record
	record.SetEventName(event)
	record.SetTimestamp(time.Now())
	record.SetSeverity(s)
	record.AddAttributes(a...)
	e.logger.Emit(ctx, record)
}

// severity is WARN if any of the results failed. The conventions define none
// for the others.
func severity(results ...evaluators.Result) log.Severity {
	for _, r := range results {
		if r.Outcome == evaluators.OutcomeFailed {
			return log.SeverityWarn
		}
	}
	return log.SeverityUndefined
}

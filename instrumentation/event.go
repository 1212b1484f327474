package instrumentation

import (
	"context"

	"go.opentelemetry.io/otel/log"
)

// eventDetails carries an inference's content, as an attribute each.
const eventDetails = "gen_ai.client.inference.operation.details"

// wantsEvent reports whether the details event of such an invocation goes
// anywhere.
func (h *Handler) wantsEvent(ctx context.Context, kind Kind) bool {
	return kind == KindInference && h.capture.events() &&
		h.logger.Enabled(ctx, log.EnabledParameters{Severity: log.SeverityDebug, EventName: eventDetails})
}

// emitDetails emits the event with what the span has, and the content.
func (h *Handler) emitDetails(ctx context.Context, inv *Invocation, content attributes) {
	var r log.Record
	r.SetEventName(eventDetails)
	r.SetTimestamp(inv.end)
	r.SetSeverity(log.SeverityDebug)
	r.AddAttributes(inv.sampling()...)
	r.AddAttributes(inv.params...)
	r.AddAttributes(inv.outcome()...)
	r.AddAttributes(content...)
	h.logger.Emit(ctx, r)
}

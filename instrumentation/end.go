package instrumentation

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// End ends the invocation: it tells the handler's callbacks, records the
// metrics and ends the span. Of several calls of End and Fail the first counts;
// the others return at once. It takes as long as the callbacks do and does not
// depend on the context having been cancelled.
func (inv *Invocation) End() { inv.finish(nil) }

// Fail ends the invocation as [Invocation.End] does, with an error: the span's
// status is Error and error.type says what kind of error, see [WithErrorType].
// An error that is or wraps [context.Canceled] marks the invocation as
// cancelled instead, which is apart from failure. Fail(nil) is End.
func (inv *Invocation) Fail(err error) { inv.finish(err) }

func (inv *Invocation) finish(err error) {
	if inv == nil || inv.handler == nil {
		return
	}
	end := inv.start.Add(time.Since(inv.start)) // a wall clock that was set meanwhile does not matter
	// Classified outside the lock: it can run the application's code.
	errorType, cancelled := inv.handler.classify(err)

	inv.mu.Lock()
	if inv.ended {
		inv.mu.Unlock()
		return
	}
	inv.ended = true
	inv.calling.Store(true)
	inv.end, inv.errorType, inv.cancelled = end, errorType, cancelled
	inv.freeze()
	ctx := inv.ctx
	inv.recording = recording{}
	inv.mu.Unlock()

	// Deferred, so that the span ends even when a callback ends its goroutine.
	defer inv.emit(ctx, err)
	inv.handler.complete(inv)
}

// freeze computes what a callback reads. The caller holds the lock.
func (inv *Invocation) freeze() {
	if len(inv.finishReasons) == 0 {
		for _, m := range inv.output {
			if m.FinishReason != "" {
				inv.finishReasons = append(inv.finishReasons, m.FinishReason)
			}
		}
	}
	switch {
	case inv.kind == KindInference && (len(inv.late) > 0 || inv.changedInput):
		var answered []Document
		if inv.changedInput {
			answered = atMost(toolResponses(inv.input))
		}
		inv.documents = distinct(inv.documents, answered, inv.late)
	case inv.encloses():
		inv.documents = distinct(inv.collect(), inv.late)
	}
	inv.shareDocuments()
	inv.toolOnly, inv.textSize = firstChoice(inv.output)
	inv.size = inv.measure()
	inv.summarize()
}

// emit stamps what the callbacks said, records the metrics and the event, and
// ends the span, which must be last: it changes no more. Nothing changes the
// record meanwhile.
func (inv *Invocation) emit(ctx context.Context, err error) {
	defer inv.span.End(trace.WithTimestamp(inv.end))

	inv.calling.Store(false)

	spanContent := inv.span.IsRecording() && inv.handler.capture.spans()
	event := inv.handler.wantsEvent(ctx, inv.kind)
	var content attributes
	if spanContent || event {
		content = inv.content()
	}
	if inv.span.IsRecording() {
		a := inv.outcome()
		if inv.marked {
			a.add(keyEvaluationSampled.Bool(inv.evaluated))
			a.text(keyEvaluationError, clean(inv.unevaluated))
		}
		if spanContent {
			a = append(a, content...)
		}
		inv.span.SetAttributes(a...)
		if inv.errorType != "" {
			description := ""
			if spanContent {
				description = inv.handler.message(err)
			}
			inv.span.SetStatus(codes.Error, description)
		}
	}
	inv.handler.instruments.record(ctx, inv)
	if event {
		inv.handler.emitDetails(ctx, inv, content)
	}
}

package emit

import (
	"context"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"go.opentelemetry.io/otel/codes"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"
)

// Spans are the open spans of a group of metrics. The zero Spans has none.
type Spans struct {
	emitter    *Emitter
	invocation *instrumentation.Invocation
	open       []openSpan
}

type openSpan struct {
	metric string
	span   trace.Span
}

// Start opens the span evaluate {metric} of each metric that ev is about to be
// asked. The returned context carries the first of them, so that a judge's
// calls appear below it; without spans it carries the evaluated span's context,
// and no tracer. What else ctx carries is kept.
func (e *Emitter) Start(ctx context.Context, inv *instrumentation.Invocation, ev evaluators.Evaluator, metrics []evaluators.Metric) (context.Context, Spans) {
	evaluated := inv.SpanContext()
	parent := trace.ContextWithSpanContext(ctx, evaluated)
	if e.config.Span == SpanOff || len(metrics) == 0 {
		return parent, Spans{}
	}
	spans := Spans{emitter: e, invocation: inv, open: make([]openSpan, len(metrics))}
	first := parent
	for i, m := range metrics {
		// What a sampler may want to see; the rest follows if it is recorded.
		a := make(attributes, 0, 8)
		a.add(semconv.GenAIOperationNameKey.String(operation))
		a.add(semconv.GenAIEvaluationName(cleanText(m.Name)))
		a.text(keyEvaluator, ev.Name())
		a.invocation(inv)
		opts := []trace.SpanStartOption{
			trace.WithSpanKind(trace.SpanKindInternal),
			trace.WithAttributes(a...),
		}
		if e.config.Span == SpanLink {
			opts = append(opts, trace.WithNewRoot())
			if evaluated.IsValid() {
				opts = append(opts, trace.WithLinks(trace.Link{SpanContext: evaluated}))
			}
		}
		spanned, span := e.tracer.Start(parent, spanPrefix+cleanText(m.Name), opts...)
		if span.IsRecording() {
			var more attributes
			more.terms(ev.Name(), ev.Version(), ev.Type(), m.Threshold, m.Direction)
			more.identity(inv)
			span.SetAttributes(more...)
		}
		spans.open[i] = openSpan{m.Name, span}
		if i == 0 {
			first = spanned
		}
	}
	return first, spans
}

// End ends the spans, each with the result of its metric; one whose metric has
// no result ends without. Call it once.
func (s Spans) End(results []evaluators.Result) {
	for _, o := range s.open {
		if o.span.IsRecording() {
			for _, r := range results {
				if r.Metric == o.metric {
					s.describe(o.span, sound(r))
					break
				}
			}
		}
		o.span.End()
	}
}

func (s Spans) describe(span trace.Span, r evaluators.Result) {
	a := make(attributes, 0, 16)
	a.outcome(r, s.emitter.config.Explanation)
	s.emitter.extra(&a, s.invocation, r)
	span.SetAttributes(a...)
	if r.Outcome == evaluators.OutcomeFailed {
		span.SetStatus(codes.Error, cleanText(r.ErrorType))
	}
}

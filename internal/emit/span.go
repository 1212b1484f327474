package emit

import (
	"context"
	"slices"

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
// and no tracer. What else ctx carries is kept. When a span processor panics,
// the spans that were opened are ended before the panic goes on.
func (e *Emitter) Start(ctx context.Context, inv *instrumentation.Invocation, ev evaluators.Evaluator, metrics []evaluators.Metric) (context.Context, Spans) {
	evaluated := inv.SpanContext()
	parent := trace.ContextWithSpanContext(ctx, evaluated)
	if e.config.Span == SpanOff || len(metrics) == 0 {
		return parent, Spans{}
	}
	spans := Spans{emitter: e, invocation: inv, open: make([]openSpan, 0, len(metrics))}
	started := false
	defer func() {
		if !started {
			spans.End(nil)
		}
	}()
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
		spans.open = append(spans.open, openSpan{m.Name, span})
		if span.IsRecording() {
			var more attributes
			more.terms(ev.Name(), ev.Version(), ev.Type(), m.Threshold, m.Direction)
			more.identity(inv)
			span.SetAttributes(more...)
		}
		if i == 0 {
			first = spanned
		}
	}
	started = true
	return first, spans
}

// End ends the spans, each with the result of its metric; one whose metric has
// no result ends without. Each is ended whether or not another panics, and the
// first panic then goes on. Call it once.
func (s Spans) End(results []evaluators.Result) {
	var a attempts
	for _, o := range s.open {
		a.try(func() { s.describe(o, results) })
		a.try(func() { o.span.End() })
	}
	a.raise()
}

func (s Spans) describe(o openSpan, results []evaluators.Result) {
	i := slices.IndexFunc(results, func(r evaluators.Result) bool { return r.Metric == o.metric })
	if i < 0 || !o.span.IsRecording() {
		return
	}
	r := sound(results[i])
	a := make(attributes, 0, 16)
	a.outcome(r, s.emitter.config.Explanation)
	s.emitter.extra(&a, s.invocation, r)
	o.span.SetAttributes(a...)
	if r.Outcome == evaluators.OutcomeFailed {
		o.span.SetStatus(codes.Error, cleanText(r.ErrorType))
	}
}

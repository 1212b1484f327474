package judge

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"
)

// scopeName is the instrumentation scope of the judge's calls. It is not the
// application's GenAI scope, so that backends can tell them apart.
const scopeName = "github.com/genaievals/genaievals/evaluators/judge"

// startSpan opens the span of one call below the span in ctx and with that
// span's provider: where evaluations have no spans, neither do their calls.
func (v *conversation) startSpan(ctx context.Context) (context.Context, trace.Span) {
	tracer := trace.SpanFromContext(ctx).TracerProvider().Tracer(scopeName,
		trace.WithSchemaURL(semconv.SchemaURL))
	endpoint, model := v.evaluator.endpoint, v.askedModel()
	name := "chat"
	attrs := []attribute.KeyValue{
		semconv.GenAIOperationNameChat,
		semconv.GenAIRequestMaxTokens(v.request.MaxOutputTokens),
	}
	if model != "" {
		name += " " + model
		attrs = append(attrs, semconv.GenAIRequestModel(model))
	}
	if endpoint.Provider != "" {
		attrs = append(attrs, semconv.GenAIProviderNameKey.String(endpoint.Provider))
	}
	if endpoint.Address != "" {
		attrs = append(attrs, semconv.ServerAddress(endpoint.Address))
		if endpoint.Port != 0 {
			attrs = append(attrs, semconv.ServerPort(endpoint.Port))
		}
	}
	if v.request.Format != FormatNone {
		attrs = append(attrs, semconv.GenAIOutputTypeJSON)
	}
	if t := v.request.Temperature; t != nil {
		attrs = append(attrs, semconv.GenAIRequestTemperature(*t))
	}
	return tracer.Start(ctx, name, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(attrs...))
}

// maxNameLength of what a provider calls an answer or a model, in bytes.
const maxNameLength = 256

// describeResponse puts what the provider said of a response on its span.
func describeResponse(span trace.Span, r *Response) {
	if !span.IsRecording() {
		return
	}
	attrs := []attribute.KeyValue{semconv.GenAIResponseFinishReasons(r.Finish.String())}
	if r.ID != "" {
		attrs = append(attrs, semconv.GenAIResponseID(clip(r.ID, maxNameLength)))
	}
	if r.Model != "" {
		attrs = append(attrs, semconv.GenAIResponseModel(clip(r.Model, maxNameLength)))
	}
	span.SetAttributes(attrs...)
	describeUsage(span, r.Usage)
}

func describeUsage(span trace.Span, u Usage) {
	for _, part := range [...]struct {
		key   attribute.Key
		count int64
	}{
		{semconv.GenAIUsageInputTokensKey, u.InputTokens},
		{semconv.GenAIUsageOutputTokensKey, u.OutputTokens},
		{semconv.GenAIUsageCacheReadInputTokensKey, u.CachedTokens},
		{semconv.GenAIUsageReasoningOutputTokensKey, u.ReasoningTokens},
	} {
		if part.count > 0 {
			span.SetAttributes(part.key.Int64(tokens(part.count)))
		}
	}
}

func failSpan(span trace.Span, e *Error) {
	span.SetStatus(codes.Error, e.Type)
	span.SetAttributes(semconv.ErrorTypeKey.String(e.Type))
	describeUsage(span, e.Usage)
}

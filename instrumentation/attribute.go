package instrumentation

import (
	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
)

// Keys that semconv v1.41 does not have. The gen_ai.evaluation ones are in use
// elsewhere, gen_ai.retrieval.top_k came to the conventions later, and the last
// is ours.
const (
	keyEvaluationSampled = attribute.Key("gen_ai.evaluation.sampled")
	keyEvaluationError   = attribute.Key("gen_ai.evaluation.error")
	keyRetrievalTopK     = attribute.Key("gen_ai.retrieval.top_k")
	keyCancelled         = attribute.Key("genaievals.cancelled")
)

// attributes collects what is known: zero values are left out.
type attributes []attribute.KeyValue

func (a *attributes) add(kv attribute.KeyValue) { *a = append(*a, kv) }

func (a *attributes) text(k attribute.Key, v string) {
	if v != "" {
		a.add(k.String(v))
	}
}

func (a *attributes) texts(k attribute.Key, v []string) {
	if len(v) > 0 {
		a.add(k.StringSlice(v))
	}
}

func (a *attributes) count(k attribute.Key, v int64) {
	if v > 0 {
		a.add(k.Int64(v))
	}
}

// number and integer are for parameters whose zero is a value.

func (a *attributes) number(k attribute.Key, v *float64) {
	if v != nil && finite(*v) {
		a.add(k.Float64(*v))
	}
}

func (a *attributes) integer(k attribute.Key, v *int) {
	if v != nil {
		a.add(k.Int(*v))
	}
}

// sampling lists what is set when the span starts, which is all a sampler
// sees.
func (inv *Invocation) sampling() attributes {
	a := make(attributes, 0, len(inv.properties)+5)
	a = append(a, inv.properties...)
	a.add(semconv.GenAIOperationNameKey.String(inv.operation))
	a.text(semconv.GenAIProviderNameKey, inv.provider)
	a.text(semconv.GenAIRequestModelKey, inv.requestModel)
	a.server(&inv.record)
	return a
}

// server adds the address and, as the conventions have it, a port only with
// one.
func (a *attributes) server(r *record) {
	if r.serverAddress != "" {
		a.add(semconv.ServerAddress(r.serverAddress))
		a.count(semconv.ServerPortKey, int64(r.serverPort))
	}
}

// identity adds what ties the invocation to its conversation and agent.
func (a *attributes) identity(inv *Invocation) {
	a.text(semconv.GenAIConversationIDKey, inv.conversationID)
	a.text(semconv.GenAIAgentNameKey, inv.agentName)
	a.text(semconv.GenAIAgentIDKey, inv.agentID)
}

// dimensions lists the attributes of the metrics: nothing with many values.
func (inv *Invocation) dimensions() attributes {
	a := make(attributes, 0, 8) // room for the token type
	a.add(semconv.GenAIOperationNameKey.String(inv.operation))
	a.text(semconv.GenAIProviderNameKey, inv.provider)
	a.text(semconv.GenAIRequestModelKey, inv.requestModel)
	a.text(semconv.GenAIResponseModelKey, inv.responseModel)
	a.server(&inv.record)
	a.failure(&inv.record)
	return a
}

func (a *attributes) failure(r *record) {
	a.text(semconv.ErrorTypeKey, r.errorType)
	if r.cancelled {
		a.add(keyCancelled.Bool(true))
	}
}

// outcome lists what was learned between start and end, content apart.
func (inv *Invocation) outcome() attributes {
	a := make(attributes, 0, 16)
	a.text(semconv.GenAIResponseIDKey, inv.responseID)
	a.text(semconv.GenAIResponseModelKey, inv.responseModel)
	a.texts(semconv.GenAIResponseFinishReasonsKey, inv.finishReasons)
	a.count(semconv.GenAIUsageInputTokensKey, inv.usage.InputTokens)
	a.count(semconv.GenAIUsageOutputTokensKey, inv.usage.OutputTokens)
	a.count(semconv.GenAIUsageCacheReadInputTokensKey, inv.usage.CacheReadTokens)
	a.count(semconv.GenAIUsageCacheCreationInputTokensKey, inv.usage.CacheWriteTokens)
	a.count(semconv.GenAIUsageReasoningOutputTokensKey, inv.usage.ReasoningTokens)
	if inv.chunks > 0 {
		a.add(semconv.GenAIResponseTimeToFirstChunk(inv.firstChunk.Seconds()))
	}
	a.failure(&inv.record)
	return a
}

// cleanAttribute makes the text of an attribute valid UTF-8.
func cleanAttribute(kv attribute.KeyValue) attribute.KeyValue {
	return attribute.KeyValue{Key: attribute.Key(clean(string(kv.Key))), Value: cleanValue(kv.Value)}
}

func cleanValue(v attribute.Value) attribute.Value {
	switch v.Type() {
	case attribute.STRING:
		return attribute.StringValue(clean(v.AsString()))
	case attribute.STRINGSLICE:
		return attribute.StringSliceValue(cleanAll(v.AsStringSlice()))
	case attribute.SLICE:
		values := v.AsSlice()
		for i := range values {
			values[i] = cleanValue(values[i])
		}
		return attribute.SliceValue(values...)
	case attribute.MAP:
		entries := v.AsMap()
		for i := range entries {
			entries[i] = cleanAttribute(entries[i])
		}
		return attribute.MapValue(entries...)
	}
	return v
}

package instrumentation

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/semconv/v1.41.0/genaiconv"
)

// The conventions' bucket boundaries, in seconds and in tokens.
var (
	durationBuckets = []float64{0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92}
	tokenBuckets    = []float64{
		1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864,
	}
)

// instruments are the histograms of a handler. One that could not be made is a
// no-op.
type instruments struct {
	duration, firstChunk, perChunk metric.Float64Histogram
	tokens                         metric.Int64Histogram
}

func newInstruments(p metric.MeterProvider) (instruments, error) {
	m := p.Meter(ScopeName, metric.WithSchemaURL(semconv.SchemaURL))
	seconds := metric.WithExplicitBucketBoundaries(durationBuckets...)
	duration, err1 := genaiconv.NewClientOperationDuration(m, seconds)
	firstChunk, err2 := genaiconv.NewClientOperationTimeToFirstChunk(m, seconds)
	perChunk, err3 := genaiconv.NewClientOperationTimePerOutputChunk(m, seconds)
	tokens, err4 := genaiconv.NewClientTokenUsage(m, metric.WithExplicitBucketBoundaries(tokenBuckets...))
	return instruments{
		duration:   duration.Inst(),
		firstChunk: firstChunk.Inst(),
		perChunk:   perChunk.Inst(),
		tokens:     tokens.Inst(),
	}, errors.Join(err1, err2, err3, err4)
}

// record adds the points of an ended invocation. Tokens are those of model and
// embeddings calls only: an agent's or a workflow's are the same ones again.
func (i *instruments) record(ctx context.Context, inv *Invocation) {
	streamed := inv.chunks > 0 && i.firstChunk.Enabled(ctx)
	counted := (inv.kind == KindInference || inv.kind == KindEmbeddings) && i.tokens.Enabled(ctx)
	if !streamed && !counted && !i.duration.Enabled(ctx) {
		return
	}
	dimensions := inv.dimensions()
	set := metric.WithAttributeSet(attribute.NewSet(dimensions...))
	i.duration.Record(ctx, inv.end.Sub(inv.start).Seconds(), set)
	if streamed {
		i.firstChunk.Record(ctx, inv.firstChunk.Seconds(), set)
	}
	if !counted {
		return
	}
	for _, t := range []struct {
		kind  attribute.KeyValue
		count int64
	}{
		{semconv.GenAITokenTypeInput, inv.usage.InputTokens},
		{semconv.GenAITokenTypeOutput, inv.usage.OutputTokens},
	} {
		if t.count > 0 {
			// A set of its own: NewSet sorts in place, and drops what was there.
			all := append(inv.dimensions(), t.kind)
			i.tokens.Record(ctx, t.count, metric.WithAttributeSet(attribute.NewSet(all...)))
		}
	}
}

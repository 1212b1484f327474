package emit

import (
	"context"
	"strings"
	"sync"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
)

// Bucket boundaries: scores are 0…1, durations have those of the conventions,
// costs go from a hundredth of a cent to ten dollars.
var (
	scoreBuckets    = []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}
	costBuckets     = []float64{0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10}
	durationBuckets = []float64{0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92}
)

func newDuration(meter metric.Meter) (metric.Float64Histogram, error) {
	return meter.Float64Histogram(metricDuration,
		metric.WithUnit("s"),
		metric.WithDescription("Duration of evaluations, waiting for limits excluded."),
		metric.WithExplicitBucketBoundaries(durationBuckets...))
}

func newCost(meter metric.Meter) (metric.Float64Histogram, error) {
	return meter.Float64Histogram(metricCost,
		metric.WithUnit("{usd}"),
		metric.WithDescription("Cost of evaluations, where the judge has a price."),
		metric.WithExplicitBucketBoundaries(costBuckets...))
}

// recordDuration records how long a metric that was really asked took.
func (e *Emitter) recordDuration(ctx context.Context, r evaluators.Result) {
	if e.duration != nil && r.Duration > 0 && e.duration.Enabled(ctx) {
		e.duration.Record(ctx, r.Duration.Seconds(), metric.WithAttributeSet(useOf(r)))
	}
}

// recordCost records what a metric cost, if that is known.
func (e *Emitter) recordCost(ctx context.Context, r evaluators.Result) {
	if e.cost != nil && r.HasCost && finite(r.Cost) && r.Cost >= 0 && e.cost.Enabled(ctx) {
		e.cost.Record(ctx, r.Cost, metric.WithAttributeSet(useOf(r)))
	}
}

func useOf(r evaluators.Result) attribute.Set {
	a := make(attributes, 0, 3)
	a.add(semconv.GenAIEvaluationName(cleanText(r.Metric)))
	a.text(keyEvaluator, r.Evaluator)
	if r.Outcome == evaluators.OutcomeFailed {
		a.text(semconv.ErrorTypeKey, r.ErrorType)
	}
	return attribute.NewSet(a...)
}

// scores are the histograms of scores: one for all metrics, or one for each,
// made when it is first needed.
type scores struct {
	single metric.Float64Histogram
	meter  metric.Meter
	each   *sync.Map // metric's name → metric.Float64Histogram
}

func newScores(meter metric.Meter, single bool) (scores, error) {
	s := scores{meter: meter, each: new(sync.Map)}
	var err error
	if single {
		if s.single, err = s.histogram(metricScore, "Scores of evaluations."); s.single == nil {
			s.single = noop.Float64Histogram{}
		}
	}
	return s, err
}

func (s scores) histogram(name, description string) (metric.Float64Histogram, error) {
	return s.meter.Float64Histogram(name,
		metric.WithUnit("1"),
		metric.WithDescription(description),
		metric.WithExplicitBucketBoundaries(scoreBuckets...))
}

// of returns the histogram that the metric's scores belong in. A name that the
// API refuses is reported by it and recorded nowhere, as the API has it.
func (s scores) of(name string) metric.Float64Histogram {
	if s.single != nil {
		return s.single
	}
	if h, ok := s.each.Load(name); ok {
		return h.(metric.Float64Histogram)
	}
	h, err := s.histogram(metricScorePrefix+instrumentName(name), "Scores of evaluations by one metric.")
	if err != nil {
		otel.Handle(err)
	}
	if h == nil {
		h = noop.Float64Histogram{}
	}
	kept, _ := s.each.LoadOrStore(name, h)
	return kept.(metric.Float64Histogram)
}

// instrumentName replaces what an instrument's name may not contain.
func instrumentName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '.', r == '-', r == '/':
			return r
		}
		return '_'
	}, name)
}

// record adds a scored result; others have no score to record.
func (s scores) record(ctx context.Context, inv *instrumentation.Invocation, r evaluators.Result) {
	if r.Outcome != evaluators.OutcomeScored {
		return
	}
	h := s.of(r.Metric)
	if !h.Enabled(ctx) {
		return
	}
	a := make(attributes, 0, 8)
	a.add(semconv.GenAIEvaluationName(cleanText(r.Metric)))
	a.text(keyEvaluator, r.Evaluator)
	a.text(semconv.GenAIEvaluationScoreLabelKey, r.Label)
	a.add(keyPassed.Bool(r.Passed))
	a.invocation(inv)
	h.Record(ctx, r.Score, metric.WithAttributeSet(attribute.NewSet(a...)))
}

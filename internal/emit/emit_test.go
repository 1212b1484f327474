package emit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/log"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

// backend is an application's OpenTelemetry SDK, kept in memory.
type backend struct {
	records records
	spans   *tracetest.InMemoryExporter
	reader  *sdkmetric.ManualReader
	config  Config // with the providers set
	handler *instrumentation.Handler
}

type records struct{ all []sdklog.Record }

func (r *records) OnEmit(_ context.Context, rec *sdklog.Record) error {
	r.all = append(r.all, rec.Clone())
	return nil
}
func (*records) Enabled(context.Context, sdklog.EnabledParameters) bool { return true }
func (*records) Shutdown(context.Context) error                         { return nil }
func (*records) ForceFlush(context.Context) error                       { return nil }

func newBackend(t *testing.T, opts ...sdktrace.TracerProviderOption) *backend {
	t.Helper()
	b := &backend{spans: tracetest.NewInMemoryExporter(), reader: sdkmetric.NewManualReader()}
	b.config = Config{
		TracerProvider: sdktrace.NewTracerProvider(append(opts, sdktrace.WithSyncer(b.spans))...),
		MeterProvider:  sdkmetric.NewMeterProvider(sdkmetric.WithReader(b.reader)),
		LoggerProvider: sdklog.NewLoggerProvider(sdklog.WithProcessor(&b.records)),
		SingleMetric:   true, Explanation: true, Baggage: true, Monitoring: true,
	}
	b.handler = instrumentation.NewHandler(
		instrumentation.WithTracerProvider(b.config.TracerProvider),
		instrumentation.WithCaptureMessageContent(instrumentation.CaptureNoContent))
	return b
}

func (b *backend) emitter(t *testing.T, change ...func(*Config)) *Emitter {
	t.Helper()
	c := b.config
	for _, f := range change {
		f(&c)
	}
	e, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// answered is an invocation whose request is over: its span has ended and its
// context is cancelled.
func (b *backend) answered(t *testing.T) *instrumentation.Invocation {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	member, err := baggage.NewMember("tenant", "acme")
	if err != nil {
		t.Fatal(err)
	}
	bags, err := baggage.New(member)
	if err != nil {
		t.Fatal(err)
	}
	ctx = baggage.ContextWithBaggage(ctx, bags)
	ctx = instrumentation.WithProperties(ctx, attribute.String("user.id", "u-1"))
	ctx = instrumentation.WithConversationID(ctx, "conv-1")
	ctx, agent := b.handler.StartAgent(ctx, instrumentation.Agent{Name: "shop"})
	_, inv := b.handler.StartInference(ctx, instrumentation.Inference{
		Provider: "openai", Model: "gpt-5", ServerAddress: "api.example.com", ServerPort: 8443,
	})
	inv.SetResponse("resp-1", "gpt-5-0101")
	inv.End()
	agent.End()
	cancel()
	b.spans.Reset()
	return inv
}

// lines is how events, spans and points are written down in these tests: a line
// an attribute, sorted.
func lines(list []attribute.KeyValue) string {
	var out []string
	for _, kv := range list {
		out = append(out, fmt.Sprintf("%s=%s", kv.Key, kv.Value.String()))
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

func recordAttributes(r sdklog.Record) []attribute.KeyValue {
	var list []attribute.KeyValue
	r.WalkAttributes(func(kv attribute.KeyValue) bool {
		list = append(list, kv)
		return true
	})
	return list
}

func (b *backend) points(t *testing.T) map[string][]metricdata.HistogramDataPoint[float64] {
	t.Helper()
	var rm metricdata.ResourceMetrics
	if err := b.reader.Collect(t.Context(), &rm); err != nil {
		t.Fatal(err)
	}
	points := map[string][]metricdata.HistogramDataPoint[float64]{}
	for _, sm := range rm.ScopeMetrics {
		if sm.Scope.Name != ScopeName {
			continue
		}
		for _, m := range sm.Metrics {
			points[m.Name] = m.Data.(metricdata.Histogram[float64]).DataPoints
		}
	}
	return points
}

func diff(t *testing.T, what, want, got string) {
	t.Helper()
	if d := cmp.Diff(strings.TrimSpace(want), got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

var errJudge = errors.New("judge: 429 too many requests")

// results has one of each outcome, as a manager completes them.
func results() []evaluators.Result {
	scored := evaluators.Scored("bias", 0.25, "Not Biased", "it is fair")
	scored.Passed, scored.Threshold, scored.Direction = true, 0.5, evaluators.LowerIsBetter
	scored.JudgeModel, scored.Attempts, scored.InputTokens, scored.OutputTokens = "judge-1", 2, 120, 30
	scored.Cost, scored.HasCost, scored.InputCut = 0.003, true, 4096
	scored.Duration, scored.LimitWait = 1500*time.Millisecond, 250*time.Millisecond
	scored.Attributes = []attribute.KeyValue{attribute.Int("rubric.revision", 3)}
	failed := evaluators.Failed("toxicity", evaluators.ErrorJudgeRateLimited, errJudge)
	failed.Threshold, failed.Direction, failed.Duration = 0.5, evaluators.LowerIsBetter, time.Second
	skipped := evaluators.Skipped("faithfulness", evaluators.SkipNoDocuments, "")
	skipped.Threshold = 0.5
	all := []evaluators.Result{scored, failed, skipped}
	for i := range all {
		all[i].Evaluator, all[i].EvaluatorVersion, all[i].EvaluatorType = "judge", "1", evaluators.TypeLLMJudge
	}
	return all
}

const whose = `
gen_ai.agent.name=shop
gen_ai.conversation.id=conv-1
gen_ai.provider.name=openai
gen_ai.request.model=gpt-5
gen_ai.response.id=resp-1
genaievals.invocation.kind=inference
server.address=api.example.com
tenant=acme
user.id=u-1`

// golden holds what each of results becomes, the invocation's part apart.
var golden = map[string]string{
	"bias": `
gen_ai.evaluation.direction=lower_is_better
gen_ai.evaluation.evaluator.model=judge-1
gen_ai.evaluation.evaluator.name=judge
gen_ai.evaluation.evaluator.type=llm_judge
gen_ai.evaluation.evaluator.version=1
gen_ai.evaluation.explanation=it is fair
gen_ai.evaluation.name=bias
gen_ai.evaluation.passed=true
gen_ai.evaluation.score.label=Not Biased
gen_ai.evaluation.score.value=0.25
gen_ai.evaluation.threshold=0.5
genaievals.duration=1.5
genaievals.input.cut=4096
genaievals.judge.attempts=2
genaievals.judge.cost=0.003
genaievals.judge.input_tokens=120
genaievals.judge.output_tokens=30
genaievals.limit.wait=0.25
rubric.revision=3`,
	"toxicity": `
error.type=judge_rate_limited
gen_ai.evaluation.direction=lower_is_better
gen_ai.evaluation.evaluator.name=judge
gen_ai.evaluation.evaluator.type=llm_judge
gen_ai.evaluation.evaluator.version=1
gen_ai.evaluation.explanation=judge: 429 too many requests
gen_ai.evaluation.name=toxicity
gen_ai.evaluation.threshold=0.5
genaievals.duration=1`,
	"faithfulness": `
gen_ai.evaluation.direction=higher_is_better
gen_ai.evaluation.evaluator.name=judge
gen_ai.evaluation.evaluator.type=llm_judge
gen_ai.evaluation.evaluator.version=1
gen_ai.evaluation.name=faithfulness
gen_ai.evaluation.threshold=0.5
genaievals.skip.reason=no_documents`,
}

// sorted joins lists of lines as lines sorts them.
func sorted(parts ...string) string {
	list := strings.Split(strings.TrimSpace(strings.Join(parts, "\n")), "\n")
	list = slices.DeleteFunc(list, func(s string) bool { return s == "" })
	slices.Sort(list)
	return strings.Join(list, "\n")
}

func TestEvents(t *testing.T) {
	b := newBackend(t)
	inv := b.answered(t)
	before := time.Now()
	b.emitter(t).Publish(inv, results())
	if len(b.records.all) != 3 {
		t.Fatalf("%d events, want 3", len(b.records.all))
	}
	severities := []log.Severity{log.SeverityUndefined, log.SeverityWarn, log.SeverityUndefined}
	for i, r := range b.records.all {
		metric := results()[i].Metric
		diff(t, metric, sorted(golden[metric], whose), lines(recordAttributes(r)))
		if r.EventName() != "gen_ai.evaluation.result" || r.Severity() != severities[i] {
			t.Errorf("%s: event %q of severity %v", metric, r.EventName(), r.Severity())
		}
		if r.TraceID() != inv.SpanContext().TraceID() || r.SpanID() != inv.SpanContext().SpanID() || r.TraceFlags() != inv.SpanContext().TraceFlags() {
			t.Errorf("%s: event of span %v %v, want the evaluated one", metric, r.TraceID(), r.SpanID())
		}
		if r.Timestamp().Before(before) || r.Timestamp().After(time.Now()) {
			t.Errorf("%s: timestamp %v", metric, r.Timestamp())
		}
		if s := r.InstrumentationScope(); s.Name != ScopeName || !strings.HasSuffix(s.SchemaURL, "/1.41.0") {
			t.Errorf("%s: scope %+v", metric, s)
		}
	}
}

func TestAggregatedEvent(t *testing.T) {
	b := newBackend(t)
	inv := b.answered(t)
	e := b.emitter(t, func(c *Config) { c.Aggregate = true })
	e.Publish(inv, results())
	e.Publish(inv, nil)
	e.Publish(inv, results()[:1])
	if len(b.records.all) != 2 {
		t.Fatalf("%d events, want 2", len(b.records.all))
	}
	r := b.records.all[0]
	if r.EventName() != "gen_ai.evaluation.results" || r.Severity() != log.SeverityWarn || r.SpanID() != inv.SpanContext().SpanID() {
		t.Errorf("event %q of severity %v, span %v", r.EventName(), r.Severity(), r.SpanID())
	}
	if s := b.records.all[1].Severity(); s != log.SeverityUndefined {
		t.Errorf("severity %v without a failure", s)
	}
	var rest []attribute.KeyValue
	for _, kv := range recordAttributes(r) {
		if kv.Key != "gen_ai.evaluations" {
			rest = append(rest, kv)
			continue
		}
		list := kv.Value.AsSlice()
		if len(list) != 3 {
			t.Fatalf("%d results in the list, want 3", len(list))
		}
		for i, v := range list {
			metric := results()[i].Metric
			diff(t, metric, golden[metric], lines(v.AsMap()))
		}
	}
	diff(t, "beside the list", whose, lines(rest))
}

func TestScoreHistogramHasScoredResultsOnly(t *testing.T) {
	b := newBackend(t)
	b.emitter(t).Publish(b.answered(t), results())
	points := b.points(t)
	scores := points["gen_ai.evaluation.score"]
	if len(scores) != 1 {
		t.Fatalf("%d series of scores, want 1", len(scores))
	}
	p := scores[0]
	diff(t, "score", `
gen_ai.agent.name=shop
gen_ai.evaluation.evaluator.name=judge
gen_ai.evaluation.name=bias
gen_ai.evaluation.passed=true
gen_ai.evaluation.score.label=Not Biased
gen_ai.provider.name=openai
gen_ai.request.model=gpt-5
server.address=api.example.com`, lines(p.Attributes.ToSlice()))
	if p.Count != 1 || p.Sum != 0.25 || !slices.Equal(p.Bounds, []float64{.1, .2, .3, .4, .5, .6, .7, .8, .9, 1}) {
		t.Errorf("point %+v", p)
	}

	var durations []string
	for _, p := range points["gen_ai.evaluation.client.operation.duration"] {
		durations = append(durations, fmt.Sprintf("%v %s", p.Sum, strings.ReplaceAll(lines(p.Attributes.ToSlice()), "\n", " ")))
	}
	slices.Sort(durations)
	diff(t, "durations", `
1 error.type=judge_rate_limited gen_ai.evaluation.evaluator.name=judge gen_ai.evaluation.name=toxicity
1.5 gen_ai.evaluation.evaluator.name=judge gen_ai.evaluation.name=bias`, strings.Join(durations, "\n"))
	costs := points["gen_ai.evaluation.client.usage.cost"]
	if len(costs) != 1 || costs[0].Sum != 0.003 {
		t.Fatalf("costs %+v", costs)
	}
	diff(t, "cost", "gen_ai.evaluation.evaluator.name=judge\ngen_ai.evaluation.name=bias", lines(costs[0].Attributes.ToSlice()))
	if len(points) != 3 {
		t.Errorf("metrics %v", points)
	}
}

func TestHistogramForEachMetric(t *testing.T) {
	b := newBackend(t)
	e := b.emitter(t, func(c *Config) { c.SingleMetric, c.Monitoring = false, false })
	all := results()
	own := evaluators.Scored("Höflich & nett", 1, "Pass", "")
	for range 2 {
		e.Publish(b.answered(t), append(all, own))
	}
	points := b.points(t)
	for _, name := range []string{"gen_ai.evaluation.bias", "gen_ai.evaluation.H_flich___nett"} {
		if len(points[name]) != 1 || points[name][0].Count != 2 {
			t.Errorf("%s: points %+v", name, points[name])
		}
	}
	if len(points) != 2 {
		t.Errorf("metrics %v", points)
	}
}

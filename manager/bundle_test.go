package manager_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/manager"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// double is an evaluator whose answers are a function. It counts how many run
// at once and notes when each started.
type double struct {
	name    string
	typ     string
	metrics []evaluators.Metric
	answer  func(ctx context.Context, c *evaluators.Case, metric evaluators.Metric) evaluators.Result

	running, peak atomic.Int64
	mu            sync.Mutex
	starts        []time.Time
	asked         []string
}

func newDouble(answer func(context.Context, *evaluators.Case, evaluators.Metric) evaluators.Result, metrics ...string) *double {
	d := &double{name: "double", typ: evaluators.TypeDeterministic, answer: answer}
	for _, name := range metrics {
		d.metrics = append(d.metrics, evaluators.Metric{
			Name: name, Threshold: 0.5, Labels: []string{"Good", "Bad"},
			Needs: evaluators.NeedOutput,
		})
	}
	return d
}

func (d *double) Name() string                 { return d.name }
func (d *double) Version() string              { return "v1" }
func (d *double) Type() string                 { return d.typ }
func (d *double) Metrics() []evaluators.Metric { return d.metrics }
func (d *double) DefaultMetrics() []string     { return nil }

func (d *double) Evaluate(ctx context.Context, c *evaluators.Case, metrics []evaluators.Metric) []evaluators.Result {
	n := d.running.Add(1)
	defer d.running.Add(-1)
	for {
		peak := d.peak.Load()
		if n <= peak || d.peak.CompareAndSwap(peak, n) {
			break
		}
	}
	d.mu.Lock()
	d.starts = append(d.starts, time.Now())
	for _, m := range metrics {
		d.asked = append(d.asked, c.Output+"/"+m.Name)
	}
	d.mu.Unlock()
	results := make([]evaluators.Result, len(metrics))
	for i, m := range metrics {
		results[i] = d.answer(ctx, c, m)
	}
	return results
}

func (d *double) assignment() evaluators.Assignment {
	return evaluators.Assignment{Evaluator: d, Metrics: map[instrumentation.Kind][]evaluators.Metric{
		instrumentation.KindInference: d.metrics,
	}}
}

// good scores everything 1 after some time.
func good(d time.Duration) func(context.Context, *evaluators.Case, evaluators.Metric) evaluators.Result {
	return func(ctx context.Context, _ *evaluators.Case, m evaluators.Metric) evaluators.Result {
		select {
		case <-time.After(d):
			return evaluators.Scored(m.Name, 1, "Good", "because")
		case <-ctx.Done():
			return evaluators.Failed(m.Name, evaluators.ErrorEvaluatorTimeout, context.Cause(ctx))
		}
	}
}

// recorder is a result handler and a drop handler that remembers.
type recorder struct {
	mu         sync.Mutex
	handed     []evaluators.Result
	batchCount int
	dropped    []string
	outputs    []string // of the batch's invocation, for each result
}

func (r *recorder) onResults(inv *instrumentation.Invocation, results []evaluators.Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.batchCount++
	r.handed = append(r.handed, results...)
	for range results {
		r.outputs = append(r.outputs, inv.Output()[0].Parts[0].Content)
	}
}

func (r *recorder) onDrop(d manager.Drop) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.dropped = append(r.dropped, d.Reason)
}

func (r *recorder) results() []evaluators.Result {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.handed)
}

func (r *recorder) drops() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.dropped)
}

func (r *recorder) batches() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.batchCount
}

// outcomes lists "output metric outcome detail" of every result, sorted.
func (r *recorder) outcomes() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var lines []string
	for i, res := range r.handed {
		lines = append(lines, strings.TrimSpace(fmt.Sprint(r.outputs[i], " ", res.Metric, " ", res.Outcome, " ", res.Reason+res.ErrorType+res.Label)))
	}
	slices.Sort(lines)
	return lines
}

// log keeps the warnings as text.
type log struct {
	mu    sync.Mutex
	lines []string
}

func (l *log) logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, string(p))
	return len(p), nil
}

func (l *log) matching(parts ...string) (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, line := range l.lines {
		if !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(line, part) }) {
			n++
		}
	}
	return n
}

// bundle is a manager behind a handler.
type bundle struct {
	*manager.Manager
	*recorder
	log     *log
	handler *instrumentation.Handler
}

// newBundle makes a manager that was not started. The configuration's handlers
// and logger are the bundle's.
func newBundle(t testing.TB, cfg manager.Config, doubles ...*double) *bundle {
	t.Helper()
	kept := &log{}
	b := newLoggedBundle(t, kept.logger(), cfg, doubles...)
	b.log = kept
	return b
}

// newLoggedBundle is newBundle with a logger of the test's.
func newLoggedBundle(t testing.TB, logger *slog.Logger, cfg manager.Config, doubles ...*double) *bundle {
	t.Helper()
	b := &bundle{recorder: &recorder{}}
	for _, d := range doubles {
		cfg.Assignments = append(cfg.Assignments, d.assignment())
	}
	cfg.ResultHandlers = append(cfg.ResultHandlers, b.onResults)
	cfg.DropHandlers = append(cfg.DropHandlers, b.onDrop)
	cfg.Logger = logger
	m, err := manager.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	b.Manager = m
	b.handler = instrumentation.NewHandler(instrumentation.WithTracerProvider(noop.NewTracerProvider()))
	b.handler.Register(m)
	return b
}

// start starts the manager and shuts it down when the test ends.
func (b *bundle) start(t testing.TB) *bundle {
	t.Helper()
	if err := b.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Shutdown(context.Background()) })
	return b
}

// invoke records an invocation that answers with output.
func (b *bundle) invoke(output string) *instrumentation.Invocation {
	return b.invokeIn(context.Background(), output)
}

func (b *bundle) invokeIn(ctx context.Context, output string) *instrumentation.Invocation {
	_, inv := b.handler.StartInference(ctx, instrumentation.Inference{
		Provider: "openai", Model: "m", Input: []instrumentation.Message{instrumentation.UserMessage("question")},
	})
	inv.SetOutput(instrumentation.AssistantMessage(output))
	inv.End()
	return inv
}

// inTrace returns a context with a span context of that trace.
func inTrace(id uint64, sampled bool) context.Context {
	cfg := trace.SpanContextConfig{SpanID: trace.SpanID{1}}
	for i := range 8 {
		cfg.TraceID[i] = byte(id >> (8 * i))
	}
	cfg.TraceID[15] = 1
	if sampled {
		cfg.TraceFlags = trace.FlagsSampled
	}
	return trace.ContextWithSpanContext(context.Background(), trace.NewSpanContext(cfg))
}

// checkLaws fails the test when a conservation law does not hold.
func checkLaws(t testing.TB, s manager.Status) {
	t.Helper()
	if sum := total(s.Door.Skipped) + s.Door.FannedOut; sum != s.Door.Offered {
		t.Errorf("door: offered %d, skipped and fanned out %d", s.Door.Offered, sum)
	}
	for _, l := range s.Lanes {
		if sum := total(l.Dropped) + uint64(l.Queued+l.InFlight) + l.Done; sum != l.Tasks {
			t.Errorf("lane %s: tasks %d, dropped, queued, in flight and done %d", l.Name, l.Tasks, sum)
		}
		for _, e := range l.Evaluators {
			sum := e.Running
			for _, m := range e.Metrics {
				sum += m.Scored + total(m.Skipped) + total(m.Failed)
			}
			if sum != e.Started {
				t.Errorf("evaluator %s: started %d, running and ended %d", e.Name, e.Started, sum)
			}
		}
	}
}

func total(counts map[string]uint64) (sum uint64) {
	for _, n := range counts {
		sum += n
	}
	return sum
}

func boolean(key string) attribute.KeyValue { return attribute.Bool(key, true) }

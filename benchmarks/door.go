package main

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/manager"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	oteltrace "go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

func doorClaims() []claim {
	return []claim{
		{name: "door_vs_bsp", bound: 1.0, says: "OnCompletion over the SDK's BatchSpanProcessor.OnEnd, one goroutine",
			measure: func() (float64, error) { return doorVersusBSP(1) }},
		{name: "door_vs_bsp_8", bound: 2.0, says: "OnCompletion over the SDK's BatchSpanProcessor.OnEnd, eight goroutines",
			measure: func() (float64, error) { return doorVersusBSP(8) }},
		{name: "door_allocs", bound: 1, says: "allocations of an accepted OnCompletion, the most of one lane and four",
			measure: doorAllocs},
		{name: "door_allocs_refused", bound: 0, says: "allocations of a refused OnCompletion: sampled out, and dropped on full",
			measure: doorAllocsRefused},
	}
}

// stalled is an evaluator that takes a case and keeps it.
type stalled struct {
	name    string
	release chan struct{}
}

func (s stalled) Name() string             { return s.name }
func (s stalled) Version() string          { return "1" }
func (s stalled) Type() string             { return evaluators.TypeDeterministic }
func (s stalled) DefaultMetrics() []string { return []string{"quality"} }
func (s stalled) Metrics() []evaluators.Metric {
	return []evaluators.Metric{{Name: "quality"}}
}

func (s stalled) Evaluate(context.Context, *evaluators.Case, []evaluators.Metric) []evaluators.Result {
	<-s.release
	return nil
}

// stalledManager returns a started manager with that many lanes, all of whose
// workers hang until stop is called.
func stalledManager(cfg manager.Config, lanes int) (m *manager.Manager, stop func(), err error) {
	release := make(chan struct{})
	for i := range lanes {
		s := stalled{fmt.Sprintf("stalled%d", i), release}
		cfg.Assignments = append(cfg.Assignments, evaluators.Assignment{
			Evaluator: s,
			Metrics:   map[instrumentation.Kind][]evaluators.Metric{instrumentation.KindInference: s.Metrics()},
		})
	}
	cfg.Concurrent = lanes > 1
	if cfg.QueueBytes == 0 {
		cfg.QueueBytes = 1 << 40
	}
	cfg.Timeout = time.Hour
	cfg.Logger = silent()
	if m, err = manager.New(cfg); err != nil {
		return nil, nil, err
	}
	if err := m.Start(); err != nil {
		return nil, nil, err
	}
	return m, func() {
		close(release)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_ = m.Shutdown(ctx)
	}, nil
}

func silent() *slog.Logger { return slog.New(slog.DiscardHandler) }

// traceOf returns a sampled span context of its own trace.
func traceOf(i int) oteltrace.SpanContext {
	var cfg oteltrace.SpanContextConfig
	for b := range 8 {
		cfg.TraceID[b] = byte(uint64(i+1) * 0x9e3779b97f4a7c15 >> (8 * b))
	}
	cfg.TraceID[15], cfg.SpanID[0], cfg.TraceFlags = 1, 1, oteltrace.FlagsSampled
	return oteltrace.NewSpanContext(cfg)
}

// completed returns invocations that have ended, each in a trace of its own.
func completed(n int) []*instrumentation.Invocation {
	h := instrumentation.NewHandler(instrumentation.WithTracerProvider(noop.NewTracerProvider()))
	invocations := make([]*instrumentation.Invocation, n)
	for i := range invocations {
		ctx := oteltrace.ContextWithSpanContext(context.Background(), traceOf(i))
		_, inv := h.StartInference(ctx, instrumentation.Inference{
			Provider: "openai", Model: "gpt-4o-mini",
			Input: []instrumentation.Message{instrumentation.UserMessage("How long can I return shoes?")},
		})
		inv.SetOutput(instrumentation.AssistantMessage("You can return shoes within 30 days of delivery."))
		inv.End()
		invocations[i] = inv
	}
	return invocations
}

// spread runs f(0…n-1) on that many goroutines and returns the time it took.
func spread(n, goroutines int, f func(i int)) time.Duration {
	var wg sync.WaitGroup
	gate := make(chan struct{})
	for g := range goroutines {
		wg.Go(func() {
			<-gate
			for i := g; i < n; i += goroutines {
				f(i)
			}
		})
	}
	runtime.GC()
	began := time.Now()
	close(gate)
	wg.Wait()
	return time.Since(began)
}

type stalledExporter struct{ release chan struct{} }

func (e stalledExporter) ExportSpans(context.Context, []trace.ReadOnlySpan) error {
	<-e.release
	return nil
}
func (e stalledExporter) Shutdown(context.Context) error { return nil }

func doorVersusBSP(goroutines int) (float64, error) {
	const offers, pool, pairs = 200_000, 4096, 31
	invocations := completed(pool)
	spans := make([]trace.ReadOnlySpan, pool)
	for i := range spans {
		spans[i] = tracetest.SpanStub{Name: "chat gpt-4o-mini", SpanContext: traceOf(i)}.Snapshot()
	}
	door := func() (time.Duration, error) {
		m, stop, err := stalledManager(manager.Config{}, 1)
		if err != nil {
			return 0, err
		}
		took := spread(offers, goroutines, func(i int) { m.OnCompletion(invocations[i%pool]) })
		if s := m.Status(); s.Door.FannedOut != offers || len(s.Lanes[0].Dropped) != 0 {
			return 0, fmt.Errorf("the door did not take all: %+v", s)
		}
		stop()
		return took, nil
	}
	bsp := func() time.Duration {
		release := make(chan struct{})
		p := trace.NewBatchSpanProcessor(stalledExporter{release}, trace.WithMaxQueueSize(offers+1))
		took := spread(offers, goroutines, func(i int) { p.OnEnd(spans[i%pool]) })
		close(release)
		_ = p.Shutdown(context.Background())
		return took
	}
	ratios := make([]float64, 0, pairs)
	var ours, theirs []float64
	for i := range pairs + 2 {
		d, err := door()
		if err != nil {
			return 0, err
		}
		b := bsp()
		if i < 2 {
			continue // warming up
		}
		ratios = append(ratios, d.Seconds()/b.Seconds())
		ours = append(ours, d.Seconds()/offers*1e9)
		theirs = append(theirs, b.Seconds()/offers*1e9)
	}
	fmt.Printf("%d goroutine(s), medians of %d pairs of %d: OnCompletion %.0f ns, OnEnd %.0f ns\n",
		goroutines, pairs, offers, median(ours), median(theirs))
	return median(ratios), nil
}

func doorAllocs() (float64, error) {
	most := 0.0
	for _, lanes := range []int{1, 4} {
		m, stop, err := stalledManager(manager.Config{}, lanes)
		if err != nil {
			return 0, err
		}
		inv := completed(1)[0]
		n := testing.AllocsPerRun(200_000, func() { m.OnCompletion(inv) })
		stop()
		fmt.Printf("%d lane(s): %v allocations\n", lanes, n)
		most = max(most, n)
	}
	return most, nil
}

func doorAllocsRefused() (float64, error) {
	none, most := 0.0, 0.0
	for name, cfg := range map[string]manager.Config{
		"sampled out":     {SampleRate: &none},
		"dropped on full": {QueueSize: 1},
	} {
		m, stop, err := stalledManager(cfg, 1)
		if err != nil {
			return 0, err
		}
		inv := completed(1)[0]
		for range 3 {
			m.OnCompletion(inv) // one in hand, one waiting
		}
		n := testing.AllocsPerRun(100_000, func() { m.OnCompletion(inv) })
		stop()
		fmt.Printf("%s: %v allocations\n", name, n)
		most = max(most, n)
	}
	return most, nil
}

package manager_test

import (
	"context"
	"errors"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/manager"
)

func TestDoorSkipsWithTheReason(t *testing.T) {
	half := 0.5
	none := 0.0
	for name, tt := range map[string]struct {
		cfg    manager.Config
		record func(b *bundle)
		want   string // skip reason; empty is fanned out
	}{
		"text":                    {record: func(b *bundle) { b.invoke("x") }},
		"sampled span":            {record: func(b *bundle) { b.invokeIn(inTrace(1, true), "x") }},
		"unsampled span":          {record: func(b *bundle) { b.invokeIn(inTrace(1, false), "x") }, want: evaluators.SkipUnsampled},
		"unsampled span, allowed": {cfg: manager.Config{Unsampled: true}, record: func(b *bundle) { b.invokeIn(inTrace(1, false), "x") }},
		"without evaluation": {
			record: func(b *bundle) { b.invokeIn(instrumentation.WithoutEvaluation(context.Background()), "x") },
			want:   evaluators.SkipSuppressed,
		},
		"kind without a metric": {
			record: func(b *bundle) {
				_, inv := b.handler.StartTool(context.Background(), instrumentation.Tool{Name: "t"})
				inv.End()
			},
			want: evaluators.SkipUnsupportedKind,
		},
		"E09_failed": {
			record: func(b *bundle) {
				_, inv := b.handler.StartInference(context.Background(), instrumentation.Inference{})
				inv.Fail(errors.New("boom"))
			},
			want: evaluators.SkipInvocationError,
		},
		"E09_cancelled": {
			record: func(b *bundle) {
				_, inv := b.handler.StartInference(context.Background(), instrumentation.Inference{})
				inv.Fail(context.Canceled)
			},
			want: evaluators.SkipCancelled,
		},
		"tool call only": {
			record: func(b *bundle) {
				_, inv := b.handler.StartInference(context.Background(), instrumentation.Inference{})
				inv.SetOutput(instrumentation.Message{Role: "assistant", Parts: []instrumentation.Part{instrumentation.ToolCall("1", "f", nil)}})
				inv.End()
			},
			want: evaluators.SkipToolCallOnly,
		},
		"cut by the recording": {
			record: func(b *bundle) {
				_, inv := b.handler.StartInference(context.Background(), instrumentation.Inference{})
				inv.SetOutput(instrumentation.AssistantMessage("the beginning of"))
				inv.SetTruncated()
				inv.End()
			},
			want: evaluators.SkipContentTruncated,
		},
		"rate 0":        {cfg: manager.Config{SampleRate: &none}, record: func(b *bundle) { b.invoke("x") }, want: evaluators.SkipSampledOut},
		"sampler no":    {cfg: manager.Config{Sampler: func(*instrumentation.Invocation) bool { return false }}, record: func(b *bundle) { b.invoke("x") }, want: evaluators.SkipSampledOut},
		"sampler yes":   {cfg: manager.Config{SampleRate: &none, Sampler: func(*instrumentation.Invocation) bool { return true }}, record: func(b *bundle) { b.invoke("x") }},
		"sampler panic": {cfg: manager.Config{SampleRate: &half, Sampler: func(*instrumentation.Invocation) bool { panic("x") }}, record: func(b *bundle) { b.invoke("x") }, want: evaluators.SkipSampledOut},
		"after shutdown": {
			record: func(b *bundle) { _ = b.Shutdown(context.Background()); b.invoke("x") },
			want:   evaluators.SkipDisabled,
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBundle(t, tt.cfg, newDouble(good(0), "quality"))
			tt.record(b)
			s := b.Status()
			checkLaws(t, s)
			if s.Door.Offered != 1 {
				t.Fatalf("offered %d, want 1", s.Door.Offered)
			}
			if tt.want == "" && s.Door.FannedOut != 1 || tt.want != "" && s.Door.Skipped[tt.want] != 1 {
				t.Errorf("door is %+v, want skipped %q", s.Door, tt.want)
			}
		})
	}
}

func TestFailedInvocationsGoOnlyToMetricsThatTakeThem(t *testing.T) {
	d := newDouble(good(0), "plain", "on_error")
	d.metrics[1].OnError = true
	b := newBundle(t, manager.Config{}, d).start(t)
	_, inv := b.handler.StartInference(context.Background(), instrumentation.Inference{})
	inv.SetOutput(instrumentation.AssistantMessage("partial"))
	inv.Fail(errors.New("boom"))
	if err := b.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := b.outcomes(); len(got) != 1 || got[0] != "partial on_error scored Good" {
		t.Errorf("results are %q, want that of on_error only", got)
	}
}

func TestDoorAllocatesAtMostOnceAndNothingWhenItRefuses(t *testing.T) {
	none := 0.0
	for name, tt := range map[string]struct {
		cfg     manager.Config
		doubles int
		most    float64
	}{
		"one lane":    {doubles: 1, most: 0.1},
		"two lanes":   {cfg: manager.Config{Concurrent: true}, doubles: 2, most: 1.1},
		"sampled out": {cfg: manager.Config{SampleRate: &none}, doubles: 1},
		"full":        {cfg: manager.Config{QueueSize: 1}, doubles: 1},
		"growing":     {cfg: manager.Config{Concurrent: true, Workers: 1, WorkersMax: 8}, doubles: 1, most: 0.1},
		"priority rules": {cfg: manager.Config{PriorityRules: []manager.PriorityRule{
			{Priority: instrumentation.PriorityLow, Kinds: []instrumentation.Kind{instrumentation.KindAgent}},
			{Priority: instrumentation.PriorityHigh, Models: []string{"other", "m"}, Match: func(*instrumentation.Invocation) bool { return true }},
		}}, doubles: 1, most: 0.1},
		"evicting": {cfg: manager.Config{QueueSize: 8, QueuePolicy: manager.DropOldest}, doubles: 1},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := tt.cfg
			for i := range tt.doubles {
				d := newDouble(good(0), "quality")
				d.name = "double" + string(rune('a'+i))
				cfg.Assignments = append(cfg.Assignments, d.assignment())
			}
			m, err := manager.New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			b := newBundle(t, manager.Config{})
			inv := b.invoke("x")
			m.OnCompletion(inv)
			if n := testing.AllocsPerRun(1000, func() { m.OnCompletion(inv) }); n > tt.most {
				t.Errorf("%v allocations an offer, want at most %v", n, tt.most)
			}
		})
	}
}

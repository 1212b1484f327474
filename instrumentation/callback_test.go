package instrumentation_test

import (
	"bytes"
	"errors"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"testing"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/genaievals/genaievals/instrumentation"
)

type callback = instrumentation.CompletionCallbackFunc

func end(t *testing.T, h *instrumentation.Handler) *instrumentation.Invocation {
	t.Helper()
	_, inv := h.StartInference(t.Context(), instrumentation.Inference{})
	inv.End()
	return inv
}

func TestCallbacksRunInOrderOfRegistration(t *testing.T) {
	tel := record(t)
	var told []string
	name := func(s string) callback { return func(*instrumentation.Invocation) { told = append(told, s) } }
	tel.Register(nil)()
	unregisterA := tel.Register(name("a"))
	b := name("b")
	unregisterB := tel.Register(b)
	tel.Register(b)
	tel.Register(name("c"))
	end(t, tel.Handler)
	unregisterB()
	unregisterB()
	unregisterA()
	told = append(told, "|")
	end(t, tel.Handler)
	if want := []string{"a", "b", "b", "c", "|", "b", "c"}; !slices.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
}

func TestCallbackRunsBeforeTheSpanEnds(t *testing.T) {
	for name, sampler := range map[string]sdktrace.Sampler{"sampled": sdktrace.AlwaysSample(), "unsampled": sdktrace.NeverSample()} {
		t.Run(name, func(t *testing.T) {
			tel := recordSampled(t, sampler)
			told := 0
			tel.Register(callback(func(inv *instrumentation.Invocation) {
				told++
				sampled := name == "sampled"
				if len(tel.spans.GetSpans()) != 0 || inv.Span().IsRecording() != sampled {
					t.Error("the span has ended before the callback")
				}
				if sc := inv.SpanContext(); !sc.IsValid() || sc.IsSampled() != sampled {
					t.Errorf("span context %+v", sc)
				}
				if inv.EndTime().IsZero() || inv.Size() == 0 {
					t.Error("the invocation is not complete")
				}
				inv.SetOutput(instrumentation.AssistantMessage("late"))
				if inv.Output() != nil {
					t.Error("the invocation changed within a callback")
				}
			}))
			end(t, tel.Handler)
			if told != 1 {
				t.Errorf("told %d times", told)
			}
		})
	}
}

func TestMarkEvaluation(t *testing.T) {
	tests := []struct {
		name string
		mark func(inv *instrumentation.Invocation)
		want map[string]any
	}{
		{"not marked", func(*instrumentation.Invocation) {}, map[string]any{}},
		{"sampled", func(inv *instrumentation.Invocation) { inv.MarkEvaluation(true, "") },
			map[string]any{"gen_ai.evaluation.sampled": true}},
		{"refused", func(inv *instrumentation.Invocation) { inv.MarkEvaluation(false, "sampled_out") },
			map[string]any{"gen_ai.evaluation.sampled": false, "gen_ai.evaluation.error": "sampled_out"}},
		{"last counts", func(inv *instrumentation.Invocation) {
			inv.MarkEvaluation(false, "queue_full")
			inv.MarkEvaluation(true, "")
		}, map[string]any{"gen_ai.evaluation.sampled": true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tel := record(t)
			tel.Register(callback(tt.mark))
			_, inv := tel.StartInference(t.Context(), instrumentation.Inference{})
			inv.MarkEvaluation(false, "outside a callback")
			inv.End()
			inv.MarkEvaluation(false, "outside a callback")
			got := plainAttributes(tel.span(t).Attributes)
			for _, key := range []string{"gen_ai.evaluation.sampled", "gen_ai.evaluation.error"} {
				if got[key] != tt.want[key] {
					t.Errorf("%s is %v, want %v", key, got[key], tt.want[key])
				}
			}
		})
	}
}

type brokenCallback struct {
	cause any
	never map[string]int // assigned to without a cause
}

func (b brokenCallback) OnCompletion(*instrumentation.Invocation) {
	if b.cause == nil {
		b.never["x"] = 1
	}
	panic(b.cause)
}

func TestPanicInACallbackIsContained(t *testing.T) {
	var logged bytes.Buffer
	tel := record(t, instrumentation.WithLogger(slog.New(slog.NewTextHandler(&logged, nil))))
	tel.Register(brokenCallback{cause: errors.New(planted)})
	told := completed(tel.Handler)
	tel.Register(brokenCallback{})
	tel.Register(callback(func(*instrumentation.Invocation) { panic(planted) }))
	for range 3 {
		end(t, tel.Handler)
	}
	if len(*told) != 3 || len(tel.spans.GetSpans()) != 3 || tel.Panics() != 9 {
		t.Errorf("told %d times, %d spans, %d panics", len(*told), len(tel.spans.GetSpans()), tel.Panics())
	}
	log := logged.String()
	if n := strings.Count(log, "level=WARN"); n != 2 || !strings.Contains(log, "brokenCallback") {
		t.Errorf("%d warnings, want one for each type:\n%s", n, log)
	}
	if strings.Contains(log, planted) {
		t.Errorf("a panic's value was logged:\n%s", log)
	}
}

func TestPanicOfTheRuntimeIsExplained(t *testing.T) {
	var logged bytes.Buffer
	tel := record(t, instrumentation.WithLogger(slog.New(slog.NewTextHandler(&logged, nil))))
	tel.Register(brokenCallback{})
	end(t, tel.Handler)
	if !strings.Contains(logged.String(), "assignment to entry in nil map") {
		t.Errorf("logged %s", logged.String())
	}
}

type brokenLog struct{ slog.Handler }

func (brokenLog) WithAttrs([]slog.Attr) slog.Handler { panic("in WithAttrs") }

// brokenPanic passes for a panic of the runtime.
type brokenPanic struct{}

func (brokenPanic) RuntimeError() {}
func (brokenPanic) Error() string { panic("in Error") }

func TestPanicInAReportIsContained(t *testing.T) {
	for name, cause := range map[string]any{"the logger's": planted, "the value's": brokenPanic{}} {
		// A slog.Handler that is nil inside panics on every use.
		tel := record(t, instrumentation.WithLogger(slog.New(brokenLog{})))
		tel.Register(callback(func(*instrumentation.Invocation) { panic(cause) }))
		end(t, tel.Handler)
		if tel.Panics() != 1 || len(tel.spans.GetSpans()) != 1 {
			t.Errorf("%s: %d panics, %d spans", name, tel.Panics(), len(tel.spans.GetSpans()))
		}
	}
}

func TestSpanEndsWhenACallbackEndsTheGoroutine(t *testing.T) {
	tel := record(t)
	tel.Register(callback(func(*instrumentation.Invocation) { runtime.Goexit() }))
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, inv := tel.StartInference(t.Context(), instrumentation.Inference{})
		inv.End()
	}()
	<-done
	if n := len(tel.spans.GetSpans()); n != 1 {
		t.Errorf("%d spans, want 1", n)
	}
}

func TestUnregisterWithinACallback(t *testing.T) {
	tel := record(t)
	first, second, third := 0, 0, 0
	var unregister func()
	unregister = tel.Register(callback(func(*instrumentation.Invocation) { first++; unregister() }))
	tel.Register(callback(func(*instrumentation.Invocation) { second++ }))
	tel.Register(callback(func(*instrumentation.Invocation) { third++ }))
	end(t, tel.Handler)
	end(t, tel.Handler)
	if first != 1 || second != 2 || third != 2 {
		t.Errorf("told %d, %d and %d times, want 1, 2 and 2", first, second, third)
	}
}

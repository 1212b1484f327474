package instrumentation_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/codes"

	"github.com/genaievals/genaievals/instrumentation"
)

func TestFailure(t *testing.T) {
	tel := record(t)
	_, inv := tel.StartInference(t.Context(), instrumentation.Inference{Provider: "p"})
	inv.Fail(context.DeadlineExceeded)
	span := tel.span(t)
	if span.Status.Code != codes.Error || plainAttributes(span.Attributes)["error.type"] != "timeout" {
		t.Errorf("status %v, attributes %v", span.Status, span.Attributes)
	}
	if inv.ErrorType() != "timeout" || inv.Cancelled() {
		t.Errorf("error type %q, cancelled %v", inv.ErrorType(), inv.Cancelled())
	}
	if p := tel.points(t, "gen_ai.client.operation.duration"); len(p) != 1 || p[0].attributes["error.type"] != "timeout" {
		t.Errorf("duration %v", p)
	}
}

func TestCancellationIsNotFailure(t *testing.T) {
	tel := record(t)
	_, inv := tel.StartInference(t.Context(), instrumentation.Inference{})
	inv.Fail(fmt.Errorf("reading the answer: %w", context.Canceled))
	span := tel.span(t)
	got := plainAttributes(span.Attributes)
	if span.Status.Code != codes.Unset || got["error.type"] != nil || got["genaievals.cancelled"] != true {
		t.Errorf("status %v, attributes %v", span.Status, got)
	}
	if !inv.Cancelled() || inv.ErrorType() != "" {
		t.Errorf("error type %q, cancelled %v", inv.ErrorType(), inv.Cancelled())
	}
	p := tel.points(t, "gen_ai.client.operation.duration")
	if len(p) != 1 || p[0].attributes["genaievals.cancelled"] != true || p[0].attributes["error.type"] != nil {
		t.Errorf("duration %v", p)
	}
}

func TestFailWithoutErrorIsEnd(t *testing.T) {
	tel := record(t)
	_, inv := tel.StartTool(t.Context(), instrumentation.Tool{})
	inv.Fail(nil)
	if s := tel.span(t).Status.Code; s != codes.Unset || inv.ErrorType() != "" || inv.Cancelled() {
		t.Errorf("status %v, error type %q", s, inv.ErrorType())
	}
}

func TestFirstEndWins(t *testing.T) {
	tel := record(t)
	told := completed(tel.Handler)
	_, inv := tel.StartInference(t.Context(), instrumentation.Inference{})
	inv.SetOutput(instrumentation.AssistantMessage("first"))
	inv.End()
	end, size := inv.EndTime(), inv.Size()
	inv.Fail(errors.New("late"))
	inv.SetOutput(instrumentation.AssistantMessage("second"))
	inv.SetResponse("late", "late", "late")
	inv.SetUsage(instrumentation.Usage{InputTokens: 1})
	inv.SetDocuments(instrumentation.Document{Text: "late"})
	inv.SetToolResult("late")
	inv.Chunk()
	inv.End()
	if len(*told) != 1 || len(tel.spans.GetSpans()) != 1 {
		t.Errorf("told %d times, %d spans", len(*told), len(tel.spans.GetSpans()))
	}
	if inv.ErrorType() != "" || inv.EndTime() != end || inv.Size() != size || inv.Chunks() != 0 ||
		inv.Output()[0].Parts[0].Content != "first" || inv.ResponseID() != "" || inv.Result() != nil {
		t.Error("the invocation changed after its end")
	}
}

func TestConcurrentUse(t *testing.T) {
	tel := record(t, instrumentation.WithCaptureMessageContent(instrumentation.CaptureSpanAndEvent))
	var mu sync.Mutex
	told := 0
	tel.Register(instrumentation.CompletionCallbackFunc(func(inv *instrumentation.Invocation) {
		mu.Lock()
		defer mu.Unlock()
		told++
		_ = fmt.Sprint(inv.Size(), inv.Output(), inv.Documents(), inv.FinishReasons())
		inv.MarkEvaluation(true, "")
	}))
	const invocations = 50
	for range invocations {
		ctx, agent := tel.StartAgent(t.Context(), instrumentation.Agent{Name: "a"})
		_, inv := tel.StartInference(ctx, instrumentation.Inference{})
		var wg sync.WaitGroup
		for _, f := range []func(){
			func() { inv.SetOutput(instrumentation.AssistantMessage("x")) },
			func() { inv.SetResponse("id", "m", "stop") },
			func() { inv.SetUsage(instrumentation.Usage{InputTokens: 1, OutputTokens: 1}) },
			func() { inv.SetDocuments(instrumentation.Document{Text: "d"}) },
			func() { inv.SetToolResult(map[string]int{"a": 1}) },
			inv.Chunk, inv.Chunk,
			func() {
				_, r := tel.StartRetrieval(ctx, instrumentation.Retrieval{})
				r.SetDocuments(instrumentation.Document{Text: "found"})
				r.End()
			},
			func() {
				unregister := tel.Register(instrumentation.CompletionCallbackFunc(func(*instrumentation.Invocation) {}))
				unregister()
			},
			inv.End, inv.End, func() { inv.Fail(errors.New("x")) },
			agent.End,
		} {
			wg.Go(f)
		}
		wg.Wait()
	}
	if want := invocations * 3; told != want || len(tel.spans.GetSpans()) != want {
		t.Errorf("told %d times, %d spans, want %d", told, len(tel.spans.GetSpans()), want)
	}
}

func TestTimesAreExact(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tel := record(t)
		start := time.Now()
		_, inv := tel.StartInference(t.Context(), instrumentation.Inference{Provider: "p", Model: "m", Stream: true})
		for _, wait := range []time.Duration{250, 30, 50, 20} {
			time.Sleep(wait * time.Millisecond)
			inv.Chunk()
		}
		time.Sleep(150 * time.Millisecond)
		tel.Register(instrumentation.CompletionCallbackFunc(func(*instrumentation.Invocation) {
			time.Sleep(time.Hour) // a slow callback is not the model's time
		}))
		inv.End()

		if !inv.StartTime().Equal(start) || inv.EndTime().Sub(inv.StartTime()) != 500*time.Millisecond {
			t.Errorf("from %v to %v", inv.StartTime(), inv.EndTime())
		}
		if inv.TimeToFirstChunk() != 250*time.Millisecond || inv.Chunks() != 4 {
			t.Errorf("first of %d chunks after %v", inv.Chunks(), inv.TimeToFirstChunk())
		}
		span := tel.span(t)
		if span.EndTime.Sub(span.StartTime) != 500*time.Millisecond {
			t.Errorf("span took %v", span.EndTime.Sub(span.StartTime))
		}
		if got := plainAttributes(span.Attributes)["gen_ai.response.time_to_first_chunk"]; got != 0.25 {
			t.Errorf("time to first chunk %v", got)
		}
		for name, want := range map[string]point{
			"gen_ai.client.operation.duration":              {count: 1, sum: 0.5},
			"gen_ai.client.operation.time_to_first_chunk":   {count: 1, sum: 0.25},
			"gen_ai.client.operation.time_per_output_chunk": {count: 3, sum: 0.1},
		} {
			p := tel.points(t, name)
			if len(p) != 1 || p[0].count != want.count || p[0].sum < want.sum-1e-9 || p[0].sum > want.sum+1e-9 {
				t.Errorf("%s: %+v, want %+v", name, p, want)
			}
		}
	})
}

func TestErrorTextIsContent(t *testing.T) {
	err := errors.New("provider said: \xffbad prompt PLANTED")
	for mode, want := range map[instrumentation.CaptureMode]string{
		instrumentation.CaptureNoContent: "",
		instrumentation.CaptureEventOnly: "",
		instrumentation.CaptureSpanOnly:  "provider said: \uFFFDbad prompt PLANTED",
	} {
		t.Run(mode.String(), func(t *testing.T) {
			tel := record(t, instrumentation.WithCaptureMessageContent(mode))
			_, inv := tel.StartInference(t.Context(), instrumentation.Inference{})
			inv.Fail(err)
			if got := tel.span(t).Status; got.Code != codes.Error || got.Description != want {
				t.Errorf("status %+v, want description %q", got, want)
			}
			if want == "" && strings.Contains(tel.everything(t), "PLANTED") {
				t.Error("the error's text is in telemetry")
			}
		})
	}
}

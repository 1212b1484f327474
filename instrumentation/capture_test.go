package instrumentation_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/instrumentation"
)

func TestCaptureModeFromEnvironment(t *testing.T) {
	const (
		none  = instrumentation.CaptureNoContent
		span  = instrumentation.CaptureSpanOnly
		event = instrumentation.CaptureEventOnly
		both  = instrumentation.CaptureSpanAndEvent
	)
	tests := []struct {
		value string
		want  instrumentation.CaptureMode
		bad   bool
	}{
		{value: "", want: none},
		{value: "  ", want: none},
		{value: "NO_CONTENT", want: none},
		{value: "SPAN_ONLY", want: span},
		{value: "EVENT_ONLY", want: event},
		{value: "SPAN_AND_EVENT", want: both},
		{value: " span_Only ", want: span},
		{value: "true", want: both},
		{value: "TRUE", want: both},
		{value: "1", want: both},
		{value: "false", want: none},
		{value: "off", want: none},
		{value: "SPAN", want: none, bad: true},
		{value: "SPAN_ONLY,EVENT_ONLY", want: none, bad: true},
		{value: "2", want: none, bad: true},
	}
	for _, tt := range tests {
		t.Run(tt.value, func(t *testing.T) {
			t.Setenv(instrumentation.EnvCaptureMessageContent, tt.value)
			var logged bytes.Buffer
			tel := record(t, instrumentation.WithLogger(slog.New(slog.NewTextHandler(&logged, nil))))
			_, inv := tel.StartInference(t.Context(), instrumentation.Inference{
				Input: []instrumentation.Message{instrumentation.UserMessage("PLANTED")},
			})
			inv.End()
			got := none
			if plainAttributes(tel.span(t).Attributes)["gen_ai.input.messages"] != nil {
				got |= span
			}
			if len(tel.events.records) > 0 {
				got |= event
			}
			if got != tt.want {
				t.Errorf("captured %v, want %v", got, tt.want)
			}
			warnings := strings.Count(logged.String(), "level=WARN")
			if named := strings.Contains(logged.String(), instrumentation.EnvCaptureMessageContent); tt.bad != named ||
				tt.bad != (warnings == 1) || warnings > 1 {
				t.Errorf("%d warnings: %s", warnings, logged.String())
			}
			if _, err := instrumentation.ParseCaptureMode(tt.value); tt.bad != errors.Is(err, instrumentation.ErrCaptureMode) {
				t.Errorf("parsing gave %v", err)
			}
		})
	}
}

func TestCaptureOptionBeatsEnvironment(t *testing.T) {
	for _, env := range []string{"SPAN_AND_EVENT", "unreadable"} {
		t.Setenv(instrumentation.EnvCaptureMessageContent, env)
		var logged bytes.Buffer
		tel := record(t,
			instrumentation.WithLogger(slog.New(slog.NewTextHandler(&logged, nil))),
			instrumentation.WithCaptureMessageContent(instrumentation.CaptureNoContent))
		_, inv := tel.StartInference(t.Context(), instrumentation.Inference{
			Input: []instrumentation.Message{instrumentation.UserMessage("PLANTED")},
		})
		inv.End()
		if strings.Contains(tel.everything(t), "PLANTED") || logged.Len() > 0 {
			t.Errorf("%s: the environment was read: %s", env, logged.String())
		}
	}
}

func TestCaptureModeStringRoundTrips(t *testing.T) {
	for m := instrumentation.CaptureNoContent; m <= instrumentation.CaptureSpanAndEvent; m++ {
		if got, err := instrumentation.ParseCaptureMode(m.String()); got != m || err != nil {
			t.Errorf("%v became %v, %v", m, got, err)
		}
	}
}

package instrumentation

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// EnvCaptureMessageContent names the environment variable that says where
// content goes, in the words of [ParseCaptureMode].
const EnvCaptureMessageContent = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"

// CaptureMode says whether content (messages, system instructions, tool
// definitions, arguments and results, queries and documents) is put into
// telemetry, and where. What callbacks see does not depend on it.
type CaptureMode uint8

// The capture modes. With an event mode every inference also emits the
// gen_ai.client.inference.operation.details event; the conventions have no
// such event for the other kinds, so their content can only be on spans.
const (
	CaptureNoContent    CaptureMode = 0                                  // nowhere, the default
	CaptureSpanOnly     CaptureMode = 1                                  // on spans
	CaptureEventOnly    CaptureMode = 2                                  // on the events of inference
	CaptureSpanAndEvent             = CaptureSpanOnly | CaptureEventOnly // on both
)

// ErrCaptureMode is wrapped by the error for a word that names no capture
// mode.
var ErrCaptureMode = errors.New("not a capture mode (NO_CONTENT, SPAN_ONLY, EVENT_ONLY, SPAN_AND_EVENT)")

// String returns the mode as the environment variable writes it.
func (m CaptureMode) String() string {
	switch m & CaptureSpanAndEvent {
	case CaptureSpanOnly:
		return "SPAN_ONLY"
	case CaptureEventOnly:
		return "EVENT_ONLY"
	case CaptureSpanAndEvent:
		return "SPAN_AND_EVENT"
	}
	return "NO_CONTENT"
}

func (m CaptureMode) spans() bool  { return m&CaptureSpanOnly != 0 }
func (m CaptureMode) events() bool { return m&CaptureEventOnly != 0 }

// ParseCaptureMode reads a capture mode, ignoring case and surrounding blanks.
// Empty is [CaptureNoContent].
//
// The older booleans are read, too. False is [CaptureNoContent]. True is
// [CaptureSpanAndEvent]: the instrumentations that had only true and false
// disagreed on where content goes (spans, span events or log records), so
// whoever looks for it where the older one put it finds it.
func ParseCaptureMode(s string) (CaptureMode, error) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "", "no_content", "false", "0", "no", "off":
		return CaptureNoContent, nil
	case "span_only":
		return CaptureSpanOnly, nil
	case "event_only":
		return CaptureEventOnly, nil
	case "span_and_event", "true", "1", "yes", "on":
		return CaptureSpanAndEvent, nil
	}
	return CaptureNoContent, fmt.Errorf("reading capture mode %q: %w", s, ErrCaptureMode)
}

func captureModeFromEnv() (CaptureMode, error) {
	return ParseCaptureMode(os.Getenv(EnvCaptureMessageContent))
}

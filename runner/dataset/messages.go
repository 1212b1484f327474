package dataset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	lognoop "go.opentelemetry.io/otel/log/noop"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	tracenoop "go.opentelemetry.io/otel/trace/noop"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/runner"
)

// newHandler returns one that records for nobody: what a conversation comes to as a
// case is decided in one place, where invocations are recorded.
func newHandler() *instrumentation.Handler {
	return instrumentation.NewHandler(
		instrumentation.WithTracerProvider(tracenoop.NewTracerProvider()),
		instrumentation.WithMeterProvider(metricnoop.NewMeterProvider()),
		instrumentation.WithLoggerProvider(lognoop.NewLoggerProvider()),
		instrumentation.WithCaptureMessageContent(instrumentation.CaptureNoContent),
	)
}

var recorder = sync.OnceValue(newHandler)

// setInput reads the field input: a text, or the messages of a chat.
func setInput(item *runner.Item, value json.RawMessage, inObject bool) error {
	in := inCell(value, inObject)
	if typeOf(in) == typeList {
		messages, err := messagesOf(in)
		if err == nil {
			c := conversation(messages)
			item.Input, item.History = c.Input, c.History
			if c.System != "" {
				item.System = c.System
			}
			return nil
		}
		if inObject {
			return err
		}
	}
	if typeOf(value) != typeText {
		return expected("a text or the messages of a chat", value)
	}
	text, err := textOf(value)
	item.Input = text
	return err
}

func conversation(messages []instrumentation.Message) *evaluators.Case {
	_, inv := recorder().StartInference(context.Background(), instrumentation.Inference{Input: messages})
	return evaluators.CaseOf(inv)
}

// historyOf reads the field history.
func historyOf(value json.RawMessage) ([]evaluators.Turn, error) {
	const what = "a list of objects with role and content"
	if text, err := textOf(value); err == nil { // of a table
		if evaluators.Blank(text) {
			return nil, nil
		}
		if value = inCell(value, false); typeOf(value) == typeText {
			return nil, fmt.Errorf("expected %s: %w", what, errNotJSON)
		}
	}
	if typeOf(value) != typeList {
		return nil, expected(what, value)
	}
	messages, err := messagesOf(value)
	if err != nil {
		return nil, err
	}
	// A case's history is what is before the last turn of the user.
	return conversation(append(messages, instrumentation.UserMessage("?"))).History, nil
}

// message is one of a chat as providers write it, or as the GenAI conventions do.
type message struct {
	Role         *string         `json:"role"`
	Name         string          `json:"name"`
	Content      json.RawMessage `json:"content"`
	Text         json.RawMessage `json:"text"`
	Parts        json.RawMessage `json:"parts"`
	ToolCallID   string          `json:"tool_call_id"`
	FinishReason string          `json:"finish_reason"`
	ToolCalls    []struct {
		ID       string `json:"id"`
		Function struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

var errMessage = errors.New("expected an object with role and content")

func messagesOf(list json.RawMessage) ([]instrumentation.Message, error) {
	var elements []json.RawMessage
	if err := json.Unmarshal(list, &elements); err != nil {
		return nil, expected("a list of messages", list)
	}
	messages := make([]instrumentation.Message, 0, len(elements))
	for i, element := range elements {
		m, err := messageOf(element)
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i+1, err)
		}
		messages = append(messages, m)
	}
	return messages, nil
}

func messageOf(element json.RawMessage) (instrumentation.Message, error) {
	if typeOf(element) != typeObject {
		return instrumentation.Message{}, expected("an object with role and content", element)
	}
	var m message
	if json.Unmarshal(element, &m) != nil || m.Role == nil {
		return instrumentation.Message{}, errMessage
	}
	out := instrumentation.Message{Role: *m.Role, Name: m.Name, FinishReason: m.FinishReason}
	content := m.Parts
	if !present(content) {
		content = m.Content
	}
	if !present(content) {
		content = m.Text
	}
	if out.Role == instrumentation.RoleTool && present(content) && m.ToolCallID != "" {
		out.Parts = []instrumentation.Part{instrumentation.ToolResponse(m.ToolCallID, content)}
		return out, nil
	}
	parts, err := partsOf(content)
	if err != nil {
		return out, err
	}
	out.Parts = parts
	for _, call := range m.ToolCalls {
		arguments := call.Function.Arguments
		if text, err := textOf(arguments); err == nil {
			arguments = json.RawMessage(text)
		}
		out.Parts = append(out.Parts, instrumentation.ToolCall(call.ID, call.Function.Name, arguments))
	}
	return out, nil
}

// partsOf reads what a message says: a text, or a list of parts.
func partsOf(content json.RawMessage) ([]instrumentation.Part, error) {
	switch {
	case !present(content):
		return nil, nil
	case typeOf(content) == typeText:
		text, err := textOf(content)
		return []instrumentation.Part{instrumentation.Text(text)}, err
	case typeOf(content) != typeList:
		return nil, expected("a text or a list of parts", content)
	}
	var elements []json.RawMessage
	if err := json.Unmarshal(content, &elements); err != nil {
		return nil, expected("a list of parts", content)
	}
	parts := make([]instrumentation.Part, 0, len(elements))
	for _, element := range elements {
		if text, err := textOf(element); err == nil {
			parts = append(parts, instrumentation.Text(text))
			continue
		}
		if typeOf(element) != typeObject {
			return nil, expected("a part, an object", element)
		}
		parts = append(parts, partOf(element))
	}
	return parts, nil
}

// partOf reads one part. One of a type that has no text is kept by its type only.
func partOf(element json.RawMessage) instrumentation.Part {
	var p struct {
		Type      string          `json:"type"`
		Content   json.RawMessage `json:"content"`
		Text      json.RawMessage `json:"text"`
		ID        string          `json:"id"`
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
		Response  json.RawMessage `json:"response"`
		Result    json.RawMessage `json:"result"`
		Modality  string          `json:"modality"`
		MIMEType  string          `json:"mime_type"`
		Size      int             `json:"size"`
	}
	_ = json.Unmarshal(element, &p) // what is of another type stays empty
	text := scalarOf(p.Content, p.Text)
	switch instrumentation.PartType(p.Type) {
	case instrumentation.PartReasoning, "thinking":
		return instrumentation.Reasoning(text)
	case instrumentation.PartToolCall:
		return instrumentation.ToolCall(p.ID, p.Name, p.Arguments)
	case instrumentation.PartToolResponse:
		if !present(p.Response) {
			p.Response = p.Result
		}
		return instrumentation.ToolResponse(p.ID, p.Response)
	case instrumentation.PartBlob:
		return instrumentation.Blob(p.Modality, p.MIMEType, p.Size)
	case instrumentation.PartFile:
		return instrumentation.File(p.Modality, p.MIMEType, "")
	case instrumentation.PartURI:
		return instrumentation.URI(p.Modality, p.MIMEType, "")
	case instrumentation.PartText, "input_text", "output_text", "":
		return instrumentation.Text(text)
	}
	return instrumentation.Raw(p.Type, element)
}

// scalarOf is the first value that is there, as text.
func scalarOf(values ...json.RawMessage) string {
	for _, v := range values {
		if present(v) {
			return scalar(v)
		}
	}
	return ""
}

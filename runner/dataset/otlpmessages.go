package dataset

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/genaievals/genaievals/instrumentation"
)

// said is the content of a call.
type said struct {
	system        []instrumentation.Part
	input, output []instrumentation.Message
}

// conversation reads what a span has of the content: attributes of its own, those
// of an event with the details, or an event for each message as older versions of
// the conventions have it.
func (s *span) conversation() (said, error) {
	all, err := contentOf(s.Attributes)
	if err != nil {
		return all, err
	}
	for i := range s.Events {
		e := &s.Events[i]
		more, err := contentOf(e.Attributes)
		if err != nil {
			return all, fmt.Errorf("event %d: %w", i+1, err)
		}
		if len(all.system) == 0 {
			all.system = more.system
		}
		if len(more.input) > 0 && len(all.input) == 0 {
			all.input = more.input
		}
		if len(more.output) > 0 && len(all.output) == 0 {
			all.output = more.output
		}
	}
	if len(all.input) == 0 && len(all.output) == 0 {
		s.older(&all)
	}
	return all, nil
}

func contentOf(a attributes) (c said, err error) {
	if value := a.json("gen_ai.system_instructions"); present(value) {
		if c.system, err = partsOf(value); err != nil {
			return c, fmt.Errorf("gen_ai.system_instructions: %w", err)
		}
	}
	if value := a.json("gen_ai.input.messages"); present(value) {
		if c.input, err = messagesOf(value); err != nil {
			return c, fmt.Errorf("gen_ai.input.messages: %w", err)
		}
	}
	if value := a.json("gen_ai.output.messages"); present(value) {
		if c.output, err = messagesOf(value); err != nil {
			return c, fmt.Errorf("gen_ai.output.messages: %w", err)
		}
	}
	return c, nil
}

// older reads events of one message each: gen_ai.user.message and the like, and
// gen_ai.choice, whose attribute content, or message, has what is said.
func (s *span) older(c *said) {
	for i := range s.Events {
		e := &s.Events[i]
		name, ok := strings.CutPrefix(e.Name, "gen_ai.")
		if !ok {
			continue
		}
		m := instrumentation.Message{FinishReason: e.Attributes.text("finish_reason")}
		content := e.Attributes.json("content")
		if !present(content) {
			content = unwrapped(e.Attributes.json("message"))
		}
		var err error
		if m.Parts, err = partsOf(textual(content)); err != nil || len(m.Parts) == 0 {
			continue
		}
		switch name {
		case "system.message", "user.message", "assistant.message", "tool.message":
			m.Role, _, _ = strings.Cut(name, ".")
			c.input = append(c.input, m)
		case "choice":
			m.Role = instrumentation.RoleAssistant
			c.output = append(c.output, m)
		}
	}
}

// unwrapped is the content of a message, an object; another value stays.
func unwrapped(value json.RawMessage) json.RawMessage {
	if inner := member(value, "content"); inner != nil {
		return inner
	}
	return value
}

// textual is a value as a JSON text, unless it is one or a list of parts: what was
// said may be JSON itself.
func textual(value json.RawMessage) json.RawMessage {
	switch typeOf(value) {
	case typeText, "nothing":
		return value
	case typeList:
		if _, err := partsOf(value); err == nil {
			return value
		}
	}
	text, _ := json.Marshal(string(value)) // text can always be rendered
	return text
}

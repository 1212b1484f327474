package evaluators

import (
	"slices"
	"strings"

	"github.com/genaievals/genaievals/instrumentation"
)

// CaseOf makes the case of an invocation that has ended. It walks the whole
// content, so the manager calls it on a worker, not on the application's
// goroutine. The case shares the invocation's strings and nothing else; its
// text is valid UTF-8.
//
//   - Output is the text of the first choice; Choices counts all of them.
//   - Input is the last message in which the user says something; History the
//     messages before it, tool calls and responses as JSON; System the system
//     instructions, from their own field and from the messages that the
//     conversation begins with.
//   - Documents are the invocation's; tool responses in its input are among
//     them.
//
// Texts of one message are joined by newlines. Reasoning is left out. Images,
// files and other parts become placeholders such as [image/png, 12345 bytes].
//
// A nil invocation, which [instrumentation.Handler] returns below
// [instrumentation.Suppress], gives a suppressed case.
func CaseOf(inv *instrumentation.Invocation) *Case {
	if inv == nil {
		return &Case{Suppressed: true}
	}
	c := &Case{
		ID:         inv.ResponseID(),
		Kind:       inv.Kind(),
		Choices:    len(inv.Output()),
		Suppressed: inv.Suppressed(),
		Provider:   inv.Provider(),
		Model:      inv.ResponseModel(),

		InputTruncated: inv.InputTruncated(),
	}
	if c.Model == "" {
		c.Model = inv.RequestModel()
	}
	c.setOutput(inv)
	c.setInput(inv)
	c.setDocuments(inv)
	return c
}

func (c *Case) setOutput(inv *instrumentation.Invocation) {
	finish := ""
	if reasons := inv.FinishReasons(); len(reasons) > 0 {
		finish = reasons[0]
	}
	if choices := inv.Output(); len(choices) > 0 {
		if choices[0].FinishReason != "" {
			finish = choices[0].FinishReason
		}
		said := saidIn(choices[0].Parts)
		c.Output = textOf(choices[0].Parts, omitTools)
		c.ToolCallOnly = said.toolCalls && !said.text && !said.other
		c.NonText = said.other && !said.text
	}
	c.Truncated = cutOff(finish)
}

func (c *Case) setInput(inv *instrumentation.Invocation) {
	messages := inv.Input()
	system := []string{textOf(inv.SystemInstructions(), omitTools)}
	for len(messages) > 0 && isSystem(messages[0].Role) {
		system = append(system, textOf(messages[0].Parts, omitTools))
		messages = messages[1:]
	}
	c.System = joinTexts(system)

	last := lastUserTurn(messages)
	if last < 0 {
		c.History = turnsOf(messages)
		return
	}
	c.Input = textOf(messages[last].Parts, omitTools)
	c.History = turnsOf(messages[:last])
}

func (c *Case) setDocuments(inv *instrumentation.Invocation) {
	for _, d := range inv.Documents() {
		if !Blank(d.Text) {
			d.Text = valid(d.Text)
			c.Documents = append(c.Documents, d)
		}
	}
}

func turnsOf(messages []instrumentation.Message) []Turn {
	var turns []Turn
	for _, m := range messages {
		if text := textOf(m.Parts, withTools); text != "" {
			turns = append(turns, Turn{Role: m.Role, Text: text})
		}
	}
	return turns
}

// lastUserTurn returns the index of the last message in which the user says
// something, -1 without one. Some providers send tool responses under the
// user's role; those are not the user's words. A message without a role is
// taken as the user's.
func lastUserTurn(messages []instrumentation.Message) int {
	for i, m := range slices.Backward(messages) {
		switch strings.ToLower(m.Role) {
		case instrumentation.RoleUser, "human", "":
			if said := saidIn(m.Parts); said.text || said.other {
				return i
			}
		}
	}
	return -1
}

func isSystem(role string) bool {
	switch strings.ToLower(role) {
	case instrumentation.RoleSystem, "developer":
		return true
	}
	return false
}

// cutOff reports whether a finish reason says that the provider's limit on the
// length ended the output. The names are those of the conventions, OpenAI,
// Anthropic, Gemini and Cohere.
func cutOff(finishReason string) bool {
	switch strings.ToLower(finishReason) {
	case "length", "max_tokens", "max_output_tokens", "model_context_window_exceeded", "error_limit":
		return true
	}
	return false
}

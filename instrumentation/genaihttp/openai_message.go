package genaihttp

import (
	"strings"

	"github.com/genaievals/genaievals/instrumentation"
)

const (
	// maxItems bounds the choices of a response, and the parts and the tool
	// calls of each, together. OpenAI allows 128 choices.
	maxItems = 128
	// maxInput bounds the messages of a request, their parts and their tool
	// calls, together.
	maxInput = 1 << 14
	// maxTools bounds the tools that a request offers.
	maxTools = 1 << 10
)

// openAIMessage is a message of a request, of a response, or a delta of one in
// a stream.
type openAIMessage struct {
	role, name string
	thought    string
	content    []instrumentation.Part
	refusal    string
	audio      *openAIAudio
	images     []instrumentation.Part // OpenRouter
	calls      []openAICall
	toolCallID string
}

// openAICall is a tool call, or a piece of one.
type openAICall struct {
	index     *int64 // in a stream
	id, name  string
	arguments string
}

type openAIAudio struct {
	id, transcript string
	characters     int // of base64
}

func inputMessages(v value, q *quota) []instrumentation.Message {
	var input []instrumentation.Message
	for _, v := range v.all(q) {
		m := readOpenAIMessage(v, q)
		if message := m.input(); message.Role != "" || len(message.Parts) > 0 {
			input = append(input, message)
		}
	}
	return input
}

func readOpenAIMessage(v value, q *quota) openAIMessage {
	var m openAIMessage
	for name, v := range v.members() {
		switch name {
		case "role":
			m.role = v.short()
		case "name":
			m.name = v.short()
		case "content":
			m.content = contentParts(v, q)
		case "reasoning_content": // DeepSeek, vLLM, xAI
			m.thought = orElse(v.str(), m.thought)
		case "reasoning": // Ollama, OpenRouter, Groq; some send both, with the same text
			m.thought = orElse(m.thought, v.str())
		case "refusal":
			m.refusal = v.str()
		case "audio":
			m.audio = readOpenAIAudio(v)
		case "images":
			m.images = contentParts(v, q)
		case "tool_call_id":
			m.toolCallID = v.short()
		case "tool_calls":
			for _, v := range v.all(q) {
				m.calls = append(m.calls, readOpenAICall(v))
			}
		case "function_call": // before there were tools
			if v.isObject() && q.take() {
				m.calls = append(m.calls, openAICall{index: new(int64)})
				m.calls[len(m.calls)-1].function(v)
			}
		}
	}
	return m
}

func readOpenAICall(v value) openAICall {
	var c openAICall
	for name, v := range v.members() {
		switch name {
		case "index":
			c.index = v.integer()
		case "id":
			c.id = v.short()
		case "function", "custom":
			c.function(v)
		}
	}
	return c
}

func (c *openAICall) function(v value) {
	for name, v := range v.members() {
		switch name {
		case "name":
			c.name = v.short()
		case "arguments", "input": // input is a custom tool's
			c.arguments = v.argument()
		}
	}
}

func readOpenAIAudio(v value) *openAIAudio {
	if !v.isObject() {
		return nil
	}
	var a openAIAudio
	for name, v := range v.members() {
		switch name {
		case "id":
			a.id = v.short()
		case "transcript":
			a.transcript = v.str()
		case "data":
			a.characters = base64Characters(v.text())
		}
	}
	return &a
}

// input is the message as one of a request.
func (m *openAIMessage) input() instrumentation.Message {
	message := instrumentation.Message{Role: m.role, Name: m.name}
	switch m.role {
	case "developer": // what system is called for reasoning models
		message.Role = instrumentation.RoleSystem
	case instrumentation.RoleTool, "function":
		message.Parts = m.toolResponse()
		return message
	}
	message.Parts = m.parts()
	return message
}

// toolResponse is the content of a message that answers a tool call: its text
// as one response, then what else there is.
func (m *openAIMessage) toolResponse() []instrumentation.Part {
	var texts []string
	var others []instrumentation.Part
	for _, p := range m.content {
		if p.Type == instrumentation.PartText {
			texts = append(texts, p.Content)
		} else {
			others = append(others, p)
		}
	}
	response := instrumentation.ToolResponse(m.toolCallID, strings.Join(texts, "\n"))
	response.Name = m.name
	return append([]instrumentation.Part{response}, others...)
}

// parts is the whole content of a message, in the order of thinking, saying,
// showing, asking for tools.
func (m *openAIMessage) parts() []instrumentation.Part {
	var parts []instrumentation.Part
	if m.thought != "" {
		parts = append(parts, instrumentation.Reasoning(m.thought))
	}
	parts = append(parts, m.content...)
	if m.refusal != "" {
		parts = append(parts, instrumentation.Text(m.refusal))
	}
	if m.audio != nil {
		parts = append(parts, m.audio.parts()...)
	}
	parts = append(parts, m.images...)
	for _, c := range m.calls {
		parts = append(parts, c.part())
	}
	return parts
}

func (c openAICall) part() instrumentation.Part {
	if c.arguments == "" {
		return instrumentation.ToolCall(c.id, c.name, nil)
	}
	return instrumentation.ToolCall(c.id, c.name, c.arguments)
}

// parts of an audio message: what is said, and how large the sound is; or, in
// a request, the id of an earlier answer.
func (a *openAIAudio) parts() []instrumentation.Part {
	var parts []instrumentation.Part
	if a.transcript != "" {
		parts = append(parts, instrumentation.Text(a.transcript))
	}
	switch {
	case a.characters > 0:
		parts = append(parts, instrumentation.Blob("audio", "", base64Size(a.characters)))
	case a.id != "":
		parts = append(parts, instrumentation.File("audio", "", a.id))
	}
	return parts
}

func orElse(s, other string) string {
	if s != "" {
		return s
	}
	return other
}

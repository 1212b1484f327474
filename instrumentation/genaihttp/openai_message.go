package genaihttp

import (
	"encoding/json"
	"strings"

	"github.com/genaievals/genaievals/instrumentation"
)

// maxItems bounds the parts of a message, the choices of a response, and the
// tool calls of a choice, so that a hostile response cannot make us hold many
// times its own size. OpenAI allows 128 choices.
const maxItems = 128

// openAIMessage is a message of a request, of a response, or a delta in a
// stream.
type openAIMessage struct {
	Role             looseString
	Name             looseString
	Content          json.RawMessage // a string, null, or a list of parts
	Refusal          looseString
	ReasoningContent looseString       `json:"reasoning_content"` // DeepSeek, vLLM, xAI
	Reasoning        looseString       // Ollama, OpenRouter, Groq
	ToolCalls        []json.RawMessage `json:"tool_calls"`
	FunctionCall     *openAIFunction   `json:"function_call"` // before there were tools
	ToolCallID       looseString       `json:"tool_call_id"`
	Audio            *openAIAudio
	Images           []json.RawMessage // OpenRouter
}

type openAIToolCall struct {
	Index    *looseInt
	ID       looseString
	Function openAIFunction
	Custom   openAIFunction
}

type openAIFunction struct {
	Name      looseString
	Arguments looseJSON
	Input     looseJSON // of a custom tool
}

type openAIAudio struct {
	ID         looseString
	Data       looseString
	Transcript looseString
}

// input is the message as one of a request.
func (m *openAIMessage) input() instrumentation.Message {
	message := instrumentation.Message{Role: string(m.Role), Name: string(m.Name)}
	switch message.Role {
	case "developer": // what system was called for reasoning models
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
	for _, p := range contentParts(m.Content) {
		if p.Type == instrumentation.PartText {
			texts = append(texts, p.Content)
		} else {
			others = append(others, p)
		}
	}
	response := instrumentation.ToolResponse(string(m.ToolCallID), strings.Join(texts, "\n"))
	response.Name = string(m.Name)
	return append([]instrumentation.Part{response}, others...)
}

// parts is the whole content of a message, in the order of thinking, saying,
// showing, asking for tools.
func (m *openAIMessage) parts() []instrumentation.Part {
	var parts []instrumentation.Part
	if r := m.reasoning(); r != "" {
		parts = append(parts, instrumentation.Reasoning(r))
	}
	parts = append(parts, contentParts(m.Content)...)
	if m.Refusal != "" {
		parts = append(parts, instrumentation.Text(string(m.Refusal)))
	}
	if m.Audio != nil {
		parts = append(parts, m.Audio.parts()...)
	}
	parts = append(parts, listedParts(m.Images)...)
	for _, raw := range m.ToolCalls[:min(len(m.ToolCalls), maxItems)] {
		var c openAIToolCall
		decode(raw, &c)
		parts = append(parts, c.part())
	}
	if f := m.FunctionCall; f != nil && *f != (openAIFunction{}) {
		parts = append(parts, toolCall("", f.Name, f.Arguments))
	}
	return parts
}

// reasoning is the model's thinking. Servers between two dialects send both
// fields with the same text.
func (m *openAIMessage) reasoning() string {
	if m.ReasoningContent != "" {
		return string(m.ReasoningContent)
	}
	return string(m.Reasoning)
}

func (c *openAIToolCall) part() instrumentation.Part {
	if c.Function.Name == "" && c.Custom.Name != "" {
		return toolCall(c.ID, c.Custom.Name, c.Custom.Input)
	}
	return toolCall(c.ID, c.Function.Name, c.Function.Arguments)
}

func toolCall(id, name looseString, arguments looseJSON) instrumentation.Part {
	if arguments == "" {
		return instrumentation.ToolCall(string(id), string(name), nil)
	}
	return instrumentation.ToolCall(string(id), string(name), string(arguments))
}

// parts of an audio message: what is said, and how large the sound is; or, in
// a request, the id of an earlier answer.
func (a *openAIAudio) parts() []instrumentation.Part {
	var parts []instrumentation.Part
	if a.Transcript != "" {
		parts = append(parts, instrumentation.Text(string(a.Transcript)))
	}
	switch {
	case a.Data != "":
		parts = append(parts, instrumentation.Blob("audio", "", base64Size(string(a.Data))))
	case a.ID != "":
		parts = append(parts, instrumentation.File("audio", "", string(a.ID)))
	}
	return parts
}

// contentParts reads a message's content. An empty text is no part.
func contentParts(content json.RawMessage) []instrumentation.Part {
	if len(content) == 0 {
		return nil
	}
	switch content[0] {
	case '"':
		var text string
		if decode(content, &text); text == "" {
			return nil
		}
		return []instrumentation.Part{instrumentation.Text(text)}
	case '[':
		var list []json.RawMessage
		decode(content, &list)
		return listedParts(list)
	case '{':
		return listedParts([]json.RawMessage{content})
	}
	return nil
}

func listedParts(list []json.RawMessage) []instrumentation.Part {
	var parts []instrumentation.Part
	for _, raw := range list[:min(len(list), maxItems)] {
		if p := contentPart(raw); p.Type != instrumentation.PartText || p.Content != "" {
			parts = append(parts, p)
		}
	}
	return parts
}

// openAIPart is one part of a content list.
type openAIPart struct {
	Type       looseString
	Text       looseString
	Refusal    looseString
	Thinking   json.RawMessage // Mistral: a list of text parts
	ImageURL   looseURL        `json:"image_url"`
	VideoURL   looseURL        `json:"video_url"` // vLLM, Qwen
	AudioURL   looseURL        `json:"audio_url"` // vLLM
	InputAudio struct {
		Data, Format looseString
	} `json:"input_audio"`
	File struct {
		FileID   looseString `json:"file_id"`
		FileData looseString `json:"file_data"`
		Filename looseString
	}
}

func contentPart(raw json.RawMessage) instrumentation.Part {
	if len(raw) > 0 && raw[0] == '"' { // a bare string in a list
		var text string
		decode(raw, &text)
		return instrumentation.Text(text)
	}
	var p openAIPart
	decode(raw, &p)
	switch p.Type {
	case "text", "input_text", "output_text":
		return instrumentation.Text(string(p.Text))
	case "refusal":
		return instrumentation.Text(string(p.Refusal))
	case "thinking", "reasoning":
		var b strings.Builder
		for _, t := range contentParts(p.Thinking) {
			b.WriteString(t.Content)
		}
		b.WriteString(string(p.Text))
		return instrumentation.Reasoning(b.String())
	case "image_url":
		return media("image", string(p.ImageURL))
	case "video_url":
		return media("video", string(p.VideoURL))
	case "audio_url":
		return media("audio", string(p.AudioURL))
	case "input_audio":
		return instrumentation.Blob("audio", audioType(string(p.InputAudio.Format)), base64Size(string(p.InputAudio.Data)))
	case "file":
		return p.file()
	}
	return instrumentation.Raw(string(p.Type), raw)
}

func (p *openAIPart) file() instrumentation.Part {
	data := string(p.File.FileData)
	switch {
	case data == "":
		return instrumentation.File("document", "", string(p.File.FileID))
	case strings.HasPrefix(data, "data:"):
		return media("document", data)
	}
	return instrumentation.Blob("document", "", base64Size(data))
}

// looseURL is a string, or an object with a member url.
type looseURL string

// UnmarshalJSON never fails.
func (u *looseURL) UnmarshalJSON(b []byte) error {
	var text looseString
	if len(b) > 0 && b[0] == '{' {
		var o struct{ URL looseString }
		decode(b, &o)
		text = o.URL
	} else {
		_ = text.UnmarshalJSON(b)
	}
	*u = looseURL(text)
	return nil
}

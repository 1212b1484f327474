package evaluators

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/genaievals/genaievals/instrumentation"
)

// tools says whether the text of a message has its tool calls and responses.
type tools bool

const (
	omitTools tools = false
	withTools tools = true
)

// said tells what kinds of parts a message has. Reasoning and blank text do
// not count.
type said struct{ text, toolCalls, other bool }

func saidIn(parts []instrumentation.Part) said {
	var s said
	for _, p := range parts {
		switch p.Type {
		case instrumentation.PartText:
			s.text = s.text || !Blank(p.Content)
		case instrumentation.PartToolCall:
			s.toolCalls = true
		case instrumentation.PartReasoning, instrumentation.PartToolResponse:
		default:
			s.other = true
		}
	}
	return s
}

// textOf renders the parts of one message, a line break between them.
func textOf(parts []instrumentation.Part, t tools) string {
	// Most messages are one text: their string is shared.
	if len(parts) == 1 && parts[0].Type == instrumentation.PartText {
		return valid(parts[0].Content)
	}
	var texts []string
	for _, p := range parts {
		switch p.Type {
		case instrumentation.PartText:
			texts = append(texts, valid(p.Content))
		case instrumentation.PartReasoning:
		case instrumentation.PartToolCall:
			if t == withTools {
				texts = append(texts, toolJSON(toolPart{Type: p.Type, ID: p.ID, Name: p.Name, Arguments: p.Value}))
			}
		case instrumentation.PartToolResponse:
			if t == withTools {
				texts = append(texts, toolJSON(toolPart{Type: p.Type, ID: p.ID, Response: p.Value}))
			}
		default:
			texts = append(texts, placeholder(p))
		}
	}
	return joinTexts(texts)
}

// joinTexts joins with newlines what is not empty.
func joinTexts(texts []string) string {
	kept := texts[:0]
	for _, t := range texts {
		if t != "" {
			kept = append(kept, t)
		}
	}
	return strings.Join(kept, "\n")
}

// toolPart is a tool call or response as the conventions' message schemas
// write it.
type toolPart struct {
	Type      instrumentation.PartType `json:"type"`
	ID        string                   `json:"id,omitempty"`
	Name      string                   `json:"name,omitempty"`
	Arguments json.RawMessage          `json:"arguments,omitempty"`
	Response  json.RawMessage          `json:"response,omitempty"`
}

func toolJSON(p toolPart) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(p); err != nil {
		// Part holds valid JSON when made by its constructors; a literal may not.
		return fmt.Sprintf("[%s %s]", p.Type, valid(p.Name))
	}
	return valid(strings.TrimSuffix(b.String(), "\n"))
}

// placeholder stands for a part that has no text. References are left out:
// they can carry credentials.
func placeholder(p instrumentation.Part) string {
	what := valid(cmp.Or(p.MIMEType, p.Modality, string(p.Type), "unknown"))
	switch p.Type {
	case instrumentation.PartBlob:
		return fmt.Sprintf("[%s, %d bytes]", what, p.Bytes)
	case instrumentation.PartFile, instrumentation.PartURI:
		return fmt.Sprintf("[%s, %s]", what, p.Type)
	}
	return fmt.Sprintf("[%s, %d bytes]", what, len(p.Raw))
}

// valid replaces what is not UTF-8, so that a text survives every JSON
// encoder unchanged.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

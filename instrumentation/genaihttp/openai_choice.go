package genaihttp

import (
	"slices"
	"strings"

	"github.com/genaievals/genaievals/instrumentation"
)

// openAIChoice is one choice, taken whole or put together from deltas.
type openAIChoice struct {
	role, finish string
	parts        []instrumentation.Part // all of a whole message; of deltas, what is not below
	size         int                    // of a whole message

	thought, text, refusal strings.Builder
	audio                  openAIAudio
	transcript             strings.Builder
	calls                  []*openAIPartialCall
}

type openAIPartialCall struct {
	index     int64 // the server's, any number
	id, name  string
	arguments strings.Builder
}

// add adds a delta and reports whether it brought content.
func (r *openAIReply) add(c *openAIChoice, d *openAIMessage) (content bool) {
	c.role = orElse(c.role, d.role)
	content = r.append(&c.thought, d.thought)
	for _, p := range append(d.content, d.images...) {
		switch p.Type {
		case instrumentation.PartText:
			r.append(&c.text, p.Content)
		case instrumentation.PartReasoning:
			r.append(&c.thought, p.Content)
		default:
			r.addPart(c, p)
		}
		content = true
	}
	content = r.append(&c.refusal, d.refusal) || content
	if a := d.audio; a != nil {
		c.audio.id = orElse(c.audio.id, a.id)
		c.audio.characters += a.characters
		content = r.append(&c.transcript, a.transcript) || a.characters > 0 || content
	}
	for _, call := range d.calls {
		r.addCall(c, call)
		content = true
	}
	return content
}

// append keeps as much of s as there is room for, and reports whether s held
// anything.
func (r *openAIReply) append(b *strings.Builder, s string) bool {
	kept := s[:min(len(s), r.room)]
	r.cut = r.cut || len(kept) < len(s)
	b.WriteString(kept)
	r.room -= len(kept)
	return s != ""
}

func (r *openAIReply) addPart(c *openAIChoice, p instrumentation.Part) {
	if size := len(p.Raw) + len(p.Ref); len(c.parts) < maxItems && size <= r.room {
		c.parts = append(c.parts, p)
		r.room -= size
	} else {
		r.cut = true
	}
}

// addCall adds a piece of a tool call. The pieces of one share an index. Some
// servers leave it out, and some say 0 for every call; there a name with
// another id, or without any, tells that a new call starts. (An id alone does
// not: some make up a new one for every piece.)
func (r *openAIReply) addCall(c *openAIChoice, piece openAICall) {
	call := c.call(piece.index)
	if call != nil && piece.name != "" {
		another := piece.id != "" && call.id != "" && piece.id != call.id
		if another || piece.id == "" && piece.index == nil {
			call = nil
		}
	}
	if call == nil {
		if len(c.calls) == maxItems {
			r.cut = true
			return
		}
		call = &openAIPartialCall{}
		if piece.index != nil {
			call.index = *piece.index
		}
		c.calls = append(c.calls, call)
	}
	call.id, call.name = orElse(call.id, piece.id), orElse(call.name, piece.name)
	r.append(&call.arguments, piece.arguments)
}

// call returns the latest call of that index; without one, the latest of all.
func (c *openAIChoice) call(index *int64) *openAIPartialCall {
	for _, call := range slices.Backward(c.calls) {
		if index == nil || call.index == *index {
			return call
		}
	}
	return nil
}

// message returns what has come so far.
func (c *openAIChoice) message() instrumentation.Message {
	m := openAIMessage{
		thought: c.thought.String(),
		content: contentText(c.text.String()),
		refusal: c.refusal.String(),
		images:  c.parts,
	}
	c.audio.transcript = c.transcript.String()
	m.audio = &c.audio
	for _, call := range c.calls {
		m.calls = append(m.calls, openAICall{id: call.id, name: call.name, arguments: call.arguments.String()})
	}
	return instrumentation.Message{
		Role:         orElse(c.role, instrumentation.RoleAssistant),
		Parts:        m.parts(),
		FinishReason: c.finish,
	}
}

func contentText(s string) []instrumentation.Part {
	if s == "" {
		return nil
	}
	return []instrumentation.Part{instrumentation.Text(s)}
}

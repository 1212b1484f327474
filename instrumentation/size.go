package instrumentation

import (
	"strings"
	"unsafe"
)

// overhead is what an invocation costs to keep beyond its content: itself, its
// span and its strings, rounded up.
const overhead = 2048

// measure is the bytes of content plus the structs that hold it and overhead,
// so that ten thousand empty messages are not free.
func (inv *Invocation) measure() int {
	size := overhead + len(inv.arguments) + len(inv.result) + len(inv.query)
	size += partsSize(inv.system) + messagesSize(inv.input) + messagesSize(inv.output)
	for _, d := range inv.tools {
		size += int(unsafe.Sizeof(d)) + len(d.Type) + len(d.Name) + len(d.Description) + len(d.Parameters)
	}
	for _, d := range inv.documents {
		size += int(unsafe.Sizeof(d)) + weight(d)
	}
	return size
}

func messagesSize(ms []Message) int {
	size := 0
	for _, m := range ms {
		size += int(unsafe.Sizeof(m)) + len(m.Role) + len(m.Name) + len(m.FinishReason) + partsSize(m.Parts)
	}
	return size
}

func partsSize(ps []Part) int {
	size := 0
	for i := range ps {
		p := &ps[i]
		size += int(unsafe.Sizeof(*p)) + len(p.Type) + len(p.Content) + len(p.ID) + len(p.Name) + len(p.Value) +
			len(p.Modality) + len(p.MIMEType) + len(p.Ref) + len(p.Raw)
	}
	return size
}

// firstChoice reports whether the first choice only calls tools, and the bytes
// of its text.
func firstChoice(output []Message) (toolOnly bool, textSize int) {
	if len(output) == 0 {
		return false, 0
	}
	calls, says := false, false
	for i := range output[0].Parts {
		switch p := &output[0].Parts[i]; p.Type {
		case PartToolCall:
			calls = true
		case PartText:
			textSize += len(p.Content)
			says = says || strings.TrimSpace(p.Content) != ""
		case PartReasoning:
		default:
			says = true
		}
	}
	return calls && !says, textSize
}

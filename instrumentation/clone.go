package instrumentation

import (
	"math"
	"slices"
	"strings"
)

// replacement stands for invalid UTF-8 in recorded text.
const replacement = "\uFFFD"

// clean makes s valid UTF-8; valid text, the usual case, is returned as it is.
func clean(s string) string { return strings.ToValidUTF8(s, replacement) }

func cleanAll(in []string) []string {
	out := slices.Clone(in)
	for i, s := range out {
		out[i] = clean(s)
	}
	return out
}

// The clone functions copy whatever the application could still change, and
// clean the text.

func cloneMessages(in []Message) []Message {
	out := slices.Clone(in)
	for i := range out {
		m := &out[i]
		m.Role, m.Name, m.FinishReason = clean(m.Role), clean(m.Name), clean(m.FinishReason)
		m.Parts = cloneParts(m.Parts)
	}
	return out
}

func cloneParts(in []Part) []Part {
	out := slices.Clone(in)
	for i := range out {
		p := &out[i]
		p.Type = PartType(clean(string(p.Type)))
		p.Content = clean(p.Content)
		p.ID, p.Name = clean(p.ID), clean(p.Name)
		p.Modality, p.MIMEType, p.Ref = clean(p.Modality), clean(p.MIMEType), clean(p.Ref)
		p.Value, p.Raw = cloneJSON(p.Value), cloneJSON(p.Raw)
	}
	return out
}

func cloneTools(in []ToolDefinition) []ToolDefinition {
	out := slices.Clone(in)
	for i := range out {
		d := &out[i]
		d.Type, d.Name, d.Description = clean(d.Type), clean(d.Name), clean(d.Description)
		d.Parameters = cloneJSON(d.Parameters)
	}
	return out
}

func cloneDocuments(in []Document) []Document {
	out := slices.Clone(in)
	for i := range out {
		d := &out[i]
		d.ID, d.Text = clean(d.ID), clean(d.Text)
		if !finite(d.Score) {
			d.Score = 0
		}
	}
	return out
}

func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

package instrumentation

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
)

// maxJSONDepth is how deep a JSON value becomes a structured attribute; what is
// deeper is text. The SDK cuts attributes 64 deep, and messages take some.
const maxJSONDepth = 48

// content lists what only a capture mode lets into telemetry, by the v1.41
// message schemas, structured so that a length limit cuts single texts and
// leaves the rest readable.
func (inv *Invocation) content() attributes {
	var a attributes
	if len(inv.system) > 0 {
		a.add(attribute.Slice(string(semconv.GenAISystemInstructionsKey), partValues(inv.system)...))
	}
	if len(inv.input) > 0 {
		messages := make([]attribute.Value, len(inv.input))
		for i := range inv.input {
			messages[i] = attribute.MapValue(messageEntries(&inv.input[i])...)
		}
		a.add(attribute.Slice(string(semconv.GenAIInputMessagesKey), messages...))
	}
	if len(inv.output) > 0 {
		messages := make([]attribute.Value, len(inv.output))
		for i := range inv.output {
			messages[i] = attribute.MapValue(append(messageEntries(&inv.output[i]),
				attribute.String("finish_reason", inv.finishReason(i)))...)
		}
		a.add(attribute.Slice(string(semconv.GenAIOutputMessagesKey), messages...))
	}
	if len(inv.tools) > 0 {
		a.add(attribute.Slice(string(semconv.GenAIToolDefinitionsKey), toolValues(inv.tools)...))
	}
	if len(inv.arguments) > 0 {
		a.add(attribute.KeyValue{Key: semconv.GenAIToolCallArgumentsKey, Value: jsonValue(inv.arguments)})
	}
	if len(inv.result) > 0 {
		a.add(attribute.KeyValue{Key: semconv.GenAIToolCallResultKey, Value: jsonValue(inv.result)})
	}
	a.text(semconv.GenAIRetrievalQueryTextKey, inv.query)
	if inv.kind == KindRetrieval && len(inv.documents) > 0 {
		a.add(attribute.Slice(string(semconv.GenAIRetrievalDocumentsKey), documentValues(inv.documents)...))
	}
	return a
}

// finishReason of a choice, which the schema requires: empty when the provider
// gave none and the invocation did not fail.
func (inv *Invocation) finishReason(i int) string {
	switch {
	case inv.output[i].FinishReason != "":
		return inv.output[i].FinishReason
	case i < len(inv.finishReasons) && len(inv.finishReasons) == len(inv.output):
		return inv.finishReasons[i]
	case inv.errorType != "":
		return "error"
	}
	return ""
}

func messageEntries(m *Message) []attribute.KeyValue {
	a := make(attributes, 0, 4)
	a.add(attribute.String("role", m.Role))
	a.text("name", m.Name)
	a.add(attribute.Slice("parts", partValues(m.Parts)...))
	return a
}

func partValues(parts []Part) []attribute.Value {
	out := make([]attribute.Value, len(parts))
	for i := range parts {
		out[i] = partValue(&parts[i])
	}
	return out
}

func partValue(p *Part) attribute.Value {
	a := make(attributes, 0, 5)
	a.add(attribute.String("type", string(p.Type)))
	switch p.Type {
	case PartText, PartReasoning:
		a.add(attribute.String("content", p.Content))
	case PartToolCall:
		a.text("id", p.ID)
		a.add(attribute.String("name", p.Name))
		if len(p.Value) > 0 {
			a.add(attribute.KeyValue{Key: "arguments", Value: jsonValue(p.Value)})
		}
	case PartToolResponse:
		a.text("id", p.ID)
		response := attribute.StringValue("") // required
		if len(p.Value) > 0 {
			response = jsonValue(p.Value)
		}
		a.add(attribute.KeyValue{Key: "response", Value: response})
	case PartBlob:
		a.add(attribute.String("modality", p.Modality))
		a.text("mime_type", p.MIMEType)
		a.add(attribute.String("content", "")) // required, not kept
		a.add(attribute.Int("size", p.Bytes))
	case PartFile:
		a.add(attribute.String("modality", p.Modality))
		a.text("mime_type", p.MIMEType)
		a.add(attribute.String("file_id", p.Ref))
	case PartURI:
		a.add(attribute.String("modality", p.Modality))
		a.text("mime_type", p.MIMEType)
		a.add(attribute.String("uri", p.Ref))
	default:
		return genericPart(p)
	}
	return attribute.MapValue(a...)
}

// genericPart keeps a part of an unknown type as it was received.
func genericPart(p *Part) attribute.Value {
	a := attributes{attribute.String("type", string(p.Type))}
	if len(p.Raw) == 0 {
		return attribute.MapValue(a...)
	}
	raw := jsonValue(p.Raw)
	if raw.Type() != attribute.MAP {
		return attribute.MapValue(append(a, attribute.KeyValue{Key: "content", Value: raw})...)
	}
	for _, kv := range raw.AsMap() {
		if kv.Key != "type" {
			a.add(kv)
		} else if p.Type == "" && kv.Value.Type() == attribute.STRING {
			a[0] = kv
		}
	}
	return attribute.MapValue(a...)
}

func toolValues(tools []ToolDefinition) []attribute.Value {
	out := make([]attribute.Value, len(tools))
	for i, d := range tools {
		a := make(attributes, 0, 4)
		if d.Type == "" {
			d.Type = "function"
		}
		a.add(attribute.String("type", d.Type))
		a.add(attribute.String("name", d.Name))
		a.text("description", d.Description)
		if len(d.Parameters) > 0 {
			a.add(attribute.KeyValue{Key: "parameters", Value: jsonValue(d.Parameters)})
		}
		out[i] = attribute.MapValue(a...)
	}
	return out
}

func documentValues(docs []Document) []attribute.Value {
	out := make([]attribute.Value, len(docs))
	for i, d := range docs {
		a := make(attributes, 0, 3)
		a.add(attribute.String("id", d.ID))
		a.add(attribute.Float64("score", d.Score))
		a.text("content", d.Text) // the schema has no field for the text
		out[i] = attribute.MapValue(a...)
	}
	return out
}

// jsonValue is a JSON value as a structured attribute; text when it is not
// JSON.
func jsonValue(raw []byte) attribute.Value {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return attribute.StringValue(clean(string(raw)))
	}
	return anyValue(v, 1)
}

func anyValue(v any, depth int) attribute.Value {
	switch t := v.(type) {
	case string:
		return attribute.StringValue(clean(t))
	case bool:
		return attribute.BoolValue(t)
	case json.Number:
		return numberValue(t)
	case []any:
		if depth >= maxJSONDepth {
			return textValue(v)
		}
		values := make([]attribute.Value, len(t))
		for i := range t {
			values[i] = anyValue(t[i], depth+1)
		}
		return attribute.SliceValue(values...)
	case map[string]any:
		if depth >= maxJSONDepth {
			return textValue(v)
		}
		entries := make([]attribute.KeyValue, 0, len(t))
		for k, e := range t {
			entries = append(entries, attribute.KeyValue{Key: attribute.Key(clean(k)), Value: anyValue(e, depth+1)})
		}
		return attribute.MapValue(slices.Clip(entries)...)
	}
	return attribute.Value{} // null
}

func textValue(v any) attribute.Value {
	b, _ := marshalJSON(v) // it was just read
	return attribute.StringValue(string(b))
}

func numberValue(n json.Number) attribute.Value {
	if i, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
		return attribute.Int64Value(i)
	}
	if f, err := n.Float64(); err == nil && finite(f) {
		return attribute.Float64Value(f)
	}
	return attribute.StringValue(n.String())
}

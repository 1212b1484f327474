package instrumentation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// toJSON renders a value once, so that nothing the application can still
// change is kept. JSON is taken as it is, other text is quoted. What cannot be
// rendered, or panics while it is, becomes the error's text: recording never
// fails.
func toJSON(v any) (out json.RawMessage) {
	defer func() {
		if cause := recover(); cause != nil {
			out = quoteJSON(fmt.Sprintf("unrenderable value: %T panicked", v))
		}
	}()
	switch t := v.(type) {
	case nil:
		return nil
	case json.RawMessage:
		return jsonOrQuoted(t)
	case []byte:
		return jsonOrQuoted(t)
	case string:
		return jsonOrQuoted([]byte(t))
	case json.Marshaler:
	case error:
		return quoteJSON(t.Error())
	}
	b, err := marshalJSON(v)
	if err != nil {
		return quoteJSON("unrenderable value: " + err.Error())
	}
	return cloneJSON(b)
}

// marshalJSON leaves <, > and & as they are: escaped, they would differ from
// the text that the model was given.
func marshalJSON(v any) ([]byte, error) {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

func jsonOrQuoted(b []byte) json.RawMessage {
	if json.Valid(b) {
		return cloneJSON(b)
	}
	return quoteJSON(string(b))
}

func quoteJSON(s string) json.RawMessage {
	b, _ := marshalJSON(s) // a string can always be rendered
	return b
}

// cloneJSON copies b and makes it valid UTF-8.
func cloneJSON(b []byte) json.RawMessage {
	if len(b) == 0 {
		return nil
	}
	if !utf8.Valid(b) {
		return bytes.ToValidUTF8(b, []byte(replacement))
	}
	return bytes.Clone(b)
}

// jsonText is the text that a JSON value stands for: a string without its
// quotes, anything else as compact JSON, so that equal values are equal texts.
func jsonText(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var buf bytes.Buffer
	if json.Compact(&buf, raw) != nil {
		return string(raw)
	}
	return buf.String()
}

package wire

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// errorBody is what all the forms of error bodies have in common.
type errorBody struct {
	// code is the provider's own name for what happened, innerCode a closer one.
	code, innerCode string
	// kind is a class of errors.
	kind string
	// param is the member of the request that is to blame.
	param   string
	message string
}

// parseErrorBody reads every form of error body that servers of this format
// are known to send:
//
//	{"error": {"message", "type", "code", "param", "innererror": {"code"}}}   OpenAI, Azure
//	{"type": "error", "error": {"type", "message", "details": {"error_code"}}} Anthropic
//	[{"error": {"code": 429, "status", "message"}}]                           Gemini's compatible endpoint
//	{"error": "text"}                                                         Ollama
//	{"object": "error", "message", "type", "param", "code": 400}              vLLM
//	{"detail": [{"loc": ["body", …], "msg"}]}                                 FastAPI
//	{"detail": "text"}, {"message": "text"}                                   gateways
//
// It reports whether the body is JSON that has an error in one of them.
func parseErrorBody(reply []byte) (errorBody, bool) {
	reply = bytes.TrimSpace(reply)
	var list []json.RawMessage
	if json.Unmarshal(reply, &list) == nil {
		if len(list) == 0 {
			return errorBody{}, false
		}
		reply = list[0]
	}
	var outer map[string]json.RawMessage
	if json.Unmarshal(reply, &outer) != nil {
		return errorBody{}, false
	}
	if inner, ok := outer["error"]; ok {
		return parseErrorValue(inner)
	}
	if Text(outer["object"]) == "error" {
		return parseErrorValue(reply)
	}
	if detail, ok := outer["detail"]; ok {
		return parseDetail(detail), true
	}
	if raw, ok := outer["message"]; ok {
		return errorBody{message: Text(raw)}, true
	}
	return errorBody{}, false
}

// maxDetails of a list are read.
const maxDetails = 8

// parseDetail reads what FastAPI says: text, or a list of what it found wrong
// and where. The values that it quotes are not looked at: they are the
// request's.
func parseDetail(raw json.RawMessage) errorBody {
	var details []struct {
		Location []json.RawMessage `json:"loc"`
		Message  json.RawMessage   `json:"msg"`
	}
	if json.Unmarshal(raw, &details) != nil {
		return errorBody{message: Text(raw)}
	}
	var b errorBody
	var said []string
	for _, d := range details[:min(len(details), maxDetails)] {
		var path []string
		for i, part := range d.Location {
			if name := Text(part); i > 0 || name != "body" {
				path = append(path, name)
			}
		}
		where := strings.Join(path, ".")
		if b.param == "" {
			b.param = where
		}
		said = append(said, where+": "+Text(d.Message))
	}
	b.message = strings.Join(said, "; ")
	return b
}

func parseErrorValue(raw json.RawMessage) (errorBody, bool) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		message := Text(raw)
		return errorBody{message: message}, message != ""
	}
	if fields == nil { // null
		return errorBody{}, false
	}
	b := errorBody{
		code:    Text(fields["code"]),
		kind:    Text(fields["type"]),
		param:   Text(fields["param"]),
		message: Text(fields["message"]),
	}
	if b.kind == "" {
		b.kind = Text(fields["status"])
	}
	for _, in := range [...]struct{ field, code string }{{"innererror", "code"}, {"details", "error_code"}} {
		var inner map[string]json.RawMessage
		if json.Unmarshal(fields[in.field], &inner) == nil && b.innerCode == "" {
			b.innerCode = Text(inner[in.code])
		}
	}
	return b, true
}

// Text renders a JSON string as its content, null and nothing as "", and
// anything else as it is written.
func Text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil || len(raw) == 0 {
		return s
	}
	return string(raw)
}

// statusOr returns the HTTP status that an error body names in its code, or
// fallback.
func (b errorBody) statusOr(fallback int) int {
	n, err := strconv.Atoi(strings.TrimSpace(b.code))
	if err != nil || n < 400 || n > 599 {
		return fallback
	}
	return n
}

package openai

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/genaievals/genaievals/evaluators/judge"
)

// apiError is a server's refusal. The message is looked at to classify it and
// goes no further: it can quote the prompt.
type apiError struct {
	judge.Error
	message string
}

// errorBody is what all the forms of error bodies have in common.
type errorBody struct {
	code, innerCode, kind, param, message string
}

// replyError makes an error of a reply whose status says that it is one.
func replyError(status int, header http.Header, reply []byte) *apiError {
	body, _ := parseErrorBody(reply)
	return newAPIError(status, status, header, reply, body)
}

// newAPIError classifies by the effective status, which a reply of 200 can
// have in its body.
func newAPIError(status, effective int, header http.Header, reply []byte, body errorBody) *apiError {
	e := &apiError{message: body.message}
	e.Type = classify(effective, header, body)
	e.Status = status
	e.Header = header
	e.Body = reply[:min(len(reply), maxErrorBody)]
	e.Param = parameterName(body.param)
	for _, code := range []string{body.innerCode, body.code, body.kind} {
		if e.Code = shortName(code); e.Code != "" {
			break
		}
	}
	return e
}

var shortNamePattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.\-]{0,63}$`)

// parseErrorBody reads every form of error body that servers of this format
// are known to send:
//
//	{"error": {"message", "type", "code", "param", "innererror": {"code"}}}   OpenAI, Azure, Anthropic
//	[{"error": {"code": 429, "status", "message"}}]                           Gemini's compatible endpoint
//	{"error": "text"}                                                         Ollama
//	{"object": "error", "message", "type", "param", "code": 400}              vLLM
//	{"detail": …}, {"message": …}                                             gateways
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
	if text(outer["object"]) == "error" {
		return parseErrorValue(reply)
	}
	for _, name := range []string{"detail", "message"} {
		if raw, ok := outer[name]; ok {
			return errorBody{message: text(raw)}, true
		}
	}
	return errorBody{}, false
}

func parseErrorValue(raw json.RawMessage) (errorBody, bool) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		message := text(raw)
		return errorBody{message: message}, message != ""
	}
	if fields == nil { // null
		return errorBody{}, false
	}
	b := errorBody{
		code:    text(fields["code"]),
		kind:    text(fields["type"]),
		param:   text(fields["param"]),
		message: text(fields["message"]),
	}
	if b.kind == "" {
		b.kind = text(fields["status"])
	}
	var inner map[string]json.RawMessage
	if json.Unmarshal(fields["innererror"], &inner) == nil {
		b.innerCode = text(inner["code"])
	}
	return b, true
}

// text renders a JSON string as its content, null and nothing as "", and
// anything else as it is written.
func text(raw json.RawMessage) string {
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

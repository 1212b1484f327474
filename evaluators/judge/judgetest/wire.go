package judgetest

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/genaievals/genaievals/evaluators/judge"
)

// API is a wire format that a [Server] speaks.
type API string

// The formats: chat completions and messages.
const (
	OpenAI    API = "openai"
	Anthropic API = "anthropic"
)

// wire is one format: how its requests are read and checked, and how what a
// script says is said in it.
type wire interface {
	api() API
	// read reads a request; ok is false when it is not one of the format.
	read(body []byte) (a asked, ok bool)
	// authorized reports whether a request carries the key, any when it is "";
	// misplaced, that it has one in a header of another format only.
	authorized(h http.Header, key string) bool
	misplacedKey(h http.Header) bool
	// shape describes a request; rules are what it does not say.
	shape() *shape
	rules() []rule

	// What follows words refusals.
	sayMisfit(m *misfit) refusal
	saySchema(p *schemaProblem, a *asked) refusal
	sayUnsupported(param string) refusal
	sayFormat(f judge.Format) (refusal, string)
	sayTooLong(tokens, most int) refusal
	sayFailure(errorType string) refusal
	sayStatus(status int, message string) refusal
	refuse(w http.ResponseWriter, r refusal)

	complete(w http.ResponseWriter, a Answer, req Request)
}

// wireOf is the format of a path; nil when there is none.
func wireOf(path string) wire {
	switch {
	case strings.HasSuffix(path, "/chat/completions"):
		return openAI{}
	case strings.HasSuffix(path, "/messages"):
		return anthropic{}
	}
	return nil
}

// asked is what the server reads of a request in any format.
type asked struct {
	model        string
	system, user string
	firstUser    string
	roles        []string
	prompt       int // bytes of text
	blank        bool
	budget       int
	budgets      int // how many parameters set it
	format       judge.Format
	strict       bool   // the schema is to be enforced
	name         string // of the schema or the forced tool
	schema       json.RawMessage
	tools        []string
	choice       string // the tool that has to be called
	saysJSON     bool
}

// add reads a message.
func (a *asked) add(role, text string) {
	a.roles = append(a.roles, role)
	a.prompt += len(text)
	a.blank = a.blank || text == ""
	switch role {
	case "system", "developer":
		a.system = text
	case "user":
		if a.user = text; a.firstUser == "" {
			a.firstUser = text
		}
	}
}

// instructions are in the system message, or else in the first of the user.
func (a *asked) instructions() string {
	if a.system == "" {
		return a.firstUser
	}
	return a.system
}

// given is a schema that was sent; null is none.
func given(schema json.RawMessage) json.RawMessage {
	if string(schema) == "null" {
		return nil
	}
	return schema
}

// rule is one thing that is wrong with a request although each of its parts is
// in place.
type rule struct {
	broken  func(a *asked, h http.Header) bool
	refusal func(a *asked) refusal
}

// refusal is a reply that turns a request down: an error in the terms of the
// format, or a body as it is.
type refusal struct {
	status                     int
	kind, code, param, message string
	header                     http.Header
	body                       string
}

func (r refusal) zero() bool { return r.status == 0 }

// contentText reads a content that is a string or a list of parts, of which
// those of text are joined. It is decoded into an any, which is cheaper than
// into a type with a method of its own.
func contentText(content any) string {
	if s, ok := content.(string); ok {
		return s
	}
	parts, _ := content.([]any)
	var joined strings.Builder
	for _, p := range parts {
		if part, ok := p.(map[string]any); ok {
			text, _ := part["text"].(string)
			joined.WriteString(text)
		}
	}
	return joined.String()
}

func writeRaw(w http.ResponseWriter, status int, header http.Header, body string) {
	h := w.Header()
	for name, values := range header {
		h[http.CanonicalHeaderKey(name)] = slices.Clone(values)
	}
	if _, ok := h["Content-Type"]; !ok {
		h.Set("Content-Type", "application/json")
	}
	if status == 0 {
		status = http.StatusOK
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

// halves splits a text in two, for messages in parts.
func halves(s string) (a, b string) {
	a = half(s)
	return a, s[len(a):]
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

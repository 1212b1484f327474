package wire

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

// Failure is why a reply is no answer. What the server said is looked at to
// classify it and goes no further: it can quote the prompt.
type Failure struct {
	judge.Error
	message string
	param   string // as it came
	status  int    // the effective one, which a reply of 200 can have in its body
	silent  bool   // only the status says what it is
}

// Failure reads a reply whose status says that it is one.
func (r Reply) Failure() *Failure {
	body, _ := parseErrorBody(r.Body)
	return r.failure(r.Status, body)
}

// FailureWithin reads the error that a reply of success has in place of an
// answer, or nil.
func (r Reply) FailureWithin() *Failure {
	body, ok := parseErrorBody(r.Body)
	if !ok {
		return nil
	}
	return r.failure(body.statusOr(http.StatusInternalServerError), body)
}

// FailureOf reads an error that stands beside an answer; nil if it is none.
func (r Reply) FailureOf(value json.RawMessage) *Failure {
	body, ok := parseErrorValue(value)
	if !ok {
		return nil
	}
	return r.failure(body.statusOr(http.StatusInternalServerError), body)
}

// Bad is the failure of a reply that cannot be used.
func (r Reply) Bad(errorType, what string) *Failure {
	f := &Failure{status: r.Status}
	f.Type, f.Err = errorType, errors.New(what)
	r.put(f)
	return f
}

func (r Reply) failure(effective int, body errorBody) *Failure {
	f := &Failure{message: clip(body.message), param: clip(body.param), status: effective}
	f.Type, f.silent = classify(effective, r.Header, body)
	f.Param = parameterName(body.param)
	for _, code := range []string{body.innerCode, body.code, body.kind} {
		if f.Code = shortName(code); f.Code != "" {
			break
		}
	}
	r.put(f)
	return f
}

func (r Reply) put(f *Failure) {
	f.Status, f.Header = r.Status, r.Header
	f.Body = r.Body[:min(len(r.Body), maxErrorBody)]
}

// maxMessage is how much of a message is looked at: what it has to say comes
// first, what it quotes after.
const maxMessage = 4 << 10

func clip(s string) string { return s[:min(len(s), maxMessage)] }

// refusesToken reports whether a failure says that the token is not taken, and
// not that whoever it stands for may not do this.
func (f *Failure) refusesToken() bool {
	switch f.Status {
	case http.StatusUnauthorized:
		return true
	case http.StatusForbidden:
		return f.Type == evaluators.ErrorJudgeAuth &&
			containsAny(strings.ToLower(f.Code+" "+f.message+" "+f.Header.Get("Www-Authenticate")), "expired", "invalid_token", "invalid token")
	}
	return false
}

// parameters are the members that a request has; a refused parameter is one of
// them, or below one.
var parameters = map[string]bool{
	"model": true, "messages": true, "system": true, "max_tokens": true, "max_completion_tokens": true, "temperature": true,
	"response_format": true, "output_config": true, "tools": true, "tool_choice": true,
}

// parameterName returns the member of the request that s is or is below, else
// nothing.
func parameterName(s string) string {
	name, _, _ := strings.Cut(s, ".")
	name, _, _ = strings.Cut(name, "[")
	if !parameters[name] {
		return ""
	}
	return name
}

// Refuses reports whether a bad request says that a parameter is not supported,
// by its codes or, since not all servers send any, by its words.
func (f *Failure) Refuses(param string) bool {
	if f.Type != evaluators.ErrorJudgeBadRequest {
		return false
	}
	named := f.param == param || f.Param == "" && mentions(f.message, param)
	if !named {
		return false
	}
	if f.Code == "unsupported_parameter" || f.Code == "unsupported_value" {
		return true
	}
	return containsAny(strings.ToLower(f.message),
		"not support", "unsupported", "does not allow", "deprecated", "unrecognized", "unknown",
		"unexpected", "extra input", "extra field", "not permitted", "only the default")
}

// RefusesSystem reports whether a failure says that the model takes no system
// message. Where its chat template says so, llama.cpp answers 500.
func (f *Failure) RefusesSystem() bool {
	if f.Type != evaluators.ErrorJudgeBadRequest && (!f.silent || f.status != http.StatusInternalServerError) {
		return false
	}
	m := plain(f.message)
	if containsAny(m, "roles must alternate", "only user and assistant roles") {
		return true
	}
	return near(m, []string{
		"system role", "role system", "system message", "system prompt", "system instruction", "developer instruction",
		"developer message", "does not support system", "developer role", "role developer",
	}, refusing)
}

// mentions reports whether text has the name as a word of its own, so that
// max_tokens is not found in max_completion_tokens.
func mentions(text, name string) bool {
	for rest := text; ; {
		i := strings.Index(rest, name)
		if i < 0 {
			return false
		}
		end := i + len(name)
		if (i == 0 || !wordByte(rest[i-1])) && (end == len(rest) || !wordByte(rest[end])) {
			return true
		}
		rest = rest[end:]
	}
}

func wordByte(b byte) bool {
	return b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}

func containsAny(text string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

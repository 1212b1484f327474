package judgetest

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

// overloaded is Anthropic's own status.
const overloaded = 529

var anthropicErrors = map[int]string{
	http.StatusBadRequest:            "invalid_request_error",
	http.StatusUnauthorized:          "authentication_error",
	http.StatusPaymentRequired:       "billing_error",
	http.StatusForbidden:             "permission_error",
	http.StatusNotFound:              "not_found_error",
	http.StatusRequestEntityTooLarge: "request_too_large",
	http.StatusTooManyRequests:       "rate_limit_error",
	http.StatusGatewayTimeout:        "timeout_error",
	overloaded:                       "overloaded_error",
}

func (anthropic) refuse(w http.ResponseWriter, r refusal) {
	if r.body != "" {
		writeRaw(w, r.status, r.header, r.body)
		return
	}
	type apiError struct {
		Type    string `json:"type"`
		Message string `json:"message"`
	}
	e := apiError{anthropicErrors[r.status], r.message}
	if e.Type == "" {
		e.Type = "api_error"
	}
	if e.Message == "" {
		e.Message = "Scripted failure."
	}
	writeRaw(w, r.status, r.header, encode(struct {
		Type      string   `json:"type"`
		Error     apiError `json:"error"`
		RequestID string   `json:"request_id"`
	}{"error", e, requestID}))
}

// requestID is that of every request.
const requestID = "req_scripted"

var anthropicKinds = map[string]string{
	"object": "an object", "array": "a valid list", "string": "a valid string", "boolean": "a valid boolean",
	"number": "a valid number", "integer": "a valid integer",
}

func (anthropic) sayMisfit(m *misfit) refusal {
	at := m.dotted()
	say := func(format string, args ...any) refusal {
		return invalidRequest("", "", at+": "+fmt.Sprintf(format, args...))
	}
	switch m.what {
	case extraMember:
		return say("Extra inputs are not permitted")
	case missingMember:
		return say("Field required")
	case wrongKind:
		return say("Input should be %s", anthropicKinds[m.shape.kind])
	case wrongWord:
		if m.value == "system" && strings.HasSuffix(at, ".role") {
			return invalidRequest("", "", `messages: Unexpected role "system". The Messages API accepts a top-level `+"`system`"+` parameter, not "system" as an input message role.`)
		}
		return say("Input should be '%s'", strings.Join(m.shape.words, "', '"))
	case tooLong:
		return say("String should have at most %d characters", m.shape.longest)
	case tooFew:
		return say("at least %d message is required", m.shape.least)
	case tooSmall:
		return say("Input should be greater than or equal to %v", m.shape.min)
	}
	return say("Input should be less than or equal to %v", m.shape.max)
}

func (anthropic) saySchema(p *schemaProblem, a *asked) refusal {
	at := "output_config.format.schema: "
	if a.format == judge.FormatTool {
		at = "tools.0.custom.input_schema: "
	}
	switch p.what {
	case notClosed:
		return invalidRequest("", "", at+"For 'object' type, 'additionalProperties' must be explicitly set to false")
	case notRequired:
		return invalidRequest("", "", at+"For 'object' type, property '"+p.name+"' must be in 'required'")
	case notPermitted:
		return invalidRequest("", "", at+"property '"+p.name+"' is not supported")
	}
	return invalidRequest("", "", at+"JSON schema is invalid")
}

func (anthropic) sayUnsupported(param string) refusal {
	return invalidRequest("", "", param+": Extra inputs are not permitted")
}

func (w anthropic) sayFormat(f judge.Format) (refusal, string) {
	if f == judge.FormatTool {
		return invalidRequest("", "", "tool_choice: forced tool use is not supported with this model."), "tool_choice"
	}
	return w.sayUnsupported("output_config"), "output_config"
}

func (anthropic) sayTooLong(tokens, most int) refusal {
	return invalidRequest("", "", fmt.Sprintf("prompt is too long: %d tokens > %d maximum", tokens, most))
}

func (anthropic) sayStatus(status int, message string) refusal {
	return refusal{status: status, message: message}
}

func (w anthropic) sayFailure(errorType string) refusal {
	switch errorType {
	case evaluators.ErrorJudgeRateLimited:
		return w.sayStatus(http.StatusTooManyRequests, "This request would exceed your organization's rate limit.")
	case evaluators.ErrorJudgeOverloaded:
		return w.sayStatus(overloaded, "Overloaded")
	case evaluators.ErrorJudgeAuth:
		return w.sayStatus(http.StatusUnauthorized, "invalid x-api-key")
	case evaluators.ErrorJudgeQuota:
		return w.sayStatus(http.StatusPaymentRequired, "Your credit balance is too low.")
	case evaluators.ErrorJudgeModelNotFound:
		return w.sayStatus(http.StatusNotFound, "model: scripted")
	case evaluators.ErrorJudgeBadRequest:
		return w.sayStatus(http.StatusBadRequest, "")
	case evaluators.ErrorJudgeInputTooLong:
		return w.sayTooLong(200_001, 200_000)
	case evaluators.ErrorJudgeContentFiltered:
		return w.sayStatus(http.StatusBadRequest, "Output blocked by content filtering policy")
	}
	return w.sayStatus(http.StatusBadGateway, "")
}

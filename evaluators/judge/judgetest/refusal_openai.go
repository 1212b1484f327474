package judgetest

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

func (openAI) refuse(w http.ResponseWriter, r refusal) {
	if r.body != "" {
		writeRaw(w, r.status, r.header, r.body)
		return
	}
	type apiError struct {
		Message string  `json:"message"`
		Type    string  `json:"type"`
		Param   *string `json:"param"`
		Code    *string `json:"code"`
	}
	e := apiError{Message: r.message, Type: r.kind, Param: orNull(r.param), Code: orNull(r.code)}
	if e.Message == "" {
		e.Message = "Scripted failure."
	}
	writeRaw(w, r.status, r.header, encode(struct {
		Error apiError `json:"error"`
	}{e}))
}

var openAIKinds = map[string]string{
	"object": "an object", "array": "an array", "string": "a string", "boolean": "a boolean",
	"number": "a decimal", "integer": "an integer", "null": "null",
}

func (openAI) sayMisfit(m *misfit) refusal {
	at := m.indexed()
	say := func(code, format string, args ...any) refusal {
		return invalidRequest(code, at, fmt.Sprintf(format, args...))
	}
	switch m.what {
	case extraMember:
		if len(m.path) == 1 {
			return invalidRequest("", "", "Unrecognized request argument supplied: "+at)
		}
		return say("unknown_parameter", "Unknown parameter: '%s'.", at)
	case missingMember:
		return say("missing_required_parameter", "Missing required parameter: '%s'.", at)
	case wrongKind:
		return say("invalid_type", "Invalid type for '%s': expected %s, but got %s instead.", at, openAIKinds[m.shape.kind], openAIKinds[m.value])
	case wrongWord:
		return say("invalid_value", "Invalid value: '%s'. Supported values are: '%s'.", m.value, strings.Join(m.shape.words, "', '"))
	case tooLong:
		return say("string_above_max_length", "Invalid '%s': string too long. Expected a string with maximum length %d, but got a string with length %s instead.", at, m.shape.longest, m.value)
	case tooFew:
		return say("empty_array", "Invalid '%s': empty array. Expected an array with minimum length %d, but got an empty array instead.", at, m.shape.least)
	}
	kind := "decimal"
	if m.shape.kind == "integer" {
		kind = "integer"
	}
	if m.what == tooSmall {
		return say(kind+"_below_min_value", "Invalid '%s': %s below minimum value. Expected a value >= %v, but got %s instead.", at, kind, m.shape.min, m.value)
	}
	return say(kind+"_above_max_value", "Invalid '%s': %s above maximum value. Expected a value <= %v, but got %s instead.", at, kind, m.shape.max, m.value)
}

func (openAI) saySchema(p *schemaProblem, a *asked) refusal {
	what, param := "response_format", "response_format"
	if a.format == judge.FormatTool {
		what, param = "function", "tools[0].function.parameters"
	}
	context := "()"
	if len(p.context) > 0 {
		context = "('" + strings.Join(p.context, "', '") + "')"
	}
	var problem string
	switch p.what {
	case notClosed:
		problem = "In context=" + context + ", 'additionalProperties' is required to be supplied and to be false."
	case notRequired:
		problem = "In context=" + context + ", 'required' is required to be supplied and to be an array including every key in properties. Missing '" + p.name + "'."
	case notPermitted:
		problem = "In context=" + context + ", '" + p.name + "' is not permitted."
	case notAType:
		problem = "In context=" + context + ", '" + p.name + "' is not valid under any of the given schemas."
	case notAnObject:
		problem = "schema must be a JSON Schema of 'type: \"object\"', got 'type: \"" + p.name + "\"'."
	default:
		problem = "In context=" + context + ", a schema is an object."
	}
	return invalidRequest("", param, "Invalid schema for "+what+" '"+a.name+"': "+problem)
}

func (openAI) sayUnsupported(param string) refusal {
	return invalidRequest("unsupported_parameter", param, "Unsupported parameter: '"+param+"' is not supported with this model.")
}

func (openAI) sayFormat(f judge.Format) (refusal, string) {
	switch f {
	case judge.FormatTool:
		return invalidRequest("unsupported_parameter", "tools", "Unsupported parameter: 'tools' is not supported with this model."), "tools"
	case judge.FormatJSONObject:
		return invalidRequest("", "response_format", "Invalid parameter: 'response_format' of type 'json_object' is not supported with this model."), "response_format"
	}
	return invalidRequest("", "response_format", "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."), "response_format"
}

func (openAI) sayTooLong(tokens, most int) refusal {
	return invalidRequest("context_length_exceeded", "messages", fmt.Sprintf(
		"This model's maximum context length is %d tokens. However, your messages resulted in %d tokens. Please reduce the length of the messages.", most, tokens))
}

func (openAI) sayStatus(status int, message string) refusal {
	r := refusal{status: status, kind: "invalid_request_error", message: message}
	switch status {
	case http.StatusUnauthorized:
		r.code = "invalid_api_key"
	case http.StatusNotFound:
		r.code = "unknown_url"
	case http.StatusRequestEntityTooLarge:
		r.code = "request_too_large"
	case http.StatusBadRequest:
		r.code = "invalid_json"
	case http.StatusTooManyRequests:
		r.kind, r.code = "requests", "rate_limit_exceeded"
	}
	return r
}

func (w openAI) sayFailure(errorType string) refusal {
	const invalid = "invalid_request_error"
	switch errorType {
	case evaluators.ErrorJudgeRateLimited:
		return w.sayStatus(http.StatusTooManyRequests, "")
	case evaluators.ErrorJudgeOverloaded:
		return refusal{status: http.StatusServiceUnavailable, kind: "server_error", code: "server_overloaded"}
	case evaluators.ErrorJudgeAuth:
		return w.sayStatus(http.StatusUnauthorized, "")
	case evaluators.ErrorJudgeQuota:
		return refusal{status: http.StatusTooManyRequests, kind: "insufficient_quota", code: "insufficient_quota"}
	case evaluators.ErrorJudgeModelNotFound:
		return refusal{status: http.StatusNotFound, kind: invalid, code: "model_not_found"}
	case evaluators.ErrorJudgeBadRequest:
		return refusal{status: http.StatusBadRequest, kind: invalid}
	case evaluators.ErrorJudgeInputTooLong:
		return invalidRequest("context_length_exceeded", "messages", "")
	case evaluators.ErrorJudgeContentFiltered:
		return refusal{status: http.StatusBadRequest, code: "content_filter", param: "prompt"}
	}
	return refusal{status: http.StatusBadGateway, kind: "server_error"}
}

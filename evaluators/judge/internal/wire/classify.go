package wire

import (
	"net/http"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

// classify says which kind of failure a server's refusal is. What a server
// calls it (its codes, then the words of its message) is more telling than the
// status, which servers use loosely; the status decides when it is silent, and
// silent says so.
func classify(status int, header http.Header, b errorBody) (errorType string, silent bool) {
	for _, name := range [...]string{b.innerCode, b.code, b.kind} {
		if t, ok := byCode[strings.ToLower(name)]; ok {
			return t, false
		}
	}
	message := strings.ToLower(b.message)
	if status >= 400 && status != http.StatusTooManyRequests {
		for _, w := range byWords {
			if strings.Contains(message, w.words) {
				return w.errorType, false
			}
		}
	}
	return judge.StatusErrorType(status, header), true
}

// byCode has the codes and types that decide alone, in lower case. Codes that
// only repeat the status (invalid_request_error, server_error) are left out:
// they come beside telling ones.
var byCode = map[string]string{
	// OpenAI, Azure OpenAI.
	"context_length_exceeded":      evaluators.ErrorJudgeInputTooLong,
	"string_above_max_length":      evaluators.ErrorJudgeInputTooLong,
	"request_too_large":            evaluators.ErrorJudgeInputTooLong,
	"content_filter":               evaluators.ErrorJudgeContentFiltered,
	"content_policy_violation":     evaluators.ErrorJudgeContentFiltered,
	"responsibleaipolicyviolation": evaluators.ErrorJudgeContentFiltered,
	"invalid_prompt":               evaluators.ErrorJudgeContentFiltered,
	"cyber_policy":                 evaluators.ErrorJudgeContentFiltered,
	"insufficient_quota":           evaluators.ErrorJudgeQuota,
	"billing_hard_limit_reached":   evaluators.ErrorJudgeQuota,
	"billing_not_active":           evaluators.ErrorJudgeQuota,
	"invalid_api_key":              evaluators.ErrorJudgeAuth,
	"invalid_authentication":       evaluators.ErrorJudgeAuth,
	"model_not_found":              evaluators.ErrorJudgeModelNotFound,
	"deploymentnotfound":           evaluators.ErrorJudgeModelNotFound,
	"rate_limit_exceeded":          evaluators.ErrorJudgeRateLimited,
	"server_overloaded":            evaluators.ErrorJudgeOverloaded,
	"unsupported_parameter":        evaluators.ErrorJudgeBadRequest,
	"unsupported_value":            evaluators.ErrorJudgeBadRequest,
	// Anthropic.
	"contract_spend_limit_reached": evaluators.ErrorJudgeQuota,
	"enforced_spend_limit_reached": evaluators.ErrorJudgeQuota,
	"ramp_limit_exceeded":          evaluators.ErrorJudgeRateLimited,
	"rate_limit_error":             evaluators.ErrorJudgeRateLimited,
	"not_found_error":              evaluators.ErrorJudgeModelNotFound,
	"timeout_error":                evaluators.ErrorJudgeTimeout,
	"overloaded_error":             evaluators.ErrorJudgeOverloaded, // comes with 200 and 500 too
	"authentication_error":         evaluators.ErrorJudgeAuth,
	"permission_error":             evaluators.ErrorJudgeAuth,
	"billing_error":                evaluators.ErrorJudgeQuota,
	// Others.
	"exceed_context_size_error":    evaluators.ErrorJudgeInputTooLong, // llama.cpp
	"resource_exhausted":           evaluators.ErrorJudgeRateLimited,  // Google
	"unauthenticated":              evaluators.ErrorJudgeAuth,
	"permission_denied":            evaluators.ErrorJudgeAuth,
	"deadline_exceeded":            evaluators.ErrorJudgeTimeout,
	"throttlingexception":          evaluators.ErrorJudgeRateLimited, // Bedrock
	"modelnotreadyexception":       evaluators.ErrorJudgeUnavailable,
	"engine_overloaded_error":      evaluators.ErrorJudgeOverloaded, // Moonshot
	"exceeded_current_quota_error": evaluators.ErrorJudgeQuota,
	"json_validate_failed":         evaluators.ErrorJudgeMalformedOutput, // Groq: the model's answer
	"tool_use_failed":              evaluators.ErrorJudgeMalformedOutput,
}

// byWords has phrases in lower case, for servers that send no code. The first
// that is found decides.
var byWords = [...]struct{ words, errorType string }{
	{"maximum context length", evaluators.ErrorJudgeInputTooLong},
	{"context length", evaluators.ErrorJudgeInputTooLong},
	{"context window", evaluators.ErrorJudgeInputTooLong},
	{"context size", evaluators.ErrorJudgeInputTooLong},
	{"context limit", evaluators.ErrorJudgeInputTooLong},
	{"max_model_len", evaluators.ErrorJudgeInputTooLong},
	{"prompt is too long", evaluators.ErrorJudgeInputTooLong},
	{"input is too long", evaluators.ErrorJudgeInputTooLong},
	{"contextwindowexceeded", evaluators.ErrorJudgeInputTooLong}, // LiteLLM
	{"content management policy", evaluators.ErrorJudgeContentFiltered},
	{"content filter", evaluators.ErrorJudgeContentFiltered},
	{"content filtering", evaluators.ErrorJudgeContentFiltered},
	{"contentpolicyviolation", evaluators.ErrorJudgeContentFiltered}, // LiteLLM
	{"your input was flagged", evaluators.ErrorJudgeContentFiltered}, // OpenRouter, with 403
	{"api key not valid", evaluators.ErrorJudgeAuth},                 // Google, with 400
	{"api key expired", evaluators.ErrorJudgeAuth},
	{"credit balance", evaluators.ErrorJudgeQuota},
	{"exceeded your current quota", evaluators.ErrorJudgeQuota},
	{"unexpected end of data", evaluators.ErrorJudgeUnavailable}, // the request arrived in part
	{"overloaded", evaluators.ErrorJudgeOverloaded},
	{"server busy", evaluators.ErrorJudgeOverloaded}, // Ollama's full queue
	{"maximum pending requests exceeded", evaluators.ErrorJudgeOverloaded},
}

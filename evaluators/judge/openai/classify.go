package openai

import (
	"net/http"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

// classify says which kind of failure a server's refusal is. What a server
// calls it (its codes, then the words of its message) is more telling than the
// status, which servers use loosely; the status decides when it is silent.
func classify(status int, header http.Header, b errorBody) string {
	for _, name := range [...]string{b.innerCode, b.code, b.kind} {
		if t, ok := byCode[strings.ToLower(name)]; ok {
			return t
		}
	}
	message := strings.ToLower(b.message)
	if status >= 400 && status != http.StatusTooManyRequests {
		for _, w := range byWords {
			if strings.Contains(message, w.words) {
				return w.errorType
			}
		}
	}
	return judge.StatusErrorType(status, header)
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
	"contract_spend_limit_reached": evaluators.ErrorJudgeQuota, // Anthropic behind a gateway
	"enforced_spend_limit_reached": evaluators.ErrorJudgeQuota,
	"overloaded_error":             evaluators.ErrorJudgeOverloaded, // comes with 200 and 500 too
	"authentication_error":         evaluators.ErrorJudgeAuth,
	"permission_error":             evaluators.ErrorJudgeAuth,
	"billing_error":                evaluators.ErrorJudgeQuota,
	"exceed_context_size_error":    evaluators.ErrorJudgeInputTooLong, // llama.cpp
	"resource_exhausted":           evaluators.ErrorJudgeRateLimited,  // Google
	"unauthenticated":              evaluators.ErrorJudgeAuth,
	"permission_denied":            evaluators.ErrorJudgeAuth,
	"deadline_exceeded":            evaluators.ErrorJudgeTimeout,
	"throttlingexception":          evaluators.ErrorJudgeRateLimited, // Bedrock
	"modelnotreadyexception":       evaluators.ErrorJudgeUnavailable,
	"engine_overloaded_error":      evaluators.ErrorJudgeOverloaded, // Moonshot
	"exceeded_current_quota_error": evaluators.ErrorJudgeQuota,
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
	{"content management policy", evaluators.ErrorJudgeContentFiltered},
	{"content filter", evaluators.ErrorJudgeContentFiltered},
	{"content filtering", evaluators.ErrorJudgeContentFiltered},
	{"credit balance", evaluators.ErrorJudgeQuota},
	{"exceeded your current quota", evaluators.ErrorJudgeQuota},
	{"unexpected end of data", evaluators.ErrorJudgeUnavailable}, // the request arrived in part
	{"overloaded", evaluators.ErrorJudgeOverloaded},
	{"server busy", evaluators.ErrorJudgeOverloaded}, // Ollama's full queue
	{"maximum pending requests exceeded", evaluators.ErrorJudgeOverloaded},
}

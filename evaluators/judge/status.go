package judge

import (
	"net/http"

	"github.com/genaievals/genaievals/evaluators"
)

// StatusErrorType returns the evaluators.Error constant for an HTTP response
// that refuses a call, from its status and headers alone. Every [Client] over
// HTTP falls back to it when the provider's own codes say nothing, so that all
// of them, and the scripted ones of judgetest, classify alike.
//
// 408 and 504 say that someone between here and the model gave up waiting; 409
// and 425 that it may work a moment later; 503 with Retry-After and 529 that
// the judge is overloaded. Any other status from 500 is unavailable, and what
// is left is a bad request, 3xx too: the base URL is wrong. It does not block
// and is safe for concurrent use.
func StatusErrorType(status int, header http.Header) string {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return evaluators.ErrorJudgeAuth
	case http.StatusPaymentRequired:
		return evaluators.ErrorJudgeQuota
	case http.StatusNotFound:
		return evaluators.ErrorJudgeModelNotFound
	case http.StatusRequestTimeout, http.StatusGatewayTimeout:
		return evaluators.ErrorJudgeTimeout
	case http.StatusConflict, http.StatusTooEarly:
		return evaluators.ErrorJudgeUnavailable
	case http.StatusRequestEntityTooLarge:
		return evaluators.ErrorJudgeInputTooLong
	case http.StatusTooManyRequests:
		return evaluators.ErrorJudgeRateLimited
	case statusOverloaded:
		return evaluators.ErrorJudgeOverloaded
	case http.StatusServiceUnavailable:
		if header.Get("Retry-After") != "" {
			return evaluators.ErrorJudgeOverloaded // it has an idea of when
		}
	}
	if status >= 500 {
		return evaluators.ErrorJudgeUnavailable
	}
	return evaluators.ErrorJudgeBadRequest
}

// statusOverloaded is Anthropic's, and of gateways in front of it.
const statusOverloaded = 529

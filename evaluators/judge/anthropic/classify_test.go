package anthropic_test

import (
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

// TestClassify has the failures that the server and gateways are known to send.
func TestClassify(t *testing.T) {
	const (
		rateLimited = evaluators.ErrorJudgeRateLimited
		overloaded  = evaluators.ErrorJudgeOverloaded
		unavailable = evaluators.ErrorJudgeUnavailable
		auth        = evaluators.ErrorJudgeAuth
		quota       = evaluators.ErrorJudgeQuota
		noModel     = evaluators.ErrorJudgeModelNotFound
		badRequest  = evaluators.ErrorJudgeBadRequest
		tooLong     = evaluators.ErrorJudgeInputTooLong
		filtered    = evaluators.ErrorJudgeContentFiltered
		emptyOutput = evaluators.ErrorJudgeEmptyOutput
		malformed   = evaluators.ErrorJudgeMalformedOutput
	)
	failure := func(kind, message string) string {
		return `{"type":"error","error":{"type":"` + kind + `","message":"` + message + `"},"request_id":"req_1"}`
	}
	spend := func(code string) string {
		return `{"type":"error","error":{"type":"rate_limit_error","message":"m","details":{"error_code":"` + code + `"}}}`
	}
	for _, tt := range []struct {
		name   string
		status int
		body   string
		want   string
		code   string
	}{
		{"R08_529", 529, failure("overloaded_error", "Overloaded"), overloaded, "overloaded_error"},
		{"R08_500", 500, failure("overloaded_error", "Overloaded"), overloaded, "overloaded_error"},
		{"R08_200", 200, failure("overloaded_error", "Overloaded"), overloaded, "overloaded_error"},
		{"R08_529_without_body", 529, "", overloaded, ""},
		{"429", 429, failure("rate_limit_error", "m"), rateLimited, "rate_limit_error"},
		{"R12_contract_spend_limit", 429, spend("contract_spend_limit_reached"), quota, "contract_spend_limit_reached"},
		{"R12_enforced_spend_limit", 429, spend("enforced_spend_limit_reached"), quota, "enforced_spend_limit_reached"},
		{"R12_ramp_limit", 429, spend("ramp_limit_exceeded"), rateLimited, "ramp_limit_exceeded"},
		{"R12_code_beside_the_type", 429, `{"type":"error","error":{"type":"rate_limit_error","code":"enforced_spend_limit_reached"}}`, quota, "enforced_spend_limit_reached"},
		{"R10_402_billing", 402, failure("billing_error", "m"), quota, "billing_error"},
		{"R10_credit_balance", 400, failure("invalid_request_error", "Your credit balance is too low to access the API."), quota, "invalid_request_error"},
		{"401", 401, failure("authentication_error", "invalid x-api-key"), auth, "authentication_error"},
		{"403", 403, failure("permission_error", "m"), auth, "permission_error"},
		{"404", 404, failure("not_found_error", "model: m"), noModel, "not_found_error"},
		{"L01_413", 413, failure("request_too_large", "m"), tooLong, "request_too_large"},
		{"L01_prompt_is_too_long", 400, failure("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"), tooLong, "invalid_request_error"},
		{"L01_input_is_too_long", 400, failure("invalid_request_error", "Input is too long for requested model."), tooLong, "invalid_request_error"},
		{"L01_exceed_context_limit", 400, failure("invalid_request_error", "input length and `max_tokens` exceed context limit: 199000 + 4096 > 200000"), tooLong, "invalid_request_error"},
		{"L01_context_window_in_the_reply", 200, `{"type":"message","content":[{"type":"text","text":"{\"lab"}],"stop_reason":"model_context_window_exceeded"}`, tooLong, ""},
		{"F01_content_filtering", 400, failure("invalid_request_error", "Output blocked by content filtering policy"), filtered, "invalid_request_error"},
		{"F05_request_arrived_in_part", 400, failure("invalid_request_error", "The request body is not valid JSON: unexpected end of data: line 1 column 10"), unavailable, "invalid_request_error"},
		{"F06_200_with_error", 200, failure("api_error", "Internal server error"), unavailable, "api_error"},
		{"F06_200_with_error_and_status", 200, `{"error":{"code":429,"message":"m"}}`, rateLimited, ""},
		{"F06_error_beside_content", 200, `{"type":"message","content":null,"error":{"type":"overloaded_error"}}`, overloaded, "overloaded_error"},
		{"500", 500, failure("api_error", "Internal server error"), unavailable, "api_error"},
		{"504", 504, failure("timeout_error", "m"), evaluators.ErrorJudgeTimeout, "timeout_error"},
		{"400", 400, failure("invalid_request_error", "m"), badRequest, "invalid_request_error"},
		{"502_page", 502, "<html>", unavailable, ""},
		{"200_page", 200, "<html>", malformed, ""},
		{"200_empty", 200, "", emptyOutput, ""},
		{"200_other_json", 200, `{"hello":"world"}`, emptyOutput, ""},
		{"200_list", 200, `[]`, malformed, ""},
		{"200_cut", 200, okBody[:60], malformed, ""},
		{"200_content_is_a_number", 200, `{"content":7}`, malformed, ""},
		{"200_stream", 200, "event: message_start\ndata: {}\n\n", malformed, ""},
		{"200_chat_completion", 200, `{"choices":[{"message":{"content":"{}"}}]}`, emptyOutput, ""},
		{"200_too_long", 200, `{"content":"` + strings.Repeat("x", 1<<20) + `"}`, malformed, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := serve(t, tt.status, tt.body).Complete(t.Context(), judge.Request{Metrics: []string{"bias"}})
			e := asError(t, err)
			if e.Type != tt.want || e.Code != tt.code || e.Status != tt.status || e.Adapted || e.FormatRefused {
				t.Errorf("%+v; want %q, code %q", e, tt.want, tt.code)
			}
			if strings.Contains(e.Error(), "limit:") || strings.Contains(e.Error(), "data") {
				t.Errorf("prose in %v", e)
			}
		})
	}
}

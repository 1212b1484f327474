package openai_test

import (
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

// TestClassify has the bodies that servers of this format are known to send.
func TestClassify(t *testing.T) {
	const (
		timeout      = evaluators.ErrorJudgeTimeout
		rateLimited  = evaluators.ErrorJudgeRateLimited
		overloaded   = evaluators.ErrorJudgeOverloaded
		unavailable  = evaluators.ErrorJudgeUnavailable
		auth         = evaluators.ErrorJudgeAuth
		quota        = evaluators.ErrorJudgeQuota
		noModel      = evaluators.ErrorJudgeModelNotFound
		badRequest   = evaluators.ErrorJudgeBadRequest
		tooLong      = evaluators.ErrorJudgeInputTooLong
		filtered     = evaluators.ErrorJudgeContentFiltered
		emptyOutput  = evaluators.ErrorJudgeEmptyOutput
		malformed    = evaluators.ErrorJudgeMalformedOutput
		html         = "<html><body>Bad Gateway</body></html>"
		openAI       = `{"error":{"message":"m","type":"invalid_request_error","param":null,"code":null}}`
		retryAfter   = "Retry-After"
		vllmTooLong  = `{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.","type":"BadRequestError","param":null,"code":400}`
		vllmTooLong2 = `{"object":"error","message":"'max_tokens' or 'max_completion_tokens' is too large: 2048. This model's maximum context length is 4096 tokens.","type":"BadRequestError","param":null,"code":400}`
	)
	for _, tt := range []struct {
		name   string
		status int
		header string // a header to send, any value
		body   string
		want   string
		code   string
	}{
		{"F01_azure_content_filter", 400, "", `{"error":{"message":"The response was filtered due to the prompt triggering Azure OpenAI's content management policy.","type":null,"param":"prompt","code":"content_filter","innererror":{"code":"ResponsibleAIPolicyViolation","content_filter_result":{"hate":{"filtered":true}}}}}`, filtered, "ResponsibleAIPolicyViolation"},
		{"F02_content_policy", 400, "", `{"error":{"message":"m","code":"content_policy_violation"}}`, filtered, "content_policy_violation"},
		{"F02_invalid_prompt", 400, "", `{"error":{"message":"m","code":"invalid_prompt"}}`, filtered, "invalid_prompt"},
		{"F02_gateway_words", 400, "", `{"error":{"message":"Output blocked by content filtering policy"}}`, filtered, ""},
		{"F06_200_with_error", 200, "", `{"error":{"code":500,"message":"Provider returned error"}}`, unavailable, ""},
		{"F06_200_with_error_429", 200, "", `{"error":{"code":"429","message":"m"},"choices":[]}`, rateLimited, ""},
		{"F06_200_with_error_401", 200, "", `{"error":{"code":401,"message":"m"}}`, auth, ""},
		{"F06_200_with_error_in_choice", 200, "", `{"choices":[{"error":{"code":502,"message":"m"},"finish_reason":"error","message":{"content":"par"}}]}`, unavailable, ""},
		{"F06_200_with_error_beside_choices", 200, "", `{"error":{"code":429,"message":"m"},"choices":[{"message":{"content":"par"}}]}`, rateLimited, ""},
		{"F06_200_broken_off", 200, "", `{"choices":[{"finish_reason":"error","message":{"content":"par"}}]}`, unavailable, ""},
		{"F02_openrouter_moderation", 403, "", `{"error":{"code":403,"message":"The model requires moderation. Your input was flagged for \"violence\"."}}`, filtered, ""},
		{"F02_litellm", 400, "", `{"error":{"code":"400","message":"litellm.ContentPolicyViolationError: AzureException"}}`, filtered, ""},
		{"F05_arrived_in_part", 400, "", `{"error":{"message":"The request body is not valid JSON: unexpected end of data"}}`, unavailable, ""},
		{"L01_litellm", 400, "", `{"error":{"code":"400","message":"litellm.ContextWindowExceededError: OpenAIException"}}`, tooLong, ""},
		{"google_key", 400, "", `[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]`, auth, "INVALID_ARGUMENT"},
		{"groq_model_wrote_no_json", 400, "", `{"error":{"message":"Failed to generate JSON. Please adjust your prompt.","type":"invalid_request_error","code":"json_validate_failed","failed_generation":"x"}}`, malformed, "json_validate_failed"},
		{"F06_200_with_error_without_code", 200, "", `{"error":"something broke"}`, unavailable, ""},

		{"L01_openai_context_length", 400, "", `{"error":{"message":"m","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`, tooLong, "context_length_exceeded"},
		{"L01_vllm_context_length", 400, "", vllmTooLong, tooLong, "BadRequestError"},
		{"L01_vllm_max_tokens_beyond_context", 400, "", vllmTooLong2, tooLong, "BadRequestError"},
		{"L01_llama_cpp", 400, "", `{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}`, tooLong, "exceed_context_size_error"},
		{"L01_anthropic_words", 400, "", `{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}`, tooLong, ""},
		{"L01_413", 413, "", html, tooLong, ""},

		{"R08_overloaded_529", 529, "", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, overloaded, "overloaded_error"},
		{"R08_overloaded_500", 500, "", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, overloaded, "overloaded_error"},
		{"R08_overloaded_200", 200, "", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, overloaded, "overloaded_error"},
		{"R09_503_with_retry_after", 503, retryAfter, html, overloaded, ""},
		{"R09_503_without", 503, "", html, unavailable, ""},
		{"R09_504_in_body", 200, "", `{"error":{"code":504,"message":"m"}}`, timeout, ""},
		{"R10_insufficient_quota", 429, "", `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`, quota, "insufficient_quota"},
		{"R10_insufficient_quota_by_type", 429, "", `{"error":{"message":"m","type":"insufficient_quota","code":null}}`, quota, "insufficient_quota"},
		{"R12_spend_limit", 429, "", `{"error":{"message":"m","type":"rate_limit_error","code":"enforced_spend_limit_reached"}}`, quota, "enforced_spend_limit_reached"},
		{"R12_spend_limit_in_details", 429, "", `{"error":{"message":"m","type":"rate_limit_error","details":{"error_code":"contract_spend_limit_reached"}}}`, quota, "contract_spend_limit_reached"},
		{"R12_ramp_limit", 429, "", `{"error":{"message":"m","type":"rate_limit_error","code":"ramp_limit_exceeded"}}`, rateLimited, "ramp_limit_exceeded"},
		{"R14_429_without_headers", 429, "", ``, rateLimited, ""},
		{"R17_litellm", 429, "", `{"error":{"message":"No deployments available. Try again in 60 seconds","type":"None","param":"None","code":"429"}}`, rateLimited, "None"},
		{"gemini_array", 429, "", `[{"error":{"code":429,"message":"You exceeded your current quota, please check your plan","status":"RESOURCE_EXHAUSTED"}}]`, rateLimited, "RESOURCE_EXHAUSTED"},
		{"R10_quota_words_on_429_are_a_rate", 429, "", `[{"error":{"code":429,"message":"You exceeded your current quota, please check your plan"}}]`, rateLimited, ""},
		{"gemini_array_400", 400, "", `[{"error":{"code":400,"message":"m","status":"INVALID_ARGUMENT"}}]`, badRequest, "INVALID_ARGUMENT"},

		{"ollama_string_404", 404, "", `{"error":"model 'm' not found"}`, noModel, ""},
		{"ollama_object_404", 404, "", `{"error":{"message":"model \"m\" not found, try pulling it first","type":"api_error","param":null,"code":null}}`, noModel, "api_error"},
		{"ollama_queue_full", 503, "", `{"error":"server busy, please try again.  maximum pending requests exceeded"}`, overloaded, ""},
		{"vllm_flat_404", 404, "", `{"object":"error","message":"The model m does not exist.","type":"NotFoundError","param":null,"code":404}`, noModel, "NotFoundError"},
		{"azure_deployment", 404, "", `{"error":{"code":"DeploymentNotFound","message":"m"}}`, noModel, "DeploymentNotFound"},
		{"model_not_found_as_400", 400, "", `{"error":{"message":"m","code":"model_not_found"}}`, noModel, "model_not_found"},
		{"openai_401", 401, "", `{"error":{"message":"Incorrect API key provided: sk-planted-key.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`, auth, "invalid_api_key"},
		{"403", 403, "", openAI, auth, "invalid_request_error"},
		{"openrouter_402", 402, "", `{"error":{"code":402,"message":"Insufficient credits"}}`, quota, ""},
		{"408", 408, "", "", timeout, ""},
		{"409", 409, "", "", unavailable, ""},
		{"415", 415, "", "", badRequest, ""},
		{"422_fastapi", 422, "", `{"detail":[{"loc":["body","messages"],"msg":"field required"}]}`, badRequest, ""},
		{"425", 425, "", "", unavailable, ""},
		{"400_openai", 400, "", openAI, badRequest, "invalid_request_error"},
		{"C04_response_format", 400, "", `{"error":{"message":"This response_format type is unavailable now","type":"invalid_request_error","param":"response_format","code":"unsupported_value"}}`, badRequest, "unsupported_value"},
		{"500", 500, "", openAI, unavailable, "invalid_request_error"},
		{"502_html", 502, "", html, unavailable, ""},
		{"504", 504, "", html, timeout, ""},
		{"code_that_is_prose", 400, "", `{"error":{"message":"m","code":"your text was: hello"}}`, badRequest, ""},

		{"200_html", 200, "", html, malformed, ""},
		{"200_empty", 200, "", "", emptyOutput, ""},
		{"200_blank", 200, "", " \n", emptyOutput, ""},
		{"200_no_choices", 200, "", `{"choices":[]}`, emptyOutput, ""},
		{"200_choices_null", 200, "", `{"choices":null}`, emptyOutput, ""},
		{"200_other_json", 200, "", `{"hello":"world"}`, emptyOutput, ""},
		{"200_json_array", 200, "", `[]`, malformed, ""},
		{"200_json_text", 200, "", `"hello"`, malformed, ""},
		{"200_cut_json", 200, "", okBody[:40], malformed, ""},
		{"200_choices_of_strings", 200, "", `{"choices":["a"]}`, malformed, ""},
		{"200_content_is_a_number", 200, "", `{"choices":[{"message":{"content":7}}]}`, malformed, ""},
		{"200_event_stream", 200, "", "data: {\"choices\":[]}\n\n", malformed, ""},
		{"200_too_long", 200, "", `{"choices":[{"message":{"content":"` + strings.Repeat("x", 1<<20) + `"}}]}`, malformed, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			header := map[string]string{}
			if tt.header != "" {
				header[tt.header] = "1"
			}
			_, err := serve(t, tt.status, header, tt.body).Complete(t.Context(), judge.Request{})
			e := asError(t, err)
			if e.Type != tt.want || e.Code != tt.code {
				t.Errorf("%q, code %q; want %q, %q", e.Type, e.Code, tt.want, tt.code)
			}
			if e.Status != tt.status || e.Adapted {
				t.Errorf("status %d, adapted %v", e.Status, e.Adapted)
			}
			if tt.header != "" && e.Header.Get(tt.header) == "" {
				t.Errorf("header %s is lost", tt.header)
			}
			if want := tt.body[:min(len(tt.body), 64<<10)]; string(e.Body) != want {
				t.Errorf("body of %d bytes kept, want %d", len(e.Body), len(want))
			}
		})
	}
}

// TestErrorTextHasNoProse: providers quote prompts and keys in messages.
func TestErrorTextHasNoProse(t *testing.T) {
	const quoted = "c4n4ry text"
	for _, body := range []string{
		`{"error":{"message":"` + quoted + `","type":"` + quoted + `","param":"` + quoted + `","code":"` + quoted + `"}}`,
		`{"error":"` + quoted + `"}`,
		`{"detail":"` + quoted + `"}`,
		`{"object":"error","message":"` + quoted + `"}`,
		quoted,
	} {
		for _, status := range []int{200, 400, 401, 429, 500} {
			_, err := serve(t, status, nil, body).Complete(t.Context(), judge.Request{})
			if asError(t, err); strings.Contains(err.Error(), "c4n4ry") {
				t.Errorf("%d %s: %v", status, body, err)
			}
		}
	}
}

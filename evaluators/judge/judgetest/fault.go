package judgetest

import (
	"net/http"
	"slices"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

// Fault is one way in which real servers are known to go wrong, as they say it.
// A table test goes over [Faults]; a script takes [Fault.Answer].
type Fault string

// The faults. Those of the body and of gateways can come in either format.
const (
	FaultFenced          Fault = "fenced"           // the answer in a code fence
	FaultThinkTags       Fault = "think_tags"       // another verdict in <think> tags before it
	FaultThoughtFirst    Fault = "thought_first"    // a thought beside or before the message
	FaultThoughtOnly     Fault = "thought_only"     // the answer in the thought, nothing said
	FaultContentParts    Fault = "content_parts"    // the message in parts
	FaultContentNull     Fault = "content_null"     // no message
	FaultContentNullCut  Fault = "content_null_cut" // no message, since the budget ran out
	FaultFilteredFinish  Fault = "filtered_finish"  // 200, cut by the provider's filter; a refusal in the Anthropic format
	FaultNoUsage         Fault = "no_usage"         // a valid answer that says not what it used
	FaultThinkingBeside  Fault = "thinking_beside"  // reasoning counted outside of the output
	FaultNoChoices       Fault = "no_choices"       // 200, choices []
	FaultEmptyBody       Fault = "empty_body"       // 200, nothing
	FaultHTML            Fault = "html"             // 200, a page
	FaultBadGateway      Fault = "bad_gateway"      // 502, a page
	FaultCutBody         Fault = "cut_body"         // 200, half of a reply
	FaultOpenRouterError Fault = "openrouter_error" // 200, an error
	FaultVLLMTooLong     Fault = "vllm_too_long"    // 400, a flat body
	FaultGeminiArray     Fault = "gemini_array"     // 429, an array
	FaultOllamaNotFound  Fault = "ollama_not_found" // 404, a string
	FaultOllamaBusy      Fault = "ollama_busy"      // 503, a string
	FaultAzureFilter     Fault = "azure_filter"     // 400, with the filter's findings
	FaultQuota           Fault = "quota"            // 429 that no waiting helps
	FaultSpendLimit      Fault = "spend_limit"      // 429 that no waiting helps, Anthropic's
	FaultGatewayLimit    Fault = "gateway_limit"    // 429, "Try again in 60 seconds" in prose
	FaultOverloadedOK    Fault = "overloaded_200"   // overloaded_error with a 200
	FaultOverloaded500   Fault = "overloaded_500"   // overloaded_error with a 500
	FaultUnexpectedEnd   Fault = "unexpected_end"   // 400 that passes: the request arrived in part
	FaultRefusalFinish   Fault = "refusal_finish"   // finish refusal, nothing said
)

type faultAnswer struct {
	fault     Fault
	answer    Answer
	errorType string
}

// faults has for each what is sent, and the error.type of a call that ends in
// it; none when the call has its answer all the same.
var faults = []faultAnswer{
	{FaultFenced, Valid().Fenced(), ""},
	{FaultThinkTags, Valid().ThinkTags(`Perhaps {"reason":"It is odd.","label":"other"}.`), ""},
	{FaultThoughtFirst, Valid().Thought(`Perhaps {"reason":"It is odd.","label":"other"}.`), ""},
	{FaultThoughtOnly, Valid().ThoughtOnly(), evaluators.ErrorJudgeEmptyOutput},
	{FaultContentParts, Valid().Parts(), ""},
	{FaultContentNull, null(), evaluators.ErrorJudgeEmptyOutput},
	{FaultContentNullCut, null().Finish(judge.FinishLength), evaluators.ErrorJudgeTruncated},
	{FaultFilteredFinish, Text(`{"reason": "It`).Finish(judge.FinishContentFilter), evaluators.ErrorJudgeContentFiltered},
	{FaultRefusalFinish, Text("").Finish(judge.FinishRefusal), evaluators.ErrorJudgeRefused},
	{FaultNoUsage, Valid().NoUsage(), ""},
	{FaultThinkingBeside, Valid().Usage(judge.Usage{InputTokens: 100, OutputTokens: 80, ReasoningTokens: 60}).UsageBeside(), ""},
	{FaultNoChoices, HTTP(200, nil, `{"id":"scripted","object":"chat.completion","choices":[],"content":[]}`), evaluators.ErrorJudgeEmptyOutput},
	{FaultEmptyBody, HTTP(200, nil, ""), evaluators.ErrorJudgeEmptyOutput},
	{FaultHTML, HTTP(200, html, page), evaluators.ErrorJudgeMalformedOutput},
	{FaultBadGateway, HTTP(502, html, page), evaluators.ErrorJudgeUnavailable},
	{FaultCutBody, HTTP(200, nil, `{"id":"scripted","object":"chat.completion","choices":[{"index":0,"mess`), evaluators.ErrorJudgeMalformedOutput},
	{FaultOpenRouterError, HTTP(200, nil, `{"error":{"code":502,"message":"Provider returned error","metadata":{"provider_name":"scripted"}}}`), evaluators.ErrorJudgeUnavailable},
	{FaultVLLMTooLong, HTTP(400, nil, `{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.","type":"BadRequestError","param":null,"code":400}`), evaluators.ErrorJudgeInputTooLong},
	{FaultGeminiArray, HTTP(429, nil, `[{"error":{"code":429,"message":"Resource has been exhausted.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"1s"}]}}]`), evaluators.ErrorJudgeRateLimited},
	{FaultOllamaNotFound, HTTP(404, nil, `{"error":"model 'scripted' not found"}`), evaluators.ErrorJudgeModelNotFound},
	{FaultOllamaBusy, HTTP(503, nil, `{"error":"server busy, please try again.  maximum pending requests exceeded"}`), evaluators.ErrorJudgeOverloaded},
	{FaultAzureFilter, HTTP(400, nil, `{"error":{"message":"The response was filtered due to the prompt triggering Azure OpenAI's content management policy.","type":null,"param":"prompt","code":"content_filter","status":400,"innererror":{"code":"ResponsibleAIPolicyViolation","content_filter_result":{"hate":{"filtered":true,"severity":"high"},"jailbreak":{"filtered":false,"detected":false}}}}}`), evaluators.ErrorJudgeContentFiltered},
	{FaultQuota, HTTP(429, nil, `{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`), evaluators.ErrorJudgeQuota},
	{FaultSpendLimit, HTTP(429, nil, `{"type":"error","error":{"type":"rate_limit_error","code":"enforced_spend_limit_reached","message":"The spend limit has been reached."}}`), evaluators.ErrorJudgeQuota},
	{FaultGatewayLimit, HTTP(429, nil, `{"error":{"message":"No deployments available for selected model. Try again in 60 seconds","type":"None","param":"None","code":"429"}}`), evaluators.ErrorJudgeRateLimited},
	{FaultOverloadedOK, HTTP(200, nil, overloadedBody), evaluators.ErrorJudgeOverloaded},
	{FaultOverloaded500, HTTP(500, nil, overloadedBody), evaluators.ErrorJudgeOverloaded},
	{FaultUnexpectedEnd, HTTP(400, nil, `{"type":"error","error":{"type":"invalid_request_error","message":"The request body is not valid JSON: unexpected end of data: line 1 column 1 (char 0)"}}`), evaluators.ErrorJudgeUnavailable},
}

var html = http.Header{"Content-Type": {"text/html"}}

const (
	page           = "<html><head><title>502 Bad Gateway</title></head><body><center>nginx</center></body></html>"
	overloadedBody = `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`
)

func null() Answer { return Answer{kind: kindText, null: true} }

// Faults returns all faults.
func Faults() []Fault {
	all := make([]Fault, len(faults))
	for i, f := range faults {
		all[i] = f.fault
	}
	return all
}

// Answer is the answer that goes wrong so. That of an unknown fault is [Valid].
func (f Fault) Answer() Answer {
	i := f.index()
	if i < 0 {
		return Valid()
	}
	a := faults[i].answer
	a.fail = faults[i].errorType // for the record, and for a Judge, which reads no body
	return a
}

// ErrorType is the error.type of a call that ends in the fault, after whatever
// repetition; empty when there is an answer to be read in spite of it.
func (f Fault) ErrorType() string {
	if i := f.index(); i >= 0 {
		return faults[i].errorType
	}
	return ""
}

func (f Fault) index() int {
	return slices.IndexFunc(faults, func(known faultAnswer) bool { return known.fault == f })
}

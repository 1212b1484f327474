package wire

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/genaievals/genaievals/evaluators/judge"
)

func TestOutputBudgetRefused(t *testing.T) {
	for _, tt := range []struct {
		name, message string
		status        int
		want          bool
	}{
		{"openai", "max_tokens is too large: 8192. This model supports at most 4096 completion tokens, whereas you provided 8192.", 400, true},
		{"openai_newer", "Invalid 'max_completion_tokens': integer above maximum value. Expected a value <= 16384, but got 32768 instead.", 400, true},
		{"anthropic", "max_tokens: 8192 > 4096, which is the maximum allowed number of output tokens for this model", 400, true},
		{"vllm_names_both", "'max_tokens' or 'max_completion_tokens' is too large: 10240. This model's maximum context length is 8192 tokens and your request has 863 input tokens.", 400, true},
		{"larger_not_supported", "max_tokens is too large: 2048. This model supports at most 1024 completion tokens, larger values are not supported.", 400, true},
		{"unexpected_value", "'max_tokens' must be at most 1024; unexpected value", 400, true},
		{"unknown_tier", "max_tokens: 4096 > 1024, which is the maximum allowed number of output tokens; unknown model tier", 400, true},
		{"to_limit_it_otherwise", "max_tokens is not supported. Use max_completion_tokens to limit the output.", 400, false},
		{"unknown_parameter", "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", 400, false},
		{"the_prompt", "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.", 400, false},
		{"another_parameter", "temperature: must be at most 1", 400, false},
		{"a_rate_limit", "You reached the limit of max_tokens a minute", 429, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := Reply{Status: tt.status, Header: http.Header{}, Body: fmt.Appendf(nil, `{"error":{"message":%q}}`, tt.message)}
			f := r.Failure()
			f.judgeFormat(judge.FormatStrictSchema)
			f.judgeOutput()
			if f.OutputRefused != tt.want || f.FormatRefused || tt.want && (f.Refuses("max_tokens") || f.Refuses("max_completion_tokens")) {
				t.Errorf("output refused %v, format refused %v", f.OutputRefused, f.FormatRefused)
			}
		})
	}
}

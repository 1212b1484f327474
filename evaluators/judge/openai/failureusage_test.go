package openai_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators/judge"
)

// TestFailedReplySaysWhatItTook: an answer that is none was paid for.
func TestFailedReplySaysWhatItTook(t *testing.T) {
	const spent = `"usage":{"prompt_tokens":500,"completion_tokens":900,"cost":0.01}`
	want := judge.Usage{InputTokens: 500, OutputTokens: 900, Cost: 0.01, HasCost: true}
	for _, tt := range []struct {
		name, body string
		status     int
		want       judge.Usage
	}{
		{"$03_broken_off", `{"choices":[{"finish_reason":"error","message":{"content":"par"}}],` + spent + `}`, 200, want},
		{"$03_error_in_choice", `{"choices":[{"error":{"code":502,"message":"m"},"message":{"content":"par"}}],` + spent + `}`, 200, want},
		{"$03_no_choices", `{"choices":[],` + spent + `}`, 200, want},
		{"$03_error_within", `{"error":{"code":502},` + spent + `}`, 200, want},
		{"$03_choices_of_no_use", `{"choices":["a"],` + spent + `}`, 200, want},
		{"$03_content_of_no_use", `{"choices":[{"message":{"content":7}}],` + spent + `}`, 200, want},
		{"refused", `{"error":{"message":"m"},` + spent + `}`, 400, judge.Usage{}},
		{"no_usage", `{"choices":[]}`, 200, judge.Usage{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := serve(t, tt.status, nil, tt.body).Complete(t.Context(), judge.Request{})
			if diff := cmp.Diff(tt.want, asError(t, err).Usage); diff != "" {
				t.Errorf("usage (-want +got):\n%s", diff)
			}
		})
	}
}

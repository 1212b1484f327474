package openai_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
)

// TestAzure has both of its addresses. The model is a deployment's name, which
// says nothing of what the model can do (C09).
func TestAzure(t *testing.T) {
	const filtered = `{"error":{"message":"The response was filtered","type":null,"param":"prompt","code":"content_filter","status":400,"innererror":{"code":"ResponsibleAIPolicyViolation","content_filter_result":{"jailbreak":{"filtered":true,"detected":true}}}}}`
	for _, tt := range []struct{ name, base, want string }{
		{"deployments", "/openai/deployments/judge?api-version=2024-10-21", "/openai/deployments/judge/chat/completions?api-version=2024-10-21"},
		{"deployments_in_full", "/openai/deployments/judge/chat/completions?api-version=2024-10-21", "/openai/deployments/judge/chat/completions?api-version=2024-10-21"},
		{"v1", "/openai/v1", "/openai/v1/chat/completions"},
		{"v1_preview", "/openai/v1/?api-version=preview", "/openai/v1/chat/completions?api-version=preview"},
	} {
		t.Run("C09_"+tt.name, func(t *testing.T) {
			answers := []func(w http.ResponseWriter){
				func(w http.ResponseWriter) { w.WriteHeader(400); fmt.Fprint(w, refusesMaxTokens) },
				func(w http.ResponseWriter) { fmt.Fprint(w, okBody) },
				func(w http.ResponseWriter) { w.WriteHeader(400); fmt.Fprint(w, filtered) },
				func(w http.ResponseWriter) {
					fmt.Fprint(w, `{"choices":[{"finish_reason":"content_filter","message":{"content":"par"},"content_filter_results":{}}]}`)
				},
			}
			var bodies []string
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.RequestURI() != tt.want || r.Header.Get("Api-Key") != plantedKey || r.Header.Get("Authorization") != "" {
					t.Errorf("asked %s with %v, want %s", r.URL.RequestURI(), r.Header, tt.want)
				}
				b, _ := io.ReadAll(r.Body)
				bodies = append(bodies, string(b))
				answers[len(bodies)-1](w)
			}))
			defer srv.Close()
			c := newClient(t, openai.Config{BaseURL: srv.URL + tt.base, APIKey: plantedKey, AuthHeader: "api-key", Model: "gpt-4-but-not-really", Provider: "azure.ai.openai"})
			r := judge.Request{MaxOutputTokens: 9}

			if _, err := c.Complete(t.Context(), r); !asError(t, err).Adapted {
				t.Errorf("C09: %v", err)
			}
			if _, err := c.Complete(t.Context(), r); err != nil || !strings.Contains(bodies[0], `"max_tokens"`) || !strings.Contains(bodies[1], `"max_completion_tokens"`) {
				t.Errorf("C09: %v, sent %s", err, bodies)
			}
			_, err := c.Complete(t.Context(), r)
			if e := asError(t, err); e.Type != evaluators.ErrorJudgeContentFiltered || e.Code != "ResponsibleAIPolicyViolation" || e.FormatRefused {
				t.Errorf("F01: %v", e)
			}
			if answer, err := c.Complete(t.Context(), r); err != nil || answer.Finish != judge.FinishContentFilter {
				t.Errorf("F04: %+v, %v", answer, err)
			}
		})
	}
}

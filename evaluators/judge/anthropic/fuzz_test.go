package anthropic_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/anthropic"
)

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// FuzzReply: whatever a server sends, there is an answer or an error that says
// what kind, and numbers that can be added up.
func FuzzReply(f *testing.F) {
	for _, body := range []string{
		okBody, "", "null", "[]", "<html>", `{"content":[]}`, `{"content":[null]}`, `{"type":"error","error":{"type":"overloaded_error"}}`,
		`{"content":[{"type":"tool_use","input":{"a":1}},{"type":"text","text":7}],"stop_reason":"tool_use"}`,
		`{"content":"x","usage":{"input_tokens":1e400,"output_tokens":-1},"stop_reason":"model_context_window_exceeded"}`,
		`{"error":{"message":"output_config: Extra inputs are not permitted","details":{"error_code":1}}}`,
		`{"error":{"message":"temperature deprecated","details":"x"}}`,
	} {
		f.Add(200, body, uint8(0))
		f.Add(400, body, uint8(3))
	}
	warm := 1.0
	f.Fuzz(func(t *testing.T, status int, body string, format uint8) {
		through := &http.Client{Transport: roundTripper(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
		})}
		c, err := anthropic.New(anthropic.Config{Model: "m", BaseURL: "http://localhost", HTTPClient: through})
		if err != nil {
			t.Fatal(err)
		}
		asked := judge.Format(format % 5)
		r, err := c.Complete(t.Context(), judge.Request{Format: asked, Temperature: &warm, Metrics: []string{"bias"}})
		if err == nil {
			if u := r.Usage; status < 200 || status > 299 || u.InputTokens < 0 || u.OutputTokens < 0 || u.HasCost {
				t.Errorf("%d %q: %+v", status, body, r)
			}
			return
		}
		var e *judge.Error
		if !errors.As(err, &e) || e.Type == "" || e.Status != status || e.FormatRefused && (e.Adapted || asked == judge.FormatNone) {
			t.Errorf("%d %q: %#v", status, body, err)
		}
	})
}

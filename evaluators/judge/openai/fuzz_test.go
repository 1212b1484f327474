package openai_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"net/http"
	"testing"

	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
)

// FuzzReply: whatever a server sends, there is an answer or an error that says
// what kind, and numbers that can be added up.
func FuzzReply(f *testing.F) {
	for _, body := range []string{
		okBody, "", "null", "[]", "<html>", `{"choices":[]}`, `{"choices":[null]}`, `{"error":"x"}`, `[{"error":{"code":429}}]`,
		`{"choices":[{"message":{"content":[{"type":"text","text":"a"}],"tool_calls":[{"function":{"arguments":{"a":1}}}]}}]}`,
		`{"choices":[{"message":{"content":null,"function_call":{"arguments":"{}"}}}],"usage":{"cost":1e400,"total_tokens":-1}}`,
		`{"detail":[{"loc":["body","tools",1],"msg":"unknown"}]}`, `{"error":{"message":"json_schema unsupported","param":"tools"}}`,
		refusesMaxTokens, refusesWarmth,
	} {
		f.Add(200, body, uint8(0))
		f.Add(400, body, uint8(3))
	}
	f.Fuzz(func(t *testing.T, status int, body string, format uint8) {
		through := &http.Client{Transport: roundTripper(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader([]byte(body)))}, nil
		})}
		c, err := openai.New(openai.Config{Model: "m", BaseURL: "http://localhost", HTTPClient: through})
		if err != nil {
			t.Fatal(err)
		}
		asked := judge.Format(format % 5)
		r, err := c.Complete(t.Context(), judge.Request{Format: asked, MaxOutputTokens: 9, Metrics: []string{"bias"}})
		if err == nil {
			u := r.Usage
			if status < 200 || status > 299 || u.InputTokens < 0 || u.OutputTokens < 0 || u.Cost < 0 || math.IsNaN(u.Cost) || math.IsInf(u.Cost, 0) {
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

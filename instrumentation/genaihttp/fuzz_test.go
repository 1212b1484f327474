package genaihttp

import (
	"bytes"
	"io"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/genaievals/genaievals/instrumentation"
)

// pieces reads data in pieces whose sizes are the bytes of splits.
type pieces struct{ data, splits []byte }

func (p *pieces) Read(b []byte) (int, error) {
	n := len(b)
	if len(p.splits) > 0 {
		n = int(p.splits[0])
		p.splits = p.splits[1:]
	}
	n = copy(b[:min(n, len(b))], p.data)
	p.data = p.data[n:]
	if len(p.data) == 0 {
		return n, io.EOF
	}
	return n, nil
}

func (p *pieces) Close() error { return nil }

// recorded passes a response through the transport and returns what the
// application read of it and the invocation that was recorded.
func recorded(t *testing.T, request []byte, res *http.Response, limit int) ([]byte, *instrumentation.Invocation) {
	t.Helper()
	var ended []*instrumentation.Invocation
	h := instrumentation.NewHandler()
	h.Register(instrumentation.CompletionCallbackFunc(func(inv *instrumentation.Invocation) { ended = append(ended, inv) }))
	var sent []byte
	base := roundTrip(func(r *http.Request) (*http.Response, error) {
		sent, _ = io.ReadAll(r.Body)
		return res, nil
	})
	transport := NewTransport(base, WithHandler(h), WithMaxBody(limit))
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://x.test/chat/completions", bytes.NewReader(request))
	res, err := transport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if len(request) > 0 && !bytes.Equal(sent, request) {
		t.Errorf("sent %q, want %q", sent, request)
	}
	if n := transport.guard.panics.Load(); n > 0 {
		t.Errorf("%d panics", n)
	}
	if len(request) == 0 {
		return got, nil // net/http sends no body: not a chat completion
	}
	if len(ended) != 1 {
		t.Fatalf("%d invocations ended, want 1", len(ended))
	}
	return got, ended[0]
}

// summary is what an invocation says of its response.
func summary(inv *instrumentation.Invocation) map[string]any {
	return map[string]any{
		"output": inv.Output(), "id": inv.ResponseID(), "model": inv.ResponseModel(),
		"finish": inv.FinishReasons(), "usage": inv.Usage(), "error": inv.ErrorType(),
		"cancelled": inv.Cancelled(), "chunks": inv.Chunks(),
	}
}

func FuzzSSE(f *testing.F) {
	for _, s := range []string{
		"",
		"data: {\"id\":\"c\",\"choices\":[{\"delta\":{\"content\":\"hi\"}}]}\n\ndata: [DONE]\n\n",
		"data:{\"choices\":[{\"index\":1,\"delta\":{\"tool_calls\":[{\"index\":5,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{\"}}]}}]}\r\n\r\n",
		"\xef\xbb\xbf: c\revent: error\rdata: {\"error\":\rdata: {\"code\":429}}\r\r",
		"data: {\"choices\":[{\"delta\":{\"content\":\"\xff\"},\"finish_reason\":\"stop\"}]}\ndata: {oops\ndata: {\"usage\":{\"prompt_tokens\":1}}\n",
		"data: {\"choices\":[{\"index\":9223372036854775807,\"message\":{\"content\":[{\"type\":\"x\"}]}}]}\n\n",
		"{\"error\":\"no\"}", "\n\n{\"choices\":[{\"message\":{\"content\":\"x\"}}]}", "data: " + string(make([]byte, 2000)),
	} {
		f.Add([]byte(s), []byte{1, 2, 3, 0, 5, 1, 1, 1, 40})
	}
	f.Fuzz(func(t *testing.T, stream, splits []byte) {
		const limit = 1 << 10 // small, so that it is met
		response := func(splits []byte) *http.Response {
			return &http.Response{
				StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}},
				Body: &pieces{bytes.Clone(stream), splits},
			}
		}
		whole, one := recorded(t, []byte("{}"), response(nil), limit)
		split, many := recorded(t, []byte("{}"), response(splits), limit)
		if !bytes.Equal(whole, stream) || !bytes.Equal(split, stream) {
			t.Error("the stream was changed")
		}
		if d := cmp.Diff(summary(one), summary(many), cmpopts.EquateEmpty()); d != "" {
			t.Errorf("it depends on where the pieces end: %s", d)
		}
	})
}

func FuzzResponse(f *testing.F) {
	for _, s := range []string{
		"", "{", "null", `{"error":{"code":"x"}}`, `[{"error":{"status":"S"}}]`, "<html>",
		`{"id":"c","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"hi","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":6,"completion_tokens_details":{"reasoning_tokens":3}}}`,
		`{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"data:image/png;base64,QQ=="}}],"audio":{"data":"QQ=="}}}]}`,
	} {
		f.Add([]byte(s), uint16(200), "application/json", "", []byte(`{"model":"m","messages":[{"role":"user","content":"q"}]}`))
		f.Add([]byte(s), uint16(429), "", "gzip", []byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte, status uint16, contentType, coding string, request []byte) {
		res := &http.Response{
			StatusCode: int(status % 1000),
			Header:     http.Header{"Content-Type": {contentType}, "Content-Encoding": {coding}},
			Body:       &pieces{data: bytes.Clone(body)},
		}
		got, inv := recorded(t, request, res, 1<<12)
		if !bytes.Equal(got, body) {
			t.Error("the body was changed")
		}
		if inv != nil && res.StatusCode >= 400 && inv.ErrorType() == "" {
			t.Errorf("status %d is not a failure", res.StatusCode)
		}
	})
}

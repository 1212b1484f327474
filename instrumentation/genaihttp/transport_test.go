package genaihttp_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/trace"

	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/instrumentation/genaihttp"
)

const answer = `{"id":"chatcmpl-1","object":"chat.completion","model":"m-2026","choices":[` +
	`{"index":0,"message":{"role":"assistant","content":"4"},"finish_reason":"stop"}],` +
	`"usage":{"prompt_tokens":9,"completion_tokens":1,"total_tokens":10}}`

type roundTripperFunc func(*http.Request) (*http.Response, error)

func (f roundTripperFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestACallIsRecorded(t *testing.T) {
	rec := newRecording()
	url := serve(t, answerWith(200, "application/json", answer))
	if got := readAll(t, post(t, rec.client(), url, question).Body); got != answer {
		t.Errorf("body = %q, want it unchanged", got)
	}

	inv := rec.next(t)
	got := map[string]any{
		"kind": inv.Kind().String(), "operation": inv.Operation(), "provider": inv.Provider(),
		"model": inv.RequestModel(), "server": inv.ServerAddress(), "has port": inv.ServerPort() > 0,
		"input": textOf(inv.Input()[0]), "output": textOf(inv.Output()[0]),
		"id": inv.ResponseID(), "response model": inv.ResponseModel(),
		"finish": inv.FinishReasons(), "usage": inv.Usage(), "outcome": outcome(inv), "chunks": inv.Chunks(),
	}
	want := map[string]any{
		"kind": "inference", "operation": "chat", "provider": "openai",
		"model": "m", "server": "127.0.0.1", "has port": true,
		"input": "What is 2+2?", "output": "4",
		"id": "chatcmpl-1", "response model": "m-2026",
		"finish": []string{"stop"}, "usage": instrumentation.Usage{InputTokens: 9, OutputTokens: 1},
		"outcome": "ok", "chunks": 0,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if spans := rec.spans.GetSpans(); len(spans) != 1 || spans[0].Name != "chat m" {
		t.Errorf("spans = %v, want one named chat m", spans)
	}
}

func TestTheSpanTravelsWithTheRequest(t *testing.T) {
	rec := newRecording()
	var below trace.SpanContext
	base := roundTripperFunc(func(r *http.Request) (*http.Response, error) {
		below = trace.SpanContextFromContext(r.Context())
		return http.DefaultTransport.RoundTrip(r)
	})
	url := serve(t, answerWith(200, "application/json", answer))
	readAll(t, post(t, rec.clientOver(base), url, question).Body)
	if inv := rec.next(t); !below.IsValid() || below.SpanID() != inv.SpanContext().SpanID() {
		t.Errorf("span below = %v, want the invocation's", below)
	}
}

func TestWhatIsNotOursGoesStraightToTheBase(t *testing.T) {
	suppressed := instrumentation.Suppress(t.Context())
	tests := map[string]struct {
		ctx                               context.Context
		method, path, body, requestedType string
	}{
		"suppressed":   {suppressed, "POST", "/v1/chat/completions", question, "application/json"},
		"another path": {t.Context(), "POST", "/v1/models", question, "application/json"},
		"path beyond":  {t.Context(), "POST", "/v1/chat/completions/chatcmpl-1", question, "application/json"},
		"GET":          {t.Context(), "GET", "/v1/chat/completions", question, "application/json"},
		"a form":       {t.Context(), "POST", "/v1/chat/completions", "a=b", "application/x-www-form-urlencoded"},
		"no body":      {t.Context(), "POST", "/v1/chat/completions", "", "application/json"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			rec := newRecording()
			req := httptest.NewRequestWithContext(tt.ctx, tt.method, "http://example.test"+tt.path, strings.NewReader(tt.body))
			if tt.body == "" {
				req.Body = http.NoBody
			}
			req.Header.Set("Content-Type", tt.requestedType)
			response := &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(answer))}
			body := response.Body
			base := roundTripperFunc(func(r *http.Request) (*http.Response, error) {
				if r != req {
					t.Error("the base got another request")
				}
				return response, nil
			})
			res, err := genaihttp.NewTransport(base, genaihttp.WithHandler(rec.handler)).RoundTrip(req)
			if err != nil || res != response || res.Body != body {
				t.Errorf("RoundTrip = %v, %v, want the base's own response", res, err)
			}
			readAll(t, res.Body)
			rec.none(t)
		})
	}
}

func TestTheCallersRequestIsNotChanged(t *testing.T) {
	rec := newRecording()
	var sent *http.Request
	base := roundTripperFunc(func(r *http.Request) (*http.Response, error) {
		sent = r
		return http.DefaultTransport.RoundTrip(r)
	})
	url := serve(t, answerWith(200, "application/json", answer))
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(question))
	req.Header.Set("Content-Type", "application/json")
	before, body := req.Header.Clone(), req.Body
	res, err := rec.clientOver(base).Transport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	readAll(t, res.Body)
	if req.Body != body || req.Context() != t.Context() || !cmp.Equal(before, req.Header) {
		t.Error("the caller's request was changed")
	}
	if sent.ContentLength != int64(len(question)) || sent.GetBody == nil {
		t.Errorf("sent: ContentLength = %d, GetBody set: %t", sent.ContentLength, sent.GetBody != nil)
	}
	if res.Request != req {
		t.Error("res.Request is not the caller's request")
	}
}

func TestTwoTransportsRecordOnce(t *testing.T) {
	rec := newRecording()
	inner := genaihttp.NewTransport(nil, genaihttp.WithHandler(rec.handler))
	url := serve(t, answerWith(200, "application/json", answer))
	readAll(t, post(t, rec.clientOver(inner), url, question).Body)
	rec.next(t)
	rec.none(t)
}

func TestAnotherCallOnTheSameContextIsRecorded(t *testing.T) {
	rec := newRecording()
	url := serve(t, answerWith(200, "application/json", answer))
	plain := rec.client()
	base := roundTripperFunc(func(r *http.Request) (*http.Response, error) {
		// A middleware that asks another model first.
		req, _ := http.NewRequestWithContext(r.Context(), http.MethodPost, url+"?moderate", strings.NewReader(question))
		res, err := plain.Do(req)
		if err != nil {
			return nil, err
		}
		_, _ = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
		return http.DefaultTransport.RoundTrip(r)
	})
	readAll(t, post(t, rec.clientOver(base), url, question).Body)
	rec.next(t)
	rec.next(t)
	rec.none(t)
}

func TestZeroTransportUsesTheDefaults(t *testing.T) {
	rec := newRecording()
	instrumentation.SetDefault(rec.handler)
	t.Cleanup(func() { instrumentation.SetDefault(nil) })
	url := serve(t, answerWith(200, "application/json", answer))
	client := &http.Client{Transport: &genaihttp.Transport{}}
	readAll(t, post(t, client, url, question).Body)
	rec.next(t)
	client.CloseIdleConnections()
}

func TestTransportAsTheDefaultTransport(t *testing.T) {
	old := http.DefaultTransport
	t.Cleanup(func() { http.DefaultTransport = old })
	rec := newRecording()
	url := serve(t, answerWith(200, "application/json", answer))

	http.DefaultTransport = genaihttp.NewTransport(nil, genaihttp.WithHandler(rec.handler))
	readAll(t, post(t, &http.Client{}, url, question).Body)
	rec.next(t)

	http.DefaultTransport = &genaihttp.Transport{}
	if _, err := http.Post(url, "application/json", strings.NewReader(question)); err == nil { //nolint:bodyclose,noctx // nil
		t.Error("a zero transport on itself: no error")
	}
}

func TestWithProviderBeatsTheHost(t *testing.T) {
	rec := newRecording()
	url := serve(t, answerWith(200, "application/json", answer))
	readAll(t, post(t, rec.client(genaihttp.WithProvider("ollama")), url, question).Body)
	if got := rec.next(t).Provider(); got != "ollama" {
		t.Errorf("provider = %s", got)
	}
}

func TestARedirectIsFollowedWithItsBody(t *testing.T) {
	rec := newRecording()
	var got string
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		if r.URL.Query().Get("moved") == "" {
			http.Redirect(w, r, r.URL.Path+"?moved=1", http.StatusTemporaryRedirect)
			return
		}
		got = string(b)
		_, _ = io.WriteString(w, answer)
	})
	readAll(t, post(t, rec.client(), url, question).Body)
	if got != question {
		t.Errorf("the second server got %q", got)
	}
	if first, second := rec.next(t), rec.next(t); outcome(first) != "ok" || textOf(second.Output()[0]) != "4" {
		t.Errorf("outcomes = %s, %s", outcome(first), outcome(second))
	}
}

func TestSwitchedProtocolsAreLeftAlone(t *testing.T) {
	rec := newRecording()
	body := struct {
		io.Reader
		io.Writer
		io.Closer
	}{strings.NewReader("raw"), io.Discard, io.NopCloser(nil)}
	base := roundTripperFunc(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 101, Body: body}, nil
	})
	res := post(t, rec.clientOver(base), "http://x.test/chat/completions", question)
	if _, ok := res.Body.(io.Writer); !ok {
		t.Errorf("body = %T, want the connection itself", res.Body)
	}
	if got := outcome(rec.next(t)); got != "ok" {
		t.Errorf("outcome = %s", got)
	}
}

func TestHTTP2(t *testing.T) {
	rec := newRecording()
	s := httptest.NewUnstartedServer(answerWith(200, "text/event-stream",
		"data: {\"choices\":[{\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"))
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	res := post(t, rec.clientOver(s.Client().Transport), s.URL+"/chat/completions", question)
	readAll(t, res.Body)
	if inv := rec.next(t); res.ProtoMajor != 2 || textOf(inv.Output()[0]) != "hi" {
		t.Errorf("HTTP/%d, output = %v", res.ProtoMajor, inv.Output())
	}
}

func TestConcurrentCallsDoNotMix(t *testing.T) {
	rec := newRecording()
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		for _, c := range string(b) {
			_, _ = fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{\"content\":%q}}]}\n", string(c))
		}
		_, _ = io.WriteString(w, "data: [DONE]\n")
	})
	client := rec.client()
	const calls = 64
	var wg sync.WaitGroup
	for i := range calls {
		wg.Go(func() {
			body := fmt.Sprintf(`{"model":"m%d","messages":[]}`, i)
			res, err := client.Post(url, "application/json", strings.NewReader(body)) //nolint:noctx // a test
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
		})
	}
	wg.Wait()
	for range calls {
		inv := rec.next(t)
		want := fmt.Sprintf(`{"model":%q,"messages":[]}`, inv.RequestModel())
		if got := textOf(inv.Output()[0]); got != want {
			t.Errorf("%s: output = %q, want %q", inv.RequestModel(), got, want)
		}
	}
}

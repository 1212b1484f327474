package genaihttp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/genaievals/genaievals/instrumentation/genaihttp"
)

func TestEndingsOfACall(t *testing.T) {
	stream := func(events ...string) string { return "data: " + strings.Join(events, "\n\ndata: ") + "\n\n" }
	const (
		hello = `{"id":"c","choices":[{"index":0,"delta":{"content":"Hel"}}]}`
		stop  = `{"choices":[{"index":0,"delta":{"content":"lo"},"finish_reason":"stop"}]}`
		open  = `{"choices":[{"index":0,"message":{"content":"Hello"}`
	)
	all := func(t *testing.T, b io.ReadCloser) { readAll(t, b) }
	unread := func(*testing.T, io.ReadCloser) {}
	some := func(t *testing.T, b io.ReadCloser) {
		if _, err := io.ReadFull(b, make([]byte, 60)); err != nil {
			t.Fatal(err)
		}
	}
	tests := map[string]struct {
		status         int
		contentType    string
		body           string
		read           func(*testing.T, io.ReadCloser)
		outcome, said  string
		withoutSpanErr bool
	}{
		"document":                  {200, "application/json", answer, all, "ok", "4", true},
		"document never read":       {200, "application/json", answer, unread, "cancelled", "", true},
		"document half read":        {200, "application/json", answer, some, "cancelled", "", true},
		"document broken off":       {200, "application/json", open, all, "malformed_response", "", false},
		"empty":                     {200, "application/json", "", all, "malformed_response", "", false},
		"page":                      {200, "text/html", "<html>sign in</html>", all, "malformed_response", "", false},
		"error text":                {200, "text/plain", "error: upstream", all, "malformed_response", "", false},
		"no choices":                {200, "application/json", `{"choices":[]}`, all, "ok", "", true},
		"error in a document":       {200, "application/json", `{"error":{"code":402,"message":"credits"}}`, all, "402", "", false},
		"no error":                  {200, "application/json", `{"error":null,` + answer[1:], all, "ok", "4", true},
		"status":                    {503, "text/html", "<html>", all, "503", "", false},
		"status never read":         {503, "text/html", "<html>", unread, "503", "", false},
		"status with a code":        {429, "application/json", `{"error":{"code":"rate_limit_exceeded"}}`, all, "rate_limit_exceeded", "", false},
		"redirection, not followed": {304, "application/json", "", all, "ok", "", true},
		"stream":                    {200, "text/event-stream", stream(hello, stop, "[DONE]"), all, "ok", "Hello", true},
		"stream without [DONE]":     {200, "text/event-stream", stream(hello, stop), all, "ok", "Hello", true},
		"stream without an end":     {200, "text/event-stream", stream(hello), all, "incomplete_stream", "Hel", false},
		"stream of nothing":         {200, "text/event-stream", ": hi\n\n", all, "malformed_response", "", false},
		"stream half read":          {200, "text/event-stream", stream(hello, stop, "[DONE]"), some, "cancelled", "", true},
		"stream with an error":      {200, "text/event-stream", stream(hello, `{"error":{"type":"server_error"}}`), all, "server_error", "Hel", false},
		"stream, unannounced":       {200, "text/plain", stream(hello, stop, "[DONE]"), all, "ok", "Hello", true},
		"document for a stream":     {200, "text/event-stream", answer, all, "ok", "4", true},
		"keep-alive newlines":       {200, "application/json", "\n\n\n" + answer, all, "ok", "4", true},
		"error event":               {200, "text/event-stream", "event: error\ndata: {\"code\":\"overloaded\"}\n\n", all, "overloaded", "", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			rec := newRecording()
			res := post(t, rec.client(), serve(t, answerWith(tt.status, tt.contentType, tt.body)), question)
			tt.read(t, res.Body)
			_ = res.Body.Close()
			inv := rec.next(t)
			said := ""
			if len(inv.Output()) > 0 {
				said = textOf(inv.Output()[0])
			}
			if outcome(inv) != tt.outcome || said != tt.said {
				t.Errorf("outcome = %s, output = %q, want %s, %q", outcome(inv), said, tt.outcome, tt.said)
			}
			if failed := rec.spans.GetSpans()[0].Status.Code != 0; failed == tt.withoutSpanErr {
				t.Errorf("span failed: %t", failed)
			}
			rec.none(t)
		})
	}
}

func TestADocumentThatWasDecodedAndClosedIsComplete(t *testing.T) {
	rec := newRecording()
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, answer)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done() // the body's end never comes
	})
	res := post(t, rec.client(), url, question)
	var decoded struct{ ID string }
	if err := json.NewDecoder(res.Body).Decode(&decoded); err != nil || decoded.ID != "chatcmpl-1" {
		t.Fatal(decoded, err)
	}
	_ = res.Body.Close()
	if inv := rec.next(t); outcome(inv) != "ok" || textOf(inv.Output()[0]) != "4" {
		t.Errorf("outcome = %s, output = %v", outcome(inv), inv.Output())
	}
}

func TestAStreamIsOverAtItsEndMark(t *testing.T) {
	rec := newRecording()
	release := make(chan struct{})
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\ndata: [DONE]\n\n")
		_ = http.NewResponseController(w).Flush()
		select {
		case <-release:
		case <-r.Context().Done():
		}
		_, _ = io.WriteString(w, "data: {\"choices\":[{\"delta\":{\"content\":\"y\"}}]}\n\n")
	})
	res := post(t, rec.client(), url, question)
	buf := make([]byte, 1024)
	for got := ""; !strings.Contains(got, "[DONE]"); {
		n, err := res.Body.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		got += string(buf[:n])
	}
	inv := rec.next(t) // while the body is open
	close(release)
	if rest := readAll(t, res.Body); !strings.Contains(rest, "y") {
		t.Errorf("rest = %q", rest)
	}
	if outcome(inv) != "ok" || textOf(inv.Output()[0]) != "x" {
		t.Errorf("outcome = %s, output = %q", outcome(inv), textOf(inv.Output()[0]))
	}
}

func TestErrorsOfTheBase(t *testing.T) {
	cause := errors.New("the user left")
	cancelled, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	broken := errors.New("no route")
	tests := map[string]struct {
		ctx  context.Context
		err  error
		want string
	}{
		"failure":                {t.Context(), broken, "_OTHER"},
		"cancelled":              {cancelled, context.Canceled, "cancelled"},
		"cancelled with a cause": {cancelled, cause, "cancelled"},
		"deadline":               {t.Context(), context.DeadlineExceeded, "timeout"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			rec := newRecording()
			base := roundTripperFunc(func(r *http.Request) (*http.Response, error) {
				_ = r.Body.Close()
				return nil, tt.err
			})
			req, _ := http.NewRequestWithContext(tt.ctx, http.MethodPost, "http://x.test/chat/completions", strings.NewReader(question))
			res, err := genaihttp.NewTransport(base, genaihttp.WithHandler(rec.handler)).RoundTrip(req) //nolint:bodyclose // nil
			if res != nil || err != tt.err {                                                            //nolint:errorlint // the very same
				t.Errorf("RoundTrip = %v, %v, want the base's error as it is", res, err)
			}
			if got := outcome(rec.next(t)); got != tt.want {
				t.Errorf("outcome = %s, want %s", got, tt.want)
			}
		})
	}
}

func TestCancellingAndTimingOutMidStream(t *testing.T) {
	tests := map[string]struct {
		client  func(*http.Client)
		cancel  bool
		want    string
		finish  string
		walkOff bool
	}{
		"cancelled":                       {cancel: true, want: "cancelled"},
		"cancelled and never read again":  {cancel: true, walkOff: true, want: "cancelled"},
		"cancelled after the last choice": {cancel: true, finish: "stop", want: "ok"},
		"client timeout":                  {client: func(c *http.Client) { c.Timeout = 200 * time.Millisecond }, want: "timeout"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			rec := newRecording()
			url := serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{\"content\":\"part\"},\"finish_reason\":%q}]}\n\n", tt.finish)
				_ = http.NewResponseController(w).Flush()
				<-r.Context().Done()
			})
			client := rec.client()
			if tt.client != nil {
				tt.client(client)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			req, _ := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(question))
			res, err := client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = res.Body.Close() }()
			if _, err := res.Body.Read(make([]byte, 1000)); err != nil {
				t.Fatal(err)
			}
			if tt.cancel {
				cancel()
			}
			if !tt.walkOff {
				if _, err := io.ReadAll(res.Body); err == nil {
					t.Error("reading on: no error")
				}
			}
			inv := rec.next(t)
			if outcome(inv) != tt.want || textOf(inv.Output()[0]) != "part" {
				t.Errorf("outcome = %s, output = %v, want %s, part", outcome(inv), inv.Output(), tt.want)
			}
		})
	}
}

func TestAClientsTimeoutBeforeTheAnswerIsATimeout(t *testing.T) {
	rec := newRecording()
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	})
	client := rec.client()
	client.Timeout = 100 * time.Millisecond
	if _, err := client.Post(url, "application/json", strings.NewReader(question)); err == nil { //nolint:bodyclose,noctx // nil
		t.Fatal("no error")
	}
	if got := outcome(rec.next(t)); got != "timeout" {
		t.Errorf("outcome = %s, want timeout", got)
	}
}

func TestAConnectionThatBreaksIsAFailure(t *testing.T) {
	rec := newRecording()
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: {\"choices\":[{\"delta\":{\"content\":\"part\"}}]}\n\n")
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	res := post(t, rec.client(), url, question)
	if _, err := io.ReadAll(res.Body); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the application sees %v, want %v", err, io.ErrUnexpectedEOF)
	}
	inv := rec.next(t)
	if inv.ErrorType() == "" || inv.Cancelled() || textOf(inv.Output()[0]) != "part" {
		t.Errorf("outcome = %s, output = %v", outcome(inv), inv.Output())
	}
}

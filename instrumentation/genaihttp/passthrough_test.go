package genaihttp_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/genaievals/genaievals/instrumentation/genaihttp"
)

func TestBytesPassThroughUnchanged(t *testing.T) {
	big := strings.Repeat("x", 5<<20)
	bodies := map[string]string{
		"document":           answer,
		"stream":             "data: {\"choices\":[]}\r\n\r\ndata: [DONE]\r\r: bye\n",
		"empty":              "",
		"bare CR":            "data: a\rdata: b\r",
		"no final newline":   "data: {\"choices\":[",
		"byte order mark":    "\xef\xbb\xbfdata: {}\n\n",
		"invalid UTF-8":      "data: \xff\xfe{\x80\n\n",
		"NUL":                "data: \x00\x00\n\n{\x00}",
		"binary":             string([]byte{0, 1, 2, 253, 254, 255}),
		"giant line":         "data: " + big,
		"giant document":     `{"choices":[{"message":{"content":"` + big + `"}}]}`,
		"nested":             strings.Repeat("[", 200_000),
		"huge index":         `data: {"choices":[{"index":9223372036854775807,"delta":{"content":"x"}}]}` + "\n\n",
		"after [DONE]":       "data: [DONE]\n\ndata: more\n\n",
		"many empty events":  strings.Repeat("\n", 1<<20),
		"many little events": strings.Repeat("data: {}\n\n", 1<<16),
	}
	for name, body := range bodies {
		for _, contentType := range []string{"application/json", "text/event-stream", ""} {
			t.Run(name+" as "+contentType, func(t *testing.T) {
				rec := newRecording()
				request := `{"model":"m","messages":[{"role":"user","content":"` + body[:min(len(body), 1<<20)] + `"}]}`
				var received string
				url := serve(t, func(w http.ResponseWriter, r *http.Request) {
					b, _ := io.ReadAll(r.Body)
					received = string(b)
					w.Header()["Content-Type"] = []string{contentType}
					_, _ = io.WriteString(w, body)
				})
				res := post(t, rec.client(), url, request)
				if got := readAll(t, res.Body); got != body {
					t.Errorf("the application got %d bytes, the server sent %d", len(got), len(body))
				}
				if received != request {
					t.Errorf("the server got %d bytes, the application sent %d", len(received), len(request))
				}
				rec.next(t)
			})
		}
	}
}

func TestEventsPassThroughAsTheyCome(t *testing.T) {
	rec := newRecording()
	seen := make(chan struct{})
	events := []string{
		"data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n",
		"data: {\"choices\":[{\"delta\":{\"content\":\"one\"}}]}\n\n",
		"data: {\"choices\":[{\"delta\":{\"content", // ends anywhere
		"\":\" two\"},\"finish_reason\":\"stop\"}]}\n",
		"\ndata: [DONE]\n\n",
	}
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range events {
			_, _ = io.WriteString(w, e)
			_ = http.NewResponseController(w).Flush()
			select { // the next one is sent only when this one was seen
			case <-seen:
			case <-time.After(patience):
				return
			}
		}
	})
	res := post(t, rec.client(), url, question)
	buf := make([]byte, 4096)
	for _, e := range events {
		n, err := res.Body.Read(buf)
		if err != nil || string(buf[:n]) != e {
			t.Fatalf("read %q, %v, want the chunk %q", buf[:n], err, e)
		}
		seen <- struct{}{}
	}
	readAll(t, res.Body)
	inv := rec.next(t)
	if got := textOf(inv.Output()[0]); got != "one two" || inv.Chunks() != 2 {
		t.Errorf("output = %q in %d chunks, want one two in 2", got, inv.Chunks())
	}
	if first, all := inv.TimeToFirstChunk(), inv.EndTime().Sub(inv.StartTime()); first <= 0 || first > all {
		t.Errorf("first chunk after %v of %v", first, all)
	}
}

func TestRequestBodiesOfEveryKind(t *testing.T) {
	long := `{"model":"m","messages":[{"role":"user","content":"` + strings.Repeat("word ", 1<<20) + `"}]}`
	tests := map[string]struct {
		body  func() io.Reader
		want  string
		model string
	}{
		"in memory":       {func() io.Reader { return strings.NewReader(question) }, question, "m"},
		"a stream":        {func() io.Reader { return io.MultiReader(strings.NewReader(question)) }, question, "m"},
		"byte by byte":    {func() io.Reader { return iotest.OneByteReader(strings.NewReader(question)) }, question, "m"},
		"data with EOF":   {func() io.Reader { return iotest.DataErrReader(strings.NewReader(question)) }, question, "m"},
		"past the bound":  {func() io.Reader { return strings.NewReader(long) }, long, "m"},
		"a long stream":   {func() io.Reader { return io.MultiReader(strings.NewReader(long)) }, long, "m"},
		"not JSON":        {func() io.Reader { return strings.NewReader("hello") }, "hello", ""},
		"broken off":      {func() io.Reader { return strings.NewReader(question[:20]) }, question[:20], "m"},
		"a pipe, written": {func() io.Reader { return written(question) }, question, "m"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			rec := newRecording()
			var received string
			var length int64
			url := serve(t, func(w http.ResponseWriter, r *http.Request) {
				b, _ := io.ReadAll(r.Body)
				received, length = string(b), r.ContentLength
				_, _ = io.WriteString(w, answer)
			})
			body := tt.body()
			wantLength := int64(-1)
			if r, ok := body.(*strings.Reader); ok {
				wantLength = r.Size()
			}
			req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, url, body)
			res, err := rec.client().Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = res.Body.Close() }()
			readAll(t, res.Body)
			if received != tt.want || length != wantLength {
				t.Errorf("the server got %d bytes, Content-Length %d, want %d, %d", len(received), length, len(tt.want), wantLength)
			}
			if inv := rec.next(t); inv.RequestModel() != tt.model || textOf(inv.Output()[0]) != "4" {
				t.Errorf("model = %q, output = %v, want %q, 4", inv.RequestModel(), inv.Output(), tt.model)
			}
		})
	}
}

func written(s string) io.Reader {
	r, w := io.Pipe()
	go func() {
		_, _ = io.WriteString(w, s)
		_ = w.Close()
	}()
	return r
}

func TestARequestIsNotEmptiedThroughItsGetBody(t *testing.T) {
	rec := newRecording()
	var received string
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		received = string(b)
		_, _ = io.WriteString(w, answer)
	})
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(question))
	same := req.Body
	req.GetBody = func() (io.ReadCloser, error) { return same, nil } // wrong, and common
	res, err := rec.client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	readAll(t, res.Body)
	if received != question {
		t.Errorf("the server got %q", received)
	}
	if got := textOf(rec.next(t).Input()[0]); got != "What is 2+2?" {
		t.Errorf("input = %q", got)
	}
}

func TestARequestBodyThatFails(t *testing.T) {
	broken := errors.New("disk on fire")
	for name, body := range map[string]io.Reader{
		"at once":     iotest.ErrReader(broken),
		"in the end":  io.MultiReader(strings.NewReader(question), iotest.ErrReader(broken)),
		"with length": &sized{io.MultiReader(strings.NewReader(question), iotest.ErrReader(broken))},
	} {
		t.Run(name, func(t *testing.T) {
			rec := newRecording()
			url := serve(t, answerWith(200, "application/json", answer))
			req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, url, body)
			if _, ok := body.(*sized); ok {
				req.ContentLength = 1000
			}
			if _, err := rec.client().Do(req); !errors.Is(err, broken) { //nolint:bodyclose // nil
				t.Errorf("error = %v, want %v", err, broken)
			}
			if got := outcome(rec.next(t)); got == "ok" || got == "cancelled" {
				t.Errorf("outcome = %s, want a failure", got)
			}
		})
	}
}

type sized struct{ io.Reader }

// closable notices that it was closed.
type closable struct {
	io.Reader
	closed chan struct{}
}

func (c *closable) Close() error { close(c.closed); return nil }

func TestARequestBodyThatStallsIsGivenUpWithTheContext(t *testing.T) {
	rec := newRecording()
	url := serve(t, answerWith(200, "application/json", answer))
	r, w := io.Pipe()
	defer func() { _ = w.Close() }()
	ctx, cancel := context.WithCancel(t.Context())
	body := &closable{r, make(chan struct{})}
	req, _ := http.NewRequestWithContext(ctx, http.MethodPost, url, body)
	done := make(chan error)
	go func() {
		_, err := rec.client().Do(req) //nolint:bodyclose // nil
		done <- err
	}()
	cancel()
	select {
	case err := <-done:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error = %v, want %v", err, context.Canceled)
		}
	case <-time.After(patience):
		t.Fatal("RoundTrip hangs in the body")
	}
	select {
	case <-body.closed:
	case <-time.After(patience):
		t.Error("the body was not closed")
	}
	if got := outcome(rec.next(t)); got != "cancelled" {
		t.Errorf("outcome = %s, want cancelled", got)
	}
}

func TestCompressedResponses(t *testing.T) {
	stream := "data: {\"choices\":[{\"delta\":{\"content\":\"4\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
	zipped := func(s string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = io.WriteString(z, s)
		_ = z.Close()
		return b.String()
	}
	bomb := zipped(`{"choices":[{"message":{"content":"` + strings.Repeat("a", 16<<20) + `"}}]}`)
	tests := map[string]struct {
		coding, contentType, body string
		outcome, said             string
		closeEarly                bool
	}{
		"gzip document":    {"gzip", "application/json", zipped(answer), "ok", "4", false},
		"gzip stream":      {"GZIP", "text/event-stream", zipped(stream), "ok", "4", false},
		"gzip, closed":     {"gzip", "text/event-stream", zipped(stream), "cancelled", "", true},
		"identity":         {"identity", "application/json", answer, "ok", "4", false},
		"gzip, broken":     {"gzip", "application/json", zipped(answer)[:40], "ok", "", false},
		"gzip that is not": {"gzip", "application/json", answer, "ok", "", false},
		"a bomb":           {"gzip", "application/json", bomb, "ok", "", false},
		"an unknown one":   {"br", "application/json", "\x0b\x02\x80", "ok", "", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			rec := newRecording()
			url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", tt.contentType)
				w.Header().Set("Content-Encoding", tt.coding)
				_, _ = io.WriteString(w, tt.body)
			})
			req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(question))
			req.Header.Set("Accept-Encoding", "gzip, br") // so that net/http leaves it alone
			res, err := rec.client().Do(req)
			if err != nil {
				t.Fatal(err)
			}
			if tt.closeEarly {
				if _, err := io.ReadFull(res.Body, make([]byte, 20)); err != nil {
					t.Fatal(err)
				}
			} else if got := readAll(t, res.Body); got != tt.body {
				t.Error("the body was changed")
			}
			_ = res.Body.Close()
			inv := rec.next(t)
			said := ""
			if len(inv.Output()) > 0 {
				said = textOf(inv.Output()[0])
			}
			if outcome(inv) != tt.outcome || said != tt.said {
				t.Errorf("outcome = %s, output = %q, want %s, %q", outcome(inv), said, tt.outcome, tt.said)
			}
		})
	}
}

func TestACompressedRequestIsRead(t *testing.T) {
	rec := newRecording()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, question)
	_ = z.Close()
	sent := b.Bytes()
	var received []byte
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		received, _ = io.ReadAll(r.Body)
		_, _ = io.WriteString(w, answer)
	})
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(sent))
	req.Header.Set("Content-Encoding", "gzip")
	res, err := rec.client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	readAll(t, res.Body)
	if inv := rec.next(t); inv.RequestModel() != "m" || !bytes.Equal(sent, received) {
		t.Errorf("model = %q, body unchanged: %t", inv.RequestModel(), bytes.Equal(sent, received))
	}
}

func TestMaxBodyBoundsWhatIsKeptAndNothingElse(t *testing.T) {
	rec := newRecording()
	const limit = 200
	request := `{"model":"m","stop":["` + strings.Repeat("s", 300) + `"]}`
	response := `{"id":"kept","choices":[{"message":{"content":"` + strings.Repeat("c", 300) + `"}}]}`
	var received string
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		received = string(b)
		_, _ = io.WriteString(w, response)
	})
	res := post(t, rec.client(genaihttp.WithMaxBody(limit)), url, request)
	if got := readAll(t, res.Body); got != response || received != request {
		t.Error("a body was changed")
	}
	inv := rec.next(t)
	if inv.RequestModel() != "m" || inv.ResponseID() != "kept" || len(inv.Output()) != 0 || outcome(inv) != "ok" {
		t.Errorf("model = %q, id = %q, output = %v, outcome = %s",
			inv.RequestModel(), inv.ResponseID(), inv.Output(), outcome(inv))
	}
}

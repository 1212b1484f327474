package genaihttp_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/instrumentation/genaihttp"
)

// described writes down what was recorded of a request.
func described(inv *instrumentation.Invocation) []string {
	out := []string{"model " + inv.RequestModel()}
	for _, m := range inv.Input() {
		for _, p := range m.Parts {
			text := p.Content
			if len(text) > 40 {
				text = fmt.Sprintf("%d bytes", len(text))
			}
			if p.Type == instrumentation.PartBlob {
				text = fmt.Sprintf("%s of %d", p.MIMEType, p.Bytes)
			}
			out = append(out, m.Role+": "+text)
		}
	}
	if inv.InputTruncated() {
		out = append(out, "cut")
	}
	return out
}

func TestRequestsOverTheBound(t *testing.T) {
	picture := `{"type":"image_url","image_url":{"url":"data:image/png;base64,` + strings.Repeat("QUJD", 5<<12) + `"}}` // 80 KiB
	sound := `{"type":"input_audio","input_audio":{"format":"wav","data":"` + strings.Repeat("QUJD", 5<<12) + `"}}`
	text := func(s string) string { return `{"type":"text","text":"` + s + `"}` }
	user := func(parts ...string) string {
		return `{"role":"user","content":[` + strings.Join(parts, ",") + `]}`
	}
	body := func(messages ...string) string {
		return `{"messages":[` + strings.Join(messages, ",") + `],"model":"m"}`
	}
	long := strings.Repeat("It goes on. ", 6_000) // 70 KiB
	tests := map[string]struct {
		body string
		want []string
	}{
		"a picture between texts": {
			body(user(text("Look:"), picture, text("What is it?"))),
			[]string{"model m", "user: Look:", "user: image/png of 61440", "user: What is it?"},
		},
		"pictures in every turn": {
			body(user(picture, text("one")), `{"role":"assistant","content":"I see."}`, user(picture, sound, text("two"))),
			[]string{
				"model m", "user: image/png of 61440", "user: one", "assistant: I see.",
				"user: image/png of 61440", "user: audio/wav of 61440", "user: two",
			},
		},
		"a long text, then a turn": {
			body(user(text("one")), user(text(long)), user(text("two"))),
			[]string{"model ", "user: one", "cut"},
		},
		"a long text after the messages": {
			`{"messages":[` + user(text("one")) + `],"model":"m","tools":[{"type":"function","function":{"name":"` + long + `"}}]}`,
			[]string{"model m", "user: one"},
		},
		"a long text before the messages": {
			`{"model":"m","user":"` + long + `","messages":[` + user(text("one")) + `]}`,
			[]string{"model m", "cut"},
		},
		"no JSON": {`{"model":"m","messages":[` + user(text("one")), []string{"model m", "cut"}},
	}
	for name, tt := range tests {
		for _, sized := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, sized %t", name, sized), func(t *testing.T) {
				rec := newRecording()
				var received bytes.Buffer
				url := serve(t, func(w http.ResponseWriter, r *http.Request) {
					_, _ = io.Copy(&received, r.Body)
					_, _ = io.WriteString(w, answer)
				})
				var sent io.Reader = strings.NewReader(tt.body)
				if !sized {
					sent = io.MultiReader(sent) // neither a length nor a GetBody
				}
				req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, url, sent)
				res, err := rec.client(genaihttp.WithMaxBody(64 << 10)).Do(req)
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = res.Body.Close() }()
				readAll(t, res.Body)
				inv := rec.next(t)
				if d := cmp.Diff(tt.want, described(inv)); d != "" {
					t.Error(d)
				}
				if received.String() != tt.body {
					t.Error("the body was changed")
				}
				if name := rec.spans.GetSpans()[0].Name; inv.RequestModel() == "m" && name != "chat m" {
					t.Errorf("span %q", name)
				}
				reason, _ := evaluators.NeedsMissing(evaluators.CaseOf(inv), evaluators.NeedInput|evaluators.NeedOutput)
				if (reason == evaluators.SkipContentTruncated) != inv.InputTruncated() {
					t.Errorf("a metric that needs the input is skipped as %q", reason)
				}
			})
		}
	}
}

func TestALargeRequestIsNotKept(t *testing.T) {
	rec := newRecording()
	const limit = 1 << 20
	var during runtime.MemStats
	base := roundTripperFunc(func(r *http.Request) (*http.Response, error) {
		_, _ = io.Copy(io.Discard, r.Body)
		runtime.GC()
		runtime.ReadMemStats(&during)
		return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(answer))}, nil
	})
	var before runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	endless := io.MultiReader(
		strings.NewReader(`{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,`),
		io.LimitReader(letters{}, 64*limit),
		strings.NewReader(`"}},"What is it?"]}]}`))
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://x.test/chat/completions", endless)
	res, err := rec.clientOver(base, genaihttp.WithMaxBody(limit)).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	readAll(t, res.Body)
	if grown := int64(during.HeapAlloc) - int64(before.HeapAlloc); grown > 6*limit {
		t.Errorf("%d bytes are kept, bound %d", grown, limit)
	}
	want := []string{"model ", "user: image/png of 50331648", "user: What is it?"}
	if d := cmp.Diff(want, described(rec.next(t))); d != "" {
		t.Error(d)
	}
}

type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'Q'
	}
	return len(p), nil
}

func TestABodyThatWaitsForTheServerIsNotReadBefore(t *testing.T) {
	zipped := func(s string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = io.WriteString(z, s)
		_ = z.Close()
		return b.String()
	}
	const input = `{"model":"m","messages":[{"role":"user","content":"What is 2+2?"}]}`
	tests := map[string]struct {
		expect, coding, body string
		agree                bool // the server reads the body
		early                bool // the body is read before it is sent
		want                 []string
	}{
		"agreed":     {"100-continue", "", input, true, false, []string{"model m", "user: What is 2+2?"}},
		"spelled":    {"other, 100-Continue", "", input, true, false, []string{"model m", "user: What is 2+2?"}},
		"refused":    {"100-continue", "", input, false, false, []string{"model ", "cut"}},
		"compressed": {"100-continue", "gzip", zipped(input), true, false, []string{"model ", "cut"}},
		"no JSON":    {"100-continue", "", "{", true, false, []string{"model ", "cut"}},
		"no waiting": {"", "", input, true, true, []string{"model m", "user: What is 2+2?"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			rec := newRecording()
			body := &watchedBody{Reader: strings.NewReader(tt.body)}
			base := roundTripperFunc(func(r *http.Request) (*http.Response, error) {
				if (body.reads > 0) != tt.early {
					t.Errorf("%d reads of the body before the server agreed", body.reads)
				}
				if !tt.agree {
					_ = r.Body.Close()
					return &http.Response{StatusCode: 417, Body: http.NoBody}, nil
				}
				got, err := io.ReadAll(r.Body)
				if err != nil || string(got) != tt.body {
					t.Errorf("sent %q, %v", got, err)
				}
				_ = r.Body.Close()
				return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(answer))}, nil
			})
			req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://x.test/chat/completions", body)
			req.Header.Set("Expect", tt.expect)
			req.Header.Set("Content-Encoding", tt.coding)
			res, err := rec.clientOver(base).Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = res.Body.Close() }()
			readAll(t, res.Body)
			if d := cmp.Diff(tt.want, described(rec.next(t))); d != "" {
				t.Error(d)
			}
			if !body.closed {
				t.Error("the body was not closed")
			}
		})
	}
}

type watchedBody struct {
	io.Reader
	reads  int
	closed bool
}

func (b *watchedBody) Read(p []byte) (int, error) { b.reads++; return b.Reader.Read(p) }
func (b *watchedBody) Close() error               { b.closed = true; return nil }

func TestExpectContinueOverTheWire(t *testing.T) {
	rec := newRecording()
	url := serve(t, answerWith(200, "application/json", answer))
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(question))
	req.Header.Set("Expect", "100-continue")
	base := http.DefaultTransport.(*http.Transport).Clone()
	defer base.CloseIdleConnections()
	res, err := rec.clientOver(base).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	readAll(t, res.Body)
	if d := cmp.Diff([]string{"model m", "user: What is 2+2?"}, described(rec.next(t))); d != "" {
		t.Error(d)
	}
}

// panicking bodies and transports.

type panickingBody struct {
	io.Reader
	atRead, atClose any
}

func (b panickingBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if errors.Is(err, io.EOF) && b.atRead != nil {
		panic(b.atRead)
	}
	return n, err
}

func (b panickingBody) Close() error {
	if b.atClose != nil {
		panic(b.atClose)
	}
	return nil
}

func TestWhatPanicsAboveIsSeenAboveAndEnded(t *testing.T) {
	cause := errors.New("of the application")
	response := func(b io.ReadCloser) roundTripperFunc {
		return func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Body: b}, nil
		}
	}
	reading := roundTripperFunc(func(r *http.Request) (*http.Response, error) {
		_, err := io.ReadAll(r.Body)
		return nil, err
	})
	half := strings.NewReader(`{"model":"m"`)
	tests := map[string]struct {
		base    http.RoundTripper
		request io.ReadCloser
		want    string
	}{
		"the base":          {roundTripperFunc(func(*http.Request) (*http.Response, error) { panic(cause) }), nil, "transport_panic"},
		"the request":       {reading, panickingBody{Reader: half, atRead: cause}, "transport_panic"},
		"the response":      {response(panickingBody{Reader: strings.NewReader("{"), atRead: cause}), nil, "transport_panic"},
		"closing":           {response(panickingBody{Reader: strings.NewReader("{"), atClose: cause}), nil, "malformed_response"},
		"closing at once":   {response(panickingBody{Reader: strings.NewReader(""), atRead: io.EOF, atClose: cause}), nil, "transport_panic"},
		"closing, recorded": {response(panickingBody{Reader: strings.NewReader(answer), atClose: cause}), nil, "ok"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			rec := newRecording()
			if tt.request == nil {
				tt.request = io.NopCloser(strings.NewReader(question))
			}
			req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://x.test/chat/completions", tt.request)
			transport := genaihttp.NewTransport(tt.base, genaihttp.WithHandler(rec.handler))
			var caught any
			func() {
				defer func() { caught = recover() }()
				res, err := transport.RoundTrip(req)
				if err != nil {
					t.Fatal(err)
				}
				func() {
					defer func() {
						if v := recover(); v != nil && v != any(io.EOF) {
							panic(v)
						}
					}()
					_, _ = io.ReadAll(res.Body)
				}()
				_ = res.Body.Close()
			}()
			if caught != any(cause) {
				t.Errorf("panicked with %v, want the application's own value", caught)
			}
			if got := outcome(rec.next(t)); got != tt.want {
				t.Errorf("outcome = %s, want %s", got, tt.want)
			}
			rec.none(t)
			if n := len(rec.spans.GetSpans()); n != 1 {
				t.Errorf("%d spans ended", n)
			}
		})
	}
}

func TestABaseThatEndsItsGoroutine(t *testing.T) {
	rec := newRecording()
	base := roundTripperFunc(func(*http.Request) (*http.Response, error) { runtime.Goexit(); return nil, nil })
	done := make(chan struct{})
	go func() {
		defer close(done)
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://x.test/chat/completions", strings.NewReader(question))
		_, _ = genaihttp.NewTransport(base, genaihttp.WithHandler(rec.handler)).RoundTrip(req) //nolint:bodyclose // none
	}()
	<-done
	if got := outcome(rec.next(t)); got != "transport_panic" {
		t.Errorf("outcome = %s", got)
	}
}

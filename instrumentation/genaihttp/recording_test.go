package genaihttp_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/instrumentation/genaihttp"
)

// TestMain fails the tests when the package leaves a goroutine behind.
func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 {
		if left := goroutinesOfPackage(5 * time.Second); left != "" {
			_, _ = os.Stderr.WriteString("goroutines left behind:\n" + left)
			code = 1
		}
	}
	os.Exit(code)
}

func goroutinesOfPackage(patience time.Duration) string {
	for end := time.Now().Add(patience); ; runtime.Gosched() {
		stacks := make([]byte, 1<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		var left strings.Builder
		for stack := range strings.SplitSeq(string(stacks), "\n\n") {
			if strings.Contains(stack, "genaihttp.") && !strings.Contains(stack, "genaihttp_test.TestMain") {
				left.WriteString(stack + "\n\n")
			}
		}
		if left.Len() == 0 || time.Now().After(end) {
			return left.String()
		}
	}
}

// patience is how long a test waits for what must happen.
const patience = 20 * time.Second

// recording holds what a handler recorded.
type recording struct {
	handler *instrumentation.Handler
	spans   *tracetest.InMemoryExporter
	ended   chan *instrumentation.Invocation
}

func newRecording() *recording {
	r := &recording{spans: tracetest.NewInMemoryExporter(), ended: make(chan *instrumentation.Invocation, 1000)}
	r.handler = instrumentation.NewHandler(
		instrumentation.WithTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSyncer(r.spans))))
	r.handler.Register(instrumentation.CompletionCallbackFunc(func(inv *instrumentation.Invocation) { r.ended <- inv }))
	return r
}

func (r *recording) client(opts ...genaihttp.Option) *http.Client {
	return r.clientOver(nil, opts...)
}

func (r *recording) clientOver(base http.RoundTripper, opts ...genaihttp.Option) *http.Client {
	opts = append([]genaihttp.Option{genaihttp.WithHandler(r.handler)}, opts...)
	return &http.Client{Transport: genaihttp.NewTransport(base, opts...)}
}

// next waits for an invocation to end.
func (r *recording) next(t *testing.T) *instrumentation.Invocation {
	t.Helper()
	select {
	case inv := <-r.ended:
		return inv
	case <-time.After(patience):
		t.Fatal("no invocation ended")
		return nil
	}
}

// none checks that no invocation has ended. It is asked after the response was
// read, when an invocation would have.
func (r *recording) none(t *testing.T) {
	t.Helper()
	select {
	case inv := <-r.ended:
		t.Errorf("recorded an invocation of %s, want none", inv.RequestModel())
	default:
	}
}

// serve starts a server and returns the URL of its chat completions.
func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL + "/v1/chat/completions"
}

// answerWith returns a handler that reads the request and sends a body.
func answerWith(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

const question = `{"model":"m","messages":[{"role":"user","content":"What is 2+2?"}]}`

func post(t *testing.T, c *http.Client, url, body string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	return res
}

func readAll(t *testing.T, r io.Reader) string {
	t.Helper()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func textOf(m instrumentation.Message) string {
	var b strings.Builder
	for _, p := range m.Parts {
		if p.Type == instrumentation.PartText {
			b.WriteString(p.Content)
		}
	}
	return b.String()
}

// outcome says in a word how an invocation ended: ok, cancelled, or its
// error.type.
func outcome(inv *instrumentation.Invocation) string {
	switch {
	case inv.Cancelled():
		return "cancelled"
	case inv.ErrorType() != "":
		return inv.ErrorType()
	}
	return "ok"
}

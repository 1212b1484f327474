package genaihttp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/instrumentation"
)

// faulty is a format with a fault in one of its methods.
type faulty struct {
	openAI
	reply
	at string
}

func (f faulty) fault(at string) {
	if f.at == at {
		_ = []string{"secret content"}[len(at):][0] // a runtime error
	}
	if f.at == at+", by hand" {
		panic("secret content")
	}
}

func (f faulty) matches(*http.Request) bool { f.fault("matches"); return true }

func (f faulty) start(ctx context.Context, h *instrumentation.Handler, to target, body content) (context.Context, *instrumentation.Invocation, bool) {
	f.fault("start")
	return f.openAI.start(ctx, h, to, body)
}

func (f faulty) newReply(status, limit int) reply {
	f.fault("newReply")
	f.reply = f.openAI.newReply(status, limit)
	return f
}

func (f faulty) document(b []byte) bool { f.fault("document"); return f.reply.document(b) }
func (f faulty) event(n string, b []byte) eventKind {
	f.fault("event")
	return f.reply.event(n, b)
}
func (f faulty) ended() bool    { f.fault("ended"); return f.reply.ended() }
func (f faulty) answer() answer { f.fault("answer"); return f.reply.answer() }

func TestAFaultOfOursNeverReachesTheApplication(t *testing.T) {
	var log bytes.Buffer
	old := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	oldFormats := formats
	t.Cleanup(func() { slog.SetDefault(old); formats = oldFormats })

	const body = "data: {\"choices\":[{\"delta\":{\"content\":\"secret content\"}}]}\n\ndata: [DONE]\n\n"
	for _, at := range []string{"matches", "start", "newReply", "document", "event", "event, by hand", "ended", "answer"} {
		t.Run(at, func(t *testing.T) {
			log.Reset()
			formats = []format{faulty{at: at}}
			sent := body
			if at == "document" {
				sent = "{}"
			}
			base := roundTrip(func(r *http.Request) (*http.Response, error) {
				_, _ = io.Copy(io.Discard, r.Body)
				return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(sent))}, nil
			})
			ended := 0
			h := instrumentation.NewHandler()
			h.Register(instrumentation.CompletionCallbackFunc(func(*instrumentation.Invocation) { ended++ }))
			transport := NewTransport(base, WithHandler(h))
			for range 3 {
				res, err := (&http.Client{Transport: transport}).Post("http://x.test", "", strings.NewReader("{}")) //nolint:noctx // a test
				if err != nil {
					t.Fatal(err)
				}
				if got, err := io.ReadAll(res.Body); err != nil || string(got) != sent {
					t.Errorf("body = %q, %v", got, err)
				}
				_ = res.Body.Close()
			}
			if transport.guard.panics.Load() < 3 {
				t.Errorf("%d panics counted", transport.guard.panics.Load())
			}
			if lines := strings.Count(log.String(), "\n"); lines != 1 || strings.Contains(log.String(), "secret") {
				t.Errorf("log = %q, want one line without content", log.String())
			}
			if began := at != "matches" && at != "start"; began && ended != 3 {
				t.Errorf("%d of 3 invocations ended", ended)
			}
		})
	}
}

// brokenHandler is the application's log handler, with a fault.
type brokenHandler struct{ slog.Handler }

func (brokenHandler) Enabled(context.Context, slog.Level) bool  { return true }
func (brokenHandler) Handle(context.Context, slog.Record) error { panic("the log handler") }

// brokenError passes for a runtime error.
type brokenError struct{}

func (brokenError) RuntimeError() {}
func (brokenError) Error() string { panic("the error") }

func TestAReportThatPanicsIsContained(t *testing.T) {
	old := slog.Default()
	t.Cleanup(func() { slog.SetDefault(old) })
	slog.SetDefault(slog.New(brokenHandler{old.Handler()}))
	for _, cause := range []any{"secret", errors.New("secret"), brokenError{}} {
		var g guard
		if g.run(func() { panic(cause) }) || g.panics.Load() != 1 {
			t.Errorf("%T: not contained", cause)
		}
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestABrokenBaseIsPassedOn(t *testing.T) {
	for name, base := range map[string]roundTrip{
		"nothing at all": func(*http.Request) (*http.Response, error) { return nil, nil },
		"no body":        func(*http.Request) (*http.Response, error) { return &http.Response{StatusCode: 200}, nil },
		"no header":      func(*http.Request) (*http.Response, error) { return &http.Response{Body: http.NoBody}, nil },
		"a reader that reads too much": func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Body: io.NopCloser(overReader{})}, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			ended := 0
			h := instrumentation.NewHandler()
			h.Register(instrumentation.CompletionCallbackFunc(func(*instrumentation.Invocation) { ended++ }))
			req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://x.test/chat/completions", strings.NewReader("{}"))
			res, err := NewTransport(base, WithHandler(h)).RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			if res != nil && res.Body != nil {
				if _, err := res.Body.Read(make([]byte, 4)); !errors.Is(err, io.EOF) {
					t.Errorf("error = %v", err)
				}
				_ = res.Body.Close()
			}
			if ended != 1 {
				t.Errorf("%d invocations ended, want 1", ended)
			}
		})
	}
}

type overReader struct{}

func (overReader) Read(p []byte) (int, error) { return len(p) + 1, io.EOF }

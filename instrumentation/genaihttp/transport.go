package genaihttp

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"

	"github.com/genaievals/genaievals/instrumentation"
)

// DefaultMaxBody is how many bytes are kept of a request and of a response
// unless [WithMaxBody] says otherwise.
const DefaultMaxBody = 4 << 20

// Transport is an [http.RoundTripper] that records GenAI calls as invocations
// of an [instrumentation.Handler]; see the package's documentation for what
// that means. It is safe for concurrent use. The zero Transport is usable: it
// sends with [http.DefaultTransport].
type Transport struct {
	base     http.RoundTripper
	handler  *instrumentation.Handler
	provider string
	maxBody  int
	guard    guard
}

var _ http.RoundTripper = (*Transport)(nil)

// Option configures a [Transport].
type Option interface{ apply(*Transport) }

type optionFunc func(*Transport)

func (f optionFunc) apply(t *Transport) { f(t) }

// WithHandler sets the handler that records. By default, and with nil, it is
// [instrumentation.Default], looked up at each request, so that a transport
// can be made before the handler is.
func WithHandler(h *instrumentation.Handler) Option {
	return optionFunc(func(t *Transport) { t.handler = h })
}

// WithProvider sets gen_ai.provider.name. By default it is told from the host;
// a host that is not known counts as openai, whose format it speaks.
func WithProvider(name string) Option {
	return optionFunc(func(t *Transport) { t.provider = name })
}

// WithMaxBody sets how many bytes are kept of a request, of a response and of
// one event of a stream; n below 1 is [DefaultMaxBody]. Media in a longer
// request do not count: only their sizes are kept. Longer bodies pass through
// all the same, and are recorded as far as they were kept.
func WithMaxBody(n int) Option {
	return optionFunc(func(t *Transport) { t.maxBody = n })
}

// NewTransport returns a transport that sends requests with base. A nil base
// is what [http.DefaultTransport] is now, so that the result may be installed
// as http.DefaultTransport. Requests that another Transport below it would
// record again are recorded once.
func NewTransport(base http.RoundTripper, opts ...Option) *Transport {
	if base == nil {
		base = http.DefaultTransport
	}
	t := &Transport{base: base}
	for _, o := range opts {
		if o != nil {
			o.apply(t)
		}
	}
	return t
}

// RoundTrip sends the request with the base transport and returns its answer
// or its error. The invocation that it records, if any, goes on until the
// response's body has ended, see the package's documentation.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	base := t.base
	if base == nil {
		base = http.DefaultTransport
		if base == http.RoundTripper(t) {
			closeBody(req)
			return nil, errors.New("genaihttp: a zero Transport cannot be http.DefaultTransport: use NewTransport(nil)")
		}
	}
	f := t.formatOf(req)
	if f == nil {
		return base.RoundTrip(req)
	}

	body, known, late := t.request(f, req)
	ctx, inv := t.start(f, req, known, late != nil)
	sent := req.WithContext(ctx) // a shallow copy: the caller's request stays as it is
	sent.Body = body

	returned := false
	defer func() {
		if !returned { // the base panicked, which is the application's to see
			late.tell(inv)
			t.guard.run(func() { inv.Fail(ErrPanicked) })
		}
	}()
	res, err := base.RoundTrip(sent)
	returned = true
	if res != nil && res.Request == sent {
		res.Request = req
	}
	if inv == nil {
		return res, err
	}
	if err != nil || res == nil {
		late.tell(inv)
		t.guard.run(func() { inv.Fail(contextError(req, err)) })
		return res, err
	}
	if !t.guard.run(func() { t.follow(f, inv, late, req, res) }) {
		t.guard.run(inv.End)
	}
	return res, nil
}

// CloseIdleConnections closes those of the base transport, for
// [http.Client.CloseIdleConnections].
func (t *Transport) CloseIdleConnections() {
	if c, ok := t.base.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

func (t *Transport) limit() int {
	if t.maxBody < 1 {
		return DefaultMaxBody
	}
	return t.maxBody
}

// formatOf returns the format to record the request in, or nil when it is none
// of ours.
func (t *Transport) formatOf(req *http.Request) (f format) {
	t.guard.run(func() {
		if req.Body == nil || req.Body == http.NoBody || instrumentation.Suppressed(req.Context()) {
			return
		}
		if recordedAbove(req) {
			return
		}
		f = match(req)
	})
	return f
}

// start begins the invocation; more says that more of the body than is known
// will be. When that fails, or is not wanted, it is nil.
func (t *Transport) start(f format, req *http.Request, known content, more bool) (ctx context.Context, inv *instrumentation.Invocation) {
	ctx = req.Context()
	t.guard.run(func() {
		h := t.handler
		if h == nil {
			h = instrumentation.Default()
		}
		c, i, whole := f.start(ctx, h, targetOf(req.URL, t.provider), known)
		if i != nil {
			ctx, inv = context.WithValue(c, recordedKey{}, req.URL), i
		}
		if !whole && !more {
			inv.SetInputTruncated()
		}
	})
	return ctx, inv
}

// follow lets the invocation go on with the response's body.
func (t *Transport) follow(f format, inv *instrumentation.Invocation, late *sending, req *http.Request, res *http.Response) {
	r := newRecorder(&t.guard, inv, f.newReply(res.StatusCode, t.limit()), req, res, t.limit())
	r.late = late
	if res.StatusCode == http.StatusSwitchingProtocols || res.Body == nil || res.Body == http.NoBody {
		// The connection belongs to the application now, or there is nothing
		// to read.
		r.end(io.EOF)
		return
	}
	r.watch()
	res.Body = &recordedBody{src: res.Body, recorder: r}
}

// recordedKey marks, by its URL, a request that is being recorded, for
// transports below. A different request on the same context is recorded.
type recordedKey struct{}

func recordedAbove(req *http.Request) bool {
	u, ok := req.Context().Value(recordedKey{}).(*url.URL)
	return ok && (u == req.URL || req.URL != nil && u.String() == req.URL.String())
}

func closeBody(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close()
	}
}

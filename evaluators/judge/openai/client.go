package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

const (
	// maxBody is the most that is read of a reply. An answer has a few kB.
	maxBody = 1 << 20
	// maxErrorBody is the most that is kept of an error's body.
	maxErrorBody = 64 << 10
	// maxDrain is the most that is read and thrown away so that the connection
	// can be used again; beyond it a new connection is cheaper.
	maxDrain = 256 << 10
)

// Client asks one server. Make it with [New]. It is safe for concurrent use.
type Client struct {
	// custom is Config.HTTPClient, else transport is the client's own, used as it
	// is: redirects, cookies and all that http.Client adds are not wanted, and
	// cost memory for as long as a judge thinks.
	custom    *http.Client
	transport *http.Transport
	url       string
	header    http.Header // not changed
	endpoint  judge.Endpoint
	learned   learned
	secrets   credentials
}

var (
	_ judge.Client    = (*Client)(nil)
	_ judge.Describer = (*Client)(nil)
)

// Endpoint says where the client sends.
func (c *Client) Endpoint() judge.Endpoint { return c.endpoint }

// String names the server and the model and leaves the credentials out.
func (c *Client) String() string {
	return fmt.Sprintf("openai.Client{%s:%d, %q}", c.endpoint.Address, c.endpoint.Port, c.endpoint.Model)
}

// GoString leaves the credentials out.
func (c *Client) GoString() string { return c.String() }

// CloseIdleConnections closes the connections that no call uses.
func (c *Client) CloseIdleConnections() {
	if c.custom != nil {
		c.custom.CloseIdleConnections()
		return
	}
	c.transport.CloseIdleConnections()
}

// Complete sends r once. It blocks until the reply has been read or ctx ends.
// The error is a [*judge.Error].
func (c *Client) Complete(ctx context.Context, r judge.Request) (judge.Response, error) {
	x, err := c.prepare(ctx, r)
	if err != nil {
		return judge.Response{}, err
	}
	return x.read(x.send())
}

// exchange is one request and its reply. It is apart from Complete so that what
// it takes is not on the stack while the judge thinks.
type exchange struct {
	client  *Client
	request judge.Request
	asked   dialect
	http    *http.Request
}

// prepare encodes a request.
//
//go:noinline
func (c *Client) prepare(ctx context.Context, r judge.Request) (*exchange, error) {
	if r.Model == "" {
		r.Model = c.endpoint.Model
	}
	x := &exchange{client: c, request: r, asked: c.learned.of(r.Model)}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, nil)
	if err == nil {
		x.http = req
		err = x.setBody()
	}
	if err != nil {
		return nil, &judge.Error{Type: evaluators.ErrorJudgeBadRequest, Err: err}
	}
	return x, nil
}

func (x *exchange) send() (*http.Response, error) {
	if x.client.custom != nil {
		return x.sendThrough(x.client.custom)
	}
	x.http.Header = x.client.header // an http.Transport only reads it
	return x.client.transport.RoundTrip(x.http)
}

//go:noinline
func (x *exchange) sendThrough(custom *http.Client) (*http.Response, error) {
	x.http.Header = x.client.header.Clone() // what custom does with it is not known
	return custom.Do(x.http)
}

// read reads the reply to its end.
//
//go:noinline
func (x *exchange) read(resp *http.Response, err error) (judge.Response, error) {
	if err != nil {
		return judge.Response{}, connectionError(x.http.Context(), err)
	}
	defer resp.Body.Close()
	reply, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	if err != nil {
		return judge.Response{}, connectionError(x.http.Context(), err)
	}
	if len(reply) > maxBody {
		_, _ = io.CopyN(io.Discard, resp.Body, maxDrain)
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return judge.Response{}, x.refused(replyError(resp.StatusCode, resp.Header, reply))
	}
	answer, failure := decode(resp.StatusCode, resp.Header, reply)
	if failure != nil {
		return judge.Response{}, x.refused(failure)
	}
	x.client.secrets.clean(&answer)
	return answer, nil
}

// refused lets the client learn from an error.
func (x *exchange) refused(e *apiError) error {
	e.Adapted = x.client.learned.learn(e, x.request, x.asked)
	if e.Code != x.client.secrets.without(e.Code) {
		e.Code = ""
	}
	return &e.Error
}

// connectionError classifies an exchange that gave no reply.
func connectionError(ctx context.Context, err error) *judge.Error {
	e := &judge.Error{Type: evaluators.ErrorJudgeUnavailable, Err: safeCause(err)}
	var ne net.Error
	timeout := errors.Is(err, context.DeadlineExceeded) || errors.As(err, &ne) && ne.Timeout()
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		e = judge.CalledOff(ctx)
	case timeout || errors.Is(ctx.Err(), context.DeadlineExceeded):
		e.Type = evaluators.ErrorJudgeTimeout
	}
	return e
}

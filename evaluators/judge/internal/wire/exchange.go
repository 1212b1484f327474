package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

const (
	// MaxReply is the most that is read of a reply. An answer has a few kB.
	MaxReply = 1 << 20
	// maxErrorBody is the most that is kept of an error's body.
	maxErrorBody = 64 << 10
	// maxDrain is the most that is read and thrown away so that the connection
	// can be used again; beyond it a new connection is cheaper.
	maxDrain = 256 << 10
)

// Conn sends to one URL. Make it with [New]. It is safe for concurrent use.
type Conn struct {
	// custom is the user's, else transport is the connection's own.
	custom    *http.Client
	transport *http.Transport
	url       string
	header    http.Header // not changed
	endpoint  judge.Endpoint
	tokens    *tokens // nil where the header says who asks
	secrets   credentials
}

// Endpoint says where it sends.
func (c *Conn) Endpoint() judge.Endpoint { return c.endpoint }

// CloseIdleConnections closes the connections that no call uses.
func (c *Conn) CloseIdleConnections() {
	if c.custom != nil {
		c.custom.CloseIdleConnections()
		return
	}
	c.transport.CloseIdleConnections()
}

// tokenClient is what tokens are fetched with.
func (c *Conn) tokenClient() *http.Client {
	if c.custom != nil {
		return c.custom
	}
	return &http.Client{Transport: c.transport, CheckRedirect: notFollowed}
}

// Exchange is one request and its reply. Its three steps are apart so that what
// the first and the last take is not on the stack while the judge thinks.
type Exchange struct {
	conn   *Conn
	encode func() ([]byte, error)
	http   *http.Request
	token  *token // nil without OAuth
}

// Begin makes a request of what encode returns, which is called again if the
// request has to be sent again. With OAuth it waits for a token.
//
//go:noinline
func (c *Conn) Begin(ctx context.Context, encode func() ([]byte, error)) (*Exchange, *judge.Error) {
	x := &Exchange{conn: c, encode: encode}
	if c.tokens != nil {
		var failure *judge.Error
		if x.token, failure = c.tokens.get(ctx); failure != nil {
			return nil, failure
		}
	}
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

// Sent is a request that was sent, for Read.
type Sent struct {
	response *http.Response
	err      error
}

// Send blocks until the reply begins. Read has to follow.
func (x *Exchange) Send() (s Sent) {
	if x.conn.custom != nil {
		s.response, s.err = x.sendThrough(x.conn.custom) //nolint:bodyclose // Read does
		return s
	}
	x.http.Header = x.header()                             // an http.Transport only reads it
	s.response, s.err = x.conn.transport.RoundTrip(x.http) //nolint:bodyclose // Read does
	return s
}

//go:noinline
func (x *Exchange) sendThrough(custom *http.Client) (*http.Response, error) {
	x.http.Header = x.header().Clone() // what custom does with it is not known
	return custom.Do(x.http)
}

func (x *Exchange) header() http.Header {
	if x.token != nil {
		return x.token.header
	}
	return x.conn.header
}

// Reply is what came back.
type Reply struct {
	Status int
	Header http.Header
	Body   []byte // at most MaxReply + 1 bytes
}

// OK reports whether the status says success, which is no promise.
func (r Reply) OK() bool { return r.Status >= 200 && r.Status <= 299 }

// Read reads the reply to its end.
//
//go:noinline
func (x *Exchange) Read(s Sent) (Reply, *judge.Error) {
	if s.err != nil {
		return Reply{}, connectionError(x.http.Context(), s.err)
	}
	resp := s.response
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, MaxReply+1))
	if err != nil {
		return Reply{}, connectionError(x.http.Context(), err)
	}
	if len(body) > MaxReply {
		_, _ = io.CopyN(io.Discard, resp.Body, maxDrain)
	}
	return Reply{Status: resp.StatusCode, Header: resp.Header, Body: body}, nil
}

// Accept ends an exchange with an answer: it takes out of it what must not
// leave.
func (x *Exchange) Accept(r *judge.Response) {
	if x.token != nil {
		x.conn.tokens.took(x.token)
	}
	x.secrets().clean(r)
}

// Refuse ends an exchange with a failure, from which the client may have
// learned: it looks what else it means for the format that was asked for and for
// the token, and takes out of it what must not leave.
func (x *Exchange) Refuse(f *Failure, format judge.Format) error {
	if f.Adapted {
		f.Type = evaluators.ErrorJudgeBadRequest // whatever the status
	} else {
		f.judgeFormat(format)
	}
	if x.token != nil {
		switch {
		case f.refusesToken():
			f.Adapted = x.conn.tokens.refused(x.token)
		case f.Status != http.StatusForbidden:
			x.conn.tokens.took(x.token)
		}
	}
	x.secrets().cleanError(&f.Error)
	return &f.Error
}

func (x *Exchange) secrets() credentials {
	if x.conn.tokens == nil {
		return x.conn.secrets
	}
	return x.conn.secrets.with(x.conn.tokens.known()...)
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

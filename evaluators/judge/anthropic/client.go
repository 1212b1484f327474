package anthropic

import (
	"context"
	"fmt"
	"slices"

	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/internal/wire"
)

// Client asks one server. Make it with [New]. It is safe for concurrent use.
type Client struct {
	conn    *wire.Conn
	learned wire.Learned[dialect]
}

var (
	_ judge.Client        = (*Client)(nil)
	_ judge.Describer     = (*Client)(nil)
	_ judge.FormatChooser = (*Client)(nil)
)

// Endpoint says where the client sends.
func (c *Client) Endpoint() judge.Endpoint { return c.conn.Endpoint() }

// formats that the Messages API has; it has no JSON without a schema, and no
// schema that is not enforced.
var formats = []judge.Format{judge.FormatStrictSchema, judge.FormatTool, judge.FormatNone}

// Formats returns strict schema, tool and none. Any other is sent as none.
func (c *Client) Formats() []judge.Format { return slices.Clone(formats) }

// String names the server and the model and leaves the credentials out.
func (c *Client) String() string {
	e := c.Endpoint()
	return fmt.Sprintf("anthropic.Client{%s:%d, %q}", e.Address, e.Port, e.Model)
}

// GoString leaves the credentials out.
func (c *Client) GoString() string { return c.String() }

// CloseIdleConnections closes the connections that no call uses.
func (c *Client) CloseIdleConnections() { c.conn.CloseIdleConnections() }

// Complete sends r once. It blocks until the reply has been read or ctx ends,
// with [Config.OAuth] also until there is a token. The error is a
// [*judge.Error].
func (c *Client) Complete(ctx context.Context, r judge.Request) (judge.Response, error) {
	x, err := c.prepare(ctx, r)
	if err != nil {
		return judge.Response{}, err
	}
	return x.read(x.wire.Send())
}

// exchange is one request and its reply. It is apart from Complete so that what
// it takes is not on the stack while the judge thinks.
type exchange struct {
	client  *Client
	request judge.Request
	asked   dialect
	wire    *wire.Exchange
}

//go:noinline
func (c *Client) prepare(ctx context.Context, r judge.Request) (*exchange, error) {
	if r.Model == "" {
		r.Model = c.Endpoint().Model
	}
	if !slices.Contains(formats, r.Format) {
		r.Format = judge.FormatNone
	}
	x := &exchange{client: c, request: r, asked: c.learned.Of(r.Model)}
	var failure *judge.Error
	x.wire, failure = c.conn.Begin(ctx, func() ([]byte, error) { return encode(&x.request, x.asked) })
	if failure != nil {
		return nil, failure
	}
	return x, nil
}

//go:noinline
func (x *exchange) read(s wire.Sent) (judge.Response, error) {
	reply, broken := x.wire.Read(s)
	if broken != nil {
		return judge.Response{}, broken
	}
	answer, failure := decode(reply, x.request.Format)
	if failure != nil {
		failure.Adapted = x.learn(failure)
		return judge.Response{}, x.wire.Refuse(failure, x.request.Format)
	}
	x.wire.Accept(&answer)
	return answer, nil
}

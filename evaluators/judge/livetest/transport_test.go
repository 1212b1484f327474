package livetest

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
)

// counter counts requests on their way to the server.
type counter struct {
	next     http.RoundTripper
	requests atomic.Int64
}

func (c *counter) RoundTrip(r *http.Request) (*http.Response, error) {
	c.requests.Add(1)
	return c.next.RoundTrip(r)
}

func (c *counter) count() int { return int(c.requests.Load()) }

// echo puts the nonce that it finds in a request in place of the scripted
// reason in the reply, so that a reply that reached somebody else shows.
type echo struct{ next http.RoundTripper }

func (e echo) RoundTrip(r *http.Request) (*http.Response, error) {
	sent, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	_ = r.Body.Close()
	onward := r.Clone(r.Context())
	onward.Body = io.NopCloser(bytes.NewReader(sent))
	resp, err := e.next.RoundTrip(onward)
	if err != nil {
		return nil, err
	}
	reply, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil {
		return nil, err
	}
	reply = bytes.ReplaceAll(reply, []byte("Scripted."), nonces.Find(sent))
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(reply)), int64(len(reply))
	return resp, nil
}

// pipes is a network in memory: HTTP on both ends is real, and it runs in a
// synctest bubble, where waiting before a retry takes no time.
type pipes struct {
	accepted chan net.Conn
	closed   chan struct{}
	once     sync.Once
}

func newPipes() *pipes { return &pipes{accepted: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.accepted:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) dial() (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.accepted <- theirs:
		return ours, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return address{} }

type address struct{}

func (address) Network() string { return "pipe" }
func (address) String() string  { return "judge.test:80" }

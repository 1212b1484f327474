package dashboard

import (
	"context"
	"net/http"
)

// Server serves a page. Its methods are safe for concurrent use.
type Server struct{ cfg Config }

// New returns a server that does nothing yet. The error wraps [ErrNoSource] or
// [ErrTraceURL].
func New(cfg Config) (*Server, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	return &Server{cfg: cfg}, nil
}

// Offer counts a result and may keep it for the page. It never blocks, and does
// nothing on a nil Server.
func (s *Server) Offer(r Result) {}

// Handler serves the page and checks who asks, for a server of one's own. The
// caller ends the streams with [Server.Shutdown].
func (s *Server) Handler() http.Handler { return nil }

// Start listens and serves until [Server.Shutdown], and returns the page's
// address, without the token. The address is host:port, port 0 being any that is
// free; see [ParseAddress]. Errors are those of net.Listen, or wrap [ErrAddress]
// or [ErrTokenRequired].
func (s *Server) Start(addr string) (url string, err error) { return "", nil }

// URL is the page's address once it has started, without the token.
func (s *Server) URL() string { return "" }

// Serve starts, and shuts down when ctx ends.
func (s *Server) Serve(ctx context.Context, addr string) error { return nil }

// Shutdown sends the last state, ends the streams and stops listening. It
// returns ctx's error when ctx ends first. A second call, and one on a nil
// Server, does nothing.
func (s *Server) Shutdown(ctx context.Context) error { return nil }

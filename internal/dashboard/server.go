package dashboard

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/genaievals/genaievals/internal/dashboard/address"
)

const (
	readHeaderTimeout = 5 * time.Second
	idleTimeout       = time.Minute
	maxHeaderBytes    = 16 << 10
	listedResults     = 200 // of /results.json
)

// Server serves a page. Its methods are safe for concurrent use.
type Server struct {
	cfg     Config
	feed    *feed
	hub     *hub
	builder *builder // the sampler's

	begin    sync.Once          // starts the sampler
	asked    chan chan struct{} // to look now; closes what it gets
	stop     chan struct{}      // closed by Shutdown
	sampled  chan struct{}      // closed by the sampler as it ends
	ended    chan struct{}      // closed when nothing more comes
	panicked sync.Once

	mu     sync.Mutex
	model  model
	http   *http.Server // nil until Start
	bound  string       // host:port as asked for, with the port that it got
	served chan error
	over   bool
}

// New returns a server that does nothing yet. The error wraps [ErrNoSource] or
// [address.ErrTraceURL].
func New(cfg Config) (*Server, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	return &Server{
		cfg: cfg, feed: newFeed(cfg), hub: newHub(rand.Text()[:8]),
		builder: &builder{cfg: cfg, history: &history{}, started: time.Now()},
		asked:   make(chan chan struct{}), stop: make(chan struct{}), sampled: make(chan struct{}), ended: make(chan struct{}),
	}, nil
}

// Offer counts a result and may keep it for the page. It never blocks, and does
// nothing on a nil Server.
func (s *Server) Offer(r Result) {
	if s != nil {
		s.feed.offer(r)
	}
}

// Handler serves the page and checks who asks, for a server of one's own. The
// caller ends the streams with [Server.Shutdown].
func (s *Server) Handler() http.Handler {
	s.begin.Do(func() { go s.sample() })
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, r *http.Request) { serveAsset(w, r, "/assets/page.html") })
	mux.HandleFunc("/assets/", func(w http.ResponseWriter, r *http.Request) { serveAsset(w, r, r.URL.Path) })
	mux.HandleFunc("/events", s.events)
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte("ok\n"))
	})
	mux.HandleFunc("/status.json", func(w http.ResponseWriter, _ *http.Request) {
		s.refresh()
		s.mu.Lock()
		m := s.model
		s.mu.Unlock()
		writeJSON(w, m)
	})
	mux.HandleFunc("/results.json", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		f, n := filterOf(q), listedResults
		if limit, err := strconv.Atoi(q.Get("limit")); err == nil && limit > 0 {
			n = min(n, limit)
		}
		writeJSON(w, struct {
			Results []kept `json:"results"`
		}{s.results(f, 0, n)})
	})
	return s.guard(mux)
}

// results are those after seq that match, as they are sent: never null.
func (s *Server) results(f filter, seq uint64, n int) []kept {
	if found := s.feed.latest(f, seq, n); found != nil {
		return f.shown(found)
	}
	return []kept{}
}

func writeJSON(w http.ResponseWriter, v any) {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		http.Error(w, "a number that JSON does not have", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(append(text, '\n'))
}

// Start listens and serves until [Server.Shutdown], and returns the page's
// address, without the token. The address is host:port, port 0 being any that is
// free; [address.Parse] makes one of what people write. Errors are those of
// net.Listen, or wrap [address.Err] or [ErrTokenRequired].
func (s *Server) Start(addr string) (url string, err error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return "", fmt.Errorf("%w: want host:port", address.Err)
	}
	if s.cfg.Token == "" && !address.IsLoopback(host) {
		return "", ErrTokenRequired
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.http != nil || s.over {
		return "", errors.New("the page was started before")
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return "", err
	}
	got, ok := l.Addr().(*net.TCPAddr)
	if s.cfg.Token == "" && (!ok || !got.IP.IsLoopback()) { // a name that means something else here
		_ = l.Close()
		return "", ErrTokenRequired
	}
	if ok {
		s.bound = net.JoinHostPort(host, strconv.Itoa(got.Port))
	}
	server := &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: readHeaderTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
		ErrorLog: log.New(discard{}, "", 0), // what strangers send is not to be acted upon
	}
	s.http, s.served = server, make(chan error, 1)
	served := s.served
	go func() { served <- server.Serve(l) }()
	return s.url(), nil
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// URL is the page's address once it has started, without the token.
func (s *Server) URL() string {
	if s == nil {
		return ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.url()
}

func (s *Server) url() string {
	if s.bound == "" {
		return ""
	}
	host, port, _ := net.SplitHostPort(s.bound)
	if isEverywhere(host) {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port) + "/"
}

// boundTo is host:port, empty before Start.
func (s *Server) boundTo() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bound
}

// bindHost is the host that it listens on, localhost before Start.
func (s *Server) bindHost() string {
	bound := s.boundTo()
	if bound == "" {
		return "localhost"
	}
	host, _, _ := net.SplitHostPort(bound)
	return host
}

// Serve starts, and shuts down when ctx ends, within a second.
func (s *Server) Serve(ctx context.Context, addr string) error {
	if _, err := s.Start(addr); err != nil {
		return err
	}
	s.mu.Lock()
	served := s.served
	s.mu.Unlock()
	select {
	case err := <-served:
		served <- err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	return s.Shutdown(last)
}

// Shutdown sends the last state, ends the streams and stops listening. When ctx
// ends first, connections are cut and ctx's error is returned. A second call, and
// one on a nil Server, does nothing.
func (s *Server) Shutdown(ctx context.Context) error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	server, over := s.http, s.over
	s.over = true
	s.mu.Unlock()
	if over {
		return nil
	}
	close(s.stop)
	s.begin.Do(func() { close(s.ended); close(s.sampled) }) // it never began
	select {
	case <-s.sampled:
	case <-ctx.Done(): // a source that hangs; it is left
	}
	if server == nil {
		return ctx.Err()
	}
	if err := server.Shutdown(ctx); err != nil {
		return fmt.Errorf("ending the live page: %w", errors.Join(err, server.Close()))
	}
	return nil
}

package judgetest

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Server is a model server on loopback that speaks the OpenAI chat completions
// format. Make it with [NewServer] and close it. It is safe for concurrent use.
type Server struct {
	// URL is the base URL for a client, /v1 included.
	URL string

	script      script
	record      []Request // guarded by script.mu, as is rate
	rate        *rate
	key         string
	unsupported []string

	listener    net.Listener
	http        *http.Server
	served      chan struct{} // closed when serving has ended
	closing     context.Context
	close       context.CancelFunc
	connections atomic.Int64
	serving     sync.WaitGroup // the connections' goroutines
}

// Request is one request that a [Server] received.
type Request struct {
	// Arrived is when its header had been read.
	Arrived time.Time
	Header  http.Header
	// Body is as it was sent.
	Body []byte
	// Model, System and User are from the body: the model, the system message
	// and the last user message.
	Model, System, User string
	// ResponseFormat is json_schema, json_object or empty.
	ResponseFormat string
	Question       Question
	// Refused: it was beyond [WithRateLimit].
	Refused bool
}

// NewServer starts a server on a free port of 127.0.0.1 that answers everything
// validly and at once, but for what the options script. Like httptest.NewServer
// it panics when there is no port to be had.
func NewServer(opts ...ServerOption) *Server {
	s := &Server{script: newScript(), served: make(chan struct{})}
	for _, o := range opts {
		o.applyServer(s)
	}
	if s.listener == nil {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			panic(fmt.Sprintf("judgetest: listen on loopback: %v", err))
		}
		s.listener = l
	}
	s.URL = "http://" + s.listener.Addr().String() + "/v1"
	s.closing, s.close = context.WithCancel(context.Background())
	s.http = &http.Server{
		Handler:           s,
		ReadHeaderTimeout: time.Minute,
		ConnState: func(_ net.Conn, state http.ConnState) {
			switch state {
			case http.StateNew: // in the goroutine that serves the listener
				s.connections.Add(1)
				s.serving.Add(1)
			case http.StateClosed, http.StateHijacked:
				s.serving.Done()
			}
		},
	}
	go func() {
		defer close(s.served)
		_ = s.http.Serve(s.listener) // until Close
	}()
	return s
}

// Close ends every request, hanging ones too, closes the connections and waits
// for the server's goroutines. It may be called more than once.
func (s *Server) Close() {
	s.close()
	_ = s.http.Close()
	<-s.served // no connection begins after it
	s.serving.Wait()
}

// Requests returns the requests so far in order of arrival, the first
// [WithRecordLimit] of them.
func (s *Server) Requests() []Request {
	s.script.mu.Lock()
	defer s.script.mu.Unlock()
	return slices.Clone(s.record)
}

// Arrivals returns when the requests of Requests arrived.
func (s *Server) Arrivals() []time.Time {
	var times []time.Time
	for _, r := range s.Requests() {
		times = append(times, r.Arrived)
	}
	return times
}

// Count returns how many requests there were, RateLimited how many of them were
// beyond [WithRateLimit].
func (s *Server) Count() int { return s.script.count() }

// RateLimited returns how many requests were beyond [WithRateLimit].
func (s *Server) RateLimited() int {
	s.script.mu.Lock()
	defer s.script.mu.Unlock()
	if s.rate == nil {
		return 0
	}
	return s.rate.refused
}

// InFlight returns how many requests are being answered; Peak the most that
// ever were.
func (s *Server) InFlight() int { now, _ := s.script.running(); return now }
func (s *Server) Peak() int     { _, peak := s.script.running(); return peak }

// Connections returns how many connections were opened.
func (s *Server) Connections() int { return int(s.connections.Load()) }

package judgetest

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/genaievals/genaievals/evaluators/judge"
)

// Server is a model server on loopback that speaks the OpenAI chat completions
// and the Anthropic messages format, by the path of each request. Make it with
// [NewServer] and close it. It is safe for concurrent use.
//
// It holds requests to their format and answers what the real servers would
// refuse as they do, see [WithLenient]. It does not stream.
type Server struct {
	// URL is the base URL for a client of the OpenAI format, /v1 included.
	URL string

	script      script
	record      []Request // guarded by script.mu
	questions   questions
	key         string
	unsupported []string
	lenient     bool

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
	// API is the format that it is in.
	API API
	// Model, System and User are from the body: the model, the system message
	// and the last user message.
	Model, System, User string
	// Format is how the answer's form is asked for; a tool counts when the model
	// is forced to call it.
	Format judge.Format
	// MaxOutputTokens bounds the answer, under whichever name it was sent; 0 when
	// under none.
	MaxOutputTokens int
	Question        Question
	// Refused: a [Policy] or [Server.Override] refused it.
	Refused bool
	// Played is what it was answered with.
	Played Played

	tool string // that has to be called
}

// NewServer starts a server on a free port of 127.0.0.1 that answers everything
// validly and at once, but for what the options script. Like httptest.NewServer
// it panics when there is no port to be had.
func NewServer(opts ...ServerOption) *Server {
	s := &Server{served: make(chan struct{})}
	s.script.init()
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

// AnthropicURL is the base URL for a client of the Anthropic format, without
// /v1, as Anthropic's own clients take it. With /v1, which is [Server.URL], it
// serves those that add only /messages.
func (s *Server) AnthropicURL() string { return strings.TrimSuffix(s.URL, "/v1") }

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

// Arrivals returns when requests arrived, in order: when their header had been
// read.
func (s *Server) Arrivals() []time.Time { return s.script.times(false) }

// Admitted returns when those requests arrived that neither a [Policy] nor
// [Server.Override] refused.
func (s *Server) Admitted() []time.Time { return s.script.times(true) }

// Stats returns the counters.
func (s *Server) Stats() Stats {
	stats := s.script.stats()
	stats.Connections = s.Connections()
	return stats
}

// Count returns how many requests there were.
func (s *Server) Count() int { return s.Stats().Calls }

// RateLimited returns how many requests a [Policy] refused.
func (s *Server) RateLimited() int { return s.Stats().RateLimited }

// InFlight returns how many requests are being answered; Peak the most that
// ever were.
func (s *Server) InFlight() int { return s.Stats().InFlight }
func (s *Server) Peak() int     { return s.Stats().Peak }

// Connections returns how many connections were opened.
func (s *Server) Connections() int { return int(s.connections.Load()) }

// SetPolicies changes the limits, see [WithPolicies]. What has been counted
// stays counted where the policy at the same place counts in the same way.
func (s *Server) SetPolicies(policies ...Policy) { s.script.setPolicies(policies) }

// Override gives everything that answer for d from now, in place of what is
// scripted: a storm of HTTP(429, …), an outage with [Close]. A duration of zero
// ends it. Such requests are not looked at, so that they cost little.
func (s *Server) Override(a Answer, d time.Duration) { s.script.setOverride(a, d) }

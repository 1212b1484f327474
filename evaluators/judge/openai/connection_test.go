package openai_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
)

// TestStaleConnectionIsNoFailure: a server, or a balancer in front of it, that
// closes a kept connection just when it is used again costs a retry and not a
// metric.
func TestStaleConnectionIsNoFailure(t *testing.T) {
	const answer = `{"model":"m","choices":[{"finish_reason":"stop","message":{"content":"{\"reason\":\"r\",\"label\":\"biased\"}"}}]}`
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var requests atomic.Int64
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				r := bufio.NewReader(conn)
				for range 2 {
					req, err := http.ReadRequest(r)
					if err != nil {
						return
					}
					_, _ = io.Copy(io.Discard, req.Body)
					if requests.Add(1) == 2 {
						return // the second on the first connection
					}
					fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(answer), answer)
				}
			}()
		}
	}()
	e, err := judge.New(newClient(t, openai.Config{Model: "m", BaseURL: "http://" + l.Addr().String()}))
	if err != nil {
		t.Fatal(err)
	}
	c := &evaluators.Case{Output: "A."}
	for i, attempts := range []int{1, 2} {
		r := e.Evaluate(t.Context(), c, e.Metrics()[:1])[0]
		if r.Outcome != evaluators.OutcomeScored || r.Attempts != attempts {
			t.Errorf("evaluation %d: %v %v after %d attempts, want %d", i, r.Outcome, r.Err, r.Attempts, attempts)
		}
	}
}

// TestBodyCanBeSentAgain: a transport that wants the body once more, for a
// connection that failed before anything was written, gets all of it.
func TestBodyCanBeSentAgain(t *testing.T) {
	var bodies []string
	transport := roundTripper(func(r *http.Request) (*http.Response, error) {
		first, _ := io.ReadAll(r.Body)
		r.Body.Close()
		again, err := r.GetBody()
		if err != nil {
			return nil, err
		}
		second, _ := io.ReadAll(again)
		bodies = append(bodies, string(first), string(second))
		if r.ContentLength != int64(len(first)) {
			t.Errorf("content length %d of %d", r.ContentLength, len(first))
		}
		return nil, io.ErrUnexpectedEOF
	})
	c := newClient(t, openai.Config{Model: "m", BaseURL: "http://localhost", HTTPClient: &http.Client{Transport: transport}})
	_, err := c.Complete(t.Context(), judge.Request{Messages: []judge.Message{{Role: judge.RoleUser, Text: "Hello"}}})
	if err == nil || len(bodies) != 2 || bodies[0] != bodies[1] || !strings.Contains(bodies[0], "Hello") {
		t.Errorf("%v; bodies %q", err, bodies)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestWaitingCallHoldsLittle: what a call holds while the judge thinks does not
// grow with what it asked, beyond the text itself, which the caller has.
func TestWaitingCallHoldsLittle(t *testing.T) {
	var waiting sync.WaitGroup
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		waiting.Done()
		<-r.Context().Done()
	}))
	defer srv.Close()
	const calls, size = 16, 1 << 20
	waiting.Add(calls)
	c := newClient(t, openai.Config{Model: "m", BaseURL: srv.URL})
	text := strings.Repeat("x", size)
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	before := heap()
	for range calls {
		running.Go(func() {
			_, _ = c.Complete(ctx, judge.Request{Messages: []judge.Message{{Role: judge.RoleUser, Text: text}}})
		})
	}
	waiting.Wait()
	held := heap() - before
	for range 50 { // the last bytes have arrived; the transport may be about to see that they were sent
		if held <= calls*size/4 {
			break
		}
		held = heap() - before
	}
	if held > calls*size/4 {
		t.Errorf("%d waiting calls with requests of %d bytes hold %d bytes", calls, size, held)
	}
	cancel()
	running.Wait()
	runtime.KeepAlive(text)
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestManyAtOnce: calls that wait at once are as many connections, and all are
// answered.
func TestManyAtOnce(t *testing.T) {
	srv := judgetest.NewServer(judgetest.WithDelay(500*time.Millisecond), judgetest.WithRecordLimit(0))
	defer srv.Close()
	const calls = 500
	c := newClient(t, openai.Config{Model: "m", BaseURL: srv.URL, MaxConnections: calls})
	e, err := judge.New(c)
	if err != nil {
		t.Fatal(err)
	}
	var scored atomic.Int64
	var running sync.WaitGroup
	for range calls {
		running.Go(func() {
			if r := e.Evaluate(t.Context(), &evaluators.Case{Output: "A."}, e.Metrics()[:1])[0]; r.Outcome == evaluators.OutcomeScored {
				scored.Add(1)
			}
		})
	}
	running.Wait()
	if n := scored.Load(); n != calls {
		t.Errorf("%d of %d scored", n, calls)
	}
}

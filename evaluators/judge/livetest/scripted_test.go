package livetest

import (
	"context"
	"net"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
)

// scripted returns a subject that asks a server in memory. It has to be called
// in a bubble, and stop before its end.
func scripted(t *testing.T, opts ...judgetest.ServerOption) (s subject, stop func()) {
	t.Helper()
	network := newPipes()
	server := judgetest.NewServer(append([]judgetest.ServerOption{judgetest.WithListener(network)}, opts...)...)
	transport := &http.Transport{
		DialContext:         func(context.Context, string, string) (net.Conn, error) { return network.dial() },
		MaxIdleConnsPerHost: 64,
	}
	s.sent = &counter{next: echo{transport}}
	client, err := openai.New(openai.Config{BaseURL: server.URL, Model: "judge", HTTPClient: &http.Client{Transport: s.sent}})
	if err != nil {
		t.Fatal(err)
	}
	s.client, s.rounds, s.parallel = client, 4, 8
	return s, func() {
		transport.CloseIdleConnections()
		server.Close()
	}
}

// TestAgainstAScriptedServer tests the suite: a judge that does everything right
// scores everything that applies.
func TestAgainstAScriptedServer(t *testing.T) {
	for _, f := range forms() {
		t.Run(f.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, stop := scripted(t)
				defer stop()
				s.echoes = true
				total := s.run(t, f)
				if total.scored == 0 || total.unscored > 0 {
					t.Errorf("%d of %d were not scored:\n%s", total.unscored, total.scored+total.unscored, total)
				}
			})
		})
	}
}

var _ = judge.FormatNone

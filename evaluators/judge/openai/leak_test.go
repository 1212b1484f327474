package openai

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators/judge"
)

// echo is a server that answers with raw bytes made of what it was sent.
func echo(t *testing.T, reply func(authorization, body string) string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan struct{})
	t.Cleanup(func() {
		_ = l.Close()
		<-served
	})
	go func() {
		defer close(served)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			if r, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
				body, _ := io.ReadAll(r.Body)
				_, _ = io.WriteString(conn, reply(r.Header.Get("Authorization")+r.Header.Get("X-Gateway"), string(body)))
			}
			_ = conn.Close()
		}
	}()
	return "http://" + l.Addr().String() + "/v1"
}

func TestNothingThatAServerEchoesLeaves(t *testing.T) {
	const key, gateway, content = "sk-planted-key-5f3a9c", "gw-planted-secret", "plantedword"
	ok := func(body string) string {
		return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	}
	refusal := func(status int, body string) string {
		return fmt.Sprintf("HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", status, len(body), body)
	}
	for name, reply := range map[string]func(auth, body string) string{
		"as a header line":       func(auth, body string) string { return "HTTP/1.1 200 OK\r\n" + auth + " " + body + "\r\n\r\n" },
		"as a content length":    func(auth, _ string) string { return "HTTP/1.1 200 OK\r\nContent-Length: " + auth + "\r\n\r\n" },
		"as a transfer encoding": func(auth, _ string) string { return "HTTP/1.1 200 OK\r\nTransfer-Encoding: " + auth + "\r\n\r\n" },
		"as the status":          func(auth, _ string) string { return "HTTP/1.1 " + key + " OK\r\n\r\n" },
		"as the protocol":        func(auth, body string) string { return auth + body + "\r\n\r\n" },
		"as a code":              func(string, string) string { return refusal(401, `{"error":{"code":"`+key+`","message":"`+key+`"}}`) },
		"as a param":             func(string, string) string { return refusal(400, `{"error":{"code":"x","param":"`+content+`"}}`) },
		"as a kind":              func(string, string) string { return refusal(400, `{"error":{"type":"`+gateway+`"}}`) },
		"as a model": func(string, string) string {
			return ok(`{"model":"` + key + `","choices":[{"message":{"content":"x"}}]}`)
		},
		"as an answer": func(string, string) string {
			return ok(`{"choices":[{"message":{"content":"the key is ` + key + ` or ` + gateway + `"}}]}`)
		},
		"as an escaped answer": func(string, string) string {
			return ok(`{"choices":[{"message":{"content":"the key is \u0073k-planted-key-5f3a9c"}}]}`)
		},
		"as a refusal": func(string, string) string { return ok(`{"choices":[{"message":{"refusal":"` + key + `"}}]}`) },
		"in a chunk that is none": func(auth, _ string) string {
			return "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + auth + "\r\n"
		},
		"in endless headers": func(auth, _ string) string {
			return "HTTP/1.1 200 OK\r\nX: " + strings.Repeat(auth, 20_000) + "\r\n\r\n"
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := New(Config{BaseURL: echo(t, reply), APIKey: key, Headers: map[string]string{"X-Gateway": gateway}, Model: "m"})
			if err != nil {
				t.Fatal(err)
			}
			defer c.CloseIdleConnections()
			answer, err := c.Complete(context.Background(), judge.Request{Metrics: []string{"bias"}, Messages: []judge.Message{{Role: judge.RoleUser, Text: content}}})
			said := fmt.Sprintf("%s %s %s %s", answer.Text, answer.Refusal, answer.Model, answer.ID)
			for e := err; e != nil; e = errors.Unwrap(e) {
				said += " " + e.Error()
			}
			for _, secret := range []string{key, gateway, content} {
				if strings.Contains(said, secret) {
					t.Errorf("%q is in %q", secret, said)
				}
			}
			if err == nil && answer.Text == "" && answer.Refusal == "" {
				t.Error("neither an answer nor an error")
			}
		})
	}
}

func TestCausesThatSayNothingOfTheReplyAreKept(t *testing.T) {
	c, err := New(Config{BaseURL: "http://127.0.0.1:1/v1", APIKey: "k", Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Complete(context.Background(), judge.Request{Metrics: []string{"bias"}})
	if err == nil || !strings.Contains(err.Error(), "connection refused") {
		t.Errorf("nobody listens, and the error is %v", err)
	}
}

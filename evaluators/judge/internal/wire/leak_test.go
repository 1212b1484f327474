package wire_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/anthropic"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
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
				sent := r.Header.Get("Authorization") + r.Header.Get("X-Api-Key") + r.Header.Get("X-Gateway")
				_, _ = io.WriteString(conn, reply(sent, string(body)))
			}
			_ = conn.Close()
		}
	}()
	return "http://" + l.Addr().String() + "/v1"
}

const (
	plantedKey    = "sk-planted-key-5f3a9c"
	plantedHeader = "gw-planted-secret"
	plantedSecret = "planted/client+secret"
	plantedToken  = "planted-token-77aa1b"
	plantedText   = "plantedword"
)

// hostile are replies of a server that quotes whatever it knows, which is given
// as key and gateway, too.
func hostile(c client, key, gateway string) map[string]func(auth, body string) string {
	ok := func(body string) string {
		return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Echo: %s\r\nContent-Length: %d\r\n\r\n%s", key, len(body), body)
	}
	refusal := func(status int, body string) string {
		return fmt.Sprintf("HTTP/1.1 %d X\r\nContent-Type: application/json\r\nX-Echo: %s\r\nContent-Length: %d\r\n\r\n%s", status, key, len(body), body)
	}
	always := func(reply string) func(string, string) string { return func(string, string) string { return reply } }
	escaped := fmt.Sprintf(`\u%04x`, key[0]) + key[1:]
	return map[string]func(auth, body string) string{
		"as a header line":        func(auth, body string) string { return "HTTP/1.1 200 OK\r\n" + auth + " " + body + "\r\n\r\n" },
		"as a content length":     func(auth, _ string) string { return "HTTP/1.1 200 OK\r\nContent-Length: " + auth + "\r\n\r\n" },
		"as a transfer encoding":  func(auth, _ string) string { return "HTTP/1.1 200 OK\r\nTransfer-Encoding: " + auth + "\r\n\r\n" },
		"as the status":           always("HTTP/1.1 " + key + " OK\r\n\r\n"),
		"as the protocol":         func(auth, body string) string { return auth + body + "\r\n\r\n" },
		"as a code":               always(refusal(401, `{"error":{"code":"`+key+`","message":"`+key+`"}}`)),
		"as a param":              always(refusal(400, `{"error":{"code":"x","param":"`+plantedText+`"}}`)),
		"as a param below a real": always(refusal(400, `{"error":{"code":"x","param":"messages.`+key+`.`+plantedText+`"}}`)),
		"as a location":           always(refusal(422, `{"detail":[{"loc":["body","messages","`+key+`"],"msg":"`+plantedText+`","input":"`+plantedText+`"}]}`)),
		"as a kind":               always(refusal(400, `{"error":{"type":"`+gateway+`"}}`)),
		"as a model":              always(ok(c.answer("x", key, "x"))),
		"as an id":                always(ok(c.answer(gateway, "x", "x"))),
		"as an answer":            always(ok(c.answer("x", "x", "the key is "+key+" or "+gateway))),
		"as an escaped answer":    always(ok(c.answer("x", "x", "the key is "+escaped))),
		"as a refusal":            always(ok(c.refusal(key))),
		"as a page":               always(ok("<html>" + key + "</html>")),
		"in a chunk that is none": func(auth, _ string) string {
			return "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + auth + "\r\n"
		},
		"in endless headers": func(auth, _ string) string {
			return "HTTP/1.1 200 OK\r\nX: " + strings.Repeat(auth, 20_000) + "\r\n\r\n"
		},
	}
}

// said is all that a call gave back that is looked at by others; of an error
// also what is never emitted, but for evaluated text.
func said(answer judge.Response, err error) (emitted, kept string) {
	emitted = fmt.Sprintf("%s %s %s %s %v", answer.Text, answer.Refusal, answer.Model, answer.ID, answer.Header)
	for e := err; e != nil; e = errors.Unwrap(e) {
		emitted += " " + e.Error()
	}
	if e, ok := errors.AsType[*judge.Error](err); ok {
		emitted += " " + e.Code + " " + e.Param
		kept = fmt.Sprintf("%s %v", e.Body, e.Header)
	}
	return emitted, kept
}

func TestNothingThatAServerEchoesLeaves(t *testing.T) {
	each(t, func(t *testing.T, c client) {
		for name, reply := range hostile(c, plantedKey, plantedHeader) {
			t.Run(name, func(t *testing.T) {
				made := c.make(t, settings{url: echo(t, reply), key: plantedKey, headers: map[string]string{"X-Gateway": plantedHeader}})
				r := request
				r.Messages = []judge.Message{{Role: judge.RoleUser, Text: plantedText}}
				answer, err := made.Complete(t.Context(), r)
				emitted, kept := said(answer, err)
				for _, secret := range []string{plantedKey, plantedHeader, plantedText} {
					if strings.Contains(emitted, secret) {
						t.Errorf("%q is in %q", secret, emitted)
					}
				}
				for _, secret := range []string{plantedKey, plantedHeader} {
					if strings.Contains(kept, secret) {
						t.Errorf("%q is in %q", secret, kept)
					}
				}
				if err == nil && answer.Text == "" && answer.Refusal == "" {
					t.Error("neither an answer nor an error")
				}
			})
		}
	})
}

// TestNoTokenThatAServerEchoesLeaves: nor a secret that it should not even know.
func TestNoTokenThatAServerEchoesLeaves(t *testing.T) {
	each(t, func(t *testing.T, c client) {
		for name, reply := range hostile(c, plantedToken, plantedSecret) {
			t.Run(name, func(t *testing.T) {
				issuer := newIssuer(t, grant(plantedToken, 3600))
				made := c.make(t, settings{url: echo(t, reply), oauth: issuer.credentials()})
				emitted, kept := said(made.Complete(t.Context(), request))
				for _, secret := range []string{plantedToken, plantedSecret} {
					if strings.Contains(emitted+kept, secret) {
						t.Errorf("%q is in %q or %q", secret, emitted, kept)
					}
				}
			})
		}
	})
}

// TestKeyInTheAddressDoesNotLeave: some servers want it in the query.
func TestKeyInTheAddressDoesNotLeave(t *testing.T) {
	each(t, func(t *testing.T, c client) {
		for name, reply := range hostile(c, plantedKey, plantedKey) {
			made := c.make(t, settings{url: echo(t, reply) + "?key=" + plantedKey})
			emitted, kept := said(made.Complete(t.Context(), request))
			if emitted += fmt.Sprint(made); strings.Contains(emitted+kept, plantedKey) {
				t.Errorf("%s: %q %q", name, emitted, kept)
			}
		}
	})
	for _, cfg := range []any{openai.Config{BaseURL: "https://a.example/v1?key=" + plantedKey}, anthropic.Config{BaseURL: "https://u:" + plantedKey + "@a.example"}} {
		if s := fmt.Sprintf("%v %#v", cfg, cfg); strings.Contains(s, plantedKey) || !strings.Contains(s, "a.example") {
			t.Error(s)
		}
	}
}

// TestWordsOfHeadersStayInAnswers: what an application calls itself is no
// secret, and a judge may say the word.
func TestWordsOfHeadersStayInAnswers(t *testing.T) {
	each(t, func(t *testing.T, c client) {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, c.answer("i", "m", "The Application of Assistant rules"))
		}))
		defer srv.Close()
		made := c.make(t, settings{url: srv.URL, headers: map[string]string{"X-Title": "Assistant", "X-Purpose": "My Application"}})
		if r, err := made.Complete(t.Context(), request); err != nil || r.Text != "The Application of Assistant rules" {
			t.Errorf("%q, %v", r.Text, err)
		}
	})
}

func TestCausesThatSayNothingOfTheReplyAreKept(t *testing.T) {
	each(t, func(t *testing.T, c client) {
		_, err := c.make(t, settings{url: "http://127.0.0.1:1/v1", key: "k"}).Complete(t.Context(), request)
		if err == nil || !strings.Contains(err.Error(), "connection refused") {
			t.Errorf("nobody listens, and the error is %v", err)
		}
	})
}

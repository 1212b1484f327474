package wire_test

import (
	"context"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

// The environment is read once in a process, so that these tests ask from a
// process of their own: this one, which finds whom to ask in the environment.

const (
	childURL    = "WIRE_TEST_URL"
	childClient = "WIRE_TEST_CLIENT"
	childToken  = "WIRE_TEST_TOKEN_URL"
)

func TestMain(m *testing.M) {
	if url := os.Getenv(childURL); url != "" {
		fmt.Println(askFromEnvironment(url))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func askFromEnvironment(url string) string {
	for _, c := range clients {
		if c.name != os.Getenv(childClient) {
			continue
		}
		s := settings{url: url, key: plantedKey}
		if token := os.Getenv(childToken); token != "" {
			s.key, s.oauth = "", &judge.ClientCredentials{TokenURL: token, ClientID: "app", ClientSecret: plantedSecret}
		}
		made, err := c.new(s)
		if err != nil {
			return err.Error()
		}
		r, err := made.Complete(context.Background(), request)
		if err != nil {
			return "failed: " + err.Error()
		}
		return "answered: " + r.Text
	}
	return "no such client"
}

// child asks from a process with these variables.
func child(t *testing.T, c client, url string, variables ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		switch strings.ToUpper(name) {
		case "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "REQUEST_METHOD", "SSL_CERT_FILE", "SSL_CERT_DIR":
		default:
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(append(cmd.Env, childURL+"="+url, childClient+"="+c.name,
		"GORACE=atexit_sleep_ms=0"), variables...) // which sleeps for a second before it exits
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// forward is a proxy for plain HTTP, which answers for every host, and gives
// tokens. It notes what it was asked for.
func forward(t *testing.T, c client) (url string, asked func() []string) {
	t.Helper()
	var mu sync.Mutex
	var got []string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		mu.Lock()
		got = append(got, r.Method+" "+r.RequestURI)
		mu.Unlock()
		switch {
		case r.Method == http.MethodConnect:
			w.WriteHeader(http.StatusBadGateway)
		case strings.HasSuffix(r.URL.Path, "/token"):
			grant("token-1", 3600)(w, r)
		default:
			fmt.Fprint(w, c.answer("i", "m", "by proxy"))
		}
	}))
	t.Cleanup(srv.Close)
	return srv.URL, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return got
	}
}

func TestProxyOfTheEnvironment(t *testing.T) {
	each(t, func(t *testing.T, c client) {
		// Nobody listens there, no name has to be looked up, and it is not one of
		// the loopback's addresses, which proxies are not asked for.
		const host = "0.0.0.0:1"
		const target = "http://" + host + "/v1"
		path := "http://" + host + "/v1/" + strings.TrimPrefix(strings.TrimPrefix(c.path, "/v1"), "/")
		for _, tt := range []struct {
			name      string
			url       string
			variables []string
			said      string
			asked     []string
		}{
			{"HTTP_PROXY", target, []string{"HTTP_PROXY=%s"}, "answered: by proxy", []string{"POST " + path}},
			{"http_proxy", target, []string{"http_proxy=%s"}, "answered: by proxy", []string{"POST " + path}},
			{"HTTPS_PROXY_is_for_https", "https://" + host + "/v1", []string{"HTTPS_PROXY=%s"}, "failed: judge_unavailable", []string{"CONNECT " + host}},
			{"HTTPS_PROXY_is_not_for_http", target, []string{"HTTPS_PROXY=%s"}, "failed: judge_unavailable", nil},
			{"NO_PROXY", target, []string{"HTTP_PROXY=%s", "NO_PROXY=example.org,0.0.0.0"}, "failed: judge_unavailable", nil},
			{"for_tokens_too", target, []string{"HTTP_PROXY=%s", childToken + "=http://0.0.0.0:2/token"}, "answered: by proxy", []string{"POST http://0.0.0.0:2/token", "POST " + path}},
			{"none", target, nil, "failed: judge_unavailable", nil},
		} {
			t.Run(tt.name, func(t *testing.T) {
				proxy, asked := forward(t, c)
				var variables []string
				for _, v := range tt.variables {
					variables = append(variables, strings.ReplaceAll(v, "%s", proxy))
				}
				if said := child(t, c, tt.url, variables...); !strings.HasPrefix(said, tt.said) {
					t.Errorf("%q, want %q", said, tt.said)
				}
				if got := asked(); strings.Join(got, ", ") != strings.Join(tt.asked, ", ") {
					t.Errorf("the proxy was asked for %q, want %q", got, tt.asked)
				}
			})
		}
	})
}

func TestCertificatesOfTheEnvironment(t *testing.T) {
	switch runtime.GOOS {
	case "darwin", "ios", "windows":
		t.Skip("there the system's own store is asked, and no variable")
	}
	each(t, func(t *testing.T, c client) {
		srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, c.answer("i", "m", "by TLS"))
		}))
		srv.Config.ErrorLog = log.New(io.Discard, "", 0) // a handshake fails on purpose
		srv.StartTLS()
		defer srv.Close()
		dir := t.TempDir()
		file := filepath.Join(dir, "ca.pem")
		certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: srv.Certificate().Raw})
		if err := os.WriteFile(file, certificate, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, tt := range []struct{ name, variable, want string }{
			{"SSL_CERT_FILE", "SSL_CERT_FILE=" + file, "answered: by TLS"},
			{"SSL_CERT_DIR", "SSL_CERT_DIR=" + dir, "answered: by TLS"},
			{"neither", "OTHER=x", "failed: judge_unavailable: the server's certificate is not accepted"},
		} {
			t.Run(tt.name, func(t *testing.T) {
				if said := child(t, c, srv.URL, tt.variable); said != tt.want {
					t.Errorf("%q, want %q", said, tt.want)
				}
			})
		}
	})
}

// TestRedirectsAreNotFollowed: they would carry the key along, and so would
// those of a token endpoint the secret.
func TestRedirectsAreNotFollowed(t *testing.T) {
	each(t, func(t *testing.T, c client) {
		reached := false
		other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			reached = true
			grant("token-1", 3600)(w, r)
		}))
		defer other.Close()
		for _, status := range []int{301, 302, 303, 307, 308} {
			srv := httptest.NewServer(http.RedirectHandler(other.URL, status))
			for _, own := range []*http.Client{nil, {}} {
				_, err := c.make(t, settings{url: srv.URL, key: plantedKey, http: own}).Complete(t.Context(), request)
				if e := asError(t, err); e.Type != evaluators.ErrorJudgeBadRequest || e.Status != status {
					t.Errorf("%d: %v", status, e)
				}
				credentials := &judge.ClientCredentials{TokenURL: srv.URL, ClientID: "app", ClientSecret: plantedSecret, AuthMethod: judge.AuthInBody}
				_, err = c.make(t, settings{url: srv.URL, oauth: credentials, http: own}).Complete(t.Context(), request)
				if e := asError(t, err); e.Type != evaluators.ErrorJudgeAuth {
					t.Errorf("token, %d: %v", status, e)
				}
			}
			srv.Close()
		}
		if reached {
			t.Error("the request went where the redirect led")
		}
	})
}

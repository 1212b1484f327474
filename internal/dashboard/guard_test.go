package dashboard

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/internal/dashboard/address"
	"github.com/genaievals/genaievals/manager"
)

// newPage is a page of an application that does nothing; change alters it.
func newPage(t *testing.T, change func(*Config)) *Server {
	t.Helper()
	cfg := Config{App: func() manager.Status { return manager.Status{} }, Logger: slog.New(slog.DiscardHandler)}
	if change != nil {
		change(&cfg)
	}
	s, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Shutdown(t.Context()); err != nil && !errors.Is(err, t.Context().Err()) {
			t.Error(err)
		}
	})
	return s
}

func TestOnlyThePageItselfIsAnswered(t *testing.T) {
	for name, tt := range map[string]struct {
		bound   string // empty: not started
		hosts   []string
		method  string
		path    string
		host    string
		headers map[string]string
		want    int
	}{
		"the page":                       {path: "/", host: "localhost:8377", want: 200},
		"by address":                     {path: "/", host: "127.0.0.1:8377", want: 200},
		"by IPv6 address":                {path: "/", host: "[::1]:8377", want: 200},
		"HEAD":                           {method: "HEAD", path: "/", host: "localhost", want: 200},
		"health":                         {path: "/healthz", host: "localhost", want: 200},
		"numbers":                        {path: "/status.json", host: "localhost", want: 200},
		"results":                        {path: "/results.json?metric=x", host: "localhost", want: 200},
		"stream, HEAD":                   {method: "HEAD", path: "/events", host: "localhost", want: 200},
		"style":                          {path: "/assets/page.css", host: "localhost", want: 200},
		"the HTML as an asset":           {path: "/assets/page.html", host: "localhost", want: 404},
		"a readme":                       {path: "/assets/uplot/README.md", host: "localhost", want: 404},
		"nothing there":                  {path: "/metrics", host: "localhost", want: 404},
		"a path that climbs":             {path: "/assets/../server.go", host: "localhost", want: 307},
		"rebound name":                   {path: "/", host: "evil.example:8377", want: 421},
		"rebound name, health":           {path: "/healthz", host: "evil.example", want: 421},
		"a name that looks local":        {path: "/", host: "localhost.evil.example", want: 421},
		"another address":                {path: "/", host: "10.0.0.7:8377", want: 421},
		"no host":                        {path: "/", host: "", want: 421},
		"configured name":                {hosts: []string{"page.internal"}, path: "/", host: "Page.Internal:8377", want: 200},
		"bound name":                     {bound: "box.lan:8377", path: "/", host: "box.lan:8377", want: 200},
		"everywhere, by address":         {bound: "0.0.0.0:8377", path: "/", host: "10.0.0.7:8377", want: 200},
		"everywhere, by another name":    {bound: "[::]:8377", path: "/", host: "evil.example:8377", want: 421},
		"POST":                           {method: "POST", path: "/", host: "localhost", want: 405},
		"PUT of results":                 {method: "PUT", path: "/results.json", host: "localhost", want: 405},
		"OPTIONS":                        {method: "OPTIONS", path: "/events", host: "localhost", want: 405},
		"CONNECT":                        {method: "CONNECT", path: "/", host: "localhost", want: 405},
		"own origin":                     {path: "/status.json", host: "localhost:8377", headers: map[string]string{"Origin": "http://localhost:8377", "Sec-Fetch-Site": "same-origin"}, want: 200},
		"origin of another site":         {path: "/events", host: "localhost:8377", headers: map[string]string{"Origin": "http://evil.example"}, want: 403},
		"origin of another port":         {path: "/events", host: "localhost:8377", headers: map[string]string{"Origin": "http://localhost:9999"}, want: 403},
		"no origin to speak of":          {path: "/events", host: "localhost:8377", headers: map[string]string{"Origin": "null"}, want: 403},
		"fetched by another site":        {path: "/status.json", host: "localhost:8377", headers: map[string]string{"Sec-Fetch-Site": "cross-site"}, want: 403},
		"fetched by a neighbour":         {path: "/assets/page.js", host: "localhost:8377", headers: map[string]string{"Sec-Fetch-Site": "same-site"}, want: 403},
		"linked from another site":       {path: "/", host: "localhost:8377", headers: map[string]string{"Sec-Fetch-Site": "cross-site"}, want: 200},
		"an origin that is no URL":       {path: "/results.json", host: "localhost:8377", headers: map[string]string{"Origin": "http://[::"}, want: 403},
		"same host by another transport": {path: "/status.json", host: "localhost:8377", headers: map[string]string{"Origin": "ftp://localhost:8377"}, want: 403},
	} {
		t.Run(name, func(t *testing.T) {
			s := newPage(t, func(c *Config) { c.AllowedHosts = tt.hosts })
			s.bound = tt.bound
			r := httptest.NewRequest(or(tt.method, "GET"), "http://x/", nil)
			r.URL.Path, r.URL.RawQuery, _ = strings.Cut(tt.path, "?")
			r.Host = tt.host
			for name, value := range tt.headers {
				r.Header.Set(name, value)
			}
			w := httptest.NewRecorder()
			s.Handler().ServeHTTP(w, r)
			if w.Code != tt.want {
				t.Errorf("%d %s, want %d", w.Code, w.Body, tt.want)
			}
			for header, want := range map[string]string{
				"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
			} {
				if got := w.Header().Get(header); got != want {
					t.Errorf("%s is %q", header, got)
				}
			}
			if w.Header().Get("Access-Control-Allow-Origin") != "" {
				t.Error("other sites may read it")
			}
			if cached := w.Header().Get("Cache-Control"); cached != "no-store" && !strings.HasPrefix(tt.path, "/assets/") {
				t.Errorf("Cache-Control is %q", cached)
			}
		})
	}
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func TestWithATokenNobodySeesThePageWithoutIt(t *testing.T) {
	const token = "correct horse"
	s := newPage(t, func(c *Config) { c.Token = token })
	h := s.Handler()
	ask := func(path string, headers ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", path, nil)
		r.Host = "localhost"
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	for _, path := range []string{"/", "/events", "/status.json", "/results.json", "/assets/page.js", "/?token=", "/?token=wrong", "/status.json?token=correct+horse"} {
		if w := ask(path); w.Code != http.StatusUnauthorized || strings.Contains(w.Body.String(), token) {
			t.Errorf("%s without a token: %d", path, w.Code)
		}
	}
	for _, wrong := range []string{"Bearer wrong", "Bearer", "Bearer ", "Basic " + token, token, "Bearer correct horse "} {
		if w := ask("/", "Authorization", wrong); w.Code != http.StatusUnauthorized {
			t.Errorf("Authorization %q: %d", wrong, w.Code)
		}
	}
	if w := ask("/healthz"); w.Code != http.StatusOK {
		t.Errorf("health: %d", w.Code)
	}
	if w := ask("/status.json", "Authorization", "bearer "+token); w.Code != http.StatusOK {
		t.Errorf("bearer: %d", w.Code)
	}
	w := ask("/?token=correct+horse")
	cookies := w.Result().Cookies()
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/" || len(cookies) != 1 {
		t.Fatalf("signing in: %d to %q, %d cookies", w.Code, w.Header().Get("Location"), len(cookies))
	}
	c := cookies[0]
	if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || strings.Contains(c.Value, token) {
		t.Errorf("cookie %v", c)
	}
	if w := ask("/", "Cookie", c.Name+"="+c.Value); w.Code != http.StatusOK {
		t.Errorf("with the cookie: %d", w.Code)
	}
	if w := ask("/", "Cookie", c.Name+"=0"+c.Value[1:]+"; x=y"); w.Code != http.StatusUnauthorized && c.Value[0] != '0' {
		t.Errorf("with a forged cookie: %d", w.Code)
	}
}

func TestOtherMachinesReachThePageOnlyWithAToken(t *testing.T) {
	for addr, want := range map[string]error{
		"0.0.0.0:0": ErrTokenRequired, ":0": ErrTokenRequired, "[::]:0": ErrTokenRequired, "no port": address.Err, "": address.Err,
	} {
		if url, err := newPage(t, nil).Start(addr); !errors.Is(err, want) {
			t.Errorf("Start(%q) = %q, %v, want %v", addr, url, err, want)
		}
	}
	s := newPage(t, func(c *Config) { c.Token = "t" })
	url, err := s.Start(":0")
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if text, _ := io.ReadAll(res.Body); res.StatusCode != http.StatusUnauthorized {
		t.Errorf("%s: %s", res.Status, text)
	}
}

func TestNothingToShowOrABadLinkIsAnErrorOfNew(t *testing.T) {
	if _, err := New(Config{}); !errors.Is(err, ErrNoSource) {
		t.Errorf("without a source: %v", err)
	}
	if _, err := New(Config{App: func() manager.Status { return manager.Status{} }, TraceURL: "javascript:{trace_id}"}); !errors.Is(err, address.ErrTraceURL) {
		t.Errorf("with a script for a link: %v", err)
	}
}

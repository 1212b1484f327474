package genaievals

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/anthropic"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
)

// clientOf makes the client of the first judge from variables, which are given
// without the prefix but for those of providers' keys.
func clientOf(t *testing.T, variables map[string]string) (_ judge.Client, why, warnings string) {
	t.Helper()
	for name, value := range variables {
		if strings.HasPrefix(name, "JUDGE_") {
			name = envconfig.Prefix + name
		}
		t.Setenv(name, value)
	}
	var said strings.Builder
	s, err := newSettings([]Option{WithLogger(textLogger(&said))})
	if err != nil {
		t.Fatal(err)
	}
	c, why := s.newJudgeClient(t.Context(), judgeName, s.env.Judge)
	return c, why, said.String()
}

// ask sends one request, whatever comes of it.
func ask(t *testing.T, c judge.Client) error {
	t.Helper()
	_, err := c.Complete(t.Context(), judge.Request{
		Messages: []judge.Message{{Role: "user", Text: "x"}}, Schema: json.RawMessage(`{"type":"object"}`), MaxOutputTokens: 100,
	})
	return err
}

// Each provider gets its own key, and no other, in the header and in the
// format that are its own.
func TestEveryProviderIsAskedInItsWay(t *testing.T) {
	for _, p := range envconfig.Providers() {
		t.Run(p.Name, func(t *testing.T) {
			var got *http.Request
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				got = r.Clone(context.Background())
				w.WriteHeader(http.StatusNotFound)
			}))
			t.Cleanup(server.Close)
			variables := map[string]string{"JUDGE_PROVIDER": p.Name, "JUDGE_MODEL": "m", "JUDGE_BASE_URL": server.URL + "/v1"}
			for _, other := range envconfig.Providers() {
				if other.KeyVariable != "" {
					variables[other.KeyVariable] = "key-of-" + other.Name
				}
			}
			c, why, warnings := clientOf(t, variables)
			if why != "" || warnings != "" {
				t.Fatalf("off because %q, warnings %q", why, warnings)
			}
			if err := ask(t, c); err == nil || got == nil {
				t.Fatalf("the error is %v, the request %v", err, got)
			}
			path, header, prefix := "/v1/chat/completions", "Authorization", "Bearer "
			if p.Format == envconfig.FormatAnthropic {
				path, header, prefix = "/v1/messages", "X-Api-Key", ""
			}
			if p.AuthHeader != "" {
				header, prefix = p.AuthHeader, ""
			}
			want := prefix + "key-of-" + p.Name
			if p.KeyVariable == "" {
				want = ""
			}
			if got.URL.Path != path || got.Header.Get(header) != want {
				t.Errorf("%s was asked, with %q in %s; want %s, and %q", got.URL.Path, got.Header.Get(header), header, path, want)
			}
			if all := fmt.Sprint(got.Header); strings.Count(all, "key-of-") > 1 || want == "" && strings.Contains(all, "key-of-") {
				t.Errorf("the headers have other keys: %s", all)
			}
			if e := c.(judge.Describer).Endpoint(); e.Provider != p.TelemetryName || e.Model != "m" || e.Address != "127.0.0.1" {
				t.Errorf("the endpoint is %+v", e)
			}
		})
	}
}

// Without an address a judge is where its provider is.
func TestEveryProvidersOwnAddress(t *testing.T) {
	for _, p := range envconfig.Providers() {
		t.Run(p.Name, func(t *testing.T) {
			c, why, _ := clientOf(t, map[string]string{"JUDGE_PROVIDER": p.Name, "JUDGE_MODEL": "m", "JUDGE_API_KEY": "k"})
			if p.BaseURL == "" {
				if c != nil || !strings.Contains(why, "JUDGE_BASE_URL") {
					t.Errorf("there is a client, or no reason: %q", why)
				}
				return
			}
			u, err := url.Parse(p.BaseURL)
			if err != nil || why != "" {
				t.Fatal(err, why)
			}
			e := c.(judge.Describer).Endpoint()
			if port := u.Port(); e.Address != u.Hostname() || port != "" && port != fmt.Sprint(e.Port) {
				t.Errorf("the judge is at %s:%d, want %s", e.Address, e.Port, p.BaseURL)
			}
			switch p.Name {
			case "openai":
				if p.BaseURL != openai.DefaultBaseURL {
					t.Errorf("the client's default is %s", openai.DefaultBaseURL)
				}
			case "anthropic":
				if p.BaseURL != anthropic.DefaultBaseURL {
					t.Errorf("the client's default is %s", anthropic.DefaultBaseURL)
				}
			}
		})
	}
}

func TestAJudgeSignsInByOAuth(t *testing.T) {
	for _, tt := range []struct {
		name      string
		variables map[string]string
		header    string // of the judge's request
		value     string
		inForm    bool
		warns     string
	}{
		{"by default", nil, "Authorization", "Bearer token-1", false, ""},
		{"in the form", map[string]string{"JUDGE_OAUTH_AUTH_METHOD": "post", "JUDGE_OAUTH_SCOPE": "judge read"}, "Authorization", "Bearer token-1", true, ""},
		{"with a header of its own", map[string]string{"JUDGE_AUTH_HEADER": "api-key"}, "Api-Key", "token-1", false, ""},
		{"on Azure", map[string]string{"JUDGE_PROVIDER": "azure"}, "Authorization", "Bearer token-1", false, ""},
		{"at Anthropic's", map[string]string{"JUDGE_PROVIDER": "anthropic"}, "Authorization", "Bearer token-1", false, ""},
		{"beside a key", map[string]string{"JUDGE_API_KEY": "not-sent"}, "Authorization", "Bearer token-1", false, "the judge's key is not sent"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var asked, signed atomic.Pointer[http.Request]
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/token" {
					asked.Store(r.Clone(context.Background()))
					w.WriteHeader(http.StatusNotFound)
					return
				}
				_ = r.ParseForm()
				signed.Store(r.Clone(context.Background()))
				w.Header().Set("Content-Type", "application/json")
				_, _ = w.Write([]byte(`{"access_token":"token-1","token_type":"Bearer","expires_in":3600}`))
			}))
			t.Cleanup(server.Close)
			variables := map[string]string{
				"JUDGE_MODEL": "m", "JUDGE_BASE_URL": server.URL, "JUDGE_OAUTH_TOKEN_URL": server.URL + "/token",
				"JUDGE_OAUTH_CLIENT_ID": "shop", "JUDGE_OAUTH_CLIENT_SECRET": "hidden",
				"OPENAI_API_KEY": "not-sent", "AZURE_OPENAI_API_KEY": "not-sent", "ANTHROPIC_API_KEY": "not-sent",
			}
			maps.Copy(variables, tt.variables)
			c, why, warnings := clientOf(t, variables)
			if why != "" || (warnings == "") != (tt.warns == "") || !strings.Contains(warnings, tt.warns) {
				t.Fatalf("off because %q, warnings %q", why, warnings)
			}
			_ = ask(t, c)
			token, request := signed.Load(), asked.Load()
			if token == nil || request == nil {
				t.Fatal("no token was fetched, or the judge was not asked")
			}
			id, secret, basic := token.BasicAuth()
			if tt.inForm {
				id, secret = token.PostForm.Get("client_id"), token.PostForm.Get("client_secret")
				if token.PostForm.Get("scope") != "judge read" {
					t.Errorf("the scope is %q", token.PostForm.Get("scope"))
				}
			}
			if id != "shop" || secret != "hidden" || basic == tt.inForm {
				t.Errorf("signed in as %q with %q, in the header: %t", id, secret, basic)
			}
			if request.Header.Get(tt.header) != tt.value || strings.Contains(fmt.Sprint(request.Header), "not-sent") {
				t.Errorf("the judge's request has %v", request.Header)
			}
		})
	}
}

// What Splunk's utilities have works here, but for their default header.
func TestOlderNamesMakeAJudge(t *testing.T) {
	c, why, warnings := clientOf(t, map[string]string{
		"DEEPEVAL_LLM_BASE_URL": "https://gateway.example/openai/deployments/small", "DEEPEVAL_LLM_MODEL": "small",
		"DEEPEVAL_LLM_PROVIDER": "azure", "DEEPEVAL_LLM_AUTH_METHOD": "post", "DEEPEVAL_LLM_GRANT_TYPE": "client_credentials",
		"DEEPEVAL_LLM_TOKEN_URL": "https://id.example/token", "DEEPEVAL_LLM_CLIENT_ID": "shop", "DEEPEVAL_LLM_CLIENT_SECRET": "hidden",
		"DEEPEVAL_LLM_SCOPE": "judge", "DEEPEVAL_LLM_AUTH_HEADER": "api-key", "DEEPEVAL_LLM_EXTRA_HEADERS": `{"system-code": "APP-123"}`,
	})
	if why != "" || warnings != "" {
		t.Fatalf("off because %q, warnings %q", why, warnings)
	}
	if e := c.(judge.Describer).Endpoint(); e != (judge.Endpoint{Provider: "azure.ai.openai", Model: "small", Address: "gateway.example", Port: 443}) {
		t.Errorf("the endpoint is %+v", e)
	}
}

func TestAKeyIsWithheldWithOneWarning(t *testing.T) {
	_, why, warnings := clientOf(t, map[string]string{
		"JUDGE_PROVIDER": "gemini", "JUDGE_MODEL": "m", "JUDGE_BASE_URL": "https://gateway.example/v1", "GEMINI_API_KEY": "hidden-key",
	})
	if why != "" || strings.Count(warnings, "\n") != 1 || strings.Contains(warnings, "hidden-key") {
		t.Errorf("off because %q, warnings %q", why, warnings)
	}
	for _, part := range []string{"GEMINI_API_KEY is not sent", "JUDGE_API_KEY", "gateway.example", "level=WARN"} {
		if !strings.Contains(warnings, part) {
			t.Errorf("said %q, which lacks %q", warnings, part)
		}
	}
}

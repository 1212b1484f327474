package openai_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
)

const plantedKey = "sk-planted-key"

func TestConfigErrorsNameTheField(t *testing.T) {
	for _, tt := range []struct {
		name   string
		config openai.Config
		want   string
	}{
		{"zero", openai.Config{}, "Model"},
		{"no_key_for_the_default", openai.Config{Model: "m"}, "APIKey"},
		{"not_a_url", openai.Config{Model: "m", BaseURL: "://" + plantedKey}, "BaseURL"},
		{"no_scheme", openai.Config{Model: "m", BaseURL: "localhost:11434/v1"}, "https://"},
		{"no_host", openai.Config{Model: "m", BaseURL: "http:///v1"}, "host"},
		{"credentials_in_url", openai.Config{Model: "m", BaseURL: "https://user:" + plantedKey + "@a.example/v1"}, "APIKey or Headers"},
		{"key_with_newline", openai.Config{Model: "m", APIKey: plantedKey + "\n"}, "APIKey"},
		{"bad_auth_header", openai.Config{Model: "m", APIKey: plantedKey, AuthHeader: "api key"}, "AuthHeader"},
		{"bad_header_value", openai.Config{Model: "m", APIKey: plantedKey, Headers: map[string]string{"X-A": plantedKey + "\r\n"}}, "Headers"},
		{"bad_header_name", openai.Config{Model: "m", APIKey: plantedKey, Headers: map[string]string{"": "x"}}, "Headers"},
		{"negative_connections", openai.Config{Model: "m", APIKey: plantedKey, MaxConnections: -1}, "MaxConnections"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := openai.New(tt.config)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("error %v, want one with %q", err, tt.want)
			}
			if strings.Contains(err.Error(), plantedKey) {
				t.Errorf("error holds the key: %v", err)
			}
		})
	}
}

func TestKeyIsNotPrinted(t *testing.T) {
	cfg := openai.Config{Model: "m", APIKey: plantedKey, Headers: map[string]string{"X-Key": plantedKey}}
	c, err := openai.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	var logged bytes.Buffer
	for _, h := range []slog.Handler{slog.NewJSONHandler(&logged, nil), slog.NewTextHandler(&logged, nil)} {
		slog.New(h).Info("configured", "config", cfg, "pointer", &cfg, "client", c)
	}
	if err := json.NewEncoder(&logged).Encode(cfg); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(logged.String(), plantedKey) {
		t.Errorf("logged: %s", &logged)
	}
	for _, v := range []any{cfg, &cfg, c} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
			if s := fmt.Sprintf(verb, v); strings.Contains(s, plantedKey) {
				t.Errorf("%s of %T: %s", verb, v, s)
			}
		}
	}
}

func TestBaseURL(t *testing.T) {
	var path string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path = r.URL.RequestURI()
		fmt.Fprint(w, okBody)
	}))
	defer srv.Close()
	for _, tt := range []struct{ suffix, want string }{
		{"", "/chat/completions"},
		{"/v1", "/v1/chat/completions"},
		{"/v1/", "/v1/chat/completions"},
		{"/v1/chat/completions", "/v1/chat/completions"},
		{"/openai/deployments/d?api-version=2", "/openai/deployments/d/chat/completions?api-version=2"},
	} {
		c := newClient(t, openai.Config{Model: "m", BaseURL: srv.URL + tt.suffix})
		if _, err := c.Complete(t.Context(), judge.Request{}); err != nil || path != tt.want {
			t.Errorf("%q: %v, asked %s, want %s", tt.suffix, err, path, tt.want)
		}
	}
}

func TestEndpoint(t *testing.T) {
	for _, tt := range []struct {
		config openai.Config
		want   judge.Endpoint
	}{
		{openai.Config{Model: "m", APIKey: "k"}, judge.Endpoint{Provider: "openai", Model: "m", Address: "api.openai.com", Port: 443}},
		{openai.Config{Model: "m", BaseURL: "http://[::1]:11434/v1", Provider: "ollama"}, judge.Endpoint{Provider: "ollama", Model: "m", Address: "::1", Port: 11434}},
		{openai.Config{Model: "m", BaseURL: "http://a.example"}, judge.Endpoint{Provider: "openai", Model: "m", Address: "a.example", Port: 80}},
	} {
		if diff := cmp.Diff(tt.want, newClient(t, tt.config).Endpoint()); diff != "" {
			t.Errorf("endpoint (-want +got):\n%s", diff)
		}
	}
}

func TestHeaders(t *testing.T) {
	var got http.Header
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header
		fmt.Fprint(w, okBody)
	}))
	defer srv.Close()
	for _, tt := range []struct {
		name   string
		config openai.Config
		want   map[string]string
	}{
		{"bearer", openai.Config{APIKey: "k"}, map[string]string{"Authorization": "Bearer k", "Content-Type": "application/json"}},
		{"own_header", openai.Config{APIKey: "k", AuthHeader: "api-key"}, map[string]string{"Api-Key": "k", "Authorization": ""}},
		{"authorization_by_name", openai.Config{APIKey: "k", AuthHeader: "authorization"}, map[string]string{"Authorization": "Bearer k"}},
		{"no_key", openai.Config{}, map[string]string{"Authorization": ""}},
		{"extra", openai.Config{Headers: map[string]string{"X-Team": "t", "user-agent": "mine"}}, map[string]string{"X-Team": "t", "User-Agent": "mine"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.config.Model, tt.config.BaseURL = "m", srv.URL
			if _, err := newClient(t, tt.config).Complete(t.Context(), judge.Request{}); err != nil {
				t.Fatal(err)
			}
			for name, want := range tt.want {
				if got.Get(name) != want {
					t.Errorf("%s is %q, want %q", name, got.Get(name), want)
				}
			}
		})
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	reached := false
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		reached = true
		fmt.Fprint(w, okBody)
	}))
	defer other.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		srv := httptest.NewServer(http.RedirectHandler(other.URL, status))
		for _, own := range []*http.Client{nil, {}} {
			c := newClient(t, openai.Config{Model: "m", BaseURL: srv.URL, APIKey: plantedKey, AuthHeader: "api-key", HTTPClient: own})
			_, err := c.Complete(context.Background(), judge.Request{})
			if e := asError(t, err); e.Type != evaluators.ErrorJudgeBadRequest || e.Status != status {
				t.Errorf("%d: %v", status, e)
			}
		}
		srv.Close()
	}
	if reached {
		t.Error("the request went where the redirect led")
	}
}

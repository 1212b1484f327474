package anthropic_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/anthropic"
)

const plantedKey = "sk-ant-planted-key"

func TestConfigErrorsNameTheField(t *testing.T) {
	for _, tt := range []struct {
		name   string
		config anthropic.Config
		want   string
	}{
		{"zero", anthropic.Config{}, "Model"},
		{"no_key_for_the_default", anthropic.Config{Model: "m"}, "APIKey"},
		{"not_a_url", anthropic.Config{Model: "m", BaseURL: "://" + plantedKey}, "BaseURL"},
		{"credentials_in_url", anthropic.Config{Model: "m", BaseURL: "https://user:" + plantedKey + "@a.example"}, "APIKey or Headers"},
		{"key_with_newline", anthropic.Config{Model: "m", APIKey: plantedKey + "\n"}, "APIKey"},
		{"version_with_newline", anthropic.Config{Model: "m", APIKey: plantedKey, Version: "1\n"}, "anthropic-version"},
		{"negative_connections", anthropic.Config{Model: "m", APIKey: plantedKey, MaxConnections: -1}, "MaxConnections"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := anthropic.New(tt.config)
			if err == nil || !strings.HasPrefix(err.Error(), "anthropic: ") || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), plantedKey) {
				t.Errorf("error %v, want one with %q and without the key", err, tt.want)
			}
		})
	}
}

func TestKeyIsNotPrinted(t *testing.T) {
	cfg := anthropic.Config{
		Model: "m", BaseURL: "https://a.example", Headers: map[string]string{"X-Key": plantedKey},
		OAuth: &judge.ClientCredentials{TokenURL: "https://b.example", ClientID: "id", ClientSecret: plantedKey, Params: map[string]string{"p": plantedKey}},
	}
	keyed := anthropic.Config{Model: "m", APIKey: plantedKey}
	var out bytes.Buffer
	for _, cfg := range []anthropic.Config{cfg, keyed} {
		c := newClient(t, cfg)
		for _, h := range []slog.Handler{slog.NewJSONHandler(&out, nil), slog.NewTextHandler(&out, nil)} {
			slog.New(h).Info("configured", "config", cfg, "pointer", &cfg, "client", c)
		}
		if err := json.NewEncoder(&out).Encode(cfg); err != nil {
			t.Fatal(err)
		}
		for _, v := range []any{cfg, &cfg, c} {
			for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
				fmt.Fprintf(&out, verb+"\n", v)
			}
		}
	}
	if strings.Contains(out.String(), plantedKey) {
		t.Errorf("printed: %s", &out)
	}
}

func TestAddressAndHeaders(t *testing.T) {
	var got *http.Request
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r
		fmt.Fprint(w, okBody)
	}))
	defer srv.Close()
	for _, tt := range []struct {
		name   string
		suffix string
		config anthropic.Config
		path   string
		want   map[string]string
	}{
		{"key", "", anthropic.Config{APIKey: "k"}, "/v1/messages", map[string]string{"X-Api-Key": "k", "Authorization": "", "Anthropic-Version": anthropic.DefaultVersion, "Content-Type": "application/json"}},
		{"v1", "/v1", anthropic.Config{APIKey: "k"}, "/v1/messages", nil},
		{"v1_slash", "/v1/", anthropic.Config{APIKey: "k"}, "/v1/messages", nil},
		{"in_full", "/v1/messages", anthropic.Config{APIKey: "k"}, "/v1/messages", nil},
		{"below_a_path", "/anthropic?team=7", anthropic.Config{APIKey: "k"}, "/anthropic/v1/messages?team=7", nil},
		{"bearer", "", anthropic.Config{APIKey: "k", AuthHeader: "authorization"}, "/v1/messages", map[string]string{"X-Api-Key": "", "Authorization": "Bearer k"}},
		{"own_header", "", anthropic.Config{APIKey: "k", AuthHeader: "X-Gateway-Key"}, "/v1/messages", map[string]string{"X-Api-Key": "", "X-Gateway-Key": "k"}},
		{"older_version", "", anthropic.Config{Version: "2023-06-01"}, "/v1/messages", map[string]string{"X-Api-Key": "", "Anthropic-Version": "2023-06-01"}},
		{"extra", "", anthropic.Config{Headers: map[string]string{"anthropic-beta": "b", "x-team": "t"}}, "/v1/messages", map[string]string{"Anthropic-Beta": "b", "X-Team": "t"}},
		{"X02_no_tracing", "", anthropic.Config{}, "/v1/messages", map[string]string{"Traceparent": "", "Tracestate": "", "Baggage": ""}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.config.Model, tt.config.BaseURL = "m", srv.URL+tt.suffix
			if _, err := newClient(t, tt.config).Complete(t.Context(), judge.Request{}); err != nil {
				t.Fatal(err)
			}
			if got.Method != http.MethodPost || got.URL.RequestURI() != tt.path {
				t.Errorf("%s %s, want %s", got.Method, got.URL.RequestURI(), tt.path)
			}
			for name, want := range tt.want {
				if got.Header.Get(name) != want {
					t.Errorf("%s is %q, want %q", name, got.Header.Get(name), want)
				}
			}
		})
	}
}

func TestEndpoint(t *testing.T) {
	for _, tt := range []struct {
		config anthropic.Config
		want   judge.Endpoint
	}{
		{anthropic.Config{Model: "m", APIKey: "k"}, judge.Endpoint{Provider: "anthropic", Model: "m", Address: "api.anthropic.com", Port: 443}},
		{anthropic.Config{Model: "m", BaseURL: "http://a.example:8080", Provider: "gateway"}, judge.Endpoint{Provider: "gateway", Model: "m", Address: "a.example", Port: 8080}},
	} {
		if diff := cmp.Diff(tt.want, newClient(t, tt.config).Endpoint()); diff != "" {
			t.Errorf("endpoint (-want +got):\n%s", diff)
		}
	}
}

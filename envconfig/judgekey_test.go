package envconfig_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/genaievals/genaievals/envconfig"
)

func TestSetReadsTextsAsTheVariablesDo(t *testing.T) {
	var j envconfig.Judge
	for key, text := range map[string]string{
		"provider": "Anthropic", "model": " m ", "base_url": "https://judge.example/v1", "timeout": "30", "max_output_tokens": "512",
		"temperature": "0.5", "price": "0.15/0.60", "rate_limit": "60/min", "token_limit": "90000/min", "budget": "none", "mode": "Combined",
		"api_key": "k", "headers": "a=b",
	} {
		if err := j.Set(key, text); err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
	if j.Provider != "anthropic" || j.Model != "m" || j.BaseURL != "https://judge.example/v1" || j.Timeout != 30*time.Second ||
		j.MaxOutputTokens != 512 || *j.Temperature != 0.5 || j.Price.Output != 0.6 || j.RateLimit.PerSecond != 1 ||
		j.TokenLimit.PerSecond != 1500 || !j.Budget.Unlimited() || j.Mode != envconfig.ModeCombined || j.APIKey != "k" || j.Headers["a"] != "b" {
		t.Errorf("got %#v", j)
	}
}

func TestSetRefusesWhatAVariableWouldWarnOf(t *testing.T) {
	for key, text := range map[string]string{
		"provider": "nobody", "base_url": "ftp://x", "timeout": "2h", "max_output_tokens": "1", "temperature": "3", "price": "cheap",
		"rate_limit": "60/fortnight", "token_limit": "strict:5/sec", "budget": "5", "mode": "both", "modell": "m", "api_keys": "k",
	} {
		var j envconfig.Judge
		if err := j.Set(key, text); !errors.Is(err, envconfig.ErrConfig) {
			t.Errorf("%s=%s: %v", key, text, err)
		}
	}
	var j envconfig.Judge
	if err := j.Set("headers", "s3cret"); err == nil || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("a secret is told: %v", err)
	}
}

func TestJudgeKeysAreThoseOfTheVariables(t *testing.T) {
	secret := map[string]bool{}
	for _, k := range envconfig.JudgeKeys() {
		secret[k.Key] = k.Secret
		if k.Accepts == "" {
			t.Errorf("%s does not say what it takes", k.Key)
		}
	}
	if len(secret) < 15 || !secret["api_key"] || !secret["headers"] || !secret["oauth_client_secret"] || secret["model"] {
		t.Errorf("got %v", secret)
	}
}

func TestWithoutCredentialsKeepsTheRest(t *testing.T) {
	j := envconfig.Judge{
		Model: "m", BaseURL: "https://a.example/v1", APIKey: "k", OpenAIAPIKey: "o", AuthHeader: "h", Headers: map[string]string{"a": "b"},
		OAuthTokenURL: "https://t.example", OAuthClientID: "i", OAuthClientSecret: "s", OAuthScope: "x", OAuthAuthMethod: "post",
	}
	got := j.WithoutCredentials()
	if got.APIKey+got.AuthHeader+got.OAuthTokenURL+got.OAuthClientID+got.OAuthClientSecret+got.OAuthScope != "" || got.Headers != nil {
		t.Errorf("credentials are left: %#v", got)
	}
	if got.Model != "m" || got.BaseURL != j.BaseURL || got.OpenAIAPIKey != "o" || j.APIKey != "k" {
		t.Errorf("got %#v, from %#v", got, j)
	}
	if !j.SameServer(&got) || j.SameServer(&envconfig.Judge{BaseURL: "https://b.example/v1"}) {
		t.Error("SameServer")
	}
}

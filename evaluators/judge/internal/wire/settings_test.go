package wire_test

import (
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators/judge"
)

func TestCredentialsThatCannotBe(t *testing.T) {
	good := judge.ClientCredentials{TokenURL: "https://issuer.example/token", ClientID: "app", ClientSecret: plantedSecret}
	for _, tt := range []struct {
		name   string
		change func(*judge.ClientCredentials)
		want   string
	}{
		{"no_url", func(c *judge.ClientCredentials) { c.TokenURL = "" }, "TokenURL"},
		{"url_that_is_none", func(c *judge.ClientCredentials) { c.TokenURL = "://" + plantedSecret }, "TokenURL"},
		{"credentials_in_url", func(c *judge.ClientCredentials) { c.TokenURL = "https://app:" + plantedKey + "@issuer.example" }, "TokenURL"},
		{"no_id", func(c *judge.ClientCredentials) { c.ClientID = "" }, "ClientID"},
		{"no_secret", func(c *judge.ClientCredentials) { c.ClientSecret = "" }, "ClientSecret"},
		{"method", func(c *judge.ClientCredentials) { c.AuthMethod = "carrier pigeon" }, "AuthMethod"},
		{"param", func(c *judge.ClientCredentials) { c.Params = map[string]string{"scope": plantedSecret} }, "Params"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			each(t, func(t *testing.T, c client) {
				bad := good
				tt.change(&bad)
				_, err := c.new(settings{oauth: &bad})
				if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), plantedSecret) {
					t.Errorf("error %v, want one with %s", err, tt.want)
				}
			})
		})
	}
	each(t, func(t *testing.T, c client) {
		if _, err := c.new(settings{oauth: &good, key: plantedKey}); err == nil || !strings.Contains(err.Error(), "both") {
			t.Errorf("a key and tokens: %v", err)
		}
		if _, err := c.new(settings{oauth: &good}); err != nil {
			t.Errorf("tokens for the provider's own server: %v", err)
		}
	})
}

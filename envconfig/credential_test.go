package envconfig

import (
	"strings"
	"testing"
)

func TestKey(t *testing.T) {
	oauth := Judge{OAuthTokenURL: "https://id.example", APIKey: "own", OpenAIAPIKey: "openai"}
	tests := []struct {
		name          string
		judge         Judge
		key, withheld string
	}{
		{"none", Judge{}, "", ""},
		{"own", Judge{APIKey: "own", OpenAIAPIKey: "openai", BaseURL: "https://gateway.example"}, "own", ""},
		{"OpenAI by default", Judge{OpenAIAPIKey: "openai"}, "openai", ""},
		{"OpenAI by name", Judge{OpenAIAPIKey: "openai", BaseURL: "https://api.openai.com/v1"}, "openai", ""},
		{"OpenAI in a region", Judge{OpenAIAPIKey: "openai", BaseURL: "https://EU.api.OpenAI.com/v1"}, "openai", ""},
		{"OpenAI in the clear", Judge{OpenAIAPIKey: "openai", BaseURL: "http://api.openai.com/v1"}, "", "api.openai.com"},
		{"this machine", Judge{OpenAIAPIKey: "openai", BaseURL: "http://localhost:11434/v1"}, "openai", ""},
		{"another provider on this machine", Judge{Provider: "ollama", OpenAIAPIKey: "openai"}, "", ""},
		{"somebody else", Judge{OpenAIAPIKey: "openai", BaseURL: "https://gateway.example/v1"}, "", "gateway.example"},
		{"somebody without keys", Judge{BaseURL: "https://gateway.example/v1"}, "", ""},
		{"Azure without an address", Judge{Provider: "azure", AzureOpenAIAPIKey: "azure"}, "", "an address that is not set"},
		{"a token in its place", oauth, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			key, withheld := tt.judge.Key()
			if key != tt.key || withheld != tt.withheld {
				t.Errorf("got %q, %q, want %q, %q", key, withheld, tt.key, tt.withheld)
			}
		})
	}
}

func TestKeyHeader(t *testing.T) {
	for want, judges := range map[string][]Judge{
		"":        {{}, {Provider: "anthropic"}, {Provider: "azure", OAuthTokenURL: "https://id.example"}},
		"api-key": {{Provider: "azure"}, {AuthHeader: "api-key", OAuthTokenURL: "https://id.example"}},
		"x-key":   {{Provider: "azure", AuthHeader: "x-key"}},
	} {
		for _, j := range judges {
			if got := j.KeyHeader(); got != want {
				t.Errorf("%+v has %q, want %q", j, got, want)
			}
		}
	}
}

func TestWhatAJudgeLacks(t *testing.T) {
	tests := []struct {
		name string
		env  map[string]string // without Prefix, but for names that end in _API_KEY of a provider
		want string
		fast bool // asked of the judge fast, else of the first one
	}{
		{"a model", map[string]string{"JUDGE_API_KEY": "k"}, Prefix + "JUDGE_MODEL is not set", false},
		{"nothing", map[string]string{"JUDGE_MODEL": "m", "JUDGE_API_KEY": "k"}, "", false},
		{"a key", map[string]string{"JUDGE_MODEL": "m"}, "neither " + Prefix + "JUDGE_API_KEY nor OPENAI_API_KEY is set", false},
		{"a key in a header will do", map[string]string{"JUDGE_MODEL": "m", "JUDGE_HEADERS": "authorization=Bearer k"}, "", false},
		{"any other header will not", map[string]string{"JUDGE_MODEL": "m", "JUDGE_HEADERS": "x-team=search"}, "neither", false},
		{"a server of one's own may need no key", map[string]string{"JUDGE_MODEL": "m", "JUDGE_BASE_URL": "https://gateway.example"}, "", false},
		{"a key, at the provider's address by name", map[string]string{"JUDGE_MODEL": "m", "JUDGE_BASE_URL": "https://eu.api.openai.com/v1"}, "neither", false},
		{"a key, on Azure", map[string]string{"JUDGE_MODEL": "m", "JUDGE_PROVIDER": "azure", "JUDGE_BASE_URL": "https://mine.openai.azure.com"}, "neither " + Prefix + "JUDGE_API_KEY nor AZURE_OPENAI_API_KEY is set", false},
		{"an address", map[string]string{"JUDGE_MODEL": "m", "JUDGE_API_KEY": "k", "JUDGE_PROVIDER": "azure"}, Prefix + "JUDGE_BASE_URL is not set", false},
		{"an OAuth client's id", map[string]string{"JUDGE_MODEL": "m", "JUDGE_OAUTH_TOKEN_URL": "https://id.example", "JUDGE_OAUTH_CLIENT_SECRET": "s"}, Prefix + "JUDGE_OAUTH_CLIENT_ID is not set", false},
		{"its secret", map[string]string{"JUDGE_MODEL": "m", "JUDGE_OAUTH_TOKEN_URL": "https://id.example", "JUDGE_OAUTH_CLIENT_ID": "i"}, Prefix + "JUDGE_OAUTH_CLIENT_SECRET is not set", false},
		{"its endpoint, even beside a key", map[string]string{"JUDGE_MODEL": "m", "JUDGE_API_KEY": "k", "JUDGE_OAUTH_CLIENT_ID": "i"}, Prefix + "JUDGE_OAUTH_TOKEN_URL is not set", false},
		{"a whole OAuth client needs no key", map[string]string{"JUDGE_MODEL": "m", "JUDGE_OAUTH_TOKEN_URL": "https://id.example", "JUDGE_OAUTH_CLIENT_ID": "i", "JUDGE_OAUTH_CLIENT_SECRET": "s"}, "", false},
		{"a scope alone is nothing", map[string]string{"JUDGE_MODEL": "m", "JUDGE_API_KEY": "k", "JUDGE_OAUTH_SCOPE": "judge"}, "", false},
		{"another provider's address is not a further judge's", map[string]string{"JUDGE_BASE_URL": "https://gateway.example", "JUDGE_FAST_PROVIDER": "azure", "JUDGE_FAST_MODEL": "m"}, Prefix + "JUDGE_FAST_BASE_URL is not set", true},
		{"nor is its secret at another host", map[string]string{"JUDGE_BASE_URL": "https://gateway.example", "JUDGE_OAUTH_CLIENT_SECRET": "s", "JUDGE_FAST_MODEL": "m", "JUDGE_FAST_OAUTH_TOKEN_URL": "https://other.example", "JUDGE_FAST_OAUTH_CLIENT_ID": "i"}, Prefix + "JUDGE_FAST_OAUTH_CLIENT_SECRET is not set", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			env := map[string]string{Prefix + "JUDGES": "fast"}
			for name, value := range tt.env {
				env[Prefix+name] = value
			}
			setenv(t, env)
			c, warnings := Load()
			name := JudgeName
			if tt.fast {
				name = "fast"
			}
			if got := c.JudgeLacks(name); (got == "") != (tt.want == "") || !strings.HasPrefix(got, tt.want) {
				t.Errorf("lacks %q, want %q", got, tt.want)
			}
			if len(warnings) > 0 {
				t.Errorf("warnings %q", texts(warnings))
			}
		})
	}
}

// A further judge takes the first one's key and OAuth client together or not
// at all, so that no secret goes to a token endpoint that it is not for.
func TestAFurtherJudgeMixesNoCredentials(t *testing.T) {
	setenv(t, map[string]string{
		Prefix + "JUDGES":                    "keyed,signed",
		Prefix + "JUDGE_BASE_URL":            "https://gateway.example/v1",
		Prefix + "JUDGE_API_KEY":             "first's",
		Prefix + "JUDGE_OAUTH_TOKEN_URL":     "https://id.example",
		Prefix + "JUDGE_OAUTH_CLIENT_ID":     "first",
		Prefix + "JUDGE_OAUTH_CLIENT_SECRET": "first's",

		Prefix + "JUDGE_KEYED_API_KEY":          "own",
		Prefix + "JUDGE_SIGNED_OAUTH_TOKEN_URL": "https://elsewhere.example",
		Prefix + "JUDGE_SIGNED_OAUTH_CLIENT_ID": "own",
	})
	c, _ := Load()
	if j := c.JudgeNamed("keyed"); j.APIKey != "own" || j.usesOAuth() {
		t.Errorf("keyed signs in as %q at %q", j.OAuthClientID, j.OAuthTokenURL)
	}
	if j := c.JudgeNamed("signed"); j.APIKey != "" || j.OAuthClientSecret != "" || j.OAuthClientID != "own" {
		t.Errorf("signed has the first one's credentials")
	}
}

func TestTokenEndpoints(t *testing.T) {
	for address, ok := range map[string]bool{
		"https://id.example/oauth2/token?x=y": true, "HTTPS://id.example": true,
		"http://localhost:8080/token": true, "http://127.0.0.1": true, "http://[::1]:1/t": true,
		"http://id.example/token": false, "http://localhost.example/token": false, "http://127.0.0.1.example": false,
		"id.example/token": false, "ftp://id.example": false, "https://me:pw@id.example": false, "https://": false,
	} {
		if _, err := decodeTokenURL(address); (err == nil) != ok {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestAuthMethods(t *testing.T) {
	for text, want := range map[string]string{
		"basic": AuthBasic, "Header": AuthBasic, "client_secret_basic": AuthBasic,
		"POST": AuthPost, "body": AuthPost, "client-secret-post": AuthPost, "private_key_jwt": "",
	} {
		got, err := decodeAuthMethod(text)
		if method, _ := got.(string); method != want || (err == nil) != (want != "") {
			t.Errorf("%s is %q, %v", text, method, err)
		}
	}
}

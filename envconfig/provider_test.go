package envconfig

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every row of the table is whole, and a judge with nothing but its name, and a
// key where one is needed, is asked where the row says.
func TestEveryProvider(t *testing.T) {
	var names []string
	for _, p := range Providers() {
		if slices.Contains(names, p.Name) {
			t.Errorf("%s is there twice", p.Name)
		}
		names = append(names, p.Name)
		t.Run(p.Name, func(t *testing.T) {
			if p.Format != FormatOpenAI && p.Format != FormatAnthropic || p.TelemetryName == "" {
				t.Errorf("format %q, name in telemetry %q", p.Format, p.TelemetryName)
			}
			if (p.KeyVariable != "") != (len(p.KeyHosts) > 0) || (p.KeyVariable != "") != (p.key != nil) {
				t.Errorf("variable %q, hosts %q", p.KeyVariable, p.KeyHosts)
			}
			u, err := url.Parse(p.BaseURL)
			if err != nil || strings.HasSuffix(p.BaseURL, "/") {
				t.Fatalf("address %q: %v", p.BaseURL, err)
			}
			if p.BaseURL != "" && (u.Scheme == "http") != isLoopback(u.Hostname()) {
				t.Errorf("address %q is in the clear, or this machine's by https", p.BaseURL)
			}
			if p.KeyVariable != "" && p.BaseURL != "" && !p.owns(u.Hostname()) {
				t.Errorf("the key does not go to %q", p.BaseURL)
			}

			env := map[string]string{Prefix + "JUDGE_PROVIDER": p.Name, Prefix + "JUDGE_MODEL": "m"}
			for _, other := range Providers() {
				if other.KeyVariable != "" {
					env[other.KeyVariable] = "key of " + other.Name
				}
			}
			setenv(t, env)
			c, warnings := Load()
			lacks, wantLacks := c.JudgeLacks(JudgeName), ""
			switch {
			case p.BaseURL == "":
				wantLacks = "JUDGE_BASE_URL"
			case p.KeyVariable == "" && !isLoopback(u.Hostname()):
				wantLacks = "JUDGE_API_KEY"
			}
			if len(warnings) > 0 || (lacks == "") != (wantLacks == "") || !strings.Contains(lacks, wantLacks) {
				t.Errorf("lacks %q, want %q; warnings %q", lacks, wantLacks, texts(warnings))
			}
			if got := c.Judge.Address(); got != p.BaseURL {
				t.Errorf("is at %q", got)
			}

			want := ""
			if p.KeyVariable != "" {
				want = "key of " + p.Name
			}
			if p.KeyVariable != "" { // at each of its hosts, and below
				for _, host := range p.KeyHosts {
					for _, address := range []string{"https://" + host, "https://EU." + strings.ToUpper(host) + ":8443/v1?a=b"} {
						c.Judge.BaseURL = address
						if key, withheld := c.Judge.Key(); key != want || withheld != "" {
							t.Errorf("%s gets %q, withheld %q", address, key, withheld)
						}
					}
				}
			}
			for _, address := range []string{"http://localhost:1/v1", "http://127.0.0.1", "https://[::1]:4000"} {
				c.Judge.BaseURL = address
				if key, withheld := c.Judge.Key(); key != want || withheld != "" {
					t.Errorf("%s gets %q, withheld %q, want %q", address, key, withheld, want)
				}
			}
			others := []string{"https://gateway.example/v1", "http://192.168.0.1", "https://localhost.example", "https://my.azure-api.net"}
			for _, own := range p.KeyHosts {
				others = append(others, "https://not"+own, "https://"+own+".example", "http://"+own, "https://gateway.example/"+own)
			}
			for _, other := range Providers() {
				for _, host := range other.KeyHosts {
					if other.Name != p.Name {
						others = append(others, "https://"+host)
					}
				}
			}
			for _, address := range others {
				c.Judge.BaseURL = address
				key, withheld := c.Judge.Key()
				if host, _ := url.Parse(address); key != "" || (withheld == host.Hostname()) != (want != "") {
					t.Errorf("%s gets %q, withheld from %q", address, key, withheld)
				}
				if c.Judge.APIKey = "own"; true {
					if key, withheld := c.Judge.Key(); key != "own" || withheld != "" {
						t.Errorf("%s gets %q for the judge's own key, withheld from %q", address, key, withheld)
					}
				}
				c.Judge.APIKey = ""
			}
		})
	}
	want := []string{"openai", "azure", "anthropic", "gemini", "ollama", "vllm", "lmstudio", "llamacpp", "openrouter", "litellm", "other"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestProvidersInOtherSpellings(t *testing.T) {
	for text, want := range map[string]string{
		"OpenAI": "openai", "llama.cpp": "llamacpp", "LM_Studio": "lmstudio", "lm studio": "lmstudio", "Open-Router": "openrouter",
		"": "", "openai2": "", "azure openai": "",
	} {
		got, err := codecs["provider"].decode(text)
		if name, _ := got.(string); name != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q, %v", text, name, err)
		}
	}
}

func TestProvidersAreTheCallersOwn(t *testing.T) {
	Providers()[0].BaseURL = "https://elsewhere.example"
	if got := (&Judge{}).Address(); got != "https://api.openai.com/v1" {
		t.Errorf("a caller moved OpenAI to %s", got)
	}
}

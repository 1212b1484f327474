package envconfig

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/genaievals/genaievals/limit"
	"github.com/google/go-cmp/cmp"
)

func TestNamesOfJudges(t *testing.T) {
	for text, want := range map[string][]string{
		"fast":                  {"fast"},
		" Fast , VERY-strong,,": {"fast", "very_strong"},
		"a,b,a":                 {"a", "b"},
		"None":                  nil,
		",":                     nil,
	} {
		if got, err := decodeNames(text); err != nil || !cmp.Equal(got, any(want)) {
			t.Errorf("%q: got %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{
		"judge", "fast,JUDGE", "deep_eval", "builtin", "off,fast", "2fast", "so fast", "fast;strong",
		"fast_1,fast1", "_", "ü", strings.Repeat("a", 65),
	} {
		if got, err := decodeNames(text); err == nil {
			t.Errorf("%q is read as %q", text, got)
		}
	}
}

// Judges added by options read their variables when they are added.
func TestAddJudge(t *testing.T) {
	setenv(t, map[string]string{
		Prefix + "JUDGES":            "strong",
		Prefix + "JUDGE_FAST_MODEL":  "small",
		Prefix + "JUDGE_FAST_MODELL": "small",
		Prefix + "JUDGE_FAST_BUDGET": "1usd",
	})
	c, loaded := Load()
	if len(loaded) != 3 { // nobody is called fast yet
		t.Errorf("warnings %q", texts(loaded))
	}
	before := c
	j, warnings, err := c.AddJudge("FAST")
	if err != nil || j.Model != "small" || c.OwnOfJudge("fast") != j {
		t.Fatalf("got %v, %v", j, err)
	}
	want := []string{
		Prefix + `JUDGE_FAST_BUDGET: "1usd" is not accepted, the judge fast stays off; it takes 5usd/day, 200000tokens/hour; none`,
		Prefix + `JUDGE_FAST_MODELL: unknown variable, ignored; did you mean ` + Prefix + `JUDGE_FAST_MODEL?`,
	}
	if diff := cmp.Diff(want, texts(warnings)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	j.Model = "other"
	if again, warnings, err := c.AddJudge("fast"); again != j || len(warnings) > 0 || err != nil {
		t.Errorf("the second time: %v, %q, %v", again, texts(warnings), err)
	}
	if diff := cmp.Diff([]string{"strong", "fast"}, c.Judges); diff != "" {
		t.Error(diff)
	}
	if before.OwnOfJudge("fast") != nil || len(before.Judges) != 1 {
		t.Error("a copy made before has the judge too")
	}
	for _, name := range []string{"judge", "", "a,b", "st_rong", "none", "ü"} {
		if j, _, err := c.AddJudge(name); !errors.Is(err, ErrConfig) || j != nil {
			t.Errorf("%q: got %v, %v", name, j, err)
		}
	}
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
	j.MaxOutputTokens = 7
	if err := c.Validate(); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), "JUDGE_FAST_MAX_OUTPUT_TOKENS is 7") {
		t.Errorf("got %v", err)
	}
}

func TestJudgesAssignedByNameAlone(t *testing.T) {
	c := Defaults()
	c.Judges = []string{"fast"}
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
	if off := c.JudgeOff("fast"); off != "" || c.JudgeNamed("fast").Model != "" || c.String() == "" {
		t.Errorf("off: %q", off)
	}
	if diff := cmp.Diff(Judge{}, c.JudgeNamed("nobody")); diff != "" {
		t.Error(diff)
	}
	for _, names := range [][]string{{"Fast"}, {"fast", "fast"}, {"judge"}, {"a,b"}, {""}} {
		c.Judges = names
		if c.Validate() == nil {
			t.Errorf("%q is valid", names)
		}
	}
}

// Credentials go to no other host than the one that they are for.
func TestWhatAFurtherJudgeFallsBackOn(t *testing.T) {
	first := Judge{
		Provider: "openai", Model: "large", APIKey: "key", AuthHeader: "api-key", OpenAIAPIKey: "openai",
		AzureOpenAIAPIKey: "azure", AnthropicAPIKey: "anthropic", GeminiAPIKey: "gemini",
		OAuthTokenURL: "https://id.example", OAuthClientID: "id", OAuthClientSecret: "secret", OAuthScope: "judge",
		OAuthAuthMethod: "post", Mode: "combined", MaxInputTokens: 1000,
		Headers: map[string]string{"x-token": "secret"}, Timeout: 5 * time.Second, MaxOutputTokens: 100,
		Temperature: new(float64), Price: &Price{Input: 1}, RateLimit: &limit.Rate{PerSecond: 1},
	}
	tests := []struct {
		name       string
		first, own string // addresses
		theirs     bool   // first's credentials
	}{
		{"neither has an address", "", "", true},
		{"none of its own", "https://gateway.example/v1", "", true},
		{"the same", "https://gateway.example/v1", "https://gateway.example/v1", true},
		{"another path", "https://gateway.example/v1", "https://gateway.example/v2?x=y", true},
		{"another spelling", "https://gateway.example", "HTTPS://Gateway.Example:443/v1", true},
		{"OpenAI's by name", "", "https://api.openai.com/v1", true},
		{"another host", "https://gateway.example/v1", "https://other.example/v1", false},
		{"a host below it", "https://gateway.example/v1", "https://eu.gateway.example/v1", false},
		{"a host that begins so", "https://gateway.example/v1", "https://gateway.example.evil/v1", false},
		{"another port", "https://gateway.example/v1", "https://gateway.example:8443/v1", false},
		{"in the clear", "https://gateway.example/v1", "http://gateway.example/v1", false},
		{"in the clear at the same port", "https://gateway.example/v1", "http://gateway.example:443/v1", false},
		{"OpenAI's key elsewhere", "", "https://gateway.example/v1", false},
		{"this machine", "", "http://localhost:11434/v1", false},
		{"unreadable", "", "://", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			setenv(t, nil)
			c, _ := Load()
			c.Judge = first
			c.Judge.BaseURL = tt.first
			own, _, err := c.AddJudge("fast")
			if err != nil {
				t.Fatal(err)
			}
			own.BaseURL = tt.own
			want := Judge{
				Provider: "openai", BaseURL: tt.own, Timeout: 5 * time.Second, MaxOutputTokens: 100, MaxInputTokens: 1000, Mode: "combined",
				OpenAIAPIKey: "openai", AzureOpenAIAPIKey: "azure", AnthropicAPIKey: "anthropic", GeminiAPIKey: "gemini",
			}
			if tt.own == "" {
				want.BaseURL = tt.first
			}
			if tt.theirs {
				want.APIKey, want.AuthHeader, want.Headers = first.APIKey, first.AuthHeader, first.Headers
				want.OAuthTokenURL, want.OAuthClientID, want.OAuthClientSecret = first.OAuthTokenURL, first.OAuthClientID, first.OAuthClientSecret
				want.OAuthScope, want.OAuthAuthMethod = first.OAuthScope, first.OAuthAuthMethod
			}
			if diff := cmp.Diff(want, c.JudgeNamed("fast")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			*own = Judge{
				Provider: "openai", Model: "small", BaseURL: tt.own, APIKey: "own", AuthHeader: "x", Headers: map[string]string{"a": "b"},
				Timeout: time.Second, MaxOutputTokens: 50, Temperature: new(float64), Price: &Price{Output: 1}, Budget: &limit.Budget{},
				OAuthTokenURL: "https://own.example", OAuthClientID: "a", OAuthClientSecret: "b", OAuthScope: "c", OAuthAuthMethod: "basic",
				Mode: "per_metric", MaxInputTokens: 500,
			}
			want = *own
			want.OpenAIAPIKey, want.AzureOpenAIAPIKey, want.AnthropicAPIKey, want.GeminiAPIKey = "openai", "azure", "anthropic", "gemini"
			if tt.own == "" {
				want.BaseURL = tt.first
			}
			if diff := cmp.Diff(want, c.JudgeNamed("fast")); diff != "" {
				t.Errorf("with everything of its own: -want +got:\n%s", diff)
			}
		})
	}
}

func TestLimitsOfJudges(t *testing.T) {
	setenv(t, map[string]string{
		Prefix + "JUDGES":                  "fast,strong,free",
		Prefix + "RATE_LIMIT":              "10/sec; Fa-st=20/sec; house_rules=5/sec",
		Prefix + "JUDGE_RATE_LIMIT":        "11/sec",
		Prefix + "JUDGE_STRONG_RATE_LIMIT": "30/sec",
		Prefix + "JUDGE_FREE_RATE_LIMIT":   "none",
		Prefix + "TOKEN_LIMIT":             "deepeval=1000/min",
		Prefix + "BUDGET":                  "1000tokens/hour;strong=2000tokens/hour",
		Prefix + "JUDGE_FAST_BUDGET":       "3000 tokens / hour",
	})
	c, warnings := Load()
	if len(warnings) > 0 {
		t.Errorf("warnings %q", texts(warnings))
	}
	for name, want := range map[string]string{
		"judge":    "11/sec 1000/min,burst=100 1000tokens/hour",
		"deepeval": "11/sec 1000/min,burst=100 1000tokens/hour",
		"fast":     "20/sec unlimited 3000tokens/hour",
		"strong":   "30/sec unlimited 2000tokens/hour",
		"free":     "unlimited unlimited 1000tokens/hour",
		"nobody":   "10/sec unlimited 1000tokens/hour",
	} {
		l := c.LimitsOf(name)
		if got := fmt.Sprint(l.Rate, " ", l.Tokens, " ", l.Budget); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	for name, want := range map[string]string{"house-rules": "5/sec", "mine": "unlimited"} {
		if got := c.LimitsNaming(name).Rate.String(); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

// What cannot be read turns those judges off that it is for, and no others.
func TestWhichJudgesAreOff(t *testing.T) {
	const usd = "is in money and"
	tests := []struct {
		name string
		env  map[string]string
		off  map[string]string // why, in part, by judge
	}{
		{"its own limit", map[string]string{"JUDGE_FAST_RATE_LIMIT": "x"}, map[string]string{"fast": "JUDGE_FAST_RATE_LIMIT cannot be read"}},
		{"its own address", map[string]string{"JUDGE_FAST_BASE_URL": "x"}, map[string]string{"fast": "JUDGE_FAST_BASE_URL"}},
		{"its own provider", map[string]string{"JUDGE_FAST_PROVIDER": "x"}, map[string]string{"fast": "JUDGE_FAST_PROVIDER"}},
		{"everybody's limit", map[string]string{"TOKEN_LIMIT": "x"},
			map[string]string{"judge": "_TOKEN_LIMIT", "fast": "_TOKEN_LIMIT", "strong": "_TOKEN_LIMIT"}},
		{"everybody's limit, but one has its own", map[string]string{"BUDGET": "x", "JUDGE_FAST_BUDGET": "none"},
			map[string]string{"judge": "_BUDGET", "strong": "_BUDGET"}},
		{"the first one's limit", map[string]string{"JUDGE_RATE_LIMIT": "x"}, map[string]string{"judge": "JUDGE_RATE_LIMIT"}},
		{"the first one's provider", map[string]string{"JUDGE_PROVIDER": "x", "JUDGE_FAST_PROVIDER": "ollama"},
			map[string]string{"judge": "JUDGE_PROVIDER", "strong": "JUDGE_PROVIDER"}},
		{"the first one's address, but one has another provider", map[string]string{"JUDGE_BASE_URL": "x", "JUDGE_FAST_PROVIDER": "ollama"},
			map[string]string{"judge": "JUDGE_BASE_URL", "strong": "JUDGE_BASE_URL"}},
		{"its own token endpoint", map[string]string{"JUDGE_FAST_OAUTH_TOKEN_URL": "http://id.example"},
			map[string]string{"fast": "JUDGE_FAST_OAUTH_TOKEN_URL"}},
		{"the first one's address", map[string]string{"JUDGE_BASE_URL": "x", "JUDGE_FAST_BASE_URL": "http://localhost"},
			map[string]string{"judge": "JUDGE_BASE_URL", "strong": "JUDGE_BASE_URL"}},
		{"no price", map[string]string{"BUDGET": "1usd/day", "JUDGE_STRONG_PRICE": "1/2"},
			map[string]string{"judge": usd + " " + Prefix + "JUDGE_PRICE", "fast": usd + " " + Prefix + "JUDGE_FAST_PRICE"}},
		{"a price that cannot be read", map[string]string{"JUDGE_FAST_BUDGET": "1usd/day", "JUDGE_FAST_PRICE": "cheap"},
			map[string]string{"fast": usd}},
		{"a price that is not needed", map[string]string{"BUDGET": "1000tokens/day", "JUDGE_PRICE": "cheap"}, nil},
		{"free", map[string]string{"JUDGE_FAST_BUDGET": "1usd/day", "JUDGE_FAST_PRICE": "0/0"}, nil},
		{"what has a safe default", map[string]string{"JUDGE_FAST_TIMEOUT": "x", "JUDGE_FAST_TEMPERATURE": "x"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			env := map[string]string{Prefix + "JUDGES": "fast,strong"}
			for name, value := range tt.env {
				env[Prefix+name] = value
			}
			setenv(t, env)
			c, _ := Load()
			for _, judge := range []string{JudgeName, "fast", "strong"} {
				off, why := c.JudgeOff(judge), tt.off[judge]
				if (off == "") != (why == "") || !strings.Contains(off, why) {
					t.Errorf("%s is off because %q, want %q", judge, off, why)
				}
			}
		})
	}
}

func TestLimitsOffForJudgesOfTheApplication(t *testing.T) {
	setenv(t, map[string]string{Prefix + "TOKEN_LIMIT": "x", Prefix + "JUDGE_BASE_URL": "x", Prefix + "JUDGE_TOKEN_LIMIT": "none"})
	c, _ := Load()
	if off := c.LimitsOff("house"); !strings.Contains(off, "TOKEN_LIMIT") {
		t.Errorf("house: %q", off)
	}
	if off := c.LimitsOff(JudgeName); off != "" {
		t.Errorf("judge: %q", off)
	}
}

func TestSecretsOfFurtherJudgesAreNeverPrinted(t *testing.T) {
	setenv(t, map[string]string{
		Prefix + "JUDGES":                         "fast",
		Prefix + "JUDGE_FAST_API_KEY":             "sk-hidden-1",
		Prefix + "JUDGE_FAST_HEADERS":             "sk-hidden-2",
		Prefix + "JUDGE_FAST_BASE_URL":            "https://sk-hidden-3@gateway.example/?k=sk-hidden-4",
		Prefix + "JUDGE_FAST_API_KYE":             "sk-hidden-5",
		Prefix + "JUDGE_FAST_OAUTH_TOKEN_URL":     "https://sk-hidden-6@id.example/",
		Prefix + "JUDGE_FAST_OAUTH_CLIENT_SECRET": "sk-hidden-7",
	})
	c, warnings := Load()
	asJSON, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	out := fmt.Sprintf("%v %+v %#v %v %+v %v %v %s", c, c, &c, warnings, c.Variables(), c.Validate(), c.JudgeNamed("fast"), asJSON) +
		c.JudgeOff("fast")
	if i := strings.Index(out, "sk-hidden"); i >= 0 {
		t.Errorf("shown: …%s…", out[max(0, i-60):i+12])
	}
	if len(warnings) != 4 {
		t.Errorf("warnings %q", texts(warnings))
	}
}

func TestPrice(t *testing.T) {
	for text, want := range map[string]Price{
		"0.15/0.60": {0.15, 0.6}, " 3 / 15 ": {3, 15}, "0/0": {}, "1000000/.5": {1e6, 0.5},
	} {
		got, err := ParsePrice(text)
		if err != nil || got != want {
			t.Errorf("%q: got %v, %v", text, got, err)
		}
		if again, err := ParsePrice(got.String()); err != nil || again != got {
			t.Errorf("%q is written %q and read %v, %v", text, got, again, err)
		}
	}
	for _, text := range []string{"", "/", "1", "1/", "/1", "-1/1", "1/NaN", "inf/1", "1e3/1", "0x1/1", "1/2/3", "$1/$2", "1000001/1", "1/1 usd"} {
		if got, err := ParsePrice(text); !errors.Is(err, ErrPrice) || !strings.Contains(err.Error(), fmt.Sprintf("%q", text)) || got != (Price{}) {
			t.Errorf("%q: got %v, %v", text, got, err)
		}
	}
}

// A name in two spellings would give one limit or the other, by chance.
func TestLimitsRefuseANameInTwoSpellings(t *testing.T) {
	for _, text := range []string{"Judge=60/min;JUDGE=5/sec", "judge=60/min;deepeval=5/sec", "my-own=1/sec;my_own=2/sec", "1/sec;2/sec"} {
		if got, err := ParseRateLimits(text); err == nil {
			t.Errorf("%q gave %v", text, got)
		}
	}
}

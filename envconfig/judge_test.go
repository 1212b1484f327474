package envconfig

import (
	"strings"
	"testing"

	"github.com/genaievals/genaievals/limit"
)

func TestJudgeOffUntilAnOptionSettlesIt(t *testing.T) {
	tests := []struct {
		name, value string
		option      func(*Config)
	}{
		{"RATE_LIMIT", "sometimes", func(c *Config) { c.RateLimit = map[string]limit.Rate{"": {PerSecond: 1}} }},
		{"RATE_LIMIT", "sometimes", func(c *Config) { c.Judge.RateLimit = &limit.Rate{PerSecond: 1} }},
		{"TOKEN_LIMIT", "90000", func(c *Config) { c.TokenLimit = map[string]limit.Rate{"": {PerSecond: 1500}} }},
		{"JUDGE_RATE_LIMIT", "60", func(c *Config) { c.Judge.RateLimit = &limit.Rate{} }},
		{"JUDGE_TOKEN_LIMIT", "60", func(c *Config) { c.Judge.TokenLimit = &limit.Rate{} }},
		{"JUDGE_PROVIDER", "carrier pigeon", func(c *Config) { c.Judge.Provider = "azure" }},
		{"JUDGE_OAUTH_TOKEN_URL", "http://id.example/token", func(c *Config) { c.Judge.OAuthTokenURL = "https://id.example/token" }},
		{"JUDGE_BASE_URL", "gateway.example/v1", func(c *Config) { c.Judge.BaseURL = "https://gateway.example/v1" }},
		{"JUDGE_BASE_URL", "https://user:pw@gateway.example/v1", func(c *Config) { c.Judge.BaseURL = "https://gateway.example/v1" }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			setenv(t, map[string]string{Prefix + tt.name: tt.value})
			c, warnings := Load()
			if off := c.JudgeOff(JudgeName); !strings.HasPrefix(off, Prefix+tt.name+" cannot be read") {
				t.Errorf("judge off: %q", off)
			}
			if len(warnings) != 1 || !strings.Contains(warnings[0].Message, "stay") {
				t.Errorf("warnings %q", texts(warnings))
			}
			tt.option(&c)
			if off := c.JudgeOff(JudgeName); off != "" {
				t.Errorf("off in spite of the option: %q", off)
			}
		})
	}
}

func TestOtherUnreadableVariablesLeaveTheJudgeOn(t *testing.T) {
	setenv(t, map[string]string{Prefix + "JUDGE_TIMEOUT": "x", Prefix + "JUDGE_HEADERS": "x", Prefix + "WORKERS": "x"})
	c, warnings := Load()
	if off := c.JudgeOff(JudgeName); off != "" || len(warnings) != 3 {
		t.Errorf("off: %q, warnings %q", off, texts(warnings))
	}
}

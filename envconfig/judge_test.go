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

func TestKey(t *testing.T) {
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
		{"this machine by number", Judge{OpenAIAPIKey: "openai", BaseURL: "http://127.0.0.1:4000"}, "openai", ""},
		{"this machine, IPv6", Judge{OpenAIAPIKey: "openai", BaseURL: "http://[::1]:4000"}, "openai", ""},
		{"somebody else", Judge{OpenAIAPIKey: "openai", BaseURL: "https://gateway.example/v1"}, "", "gateway.example"},
		{"somebody who looks like it", Judge{OpenAIAPIKey: "openai", BaseURL: "https://notopenai.com/v1"}, "", "notopenai.com"},
		{"somebody in front", Judge{OpenAIAPIKey: "openai", BaseURL: "https://api.openai.com.example/v1"}, "", "api.openai.com.example"},
		{"somebody without keys", Judge{BaseURL: "https://gateway.example/v1"}, "", ""},
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

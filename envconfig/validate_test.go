package envconfig

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/genaievals/genaievals/limit"
)

func TestValidateNamesWhatAnOptionBroke(t *testing.T) {
	ptr := func(f float64) *float64 { return &f }
	tests := []struct {
		option func(*Config)
		want   string
	}{
		{func(c *Config) { c.Workers = 0 }, "WORKERS is 0, it takes a whole number from 1 to 1024"},
		{func(c *Config) { c.Workers = 1025 }, "WORKERS is 1025"},
		{func(c *Config) { c.SampleRate = math.NaN() }, "SAMPLE_RATE is NaN"},
		{func(c *Config) { c.SampleRate = -0.5 }, "SAMPLE_RATE is -0.5"},
		{func(c *Config) { c.QueueBytes = 1 << 10 }, "QUEUE_BYTES is 1KiB, it takes a size from 1MiB to 1TiB"},
		{func(c *Config) { c.QueuePolicy = "lifo" }, "QUEUE_POLICY is lifo, it takes drop_newest or drop_oldest"},
		{func(c *Config) { c.Span = "" }, "SPAN is , it takes child or link or off"},
		{func(c *Config) { c.Timeout = -time.Second }, "TIMEOUT is -1s"},
		{func(c *Config) { c.MaxAge = 25 * time.Hour }, "MAX_AGE is 25h, it takes a duration from 1s to 24h"},
		{func(c *Config) { c.RateLimit = map[string]limit.Rate{"mine": {PerSecond: math.Inf(1)}} }, `RATE_LIMIT of "mine"`},
		{func(c *Config) { c.Judge.Provider = "carrier pigeon" }, "JUDGE_PROVIDER is carrier pigeon, it takes openai"},
		{func(c *Config) { c.Judge.Mode = "Combined" }, "JUDGE_MODE is Combined, it takes per_metric or combined"},
		{func(c *Config) { c.Judge.OAuthAuthMethod = "body" }, "JUDGE_OAUTH_AUTH_METHOD is body, it takes basic or post"},
		{func(c *Config) { c.Judge.OAuthTokenURL = "http://me:secret@id.example" }, "JUDGE_OAUTH_TOKEN_URL is http://xxxxx@id.example"},
		{func(c *Config) { c.Judge.BaseURL = "https://me:secret@gateway.example" }, "JUDGE_BASE_URL is https://xxxxx@gateway.example"},
		{func(c *Config) { c.Judge.Temperature = ptr(3) }, "JUDGE_TEMPERATURE is 3"},
		{func(c *Config) { c.Judge.Temperature = ptr(math.NaN()) }, "JUDGE_TEMPERATURE is NaN"},
		{func(c *Config) { c.Workers, c.MaxConcurrent = 0, 0 }, "MAX_CONCURRENT is 0"},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			c := Defaults()
			if err := c.Validate(); err != nil {
				t.Fatal(err)
			}
			tt.option(&c)
			err := c.Validate()
			if !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
			if err != nil && strings.Contains(err.Error(), "secret") {
				t.Errorf("the error shows a credential: %v", err)
			}
		})
	}
}

func TestValidateTakesBounds(t *testing.T) {
	for _, d := range definitions() {
		for _, v := range []any{d.lo, d.hi} {
			if v == nil {
				continue
			}
			c := Defaults()
			d.set(&c, v)
			if err := c.Validate(); err != nil {
				t.Error(err)
			}
		}
	}
}

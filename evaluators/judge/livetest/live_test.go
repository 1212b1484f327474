package livetest

import (
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
	"github.com/genaievals/genaievals/limit"
)

// liveVariable turns TestLive on.
const liveVariable = "GENAIEVALS_LIVE"

// TestLive runs the suite against the judge that the library's own variables
// name. What the model thinks of the cases is not checked and only told.
func TestLive(t *testing.T) {
	if os.Getenv(liveVariable) == "" {
		t.Skipf("needs a judge: set %s=1, %sJUDGE_BASE_URL and %sJUDGE_MODEL (see CONTRIBUTING.md)",
			liveVariable, envconfig.Prefix, envconfig.Prefix)
	}
	s := live(t)
	for _, f := range forms() {
		t.Run(f.name, func(t *testing.T) {
			began := time.Now()
			total := s.run(t, f)
			t.Logf("%v\n%s", time.Since(began).Round(time.Second), total)
			if total.scored == 0 {
				t.Error("nothing was scored")
			}
		})
	}
}

// live is the judge that the environment names.
func live(t *testing.T) subject {
	t.Helper()
	env, warnings := envconfig.Load()
	for _, w := range warnings {
		t.Log(w)
	}
	if why := env.JudgeOff(envconfig.JudgeName); why != "" {
		t.Fatal(why)
	}
	j, limits := env.JudgeNamed(envconfig.JudgeName), env.LimitsOf(envconfig.JudgeName)
	key, _ := j.Key()
	s := subject{sent: &counter{next: http.DefaultTransport}, parallel: 4}
	var err error
	s.client, err = openai.New(openai.Config{
		BaseURL: j.BaseURL, APIKey: key, AuthHeader: j.AuthHeader, Headers: j.Headers,
		Model: j.Model, HTTPClient: &http.Client{Transport: s.sent},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.options = []judge.Option{
		judge.WithTimeout(j.Timeout), judge.WithMaxOutputTokens(j.MaxOutputTokens),
		judge.WithGate(limit.NewGate(limit.WithRate(limits.Rate), limit.WithTokenRate(limits.Tokens),
			limit.WithAdaptive(s.parallel), limit.WithBreaker(limit.Breaker{}))),
	}
	if j.Temperature != nil {
		s.options = append(s.options, judge.WithTemperature(*j.Temperature))
	}
	return s
}

package envconfig

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestVariablesSayWhereAValueCameFrom(t *testing.T) {
	setenv(t, map[string]string{
		Prefix + "WORKERS":        " 8 ",
		Prefix + "QUEUE_SIZE":     "x",
		"DEEPEVAL_MAX_CONCURRENT": "3",
		Prefix + "RATE_LIMIT":     "judge=60/min;mine=strict:2/sec",
		Prefix + "JUDGE_BASE_URL": "https://gateway.example/v1?api-version=2&sig=hidden",
		"OPENAI_API_KEY":          "sk-hidden",
	})
	c, _ := Load()
	c.Span = SpanLink
	got := map[string]string{}
	for _, v := range c.Variables() {
		if v.Source != FromDefault {
			got[strings.TrimPrefix(v.Name, Prefix)] = fmt.Sprintf("%s (%s %s)", v.Value, v.Source, strings.TrimPrefix(v.ReadFrom, Prefix))
		}
	}
	want := map[string]string{
		"WORKERS":        "8 (environment WORKERS)",
		"MAX_CONCURRENT": "3 (older name DEEPEVAL_MAX_CONCURRENT)",
		"RATE_LIMIT":     "judge=1/sec;mine=strict:2/sec (environment RATE_LIMIT)",
		"JUDGE_BASE_URL": "https://gateway.example/v1?api-version=xxxxx&sig=xxxxx (environment JUDGE_BASE_URL)",
		"OPENAI_API_KEY": "(set) (environment OPENAI_API_KEY)",
		"SPAN":           "link (option )",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestSecretsAreNeverPrinted(t *testing.T) {
	setenv(t, map[string]string{
		Prefix + "JUDGE_API_KEY":             "sk-hidden-1",
		"OPENAI_API_KEY":                     "sk-hidden-2",
		Prefix + "JUDGE_HEADERS":             "x-token=sk-hidden-3",
		Prefix + "JUDGE_BASE_URL":            "https://sk-hidden-4@gateway.example/?k=sk-hidden-5",
		"AZURE_OPENAI_API_KEY":               "sk-hidden-8",
		"ANTHROPIC_API_KEY":                  "sk-hidden-9",
		"GEMINI_API_KEY":                     "sk-hidden-10",
		Prefix + "JUDGE_OAUTH_CLIENT_SECRET": "sk-hidden-11",
		Prefix + "JUDGE_OAUTH_TOKEN_URL":     "https://id.example/?k=sk-hidden-12",
	})
	c, warnings := Load()
	bad, moreWarnings := func() (Config, []Warning) {
		t.Setenv(Prefix+"JUDGE_HEADERS", "sk-hidden-6")
		t.Setenv(Prefix+"JUDGE_API_KYE", "sk-hidden-7")
		return Load()
	}()
	asJSON, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	logger := slog.New(slog.NewJSONHandler(&log, nil))
	other := Defaults()
	other.Judge.BaseURL = "https://gateway.example/?k=sk-hidden-13" // a query may hold a key
	otherJSON, err := json.Marshal(other)
	if err != nil {
		t.Fatal(err)
	}
	logger.Info("x", "config", c, "pointer", &c, "judge", c.Judge)
	out := fmt.Sprintf("%v %+v %#v %s %v %+v %#v", c, c, c, c, &c, c.Judge, c.Judge) +
		fmt.Sprintf("%v %v %+v %v", warnings, moreWarnings, c.Variables(), c.Validate()) +
		string(asJSON) + string(otherJSON) + other.String() + log.String() + c.JudgeOff(JudgeName) + bad.JudgeOff(JudgeName) +
		c.JudgeLacks(JudgeName) + bad.JudgeLacks(JudgeName)
	if i := strings.Index(out, "sk-hidden"); i >= 0 {
		t.Errorf("shown: …%s…", out[max(0, i-60):i+12])
	}
	if len(warnings) != 1 || len(moreWarnings) != 3 {
		t.Errorf("warnings %q, %q", texts(warnings), texts(moreWarnings))
	}
}

func TestZeroConfigDoesNotPanic(t *testing.T) {
	var c Config
	if len(c.Variables()) != len(definitions()) || c.Validate() == nil || c.JudgeOff(JudgeName) != "" || c.String() == "" {
		t.Error("the zero configuration is not what it should be")
	}
}

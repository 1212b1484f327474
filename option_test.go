package genaievals

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/limit"
	"github.com/genaievals/genaievals/manager"
)

func judgeOption(change func(*envconfig.Judge)) Option { return WithJudge(change) }

// optionCases has an option for every variable: the text of the environment
// under the variable's name and the older one, and the option that beats both.
var optionCases = map[string]struct {
	env    string
	option Option
	want   string // of the option, as Variables shows it
}{
	"EVALUATORS":                {"builtin", WithEvaluators("judge(bias)"), "judge(bias)"},
	"SAMPLE_RATE":               {"0.5", WithSampleRate(0.25), "0.25"},
	"UNSAMPLED":                 {"false", WithUnsampled(true), "true"},
	"CONCURRENT":                {"true", WithConcurrent(false), "false"},
	"WORKERS":                   {"8", WithWorkers(2), "2"},
	"WORKERS_MAX":               {"16", WithWorkersMax(32), "32"},
	"MAX_IN_FLIGHT":             {"100", WithMaxInFlight(200), "200"},
	"MAX_CONCURRENT":            {"8", WithMaxConcurrent(3), "3"},
	"THROTTLE":                  {"1s", WithThrottle(2 * time.Second), "2s"},
	"TIMEOUT":                   {"10s", WithTimeout(20 * time.Second), "20s"},
	"QUEUE_SIZE":                {"10", WithQueueSize(20), "20"},
	"QUEUE_BYTES":               {"2MiB", WithQueueBytes(4 << 20), "4MiB"},
	"QUEUE_POLICY":              {"drop_newest", WithQueuePolicy(manager.DropOldest), "drop_oldest"},
	"MAX_AGE":                   {"2m", WithMaxAge(3 * time.Minute), "3m"},
	"RATE_LIMIT":                {"60/min", WithRateLimit("strict:2/sec"), "strict:2/sec"},
	"TOKEN_LIMIT":               {"90000/min", WithTokenLimit("judge=1000/sec;fast=2000/sec"), "fast=2000/sec,burst=12000;judge=1000/sec,burst=6000"},
	"BUDGET":                    {"5usd/day", WithBudget("200000tokens/hour"), "200000tokens/hour"},
	"ADAPTIVE":                  {"true", WithAdaptive(false), "false"},
	"JUDGES":                    {"fast,careful", WithJudges("Slow-1", "slow_2"), "slow_1,slow_2"},
	"RESULTS_AGGREGATION":       {"false", WithResultsAggregation(true), "true"},
	"USE_SINGLE_METRIC":         {"true", WithSingleMetric(false), "false"},
	"SPAN":                      {"off", WithSpan(SpanLink), "link"},
	"MONITORING":                {"true", WithMonitoring(false), "false"},
	"EXPLANATION":               {"true", WithExplanation(false), "false"},
	"BAGGAGE":                   {"true", WithBaggage(false), "false"},
	"DASHBOARD":                 {"9000", WithDashboard("localhost:0"), "localhost:0"},
	"DASHBOARD_TOKEN":           {"one", WithDashboardToken("two"), ""},
	"DASHBOARD_CONTENT":         {"false", WithDashboardContent(true), "true"},
	"TRACE_URL":                 {"http://a/{trace_id}", WithTraceURL("https://b/{trace_id}"), "https://b/{trace_id}"},
	"BUILTIN_SHARE":             {"0.25", WithBuiltinShare(0.75), "0.75"},
	"SHUTDOWN_TIMEOUT":          {"1s", WithShutdownTimeout(2 * time.Second), "2s"},
	"JUDGE_PROVIDER":            {"openai", judgeOption(func(j *envconfig.Judge) { j.Provider = "ollama" }), "ollama"},
	"RUBRICS":                   {"/nowhere/metrics.yaml", WithRubricsFile(""), ""},
	"JUDGE_MODE":                {"per_metric", judgeOption(func(j *envconfig.Judge) { j.Mode = envconfig.ModeCombined }), "combined"},
	"JUDGE_MAX_INPUT_TOKENS":    {"1000", judgeOption(func(j *envconfig.Judge) { j.MaxInputTokens = 2000 }), "2000"},
	"JUDGE_OAUTH_TOKEN_URL":     {"https://a", judgeOption(func(j *envconfig.Judge) { j.OAuthTokenURL = "https://b" }), "https://b"},
	"JUDGE_OAUTH_CLIENT_ID":     {"one", judgeOption(func(j *envconfig.Judge) { j.OAuthClientID = "two" }), "two"},
	"JUDGE_OAUTH_CLIENT_SECRET": {"one", judgeOption(func(j *envconfig.Judge) { j.OAuthClientSecret = "two" }), ""},
	"JUDGE_OAUTH_SCOPE":         {"one", judgeOption(func(j *envconfig.Judge) { j.OAuthScope = "two" }), "two"},
	"JUDGE_OAUTH_AUTH_METHOD":   {"basic", judgeOption(func(j *envconfig.Judge) { j.OAuthAuthMethod = envconfig.AuthPost }), "post"},
	"AZURE_OPENAI_API_KEY":      {"one", judgeOption(func(j *envconfig.Judge) { j.AzureOpenAIAPIKey = "two" }), ""},
	"ANTHROPIC_API_KEY":         {"one", judgeOption(func(j *envconfig.Judge) { j.AnthropicAPIKey = "two" }), ""},
	"GEMINI_API_KEY":            {"one", judgeOption(func(j *envconfig.Judge) { j.GeminiAPIKey = "two" }), ""},
	"JUDGE_MODEL":               {"m", judgeOption(func(j *envconfig.Judge) { j.Model = "n" }), "n"},
	"JUDGE_BASE_URL":            {"http://a", judgeOption(func(j *envconfig.Judge) { j.BaseURL = "http://b" }), "http://b"},
	"JUDGE_API_KEY":             {"one", judgeOption(func(j *envconfig.Judge) { j.APIKey = "two" }), ""},
	"JUDGE_AUTH_HEADER":         {"api-key", judgeOption(func(j *envconfig.Judge) { j.AuthHeader = "x-key" }), "x-key"},
	"JUDGE_HEADERS":             {"a=1", judgeOption(func(j *envconfig.Judge) { j.Headers = map[string]string{"b": "2"} }), ""},
	"JUDGE_TIMEOUT":             {"1s", judgeOption(func(j *envconfig.Judge) { j.Timeout = 2 * time.Second }), "2s"},
	"JUDGE_MAX_OUTPUT_TOKENS":   {"100", judgeOption(func(j *envconfig.Judge) { j.MaxOutputTokens = 200 }), "200"},
	"JUDGE_TEMPERATURE":         {"1", judgeOption(func(j *envconfig.Judge) { zero := 0.0; j.Temperature = &zero }), "0"},
	"JUDGE_PRICE":               {"1/2", judgeOption(func(j *envconfig.Judge) { j.Price = &envconfig.Price{Input: 0.15, Output: 0.6} }), "0.15/0.6"},
	"JUDGE_RATE_LIMIT":          {"1/sec", judgeOption(func(j *envconfig.Judge) { j.RateLimit = &limit.Rate{PerSecond: 2} }), "2/sec"},
	"JUDGE_TOKEN_LIMIT":         {"1/sec", judgeOption(func(j *envconfig.Judge) { j.TokenLimit = &limit.Rate{} }), "none"},
	"JUDGE_BUDGET":              {"1usd/day", judgeOption(func(j *envconfig.Judge) { j.Budget = &limit.Budget{Amount: 2, Per: time.Hour} }), "2usd/hour"},
	"OPENAI_API_KEY":            {"one", judgeOption(func(j *envconfig.Judge) { j.OpenAIAPIKey = "two" }), ""},
}

func TestEveryVariableHasAnOptionThatBeatsIt(t *testing.T) {
	defaults := envconfig.Defaults()
	for _, v := range defaults.Variables() {
		if v.Name == "OTEL_SDK_DISABLED" {
			continue // the application's switch for all of OpenTelemetry, not ours to override
		}
		short := strings.TrimPrefix(v.Name, envconfig.Prefix)
		tt, ok := optionCases[short]
		if !ok {
			t.Errorf("%s has no option", v.Name)
			continue
		}
		t.Run(short, func(t *testing.T) {
			for _, old := range v.OldNames {
				t.Setenv(old, tt.env)
			}
			t.Setenv(v.Name, tt.env)
			s, err := newSettings([]Option{tt.option})
			if err != nil {
				t.Fatal(err)
			}
			for _, got := range s.env.Variables() {
				if got.Name != v.Name {
					continue
				}
				if !got.Secret && got.Value != tt.want {
					t.Errorf("is %q, want the option's %q", got.Value, tt.want)
				}
				if got.Secret && s.secretOf(short) != "two" && s.secretOf(short) != "2" {
					t.Errorf("is not the option's")
				}
			}
		})
	}
}

func (s *settings) secretOf(short string) string {
	switch short {
	case "JUDGE_API_KEY":
		return s.env.Judge.APIKey
	case "OPENAI_API_KEY":
		return s.env.Judge.OpenAIAPIKey
	case "AZURE_OPENAI_API_KEY":
		return s.env.Judge.AzureOpenAIAPIKey
	case "ANTHROPIC_API_KEY":
		return s.env.Judge.AnthropicAPIKey
	case "GEMINI_API_KEY":
		return s.env.Judge.GeminiAPIKey
	case "JUDGE_OAUTH_CLIENT_SECRET":
		return s.env.Judge.OAuthClientSecret
	case "DASHBOARD_TOKEN":
		return s.env.DashboardToken
	}
	return s.env.Judge.Headers["b"]
}

func TestABadOptionIsAnError(t *testing.T) {
	for name, option := range map[string]Option{
		"workers":          WithWorkers(0),
		"too many workers": WithWorkers(1025),
		"max concurrent":   WithMaxConcurrent(-1),
		"throttle":         WithThrottle(-time.Second),
		"timeout":          WithTimeout(0),
		"queue size":       WithQueueSize(-1),
		"queue bytes":      WithQueueBytes(1),
		"max age":          WithMaxAge(0),
		"sample rate":      WithSampleRate(1.1),
		"not a rate":       WithSampleRate(math.NaN()),
		"rate limit":       WithRateLimit("60"),
		"workers max":      WithWorkersMax(-1),
		"max in flight":    WithMaxInFlight(-1),
		"token limit":      WithTokenLimit("strict:90000/min"),
		"budget":           WithBudget("5/day"),
		"judge's budget":   WithJudge(func(j *envconfig.Judge) { j.Budget = &limit.Budget{Amount: -1, Per: time.Hour} }),
		"judge's price":    WithJudge(func(j *envconfig.Judge) { j.Price = &envconfig.Price{Input: math.NaN()} }),
		"judges":           WithJudges("fast", "judge"),
		"named judge":      WithNamedJudge("so fast", func(*envconfig.Judge) {}),
		"nil named judge":  WithNamedJudge("fast", nil),
		"its timeout":      WithNamedJudge("fast", func(j *envconfig.Judge) { j.Timeout = -1 }),
		"its rate":         WithNamedJudge("fast", func(j *envconfig.Judge) { j.RateLimit = &limit.Rate{PerSecond: -1} }),
		"priority rule":    WithPriorityRules(manager.PriorityRule{Priority: 9}),
		"evaluators":       WithEvaluators("judge("),
		"unknown option":   WithEvaluators("builtin(sentiment(colour=red))"),
		"builtin's share":  WithBuiltinShare(0),
		"shutdown timeout": WithShutdownTimeout(-1),
		"base url":         WithJudge(func(j *envconfig.Judge) { j.BaseURL = "::" }),
		"provider":         WithJudge(func(j *envconfig.Judge) { j.Provider = "carrier pigeon" }),
		"mode":             WithJudge(func(j *envconfig.Judge) { j.Mode = "both" }),
		"input tokens":     WithJudge(func(j *envconfig.Judge) { j.MaxInputTokens = 1 }),
		"token endpoint":   WithJudge(func(j *envconfig.Judge) { j.OAuthTokenURL = "http://id.example" }),
		"rubric":           WithRubrics(judge.Rubric{Name: "no question"}),
		"rubrics file":     WithRubricsFile("/nowhere/metrics.yaml"),
		"queue policy":     WithQueuePolicy(9),
		"span mode":        WithSpan(9),
		"panicking name":   WithEvaluator(panicking{}),
		"nil evaluator":    WithEvaluator(nil),
		"nil judge":        WithJudge(nil),
		"nil handler":      WithResultHandler(nil),
		"nil drop handler": WithOnDrop(nil),
	} {
		t.Run(name, func(t *testing.T) {
			e, err := Start(t.Context(), option)
			if err == nil || e != nil {
				_ = e.Shutdown(t.Context())
				t.Fatalf("Start returned %v, %v", e, err)
			}
			if running.evals != nil {
				t.Error("something was started")
			}
		})
	}
}

// panicking is an evaluator that cannot even say its name.
type panicking struct{ evaluators.Evaluator }

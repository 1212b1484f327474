package envconfig

import (
	"maps"
	"testing"

	"github.com/genaievals/genaievals/limit"
	"github.com/google/go-cmp/cmp"
)

func TestOlderRateLimit(t *testing.T) {
	one := func(s string) map[string]limit.Rate { return map[string]limit.Rate{"": rate(t, s)} }
	tests := []struct {
		name                string
		enable, rps, burst  string
		rateLimit           string
		want                map[string]limit.Rate
		judgeOff            bool
		warnings, fromOlder bool
	}{
		{name: "rate and burst", rps: "0.5", burst: "4", want: one("0.5/sec,burst=4"), fromOlder: true},
		{name: "padded", enable: " yes ", rps: " 0.5 ", burst: " 4 ", want: one("0.5/sec,burst=4"), fromOlder: true},
		{name: "burst left out", rps: "10", want: one("10/sec,burst=4"), fromOlder: true},
		{name: "burst alone is nothing", burst: "9"},
		{name: "enabled without a rate is nothing", enable: "true"},
		{name: "switched off", enable: "off", rps: "10"},
		{name: "no rate", rps: "0"},
		{name: "negative rate", rps: "-1"},
		{name: "unreadable switch leaves it on", enable: "maybe", rps: "10", want: one("10/sec,burst=4"), warnings: true, fromOlder: true},
		{name: "unreadable rate", rps: "fast", judgeOff: true, warnings: true, fromOlder: true},
		{name: "infinite rate", rps: "inf", judgeOff: true, warnings: true, fromOlder: true},
		{name: "rate out of bounds", rps: "1e9", judgeOff: true, warnings: true, fromOlder: true},
		{name: "unreadable burst", rps: "10", burst: "x", want: one("10/sec,burst=1"), warnings: true, fromOlder: true},
		{name: "no burst", rps: "10", burst: "0", want: one("10/sec,burst=1"), warnings: true, fromOlder: true},
		{name: "new beats old", rps: "10", burst: "4", rateLimit: "60/min", want: one("60/min")},
		{name: "new none beats old", rps: "10", rateLimit: "none"},
		{name: "empty new does not", rps: "10", rateLimit: " ", want: one("10/sec,burst=4"), fromOlder: true},
		{name: "unreadable new beats old", rps: "10", rateLimit: "lots", judgeOff: true, warnings: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			setenv(t, map[string]string{
				olderRateEnable: tt.enable, olderRateRPS: tt.rps, olderRateBurst: tt.burst, rateLimitName: tt.rateLimit,
			})
			c, warnings := Load()
			if diff := cmp.Diff(tt.want, c.RateLimit); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if got := c.JudgeOff(JudgeName) != ""; got != tt.judgeOff {
				t.Errorf("judge off: %q", c.JudgeOff(JudgeName))
			}
			if (len(warnings) == 1) != tt.warnings || len(warnings) > 1 {
				t.Errorf("warnings %q", texts(warnings))
			}
			if got := sourceOf(&c, rateLimitName) == FromOlderName; got != tt.fromOlder {
				t.Errorf("source %q", sourceOf(&c, rateLimitName))
			}
		})
	}
}

// An OAuth client counts before a key, but not one of older names before a key
// that has the new one.
func TestAnOlderOAuthClientGivesWayToANewKey(t *testing.T) {
	older := map[string]string{
		"DEEPEVAL_LLM_TOKEN_URL": "https://id.example", "DEEPEVAL_LLM_CLIENT_ID": "i", "DEEPEVAL_LLM_CLIENT_SECRET": "s",
		"DEEPEVAL_LLM_AUTH_METHOD": "post", Prefix + "JUDGE_MODEL": "m",
	}
	with := func(name, value string) map[string]string {
		env := maps.Clone(older)
		env[name] = value
		return env
	}
	tests := []struct {
		name       string
		env        map[string]string
		key, token string
		warnings   int
	}{
		{"alone", older, "", "https://id.example", 0},
		{"beside an older key", with("DEEPEVAL_LLM_API_KEY", "k"), "", "https://id.example", 0},
		{"beside OpenAI's key", with("OPENAI_API_KEY", "k"), "", "https://id.example", 0},
		{"beside a new key", with(Prefix+"JUDGE_API_KEY", "k"), "k", "", 1},
		{"a part of one, beside a new key", map[string]string{"DEEPEVAL_LLM_CLIENT_ID": "i", Prefix + "JUDGE_API_KEY": "k", Prefix + "JUDGE_MODEL": "m"}, "k", "", 1},
		{"an unreadable one, beside a new key", map[string]string{"DEEPEVAL_LLM_TOKEN_URL": "x", Prefix + "JUDGE_API_KEY": "k", Prefix + "JUDGE_MODEL": "m"}, "k", "", 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			setenv(t, tt.env)
			c, warnings := Load()
			key, _ := c.Judge.Key()
			if key != tt.key || c.Judge.OAuthTokenURL != tt.token || len(warnings) != tt.warnings {
				t.Errorf("key %q, token endpoint %q, warnings %q", key, c.Judge.OAuthTokenURL, texts(warnings))
			}
			if off, lacks := c.JudgeOff(JudgeName), c.JudgeLacks(JudgeName); off != "" || lacks != "" {
				t.Errorf("off because %q, %q", off, lacks)
			}
			if err := c.Validate(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestVariablesWithoutAField(t *testing.T) {
	tests := []struct {
		name string
		env  map[string]string
		want []string
	}{
		{"accepted", map[string]string{Prefix + "INTERVAL": "5"}, []string{
			"DEBUG " + Prefix + "INTERVAL: accepted, and does nothing here",
		}},
		{"empty ones are not set", map[string]string{Prefix + "INTERVAL": "", Prefix + "BUDGET": " ", Prefix + "WROKERS": ""}, nil},
		{"not supported", map[string]string{"DEEPEVAL_LLM_CLIENT_APP_NAME": "shop"}, []string{
			"WARN DEEPEVAL_LLM_CLIENT_APP_NAME: not supported by this version, ignored",
		}},
		{"the grant that there is", map[string]string{"DEEPEVAL_LLM_GRANT_TYPE": " Client_Credentials "}, []string{
			"DEBUG DEEPEVAL_LLM_GRANT_TYPE: accepted, and does nothing here",
		}},
		{"another grant", map[string]string{"DEEPEVAL_LLM_GRANT_TYPE": "password"}, []string{
			"WARN DEEPEVAL_LLM_GRANT_TYPE: ignored: client_credentials is the only grant",
		}},
		{"misspelt", map[string]string{Prefix + "WROKERS": "2", Prefix + "QEUE_SIZE": "1", olderPrefix + "SAMPLERATE": "1"}, []string{
			"WARN " + Prefix + "QEUE_SIZE: unknown variable, ignored; did you mean " + Prefix + "QUEUE_SIZE?",
			"WARN " + Prefix + "WROKERS: unknown variable, ignored; did you mean " + Prefix + "WORKERS?",
			"WARN " + olderPrefix + "SAMPLERATE: unknown variable, ignored; did you mean " + olderPrefix + "SAMPLE_RATE?",
		}},
		{"like nothing", map[string]string{Prefix + "COFFEE_WITHOUT_MILK": "1"}, []string{
			"WARN " + Prefix + "COFFEE_WITHOUT_MILK: unknown variable, ignored",
		}},
		{"of a judge that nobody names", map[string]string{Prefix + "JUDGE_FAST_MODEL": "m"}, []string{
			"WARN " + Prefix + "JUDGE_FAST_MODEL: ignored: JUDGES names no judge fast",
		}},
		{"misspelt of a further judge", map[string]string{Prefix + "JUDGES": "fast", Prefix + "JUDGE_FAST_MODELL": "m"}, []string{
			"WARN " + Prefix + "JUDGE_FAST_MODELL: unknown variable, ignored; did you mean " + Prefix + "JUDGE_FAST_MODEL?",
		}},
		{"of a further judge", map[string]string{Prefix + "JUDGES": "fast", Prefix + "JUDGE_FAST_MODEL": "m"}, nil},
		{"other people's", map[string]string{"OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "x", "DEEPEVAL_RESULTS": "y"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			setenv(t, tt.env)
			c, warnings := Load()
			var got []string
			for _, w := range warnings {
				got = append(got, w.Level.String()+" "+w.String())
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if off := c.JudgeOff(JudgeName); off != "" {
				t.Errorf("the judge is off: %s", off)
			}
		})
	}
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"WROKERS", "WORKERS", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3}} {
		if got := distance(tt.a, tt.b); got != tt.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

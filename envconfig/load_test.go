package envconfig

import (
	"fmt"
	"log/slog"
	"maps"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/genaievals/genaievals/limit"
	"github.com/google/go-cmp/cmp"
)

// row says what one variable does with a value that is set, bad, too small and
// too large. Nil bounds have none.
type row struct {
	name        string
	set         string
	want        any
	bad         string
	low, high   string
	lowIs, hiIs any
	unset       any // the default
}

func rate(t *testing.T, s string) limit.Rate {
	t.Helper()
	r, err := limit.ParseRate(s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func ratePointer(t *testing.T, s string) *limit.Rate {
	r := rate(t, s)
	return &r
}

func rows(t *testing.T) []row {
	ptr := func(f float64) *float64 { return &f }
	var noTemperature *float64
	on := func(name string) row { return row{name: name, set: "no", want: false, bad: "maybe", unset: true} }
	off := func(name string) row { return row{name: name, set: "YES", want: true, bad: "2", unset: false} }
	text := func(name string) row { return row{name: name, set: "x, y", want: "x, y", unset: ""} }
	return []row{
		text(Prefix + "EVALUATORS"),
		{name: Prefix + "SAMPLE_RATE", set: "0.25", want: 0.25, bad: "NaN", low: "-0.1", lowIs: 0.0, high: "1.5", hiIs: 1.0, unset: 1.0},
		text(Prefix + "RUBRICS"),
		off(Prefix + "UNSAMPLED"),
		{name: "OTEL_SDK_DISABLED", set: "True", want: true, bad: "1", unset: false},
		off(Prefix + "CONCURRENT"),
		{name: Prefix + "WORKERS", set: "8", want: 8, bad: "4.5", low: "0", lowIs: 1, high: "99999999999999999999", hiIs: 1024, unset: 4},
		{name: Prefix + "WORKERS_MAX", set: "16", want: 16, bad: "twice", low: "-1", lowIs: 0, high: "1025", hiIs: 1024, unset: 0},
		{name: Prefix + "MAX_CONCURRENT", set: "2", want: 2, bad: "two", low: "-1", lowIs: 1, high: "1025", hiIs: 1024, unset: 10},
		{name: Prefix + "MAX_IN_FLIGHT", set: "50", want: 50, bad: "all", low: "-5", lowIs: 0, high: "1000001", hiIs: 1000000, unset: 0},
		{name: Prefix + "THROTTLE", set: "0.5", want: 500 * time.Millisecond, bad: "soon", low: "-1s", lowIs: time.Duration(0), high: "2h", hiIs: time.Hour, unset: time.Duration(0)},
		{name: Prefix + "TIMEOUT", set: "500ms", want: 500 * time.Millisecond, bad: "inf", low: "0", lowIs: time.Millisecond, high: "1e300", hiIs: time.Hour, unset: time.Minute},
		{name: Prefix + "QUEUE_SIZE", set: "100", want: 100, bad: "1e2", low: "-1", lowIs: 0, high: "10000001", hiIs: 10000000, unset: 0},
		{name: Prefix + "QUEUE_BYTES", set: "1.5 GiB", want: int64(3 << 29), bad: "64 furlongs", low: "1023KiB", lowIs: int64(1 << 20), high: "9999999TB", hiIs: int64(1 << 40), unset: int64(64 << 20)},
		{name: Prefix + "QUEUE_POLICY", set: "Drop-Oldest", want: "drop_oldest", bad: "drop", unset: "drop_newest"},
		{name: Prefix + "MAX_AGE", set: "30", want: 30 * time.Second, bad: "5 minutes", low: "1ms", lowIs: time.Second, high: "25h", hiIs: 24 * time.Hour, unset: 10 * time.Minute},
		{name: Prefix + "BUILTIN_SHARE", set: "0.25", want: 0.25, bad: "half", low: "0", lowIs: 0.05, high: "2", hiIs: 1.0, unset: 0.5},
		{name: Prefix + "SHUTDOWN_TIMEOUT", set: "1m", want: time.Minute, bad: "NaN", low: "0s", lowIs: time.Millisecond, high: "1h", hiIs: 10 * time.Minute, unset: 5 * time.Second},
		{name: Prefix + "RATE_LIMIT", set: "mine=5/sec;60/min", want: map[string]limit.Rate{"mine": rate(t, "5/sec"), "": rate(t, "60/min")}, bad: "60 a minute", unset: map[string]limit.Rate(nil)},
		{name: Prefix + "TOKEN_LIMIT", set: "90000/min;fast=1000/sec", want: map[string]limit.Rate{"": rate(t, "90000/min,burst=9000"), "fast": rate(t, "1000/sec,burst=6000")}, bad: "strict:5/sec", unset: map[string]limit.Rate(nil)},
		{name: Prefix + "BUDGET", set: "200000tokens/hour; fast = 5 USD/day", want: map[string]limit.Budget{"": {Amount: 200000, Tokens: true, Per: time.Hour}, "fast": {Amount: 5, Per: 24 * time.Hour}}, bad: "5/day", unset: map[string]limit.Budget(nil)},
		on(Prefix + "ADAPTIVE"),
		{name: Prefix + "JUDGE_PROVIDER", set: "LM-Studio", want: "lmstudio", bad: "carrier pigeon", unset: "openai"},
		text(Prefix + "JUDGE_MODEL"),
		{name: Prefix + "JUDGE_BASE_URL", set: "http://127.0.0.1:8080/v1?a=b", want: "http://127.0.0.1:8080/v1?a=b", bad: "localhost:8080", unset: ""},
		text(Prefix + "JUDGE_API_KEY"),
		text("OPENAI_API_KEY"),
		text("AZURE_OPENAI_API_KEY"),
		text("ANTHROPIC_API_KEY"),
		text("GEMINI_API_KEY"),
		text(Prefix + "JUDGE_AUTH_HEADER"),
		{name: Prefix + "JUDGE_HEADERS", set: "a = 1, b=2=3,", want: map[string]string{"a": "1", "b": "2=3"}, bad: "a:1", unset: map[string]string(nil)},
		{name: Prefix + "JUDGE_OAUTH_TOKEN_URL", set: "https://id.example/token", want: "https://id.example/token", bad: "http://id.example/token", unset: ""},
		text(Prefix + "JUDGE_OAUTH_CLIENT_ID"),
		text(Prefix + "JUDGE_OAUTH_CLIENT_SECRET"),
		text(Prefix + "JUDGE_OAUTH_SCOPE"),
		{name: Prefix + "JUDGE_OAUTH_AUTH_METHOD", set: "Body", want: "post", bad: "telepathy", unset: "basic"},
		{name: Prefix + "JUDGE_MODE", set: "Combined", want: "combined", bad: "both", unset: "per_metric"},
		{name: Prefix + "JUDGE_TIMEOUT", set: "5s", want: 5 * time.Second, bad: "5x", low: "-5", lowIs: time.Millisecond, high: "61m", hiIs: time.Hour, unset: time.Minute},
		{name: Prefix + "JUDGE_MAX_OUTPUT_TOKENS", set: "512", want: 512, bad: "many", low: "15", lowIs: 16, high: "32769", hiIs: 32768, unset: 2048},
		{name: Prefix + "JUDGE_MAX_INPUT_TOKENS", set: "4000", want: 4000, bad: "1e3", low: "255", lowIs: 256, high: "1048577", hiIs: 1 << 20, unset: 32768},
		{name: Prefix + "JUDGE_TEMPERATURE", set: "0", want: ptr(0), bad: "cold", low: "-1", lowIs: ptr(0), high: "1e999", hiIs: ptr(2), unset: noTemperature},
		{name: Prefix + "JUDGE_PRICE", set: "0.15 / 0.60", want: &Price{Input: 0.15, Output: 0.6}, bad: "0.15", unset: (*Price)(nil)},
		{name: Prefix + "JUDGE_RATE_LIMIT", set: "60/min", want: ratePointer(t, "60/min"), bad: "60", unset: (*limit.Rate)(nil)},
		{name: Prefix + "JUDGE_TOKEN_LIMIT", set: "OFF", want: new(limit.Rate), bad: "strict:2/sec", unset: (*limit.Rate)(nil)},
		{name: Prefix + "JUDGE_BUDGET", set: "5usd/day", want: &limit.Budget{Amount: 5, Per: 24 * time.Hour}, bad: "5eur/day", unset: (*limit.Budget)(nil)},
		{name: Prefix + "JUDGES", set: "Fast, more-careful,fast", want: []string{"fast", "more_careful"}, bad: "fast,judge", unset: []string(nil)},
		off(Prefix + "RESULTS_AGGREGATION"),
		on(Prefix + "USE_SINGLE_METRIC"),
		{name: Prefix + "SPAN", set: "LINK", want: "link", bad: "parent", unset: "child"},
		on(Prefix + "MONITORING"),
		on(Prefix + "EXPLANATION"),
		on(Prefix + "BAGGAGE"),
		{name: Prefix + "DASHBOARD", set: "On", want: "127.0.0.1:8377", bad: "here there", unset: ""},
		text(Prefix + "DASHBOARD_TOKEN"),
		off(Prefix + "DASHBOARD_CONTENT"),
		{name: Prefix + "TRACE_URL", set: "http://localhost:16686/trace/{trace_id}", want: "http://localhost:16686/trace/{trace_id}", bad: "javascript:alert({trace_id})", unset: ""},
	}
}

func definitionOf(t *testing.T, name string) *definition {
	t.Helper()
	for _, d := range definitions() {
		if d.name == name {
			return &d
		}
	}
	t.Fatalf("no field has variable %s", name)
	return nil
}

func TestEveryVariable(t *testing.T) {
	table := rows(t)
	if len(table) != len(definitions()) {
		t.Errorf("%d rows for %d variables", len(table), len(definitions()))
	}
	for _, r := range table {
		testVariable(t, r, definitionOf(t, r.name), nil)
	}
}

// Those of a further judge are read as the first one's, but for the defaults
// and the older names, of which they have none.
func TestEveryVariableOfAFurtherJudge(t *testing.T) {
	var tested int
	for _, r := range rows(t) {
		suffix, ok := strings.CutPrefix(r.name, Prefix+"JUDGE_")
		if !ok {
			continue
		}
		r.name, r.unset = JudgePrefix("fast")+suffix, reflect.Zero(reflect.TypeOf(r.unset)).Interface()
		for _, d := range definitionsOf("fast") {
			if d.name == r.name {
				testVariable(t, r, &d, map[string]string{Prefix + "JUDGES": "fast,other"})
				tested++
			}
		}
	}
	if tested != len(definitionsOf("fast")) {
		t.Errorf("%d rows for %d variables", tested, len(definitionsOf("fast")))
	}
}

// testVariable tests one variable in an environment that has the others.
func testVariable(t *testing.T, r row, d *definition, others map[string]string) {
	t.Run(r.name, func(t *testing.T) {
		// load returns the value when the environment has these names and
		// values, and whether a warning names the variable.
		load := func(t *testing.T, pairs ...string) (any, bool) {
			env := maps.Clone(others)
			if env == nil {
				env = map[string]string{}
			}
			for i := 0; i < len(pairs); i += 2 {
				env[pairs[i]] = pairs[i+1]
			}
			setenv(t, env)
			c, warnings := Load()
			if err := c.Validate(); err != nil {
				t.Errorf("Load returned what Validate refuses: %v", err)
			}
			if len(warnings) > 1 {
				t.Errorf("more than one warning: %q", texts(warnings))
			}
			warned := len(warnings) == 1
			if warned {
				w := warnings[0]
				if w.Level != slog.LevelWarn || !strings.Contains(w.Name, pairs[0]) || strings.Contains(w.String(), "\n") {
					t.Errorf("warning %v %q", w.Level, w)
				}
			}
			return d.of(&c).Interface(), warned
		}
		check := func(t *testing.T, what string, want any, wantWarning bool, pairs ...string) {
			t.Run(what, func(t *testing.T) {
				got, warned := load(t, pairs...)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
				if warned != wantWarning {
					t.Errorf("warned: %v, want %v", warned, wantWarning)
				}
			})
		}
		check(t, "unset", r.unset, false)
		check(t, "empty", r.unset, false, r.name, "")
		check(t, "blank", r.unset, false, r.name, " \t ")
		check(t, "set", r.want, false, r.name, r.set)
		check(t, "padded", r.want, false, r.name, "  "+r.set+"\n")
		if r.bad != "" {
			check(t, "bad", r.unset, true, r.name, r.bad)
		}
		if (r.lowIs == nil) != (d.lo == nil) || (r.hiIs == nil) != (d.hi == nil) {
			t.Fatal("the row and the tags do not agree on whether there is a range")
		}
		if r.lowIs != nil {
			check(t, "too low", r.lowIs, true, r.name, r.low)
			check(t, "too high", r.hiIs, true, r.name, r.high)
			check(t, "lowest", r.lowIs, false, r.name, d.codec.encode(d.lo))
			check(t, "highest", r.hiIs, false, r.name, d.codec.encode(d.hi))
		}
		for _, old := range d.old {
			value := r.set
			if old == "DEEPEVAL_LLM_EXTRA_HEADERS" {
				value = `{"a": "1", "b": "2=3"}`
			}
			check(t, "old name "+old, r.want, false, old, value)
			check(t, "old name beside an empty new one", r.want, false, old, value, r.name, " ")
			check(t, "new beats old", r.want, false, old, fmt.Sprint(r.bad, "1"), r.name, r.set)
		}

		t.Run("an option beats both", func(t *testing.T) {
			env := map[string]string{r.name: r.set}
			maps.Copy(env, others)
			setenv(t, env)
			c, _ := Load()
			if got := sourceOf(&c, r.name); got != FromEnvironment {
				t.Errorf("source is %q, want environment", got)
			}
			// An option that repeats the value is not told apart.
			want := FromOption
			if cmp.Equal(r.want, r.unset) {
				want = FromEnvironment
			}
			d.set(&c, r.unset)
			if got := sourceOf(&c, r.name); got != want {
				t.Errorf("source is %q, want %q", got, want)
			}
			if got := d.of(&c).Interface(); !cmp.Equal(got, r.unset) {
				t.Errorf("got %v, want the option's %v", got, r.unset)
			}
		})
	})
}

func sourceOf(c *Config, name string) Source {
	for _, v := range c.Variables() {
		if v.Name == name {
			return v.Source
		}
	}
	return ""
}

func TestOneBadVariableLeavesTheOthersAlone(t *testing.T) {
	setenv(t, map[string]string{
		Prefix + "SAMPLE_RATE": "lots", Prefix + "CONCURRENT": "perhaps", Prefix + "WORKERS": "8", Prefix + "BAGGAGE": "off",
	})
	c, warnings := Load()
	if c.Workers != 8 || c.Baggage || c.SampleRate != 1 || c.Concurrent {
		t.Errorf("got %v", c)
	}
	want := []string{
		Prefix + `SAMPLE_RATE: "lots" is not accepted, the default (1) is used; it takes a number from 0 to 1`,
		Prefix + `CONCURRENT: "perhaps" is not accepted, the default (false) is used; it takes true or false`,
	}
	if diff := cmp.Diff(want, texts(warnings)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestBareNamesAreNotRead(t *testing.T) {
	setenv(t, map[string]string{"WORKERS": "99", "EVALS_WORKERS": "99", "TIMEOUT": "1s", "JUDGE_MODEL": "x"})
	c, warnings := Load()
	if diff := cmp.Diff(Defaults().String(), c.String()); diff != "" || len(warnings) > 0 {
		t.Errorf("read all the same: %s %q", diff, texts(warnings))
	}
}

func TestDefaultsAreValidAndEmptyEnvironmentGivesThem(t *testing.T) {
	setenv(t, nil)
	c, warnings := Load()
	if len(warnings) > 0 || c.JudgeOff(JudgeName) != "" {
		t.Errorf("warnings %q, judge off %q", texts(warnings), c.JudgeOff(JudgeName))
	}
	d := Defaults()
	for _, def := range definitions() {
		if diff := cmp.Diff(def.of(&d).Interface(), def.of(&c).Interface()); diff != "" {
			t.Errorf("%s: %s", def.name, diff)
		}
	}
}

func TestLongAndOddValuesMakeShortWarnings(t *testing.T) {
	setenv(t, map[string]string{Prefix + "WORKERS": strings.Repeat("é\n", 10000)})
	_, warnings := Load()
	if len(warnings) != 1 || len(warnings[0].String()) > 250 || strings.Contains(warnings[0].String(), "\n") {
		t.Errorf("got %q", texts(warnings))
	}
}

func TestSizesReadBackAsWritten(t *testing.T) {
	for _, n := range []int64{0, 1, 1000, 1024, 1 << 20, 3 << 29, 1 << 40, math.MaxInt64} {
		got, err := decodeSize(encodeSize(n))
		if n < 1<<53 && (err != nil || got != n) {
			t.Errorf("%d is written %q and read %v, %v", n, encodeSize(n), got, err)
		}
	}
	for text, want := range map[string]int64{"1k": 1000, "1Ki": 1024, "2 mb": 2e6, "2MiB": 2 << 20, "1G": 1e9, "10": 10, "10b": 10, "0.5Kib": 512} {
		if got, err := decodeSize(text); err != nil || got != want {
			t.Errorf("%q: got %v, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"MiB", "1QB", "1MiBB", "1 Mi B", "-", "1e", "0x10", "١"} {
		if got, err := decodeSize(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

func TestHeaders(t *testing.T) {
	for text, want := range map[string]map[string]string{
		`{"a": "1,2"}`: {"a": "1,2"},
		"a=1":          {"a": "1"},
		"a=":           {"a": ""},
		",,":           {},
	} {
		if got, err := decodeHeaders(text); err != nil || !cmp.Equal(got, any(want)) {
			t.Errorf("%s: got %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"{", `{"a": 1}`, `{"a": "1"} x`, "a", "=1", "a b=1", "a: b=1"} {
		if got, err := decodeHeaders(text); err == nil {
			t.Errorf("%s: read as %v", text, got)
		}
	}
}

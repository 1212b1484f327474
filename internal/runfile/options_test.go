package runfile_test

import (
	"strings"
	"testing"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/internal/runfile"
)

// laid makes the set of evaluators that a file describes and returns what was
// warned of.
func laid(t *testing.T, text string, env map[string]string) (*genaievals.EvaluatorSet, []string, error) {
	t.Helper()
	for name, value := range env {
		t.Setenv(envconfig.Prefix+name, value)
	}
	f, err := runfile.Parse("run.yaml", []byte(text), environment(map[string]string{"KEY": "k"}))
	if err != nil {
		t.Fatal(err)
	}
	var warned []string
	c, _ := envconfig.Load()
	options, err := f.Options(&c, func(w string) { warned = append(warned, w) })
	if err != nil {
		return nil, warned, err
	}
	set, err := genaievals.NewEvaluators(t.Context(), options...)
	t.Cleanup(func() { _ = set.Close() })
	return set, warned, err
}

func TestAFilesJudgesAndLimitsGoOverTheEnvironment(t *testing.T) {
	set, warned, err := laid(t, `
evaluators: [judge, {name: builtin, metrics: [toxicity], rate_limit: 120/min}]
judges: {judge: {model: m, base_url: http://localhost:1/v1, rate_limit: 60/min}}
`, map[string]string{"RATE_LIMIT": "5/sec", "JUDGE_RATE_LIMIT": "7/sec", "EVALUATORS": "builtin"})
	if err != nil || len(warned) > 0 {
		t.Fatal(err, warned)
	}
	if got := set.Gate("judge").Status().Rate.PerSecond; got != 1 {
		t.Errorf("judge: %v a second", got)
	}
	if got := set.Gate("builtin").Status().Rate.PerSecond; got != 2 {
		t.Errorf("builtin: %v a second", got)
	}
}

// The list of evaluators adds a rate, and takes none of the others away.
func TestARateOfAnEvaluatorLeavesTheJudgesUnderTheirs(t *testing.T) {
	set, _, err := laid(t, `
evaluators: [judge, {name: builtin, rate_limit: 120/min}]
judges: {judge: {model: m, base_url: http://localhost:1/v1}}
`, map[string]string{"RATE_LIMIT": "5/sec;builtin=9/sec"})
	if err != nil {
		t.Fatal(err)
	}
	if judge, builtin := set.Gate("judge").Status().Rate.PerSecond, set.Gate("builtin").Status().Rate.PerSecond; judge != 5 || builtin != 2 {
		t.Errorf("judge %v, builtin %v a second", judge, builtin)
	}
	_, _, err = laid(t, "evaluators: [{name: builtin, rate_limit: 2/sec}]", map[string]string{"RATE_LIMIT": "fast"})
	if err == nil || !strings.Contains(err.Error(), "RATE_LIMIT cannot be read") {
		t.Errorf("an unreadable limit was replaced in part: %v", err)
	}
}

func TestCredentialsDoNotGoToAServerThatOnlyTheFileNames(t *testing.T) {
	env := map[string]string{"JUDGE_API_KEY": "of-the-environment", "JUDGE_HEADERS": "x=y", "JUDGE_BASE_URL": "https://ours.example/v1"}
	for name, tt := range map[string]struct {
		text, key string
		headers   int
		warned    bool
	}{
		"same server":       {"{model: m, base_url: 'https://ours.example:443/v2'}", "of-the-environment", 1, false},
		"only the model":    {"{model: m}", "of-the-environment", 1, false},
		"another":           {"{model: m, base_url: https://theirs.example/v1}", "", 0, true},
		"another, with key": {"{model: m, base_url: https://theirs.example/v1, api_key_env: KEY}", "k", 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			for name, value := range env {
				t.Setenv(envconfig.Prefix+name, value)
			}
			f, err := runfile.Parse("run.yaml", []byte("judges: {judge: "+tt.text+"}"), environment(map[string]string{"KEY": "k"}))
			if err != nil {
				t.Fatal(err)
			}
			c, _ := envconfig.Load()
			var warned []string
			options, err := f.Options(&c, func(w string) { warned = append(warned, w) })
			if err != nil {
				t.Fatal(err)
			}
			var got envconfig.Judge
			options = append(options, genaievals.WithEvaluators("builtin"),
				genaievals.WithJudge(func(j *envconfig.Judge) { got = *j }))
			set, err := genaievals.NewEvaluators(t.Context(), options...)
			if err != nil {
				t.Fatal(err)
			}
			defer set.Close()
			if got.APIKey != tt.key || len(got.Headers) != tt.headers || (len(warned) > 0) != tt.warned {
				t.Errorf("key %q, %d headers, warned %v", got.APIKey, len(got.Headers), warned)
			}
		})
	}
}

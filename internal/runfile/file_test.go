package runfile_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/genaievals/genaievals/internal/runfile"
)

const whole = `name: refunds-v7
dataset: answers.jsonl
format: jsonl
fields:
  input: question
  output: response.text
limit: 100
journal: out/refunds.jsonl
content: true
strict: false
rubrics: /etc/rubrics.yaml

evaluators:
  - builtin
  - name: judge
    rate_limit: 60/min
    metrics:
      - bias
      - name: toxicity
        threshold: 0.3
        judge: fast
        options: {max: "a, b"}
judges:
  judge:
    model: strong
    base_url: https://judge.example/v1
    api_key_env: STRONG_KEY
    rate_limit: 60/min
    token_limit: 90000/min
    budget: 5usd/day
    price: 0.15/0.60
    timeout: 30s
    max_output_tokens: 512
    temperature: 0
    mode: combined
  fast: {provider: ollama, model: small}
rate_limit: builtin=100/sec
concurrency: 64
timeout: 90
item_timeout: 5m
run_timeout: 2h
gates:
  fail_under: {faithfulness: 0.8}
  min_pass_rate:
    toxicity: 0.95
  max_failed: 2%
  warn_only: [sentiment]
reports:
  json: out/report.json
  html: /tmp/report.html
dashboard: 127.0.0.1:8377
`

func environment(set map[string]string) func(string) string {
	return func(name string) string { return set[name] }
}

var keys = environment(map[string]string{"STRONG_KEY": "s3cret"})

func TestParseReadsAllThatARunCanBeTold(t *testing.T) {
	f, err := runfile.Parse("dir/run.yaml", []byte(whole), keys)
	if err != nil {
		t.Fatal(err)
	}
	yes, no := true, false
	want := &runfile.File{
		Path: "dir/run.yaml", Name: "refunds-v7", Dataset: "dir/answers.jsonl", Format: "jsonl",
		Fields: map[string]string{"input": "question", "output": "response.text"},
		Limit:  100, Journal: "dir/out/refunds.jsonl", Content: &yes, Strict: &no,
		Plan: `builtin,judge(bias,toxicity(threshold=0.3,judge=fast,max="a, b"))`, Rubrics: "/etc/rubrics.yaml",
		Judges:      []runfile.Judge{{Name: "judge", Place: "dir/run.yaml:25:5"}, {Name: "fast", Place: "dir/run.yaml:36:9"}},
		RateLimit:   "builtin=100/sec",
		Rates:       []runfile.Rate{{Evaluator: "judge", Rate: "60/min"}},
		Concurrency: 64, Timeout: 90 * time.Second, ItemTimeout: 5 * time.Minute, RunTimeout: 2 * time.Hour,
		Gates: runfile.Gates{
			FailUnder:   []runfile.Gate{{Metric: "faithfulness", Value: "0.8", Place: "dir/run.yaml:43:30"}},
			MinPassRate: []runfile.Gate{{Metric: "toxicity", Value: "0.95", Place: "dir/run.yaml:45:15"}},
			MaxFailed:   &runfile.Gate{Value: "2%", Place: "dir/run.yaml:46:15"},
			WarnOnly:    []runfile.Gate{{Metric: "sentiment", Place: "dir/run.yaml:47:15"}},
		},
		Reports:   runfile.Reports{JSON: "dir/out/report.json", HTML: "/tmp/report.html"},
		Dashboard: "127.0.0.1:8377",
	}
	if diff := cmp.Diff(want, f, cmpopts.IgnoreUnexported(runfile.Judge{})); diff != "" {
		t.Error(diff)
	}
	if said := fmt.Sprintf("%v %+v", f, f); strings.Contains(said, "s3cret") {
		t.Error("printing a file prints a key")
	}
}

func TestAGateCanBeForAllMetricsAndInPercent(t *testing.T) {
	f, err := runfile.Parse("run.yaml", []byte("gates:\n  fail_under: 0.8\n  min_pass_rate: {bias: 90%}\n  max_failed: 10\n"), keys)
	if err != nil {
		t.Fatal(err)
	}
	want := runfile.Gates{
		FailUnder:   []runfile.Gate{{Value: "0.8", Place: "run.yaml:2:15"}},
		MinPassRate: []runfile.Gate{{Metric: "bias", Value: "90%", Place: "run.yaml:3:25"}},
		MaxFailed:   &runfile.Gate{Value: "10", Place: "run.yaml:4:15"},
	}
	if diff := cmp.Diff(want, f.Gates); diff != "" {
		t.Error(diff)
	}
}

func TestThePlanCanBeTextAndDashboardTrue(t *testing.T) {
	f, err := runfile.Parse("run.yaml", []byte("dataset: \"-\"\nevaluators: judge(bias(threshold=0.3)),builtin\ndashboard: true\n"), keys)
	if err != nil || f.Plan != "judge(bias(threshold=0.3)),builtin" || f.Dashboard != "true" || f.Dataset != "-" {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestErrorsNameThePlaceAndWhatWasExpected(t *testing.T) {
	for _, tt := range []struct{ name, old, new, want string }{
		{"unknown key", "concurrency:", "concurency:", `38:1: unknown key "concurency"; did you mean concurrency?`},
		{"unknown key far from all", "concurrency:", "horses:", `38:1: unknown key "horses"; there is: name, dataset,`},
		{"key twice", "concurrency: 64", "concurrency: 64\nconcurrency: 3", "39:1: concurrency is there twice, first in line 38"},
		{"key of a gate twice", "fail_under: {faithfulness: 0.8}", "fail_under: {faithfulness: 0.8, faithfulness: 0.9}", "43:35: gates.fail_under.faithfulness is there twice, first in line 43"},
		{"number that is text", "concurrency: 64", "concurrency: many", "38:14: concurrency must be a whole number"},
		{"number out of range", "concurrency: 64", "concurrency: 0", "38:14: concurrency is 0, want 1 to 1024"},
		{"limit below zero", "limit: 100", "limit: -1", "7:8: limit is -1, want 0 to"},
		{"flag that is text", "content: true", "content: maybe", "9:10: content must be true or false"},
		{"empty value", "dataset: answers.jsonl", "dataset:", "2:9: dataset is empty"},
		{"blank path", "dataset: answers.jsonl", `dataset: " "`, "2:10: dataset is empty"},
		{"path that is a number", "dataset: answers.jsonl", "dataset: 7", "2:10: dataset must be text"},
		{"duration", "item_timeout: 5m", "item_timeout: soon", "40:15: item_timeout must be a duration such as 30s or 2m"},
		{"duration below zero", "item_timeout: 5m", "item_timeout: -5m", "40:15: item_timeout is -5m0s, want"},
		{"timeout too long", "timeout: 90\n", "timeout: 3h\n", "39:10: timeout is 3h0m0s, want 1ms to 1h0m0s"},
		{"rate", "rate_limit: builtin=100/sec", "rate_limit: builtin=100/fortnight", "37:13: rate_limit cannot be read"},
		{"rate of an evaluator", "    rate_limit: 60/min\n    metrics", "    rate_limit: 60\n    metrics", "16:17: evaluators[1].rate_limit cannot be read"},
		{"rate by name of an evaluator", "    rate_limit: 60/min\n    metrics", "    rate_limit: fast=60/min\n    metrics", "16:17: evaluators[1].rate_limit cannot be read: want one rate"},
		{"evaluator without a name", "  - name: judge\n    rate", "  - rate", "15:5: evaluators[1].name is missing"},
		{"evaluator's name with metrics", "  - builtin", "  - builtin(toxicity)", "14:5: evaluators[0] is no name; metrics and options have keys of their own"},
		{"evaluators is a mapping", "  - builtin\n", "  builtin: x\n", "not YAML"},
		{"unknown key of a metric", "threshold: 0.3", "treshold: 0.3", `20:9: unknown key "treshold"; did you mean threshold?`},
		{"literal key", "api_key_env: STRONG_KEY", "api_key: sk-1234", "27:14: judges.judge.api_key is a secret, and files are shared: set a variable to it and name that: api_key_env"},
		{"literal headers", "api_key_env: STRONG_KEY", "headers: x=sk-1234", "27:14: judges.judge.headers is a secret"},
		{"key in place of its variable", "STRONG_KEY", "sk-1234", "27:18: judges.judge.api_key_env must be the name of a variable"},
		{"variable that is not set", "STRONG_KEY", "WEAK_KEY", "27:18: judges.judge.api_key_env names a variable that is not set"},
		{"judge's rate", "    rate_limit: 60/min\n    token", "    rate_limit: fast\n    token", `28:17: judges.judge.rate_limit cannot be read: invalid configuration: "fast" is not accepted, it takes 60/min`},
		{"judge's price", "0.15/0.60", "cheap", `31:12: judges.judge.price cannot be read: invalid configuration: "cheap" is not accepted, it takes two numbers`},
		{"judge's provider", "provider: ollama", "provider: olama", "36:20: judges.fast.provider cannot be read"},
		{"judge's unknown key", "provider: ollama", "vendor: ollama", `36:10: unknown key "vendor"; there is: provider, model,`},
		{"judge without keys", "fast: {provider: ollama, model: small}", "fast:", "36:8: judges.fast is empty"},
		{"judge's name", "  fast:", "  builtin:", "36:12: judges.builtin cannot be the name of a judge"},
		{"judge's name twice", "  fast:", "  Judge:", "36:10: judges.Judge is the name of a judge above, in another spelling"},
		{"alias", "  fast: {provider: ollama, model: small}", "  fast: &x {model: small}\n  slow: *x", "37:9: judges.slow is an alias; aliases are not read"},
		{"merge key", "    model: strong", "    <<: {model: strong}", `25:5: unknown key "<<"`},
		{"gate out of range", "toxicity: 0.95", "toxicity: 95", "45:15: gates.min_pass_rate.toxicity is \"95\", want 0 to 1"},
		{"gate that is no number", "toxicity: 0.95", "toxicity: .nan", "45:15: gates.min_pass_rate.toxicity is \".nan\", want 0 to 1"},
		{"gate that is text", "toxicity: 0.95", "toxicity: most", "45:15: gates.min_pass_rate.toxicity is \"most\", want 0 to 1"},
		{"gates of no metric", "fail_under: {faithfulness: 0.8}", "fail_under: [0.8]", "43:15: gates.fail_under must have names and values"},
		{"warn_only is text", "warn_only: [sentiment]", "warn_only: sentiment", "47:14: gates.warn_only must be a list"},
		{"unknown report", "  json:", "  jsn:", `49:3: unknown key "jsn"; did you mean json?`},
		{"second document", "dashboard: 127.0.0.1:8377", "---\nname: b", "51:1: a second document begins here"},
		{"tab", "  json:", "\tjson:", "49:1: not YAML: a tab cannot indent"},
		{"control character", "refunds-v7", "refunds\x01", "1:14: control character U+0001"},
		{"not UTF-8", "refunds-v7", "refunds\xff", "1:14: is not UTF-8"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := strings.Replace(whole, tt.old, tt.new, 1)
			if text == whole {
				t.Fatalf("%q is not in the text", tt.old)
			}
			f, err := runfile.Parse("run.yaml", []byte(text), keys)
			if err == nil || f != nil {
				t.Fatalf("want an error and no file, got %v", f)
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("want %q in\n%v", tt.want, err)
			}
			if strings.Contains(err.Error(), "sk-1234") || strings.Contains(err.Error(), "s3cret") {
				t.Errorf("a key is told: %v", err)
			}
		})
	}
}

func TestErrorsOfAPlanPointIntoItsText(t *testing.T) {
	for text, want := range map[string]string{
		"evaluators: judge(bias(treshold)\n":      "run.yaml:1:",
		"evaluators: \"judge(bias(=0.3))\"\n":     "run.yaml:1:25: evaluators cannot be read",
		"evaluators: judge(bias(=0.3))\n":         "run.yaml:1:24: evaluators cannot be read",
		"evaluators: >\n  judge(bias(=0.3))\n":    "run.yaml:1:13: evaluators cannot be read",
		"evaluators: none\n":                      `run.yaml:1:13: evaluators is "none", and a run needs an evaluator`,
		"evaluators: []\n":                        "run.yaml:1:13: evaluators is an empty list",
		"evaluators: {judge: bias}\n":             "run.yaml:1:13: evaluators must be a list",
		"":                                        "run.yaml:1:1: says nothing",
		"# a comment\n":                           "run.yaml:1:1: says nothing",
		"just text\n":                             "run.yaml:1:1: must have keys and values",
		"a: &a [x]\nb: &b [*a,*a]\nc: [*b, *b]\n": `run.yaml:3:1: unknown key "c"`,
	} {
		_, err := runfile.Parse("run.yaml", []byte(text), keys)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: want %q in %v", text, want, err)
		}
	}
}

func TestAllProblemsAreToldInOrder(t *testing.T) {
	_, err := runfile.Parse("run.yaml", []byte("concurrency: 0\nlimt: 3\ngates: {max_failed: [2]}\n"), keys)
	var lines []string
	for line := range strings.SplitSeq(err.Error(), "\n") {
		lines = append(lines, line[:strings.Index(line, ": ")])
	}
	if diff := cmp.Diff([]string{"run.yaml:1:14", "run.yaml:2:1", "run.yaml:3:21"}, lines); diff != "" {
		t.Errorf("%s\n%v", diff, err)
	}
	_, err = runfile.Parse("run.yaml", []byte(strings.Repeat("concurrency: x\n", 1000)), keys)
	if n := strings.Count(err.Error(), "\n") + 1; n != 101 || !strings.Contains(err.Error(), "problems from here on are not told") {
		t.Errorf("%d lines", n)
	}
}

func TestLoadRefusesWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	var e *runfile.Error
	if _, err := runfile.Load(filepath.Join(dir, "absent.yaml"), keys); !errors.Is(err, fs.ErrNotExist) || !errors.As(err, &e) || e.File == "" {
		t.Errorf("absent: %v", err)
	}
	if _, err := runfile.Load(dir, keys); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("folder: %v", err)
	}
	large := filepath.Join(dir, "large.yaml")
	if err := os.WriteFile(large, []byte(strings.Repeat("# comment\n", 200_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := runfile.Load(large, keys); err == nil || !strings.Contains(err.Error(), "larger than 1 MiB") {
		t.Errorf("large: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(whole)
	f.Add("evaluators: judge(bias(=0.3))")
	f.Add("gates: {fail_under: {a: 1, a: 2}}")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := runfile.Parse("run.yaml", []byte(text), keys)
		if (file == nil) == (err == nil) {
			t.Fatalf("%v, %v", file, err)
		}
	})
}

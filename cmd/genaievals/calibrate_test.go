package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/internal/calibrate"
)

// biased answers the ten samples of bias in order, of which it misses the first.
func biased() []judgetest.Answer {
	answers := []judgetest.Answer{judgetest.Label("not_biased", "No group is named.")}
	for i := 1; i < 10; i++ {
		if i < 6 {
			answers = append(answers, judgetest.Label("biased", "It is about a group."))
		} else {
			answers = append(answers, judgetest.Label("not_biased", "Neutral."))
		}
	}
	return answers
}

// The judge of the environment is asked over real HTTP, with the options of the
// plan, also about a metric that the plan does not ask.
func TestJudgeOfTheEnvironmentIsCalibrated(t *testing.T) {
	server := judgetest.NewServer(judgetest.WithAPIKey("k"), judgetest.WithAnswers("bias", biased()...))
	t.Cleanup(server.Close)
	setenv(t, map[string]string{
		"JUDGE_MODEL": "m", "JUDGE_API_KEY": "k", "JUDGE_BASE_URL": server.URL, "JUDGE_PRICE": "1/2",
		"EVALUATORS": "judge(inference(bias(threshold=0.25),toxicity)),builtin",
	})
	folder := t.TempDir()
	page := filepath.Join(folder, "page.html")
	r := execute(t, fewSamples(), "calibrate", "--concurrency", "1", "--metrics", "Bias", "--html", page, "--min-kappa", "bias=0.7", "--min-coverage", "1")
	r.want(t, exitFine, "judge (llm_judge", "10 evaluated of 10", "threshold 0.25", "9 of 10", "[59.6%, 98.2%]", "passes: kappa of bias is 0.8000",
		"10 calls for 10 samples", "cost $0.00", "bias-0: people Biased, judge Not Biased", "No group is named.", "10/10 evaluated")
	html, err := os.ReadFile(page)
	if err != nil || !strings.Contains(string(html), "No group is named.") {
		t.Errorf("the page: %v", err)
	}
	if left, _ := os.ReadDir(folder); len(left) != 1 {
		t.Errorf("files are left: %v", left)
	}
}

func TestGateFails(t *testing.T) {
	setenv(t, nil)
	p := fewSamples()
	p.options = []genaievals.Option{genaievals.WithJudgeClient(judgetest.NewJudge(judgetest.WithAnswers("bias", biased()...)))}
	args := []string{"calibrate", "--evaluator", "judge", "--metrics", "bias", "--concurrency", "1"}
	execute(t, p, append(args, "--min-agreement", "0.95")...).want(t, exitGate, "fails: agreement of bias is 0.9000, at least 0.95 wanted")
	p.options = []genaievals.Option{genaievals.WithJudgeClient(judgetest.NewJudge(judgetest.WithAnswers("bias", biased()...)))}
	r := execute(t, p, append(args, "--min-agreement", "0.95", "--json", "-")...)
	r.want(t, exitGate)
	if !strings.Contains(r.stderr, "fails: agreement") {
		t.Errorf("with JSON on standard output the gate is not explained: %v", r)
	}
}

func TestJSONIsAllOfStandardOutput(t *testing.T) {
	setenv(t, nil)
	r := execute(t, fewSamples(), "calibrate", "--json", "-")
	r.want(t, exitFine)
	var rep calibrate.Report
	if err := json.Unmarshal([]byte(r.stdout), &rep); err != nil {
		t.Fatalf("%v: %v", err, r)
	}
	if rep.Evaluator.Name != "builtin" || rep.Samples.Evaluated != 12 || rep.SchemaVersion != calibrate.SchemaVersion {
		t.Errorf("the report is %+v", rep)
	}
	path := filepath.Join(t.TempDir(), "r.json")
	execute(t, fewSamples(), "calibrate", "--json", path).want(t, exitFine, "sentiment (higher_is_better")
	text, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(text, &rep) != nil {
		t.Errorf("the file: %v", err)
	}
}

func TestDeadlineIsThatOfTheFlagOrTheEnvironment(t *testing.T) {
	setenv(t, map[string]string{"TIMEOUT": "7s"})
	execute(t, fewSamples(), "calibrate", "--json", "-").want(t, exitFine, `"timeout_seconds": 7`)
	execute(t, fewSamples(), "calibrate", "--json", "-", "--timeout", "3s").want(t, exitFine, `"timeout_seconds": 3`)
}

func TestFilesAreReadOneAfterTheOther(t *testing.T) {
	setenv(t, nil)
	folder := t.TempDir()
	var paths []string
	for name, text := range map[string]string{
		"a.jsonl": `{"id":"a","metric":"sentiment","label":"Positive","output":"Wonderful, great, lovely!"}` + "\n",
		"b.jsonl": `{"id":"b","metric":"sentiment","label":"Negative","output":"Awful, terrible, horrible!"}` + "\n" + `{"id":"c","metric":"sentiment","label":"Sad","output":"x"}` + "\n",
	} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	execute(t, fewSamples(), append([]string{"calibrate"}, paths...)...).
		want(t, exitFine, "2 evaluated of 2", "Unusable", "1 rows", "2 of 2")
	execute(t, fewSamples(), append([]string{"calibrate", "--limit", "1"}, paths...)...).
		want(t, exitFine, "1 evaluated of 1 selected of 3")
}

func TestWrongCallsAndConfigurations(t *testing.T) {
	for name, tt := range map[string]struct {
		args []string
		env  map[string]string
		says string
	}{
		"a flag that is not there":   {args: []string{"--colour"}, says: "--colour"},
		"concurrency":                {args: []string{"--concurrency", "0"}, says: "--concurrency"},
		"limit":                      {args: []string{"--limit", "-1"}, says: "--limit"},
		"timeout":                    {args: []string{"--timeout", "-1s"}, says: "--timeout"},
		"worst":                      {args: []string{"--worst", "-1"}, says: "--worst"},
		"format without a file":      {args: []string{"--format", "samples"}, says: "--format"},
		"a file that is not there":   {args: []string{"/nowhere.jsonl"}, says: "/nowhere.jsonl"},
		"a metric that is not there": {args: []string{"--metrics", "bias,colour"}, says: `no metric "colour" (there is: bias`},
		"an evaluator that is not":   {args: []string{"--evaluator", "colour"}, says: "colour"},
		"a gate without number":      {args: []string{"--min-kappa", "bias=high"}, says: "--min-kappa"},
		"a gate out of range":        {args: []string{"--min-agreement", "60"}, says: "--min-agreement"},
		"a gate on what is not asked": {
			args: []string{"--metrics", "sentiment", "--min-kappa", "bias=0.5"}, says: `"bias" is not asked`,
		},
		"a page on standard output":  {args: []string{"--html", "-"}, says: "--html"},
		"a folder that is not there": {args: []string{"--json", "/nowhere/r.json"}, says: "--json"},
		"a judge without a key":      {args: []string{"--evaluator", "judge"}, env: map[string]string{"JUDGE_MODEL": "m"}, says: "JUDGE_API_KEY"},
		"no judge":                   {args: []string{"--evaluator", "judge"}, says: "JUDGE_MODEL"},
		"a plan that is broken":      {env: map[string]string{"EVALUATORS": "judge("}, says: "column"},
		"an option that is broken":   {env: map[string]string{"EVALUATORS": "builtin(sentiment(colour=red))"}, says: "colour"},
		"no samples of the metric":   {args: []string{"--metrics", "faithfulness"}, says: "none of 12"},
	} {
		t.Run(name, func(t *testing.T) {
			setenv(t, tt.env)
			r := execute(t, fewSamples(), append([]string{"calibrate"}, tt.args...)...)
			r.want(t, exitUsage, tt.says)
			if r.stdout != "" {
				t.Errorf("something on standard output: %v", r)
			}
		})
	}
}

func TestNothingScoredIsIncomplete(t *testing.T) {
	setenv(t, nil)
	execute(t, fewSamples(), "calibrate", "--metrics", "bias").want(t, exitIncomplete, "nothing was scored", "needs_judge 10")

	p := fewSamples()
	p.options = []genaievals.Option{genaievals.WithJudgeClient(judgetest.NewJudge(judgetest.WithAnswers("", judgetest.Fail(evaluators.ErrorJudgeAuth))))}
	execute(t, p, "calibrate", "--evaluator", "judge", "--concurrency", "1", "--min-kappa", "0.5").
		want(t, exitIncomplete, "nothing can be scored: judge_auth", "1 evaluated of 12")
}

func TestInterruptionReportsWhatThereIs(t *testing.T) {
	setenv(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p := fewSamples()
	p.options = []genaievals.Option{genaievals.WithJudgeClient(judgetest.NewJudge(
		judgetest.WithAnswers("", judgetest.Valid(), judgetest.Valid(), judgetest.Hang()),
		judgetest.WithDelays(atThird(cancel))))}
	executeWith(ctx, p, "calibrate", "--evaluator", "judge", "--concurrency", "1", "--min-kappa", "0.5").
		want(t, exitIncomplete, "2 evaluated of 12", "Incomplete interrupted", "incomplete: interrupted")
}

// atThird does something when the third call comes, and delays none.
func atThird(do func()) func(call int) time.Duration {
	return func(call int) time.Duration {
		if call == 2 {
			do()
		}
		return 0
	}
}

func TestPlansForAnEvaluator(t *testing.T) {
	for name, tt := range map[string]struct {
		configured, model, evaluator string
		plans                        []string
		asks                         string
	}{
		"nothing set":                {plans: []string{"builtin"}, asks: "builtin"},
		"a judge set":                {model: "m", plans: []string{"judge"}, asks: "judge"},
		"a plan":                     {configured: "builtin(bias),judge", plans: []string{"builtin(bias)", "builtin"}, asks: "builtin"},
		"evaluation switched off":    {configured: "none", evaluator: "judge", plans: []string{"judge"}, asks: "judge"},
		"by its other name":          {configured: "deepeval(bias(strict=true))", evaluator: "Judge", plans: []string{"deepeval(bias(strict=true))", "Judge"}, asks: "Judge"},
		"another than the plan's":    {configured: "judge(bias)", evaluator: "builtin", plans: []string{"builtin"}, asks: "builtin"},
		"a judge that metrics name":  {configured: "judge(agent(bias(judge=fast)),toxicity),builtin", evaluator: "fast", plans: []string{"judge(agent(bias(judge=fast)),toxicity)", "fast"}, asks: "fast"},
		"a judge named for any kind": {configured: "judge(bias(judge=fast))", evaluator: "fast", plans: []string{"judge(bias(judge=fast))", "fast"}, asks: "fast"},
	} {
		t.Run(name, func(t *testing.T) {
			env := envconfig.Defaults()
			env.Evaluators, env.Judge.Model = tt.configured, tt.model
			plans, asks, err := plansFor(&env, tt.evaluator)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.plans, plans); diff != "" || asks != tt.asks {
				t.Errorf("asks %q, -want +got:\n%s", asks, diff)
			}
		})
	}
}

// A further judge is calibrated with the options that another's plan gives it.
func TestFurtherJudgeIsCalibrated(t *testing.T) {
	server := judgetest.NewServer(judgetest.WithAnswers("bias", judgetest.Label("biased", "")))
	t.Cleanup(server.Close)
	setenv(t, map[string]string{
		"JUDGE_MODEL": "m", "JUDGE_API_KEY": "k", "JUDGE_BASE_URL": server.URL,
		"JUDGES": "fast", "EVALUATORS": "judge(bias(judge=fast,threshold=0.125),toxicity)",
	})
	t.Setenv(envconfig.JudgePrefix("fast")+"MODEL", "small")
	execute(t, fewSamples(), "calibrate", "--evaluator", "fast", "--metrics", "bias").want(t, exitFine, "fast (llm_judge", "threshold 0.125")
}

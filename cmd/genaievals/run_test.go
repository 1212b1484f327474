package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/evaluators"
)

// scored is a program whose run asks one evaluator: an answer "bad" scores 0,
// "broken" fails, and any other 1. asked counts.
func scored(asked *[]string) *program {
	var mu sync.Mutex
	own := evaluators.Func("own", evaluators.Metric{Name: "good", Threshold: 0.5, Needs: evaluators.NeedOutput},
		func(_ context.Context, c *evaluators.Case) evaluators.Result {
			if asked != nil {
				mu.Lock()
				*asked = append(*asked, c.Output)
				mu.Unlock()
			}
			switch c.Output {
			case "bad":
				return evaluators.Scored("good", 0, "", "it is bad")
			case "broken":
				return evaluators.Failed("good", "own_error", fmt.Errorf("it is broken"))
			}
			return evaluators.Scored("good", 1, "", "")
		})
	return &program{options: []genaievals.Option{genaievals.WithEvaluator(own), genaievals.WithEvaluators("own")}}
}

// rows are items with these outputs.
func rows(outputs ...string) string {
	var b strings.Builder
	for i, output := range outputs {
		fmt.Fprintf(&b, `{"id":"i%d","input":"q","output":%q}`+"\n", i, output)
	}
	return b.String()
}

func TestRunReportsAndEndsAsTheGatesSay(t *testing.T) {
	setenv(t, nil)
	good := file(t, "good.jsonl", rows("a", "b", "c", "d"))
	half := file(t, "half.jsonl", rows("a", "bad", "c", "bad"))
	broken := file(t, "broken.jsonl", rows("a", "broken", "c", "d"))
	all := file(t, "all.jsonl", rows("broken", "broken"))
	for name, tt := range map[string]struct {
		args []string
		code int
		say  string
	}{
		"no gate":                     {[]string{"--dataset", half}, exitFine, "own.good"},
		"mean kept":                   {[]string{"--dataset", half, "--fail-under", "good=0.5"}, exitFine, "passed"},
		"mean missed":                 {[]string{"--dataset", half, "--fail-under", "good=0.6"}, exitGate, "a gate failed"},
		"pass rate missed":            {[]string{"--dataset", half, "--min-pass-rate", "own.good=60%"}, exitGate, "a gate failed"},
		"for all metrics":             {[]string{"--dataset", half, "--min-pass-rate", "0.6"}, exitGate, "a gate failed"},
		"missed, and only warned":     {[]string{"--dataset", half, "--fail-under", "good=0.6", "--warn-only", "good"}, exitFine, "0.60"},
		"all good":                    {[]string{"--dataset", good, "--fail-under", "1", "--max-failed", "0"}, exitFine, "passed"},
		"failures allowed":            {[]string{"--dataset", broken, "--max-failed", "25%"}, exitFine, "passed"},
		"more failures than allowed":  {[]string{"--dataset", broken, "--max-failed", "2%"}, exitIncomplete, "incomplete"},
		"one more than allowed":       {[]string{"--dataset", broken, "--max-failed", "0"}, exitIncomplete, "incomplete"},
		"nothing scored":              {[]string{"--dataset", all}, exitIncomplete, "nothing was scored"},
		"nothing scored, but allowed": {[]string{"--dataset", all, "--max-failed", "100%"}, exitIncomplete, "nothing was scored"},
		"an empty dataset":            {[]string{"--dataset", file(t, "empty.jsonl", "\n")}, exitIncomplete, "incomplete"},
	} {
		t.Run(name, func(t *testing.T) {
			execute(t, scored(nil), append([]string{"run"}, tt.args...)...).want(t, tt.code, tt.say)
		})
	}
}

func TestRunRefusesBeforeAnythingIsAsked(t *testing.T) {
	setenv(t, nil)
	own := file(t, "own.jsonl", rows("a"))
	rubrics := file(t, "rubrics.yaml", "rubrics: 3\n")
	folder := t.TempDir()
	for name, tt := range map[string]struct {
		args []string
		say  string
	}{
		"no dataset":               {nil, "there is no dataset: --dataset FILE"},
		"an argument":              {[]string{own}, "run takes no arguments"},
		"two arguments":            {[]string{"--dashboard", own, own}, "run takes no arguments"},
		"no such file":             {[]string{"--dataset", filepath.Join(folder, "absent.jsonl")}, "no such file"},
		"a folder":                 {[]string{"--dataset", folder}, "--dataset: "},
		"an unknown format":        {[]string{"--dataset", own, "--format", "xml"}, "xml"},
		"a field without a name":   {[]string{"--dataset", own, "--field", "input="}, `--field is "input=", want field=name`},
		"a field twice":            {[]string{"--dataset", own, "--field", "input=a", "--field", "input=b"}, "--field names input twice"},
		"an unknown field":         {[]string{"--dataset", own, "--field", "question=input"}, "question"},
		"a bad plan":               {[]string{"--dataset", own, "--evaluators", "judge("}, "--evaluators: "},
		"no plan":                  {[]string{"--dataset", own, "--evaluators", "none"}, "--evaluators is none, and a run needs an evaluator"},
		"an unknown evaluator":     {[]string{"--dataset", own, "--evaluators", "builtin,nobody"}, `there is no evaluator "nobody"`},
		"an unknown metric":        {[]string{"--dataset", own, "--evaluators", "builtin(toxicity,taste)"}, "nobody can be asked builtin(taste)"},
		"a judge without a model":  {[]string{"--dataset", own, "--evaluators", "judge(bias)"}, "nobody can be asked judge(bias)"},
		"a judge beside":           {[]string{"--dataset", own, "--evaluators", "builtin,judge(bias)"}, "nobody can be asked judge(bias)"},
		"bad rubrics":              {[]string{"--dataset", own, "--rubrics", rubrics}, "rubrics.yaml:1:"},
		"an unknown gate":          {[]string{"--dataset", own, "--fail-under", "taste=1"}, "--fail-under: "},
		"a gate that is no number": {[]string{"--dataset", own, "--min-pass-rate", "good=often"}, "--min-pass-rate: "},
		"a bad bound":              {[]string{"--dataset", own, "--max-failed", "120%"}, "--max-failed: "},
		"an unknown warning":       {[]string{"--dataset", own, "--warn-only", "taste"}, "--warn-only: "},
		"concurrency":              {[]string{"--dataset", own, "--concurrency", "0"}, "--concurrency is 0, want 1 to 1024"},
		"a limit":                  {[]string{"--dataset", own, "--limit", "-1"}, "--limit is -1"},
		"a timeout":                {[]string{"--dataset", own, "--timeout", "-1s"}, "--timeout is -1s"},
		"resume without a journal": {[]string{"--dataset", own, "--resume"}, "--resume goes on with a journal"},
		"the journal is read":      {[]string{"--dataset", own, "--journal", own}, "is read from: it is not written over"},
		"no such folder":           {[]string{"--dataset", own, "--journal", filepath.Join(folder, "a", "b")}, "--journal: "},
		"a report is read":         {[]string{"--dataset", own, "--json", own}, "--json: "},
		"a report is the journal":  {[]string{"--dataset", own, "--journal", filepath.Join(folder, "j"), "--html", filepath.Join(folder, "j")}, "--html: "},
		"two reports in one":       {[]string{"--dataset", own, "--junit", filepath.Join(folder, "r"), "--markdown", filepath.Join(folder, "r")}, "is the file of --junit too"},
		"two on standard output":   {[]string{"--dataset", own, "--json", "-", "--junit", "-"}, "standard output is that of --json"},
		"a page on it":             {[]string{"--dataset", own, "--html", "-"}, "--html wants a file"},
		"a page for everybody":     {[]string{"--dataset", own, "--dashboard", "0.0.0.0:0"}, "DASHBOARD_TOKEN"},
		"no page there":            {[]string{"--dataset", own, "--dashboard=nowhere"}, "--dashboard: "},
		"no such config":           {[]string{"--config", filepath.Join(folder, "absent.yaml")}, "cannot be read"},
		"a bad config":             {[]string{"--config", file(t, "run.yaml", "datset: x\n")}, `run.yaml:1:1: unknown key "datset"; did you mean dataset?`},
	} {
		t.Run(name, func(t *testing.T) {
			var asked []string
			execute(t, scored(&asked), append([]string{"run"}, tt.args...)...).want(t, exitUsage, tt.say)
			if len(asked) > 0 {
				t.Errorf("asked %v", asked)
			}
		})
	}
	if left, _ := os.ReadDir(folder); len(left) > 0 {
		t.Errorf("files are left: %v", left)
	}
}

func TestRunGoesOnWithItsJournal(t *testing.T) {
	setenv(t, nil)
	data := file(t, "answers.jsonl", rows("a", "broken", "c", "d"))
	kept := filepath.Join(t.TempDir(), "run.jsonl")
	var asked []string
	args := []string{"run", "--dataset", data, "--journal", kept}
	execute(t, scored(&asked), append(args, "--limit", "3")...).want(t, exitFine, "3 of 3 seen")
	execute(t, scored(&asked), args...).want(t, exitUsage, "the journal exists", "go on with it by --resume")
	if len(asked) != 3 {
		t.Fatalf("asked %v", asked)
	}
	asked = nil
	execute(t, scored(&asked), append(args, "--resume")...).want(t, exitFine, "2 results of 3 items are kept, 1 that failed is asked again", "4 of 4 seen")
	if fmt.Sprint(asked) != "[broken d]" && fmt.Sprint(asked) != "[d broken]" {
		t.Errorf("asked %v", asked)
	}
	// What has ended is reported again, and nobody is asked.
	if err := os.WriteFile(data, []byte(rows("a", "b", "c")), 0o600); err != nil {
		t.Fatal(err)
	}
	asked = nil
	execute(t, scored(&asked), append(args, "--resume")...).
		want(t, exitFine, "1 item has changed since it was evaluated", "1 item of the journal is not in the dataset any more")
	if fmt.Sprint(asked) != "[b]" {
		t.Errorf("asked %v", asked)
	}
	// Nothing is new where items have gone only, and nothing is said to have changed.
	if err := os.WriteFile(data, []byte(rows("a")), 0o600); err != nil {
		t.Fatal(err)
	}
	asked = nil
	before := content(t, kept)
	got := execute(t, scored(&asked), append(args, "--resume")...)
	got.want(t, exitFine, "3 items of the journal are not in the dataset any more", "4 of 4 seen")
	if strings.Contains(got.stderr, "changed") {
		t.Errorf("said to have changed: %s", got.stderr)
	}
	execute(t, scored(&asked), append(args, "--resume")...).want(t, exitFine)
	if len(asked) > 0 || content(t, kept) != before {
		t.Errorf("a run that had ended asked %v", asked)
	}
}

func TestRunSaysWhatRunsAndWhatItMayCost(t *testing.T) {
	setenv(t, map[string]string{
		"JUDGE_MODEL": "strong-1", "JUDGE_BASE_URL": "http://127.0.0.1:9/v1", "JUDGE_RATE_LIMIT": "60/min", "JUDGE_BUDGET": "5usd/day", "JUDGE_PRICE": "1/2",
	})
	data := file(t, "answers.jsonl", rows(make([]string, 1200)...))
	r := execute(t, &program{}, "run", "--dataset", data, "--check", "--evaluators", "judge(bias,toxicity),builtin(sentiment)", "--name", "refunds")
	r.want(t, exitFine, "refunds: 1,200 items of "+data+
		"; judge (strong-1) is asked bias, toxicity in 2,400 calls or more, at 1/sec at least 40m0s, within 5usd/day, roughly $1.", "; builtin is asked sentiment")
	if r.stdout != "" {
		t.Errorf("--check wrote %q", r.stdout)
	}
	if strings.Count(r.stderr, "\n") != 1 {
		t.Errorf("more than a line: %q", r.stderr)
	}
}

func TestRunReadsStandardInputAndFieldsOfOtherNames(t *testing.T) {
	setenv(t, nil)
	p := scored(nil)
	p.stdin = strings.NewReader("question,answer\nq,bad\nq,good\n")
	execute(t, p, "run", "--dataset", "-", "--format", "csv", "--field", "input=question", "--field", "output=answer", "--json", "-").
		want(t, exitFine, `"run": "stdin"`, `"passed": 1`, "an unknown number of items")
}

func TestRunStopsAtABadItemWhereItIsStrict(t *testing.T) {
	setenv(t, nil)
	data := file(t, "answers.jsonl", rows("a")+"{bad\n"+rows("b"))
	execute(t, scored(nil), "run", "--dataset", data).want(t, exitFine, "answers.jsonl:2", "duplicate_id")
	execute(t, scored(nil), "run", "--dataset", data, "--strict").want(t, exitIncomplete, "incomplete: ", "answers.jsonl:2")
}

// silent is a pipe into which nothing is written.
type silent struct{ forever chan struct{} }

func (s silent) Read([]byte) (int, error) { <-s.forever; return 0, io.EOF }

func TestRunDoesNotWaitForASilentPipeLongerThanItMay(t *testing.T) {
	setenv(t, nil)
	p := scored(nil)
	stdin := silent{make(chan struct{})}
	defer close(stdin.forever)
	p.stdin = stdin
	execute(t, p, "run", "--dataset", "-", "--run-timeout", "20ms").want(t, exitIncomplete, "nothing came before the run ended")
}

// A file that breaks off is no smaller dataset: what was read is reported, and the
// run is incomplete.
func TestRunOfAFileThatBreaksOffIsIncomplete(t *testing.T) {
	setenv(t, nil)
	for name, text := range map[string]string{
		"array.json": `[{"input":"q","output":"a"},{"input":"q","output":"b"},{"input":"q","out`,
		"table.csv":  "input,output\nq,a\nq,b\nq,\"c\nq,d\n",
	} {
		execute(t, scored(nil), "run", "--dataset", file(t, name, text), "--min-pass-rate", "good=1").
			want(t, exitIncomplete, "2 evaluated", "the rest cannot be read")
	}
}

func TestRunWritesEveryForm(t *testing.T) {
	setenv(t, nil)
	data, folder := file(t, "answers.jsonl", rows("a", "bad")), t.TempDir()
	args := []string{"run", "--dataset", data, "--fail-under", "good=0.9", "--no-progress"}
	for flag, want := range map[string]string{"json": `"verdict": "gate_failed"`, "junit": "<testsuites", "markdown": "|", "html": "<!doctype html>"} {
		args = append(args, "--"+flag, filepath.Join(folder, flag))
		t.Cleanup(func() {
			if text := content(t, filepath.Join(folder, flag)); !strings.Contains(strings.ToLower(text), want) {
				t.Errorf("%s: want %q in %s", flag, want, text)
			}
		})
	}
	r := execute(t, scored(nil), args...)
	r.want(t, exitGate, "own.good")
	if strings.Contains(r.stderr, "progress ") {
		t.Errorf("--no-progress: %s", r.stderr)
	}
	r = execute(t, scored(nil), "run", "--dataset", data, "--fail-under", "good=0.9", "--json", "-")
	r.want(t, exitGate, "0.90 wanted")
	var parsed map[string]any
	if err := json.Unmarshal([]byte(r.stdout), &parsed); err != nil {
		t.Errorf("standard output is not JSON alone: %v", err)
	}
}

// Flags go over the file, and the file over the environment.
func TestRunTakesFlagsThenFileThenEnvironment(t *testing.T) {
	setenv(t, map[string]string{"EVALUATORS": "builtin(bias)"})
	folder := t.TempDir()
	for name, text := range map[string]string{
		"answers.jsonl": rows("a", "bad", "c"),
		"run.yaml":      "name: of-the-file\ndataset: answers.jsonl\nevaluators: own\nlimit: 2\ngates:\n  fail_under: {good: 0.9}\nreports: {json: report.json}\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	config := filepath.Join(folder, "run.yaml")
	execute(t, scored(nil), "run", "--config", config).want(t, exitGate, "of-the-file: 2 items", "own.good", "0.90")
	if text := content(t, filepath.Join(folder, "report.json")); !strings.Contains(text, `"run": "of-the-file"`) {
		t.Errorf("report %s", text)
	}
	execute(t, scored(nil), "run", "--config", config, "--name", "of-the-flag", "--limit", "0", "--fail-under", "good=0.6").
		want(t, exitFine, "of-the-flag: 3 items", "own.good")
	execute(t, scored(nil), "run", "--config", config, "--evaluators", "builtin(sentiment)", "--fail-under", "0").
		want(t, exitFine, "builtin.sentiment")
	// What stands in the file is told with its place.
	if err := os.WriteFile(config, []byte("dataset: answers.jsonl\nevaluators: own\ngates:\n  min_pass_rate: {goood: 0.9}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	execute(t, scored(nil), "run", "--config", config).want(t, exitUsage, "run.yaml:4:26: ", "goood")
}

func TestTheSampleRuns(t *testing.T) {
	setenv(t, nil)
	execute(t, &program{}, "run", "--config", filepath.Join("..", "..", "examples", "dataset", "run.yaml")).
		want(t, exitFine, "shop: 30 items", "30 of 30 seen, 30 evaluated", "builtin.faithfulness", `"60 days" is in no document`)
}

func TestRunWithAPage(t *testing.T) {
	setenv(t, nil)
	data := file(t, "answers.jsonl", rows("a"))
	for _, args := range [][]string{{"--dashboard=127.0.0.1:0"}, {"--dashboard", "127.0.0.1:0"}, {"--dashboard"}} {
		execute(t, scored(nil), append([]string{"run", "--dataset", data, "--min-pass-rate", "0.5"}, args...)...).
			want(t, exitFine, "live page: http://127.0.0.1:")
	}
}

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/runner"
	"github.com/genaievals/genaievals/runner/journal"
	"github.com/genaievals/genaievals/runner/report"
)

// journalOf is the journal of a run over these outputs.
func journalOf(t *testing.T, outputs ...string) string {
	t.Helper()
	setenv(t, nil)
	path := filepath.Join(t.TempDir(), "run.jsonl")
	execute(t, scored(nil), "run", "--dataset", file(t, "answers.jsonl", rows(outputs...)), "--journal", path).want(t, exitFine)
	return path
}

func TestReportIsThatOfTheRun(t *testing.T) {
	kept := journalOf(t, "a", "bad", "c", "broken")
	page := filepath.Join(t.TempDir(), "report.html")
	execute(t, &program{}, "report", kept, "--html", page).want(t, exitFine, "4 of 4 seen", "own.good", "passed")
	if !strings.Contains(strings.ToLower(content(t, page)), "<!doctype html>") {
		t.Error("there is no page")
	}
	execute(t, &program{}, "report", kept, "--fail-under", "good=0.9").want(t, exitGate, "a gate failed")
	execute(t, &program{}, "report", kept, "--max-failed", "0", "--json", "-").want(t, exitIncomplete, `"verdict": "incomplete"`)
	for name, args := range map[string][]string{
		"no journal":      {},
		"two":             {kept, kept},
		"none there":      {filepath.Join(t.TempDir(), "absent")},
		"another file":    {file(t, "answers.jsonl", rows("a"))},
		"an unknown gate": {kept, "--fail-under", "taste=1"},
		"over itself":     {kept, "--json", kept},
		"too many worst":  {kept, "--worst", "1001"},
	} {
		t.Run(name, func(t *testing.T) {
			execute(t, &program{}, append([]string{"report"}, args...)...).want(t, exitUsage, "genaievals: ")
		})
	}
}

// renamed is a journal of the same results of items with other ids.
func renamed(t *testing.T, journal string) string {
	t.Helper()
	return file(t, "renamed.jsonl", strings.ReplaceAll(content(t, journal), `"i`, `"other-i`))
}

func TestCompareEndsWithOneAtARegression(t *testing.T) {
	outputs := slices.Repeat([]string{"good"}, 40)
	better := journalOf(t, outputs...)
	for i := range outputs {
		if i%2 == 0 {
			outputs[i] = "bad"
		}
	}
	worse := journalOf(t, outputs...)
	execute(t, &program{}, "compare", better, worse).want(t, exitGate, "own.good", "a regression")
	execute(t, &program{}, "compare", worse, better, "--json", "-").want(t, exitFine, `"schema_version"`)
	execute(t, &program{}, "compare", better, better, "--markdown", "-").want(t, exitFine, "good")
	execute(t, &program{}, "compare", better, worse, "--min-effect", "0.9").want(t, exitFine)
	execute(t, &program{}, "compare", better, renamed(t, better), "--json", "-").want(t, exitIncomplete, "nothing could be compared", `"incomplete"`)
	for name, args := range map[string][]string{
		"one journal":  {better},
		"not there":    {better, filepath.Join(t.TempDir(), "absent")},
		"another file": {better, file(t, "answers.jsonl", rows("a"))},
		"a bad effect": {better, worse, "--min-effect", "2"},
	} {
		t.Run(name, func(t *testing.T) {
			execute(t, &program{}, append([]string{"compare"}, args...)...).want(t, exitUsage, "genaievals: ")
		})
	}
}

func TestConfigShowsWhereValuesComeFromAndNoSecret(t *testing.T) {
	setenv(t, map[string]string{"JUDGE_API_KEY": "sk-s3cret", "JUDGE_MODEL": "m\x1b[31m", "RATE_LIMT": "5", "WORKERS": "many"})
	t.Setenv("DEEPEVAL_LLM_PROVIDER", "ollama")
	r := execute(t, &program{}, "config")
	r.want(t, exitFine, "JUDGE_API_KEY", "(set)", "environment", "older name DEEPEVAL_LLM_PROVIDER", "MAX_AGE", "10m",
		"RATE_LIMT: unknown variable, ignored; did you mean "+envconfig.Prefix+"RATE_LIMIT?", `WORKERS: "many" is not accepted`)
	j := execute(t, &program{}, "config", "--json")
	for _, said := range []string{r.stdout, j.stdout} {
		if strings.Contains(said, "s3cret") || strings.Contains(said, "sk-") || strings.Contains(said, "\x1b") {
			t.Errorf("a secret or a control character: %s", said)
		}
	}
	var parsed struct {
		Variables []configVariable `json:"variables"`
		Warnings  []configWarning  `json:"warnings"`
	}
	if err := json.Unmarshal([]byte(j.stdout), &parsed); err != nil || len(parsed.Variables) < 40 || len(parsed.Warnings) != 2 {
		t.Errorf("%d variables, %d warnings, %v", len(parsed.Variables), len(parsed.Warnings), err)
	}
	setenv(t, map[string]string{"RATE_LIMT": ""})
	t.Setenv("DEEPEVAL_LLM_PROVIDER", "")
	if r := execute(t, &program{}, "config", "--changed"); !strings.Contains(r.stdout, "All are at their defaults.") || strings.Contains(r.stdout, "Warnings") {
		t.Errorf("%v", r)
	}
}

// lines hands on what is written, a line at a time.
type lines struct{ out chan string }

func (l lines) Write(text []byte) (int, error) {
	for line := range strings.Lines(string(text)) {
		select {
		case l.out <- strings.TrimSpace(line):
		default: // nobody reads so much
		}
	}
	return len(text), nil
}

// served starts a command that serves a page, and returns its address and how to
// end it.
func served(t *testing.T, p *program, args ...string) (url string, end func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out := lines{make(chan string, 16)}
	p.stdout, p.stderr = out, io.Discard
	code := make(chan int, 1)
	go func() { code <- p.run(ctx, args) }()
	select {
	case line := <-out.out:
		url = line[strings.Index(line, "http"):]
	case ended := <-code:
		t.Fatalf("ended with %d", ended)
	}
	t.Cleanup(cancel)
	return url, func() int {
		cancel()
		return <-code
	}
}

func get(t *testing.T, url string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", url, resp.Status, err)
	}
	return string(body)
}

func TestServeShowsAJournalUntilItIsInterrupted(t *testing.T) {
	kept := journalOf(t, "a", "bad", "c")
	url, end := served(t, &program{}, "serve", kept, "--address", "127.0.0.1:0", "--min-pass-rate", "good=0.5")
	if page := get(t, url); !strings.Contains(page, "<title>") {
		t.Errorf("the page is %s", page)
	}
	if code := end(); code != exitFine {
		t.Errorf("exit %d", code)
	}
	for name, args := range map[string][]string{
		"not there":       {filepath.Join(t.TempDir(), "absent")},
		"another file":    {file(t, "answers.jsonl", rows("a"))},
		"an unknown gate": {kept, "--warn-only", "taste"},
		"a bad address":   {kept, "--address", "nowhere"},
	} {
		t.Run(name, func(t *testing.T) {
			execute(t, &program{}, append([]string{"serve"}, args...)...).want(t, exitUsage, "genaievals: ")
		})
	}
}

// What the page shows of a journal is what the report says.
func TestAJournalsStatusIsItsReport(t *testing.T) {
	kept := journalOf(t, "a", "bad", "c", "broken")
	in, err := journal.Read(kept)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	s, err := newJournalStatus(in.Header(), report.Gates{Gates: []report.Gate{{Kind: report.MinPassRate, Metric: "good", Limit: 0.9}}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for event, err := range journal.Follow(ctx, kept) {
		if err != nil {
			t.Fatal(err)
		}
		if err := s.take(event); err != nil {
			t.Fatal(err)
		}
		if event.CaughtUp {
			break
		}
	}
	got := s.status()
	m := got.Evaluators[0].Metrics[0]
	if got.Done != 4 || got.Total != 4 || got.Failed != 1 || got.Ended.IsZero() || got.Name != "answers" ||
		m.Name != "good" || m.Scored != 3 || m.Passed != 2 || m.Failed["own_error"] != 1 || m.LastError != "it is broken" || m.Latency.Count == 0 {
		t.Errorf("got %+v", got)
	}
	if gates := s.gatesNow(); len(gates) != 1 || gates[0].Passes || gates[0].Now != "66.7 %" || gates[0].Need != "90.0 %" || gates[0].Name != "good pass rate" {
		t.Errorf("gates %+v", gates)
	}
}

// An item of which the slow evaluator has said nothing yet is not done.
func TestAJournalThatIsWrittenIsDoneWithWhatAllHaveAnswered(t *testing.T) {
	header := journal.Header{Run: "r", Total: 3, Evaluators: []journal.Evaluator{
		{Name: "fast", Metrics: []journal.Metric{{Name: "good"}}}, {Name: "slow", Metrics: []journal.Metric{{Name: "good"}}},
	}}
	s, err := newJournalStatus(header, report.Gates{})
	if err != nil {
		t.Fatal(err)
	}
	answer := func(index int64, evaluator string) journal.Event {
		return journal.Event{Record: &runner.Record{
			ID: fmt.Sprint(index), Index: index, Evaluator: evaluator, Results: []evaluators.Result{evaluators.Scored("good", 1, "", "")},
		}}
	}
	for _, e := range []journal.Event{{Header: &header}, answer(0, "fast"), answer(1, "fast"), answer(2, "fast"), answer(0, "slow")} {
		if err := s.take(e); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.status(); got.Done != 1 || got.InFlight != 2 || got.Total != 3 {
		t.Errorf("%d of %d done, %d in flight; want 1 of 3, 2", got.Done, got.Total, got.InFlight)
	}
}

func TestDemoRunsWithoutAnythingOfTheEnvironment(t *testing.T) {
	setenv(t, map[string]string{"JUDGE_MODEL": "costly", "JUDGE_BASE_URL": "http://127.0.0.1:1/v1", "EVALUATORS": "none", "RATE_LIMIT": "?"})
	folder := t.TempDir()
	t.Chdir(folder)
	p := &program{}
	url, end := served(t, p, "demo", "--rate", "200", "--address", "127.0.0.1:0")
	if page := get(t, url); !strings.Contains(page, "<title>") {
		t.Errorf("the page is %s", page)
	}
	if code := end(); code != exitFine {
		t.Errorf("exit %d", code)
	}
	if left, _ := os.ReadDir(folder); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	for _, args := range [][]string{{"--rate", "0"}, {"--rate", "NaN"}, {"--duration", "-1s"}, {"--address", "nowhere"}} {
		execute(t, &program{}, append([]string{"demo"}, args...)...).want(t, exitUsage, args[0])
	}
}

// The default port being taken is no reason not to show the page; an address that
// was asked for is.
func TestAPageTakesAnotherPortUnlessOneWasNamed(t *testing.T) {
	setenv(t, nil)
	var config net.ListenConfig
	taken, err := config.Listen(t.Context(), "tcp", defaultPage)
	if err != nil {
		t.Logf("taken by somebody else: %v", err)
	} else {
		defer taken.Close()
	}
	r := execute(t, &program{}, "demo", "--duration", "50ms")
	r.want(t, exitFine, "live page: http://127.0.0.1:")
	if strings.Contains(r.stdout, defaultPage) {
		t.Errorf("%v", r)
	}
	execute(t, &program{}, "demo", "--duration", "50ms", "--address", defaultPage).want(t, exitUsage, "--address: ")
}

// What an earlier part of a run left counts for the gates that the page shows.
func TestThePageKnowsWhatTheJournalKeeps(t *testing.T) {
	kept := journalOf(t, "a", "bad", "c", "broken")
	in, err := journal.Read(kept)
	if err != nil {
		t.Fatal(err)
	}
	header := in.Header()
	_ = in.Close()
	sum, err := report.New(header)
	if err != nil {
		t.Fatal(err)
	}
	resumed, err := journal.Resume(kept, header)
	if err != nil {
		t.Fatal(err)
	}
	defer resumed.Close()
	r := &datasetRun{f: &runFlags{journal: kept}, journal: resumed}
	r.live.sum = sum
	r.gates = report.Gates{Gates: []report.Gate{{Kind: report.MinPassRate, Metric: "good", Limit: 0.5}}}
	if err := r.recall(); err != nil {
		t.Fatal(err)
	}
	if gates := r.gatesNow(); len(gates) != 1 || gates[0].Now != "66.7 %" || !gates[0].Passes {
		t.Errorf("gates %+v", gates)
	}
}

func TestDemoEndsAfterItsDuration(t *testing.T) {
	setenv(t, nil)
	execute(t, &program{}, "demo", "--duration", "300ms", "--rate", "50").want(t, exitFine, "live page: http://127.0.0.1:")
}

func TestCompletionsKnowMetricsFormatsAndEvaluators(t *testing.T) {
	setenv(t, map[string]string{"JUDGES": "fast"})
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"run", "--fail-under", "faith"}, "faithfulness="},
		{[]string{"run", "--warn-only", "senti"}, "sentiment"},
		{[]string{"report", "x", "--min-pass-rate", "halluc"}, "hallucination="},
		{[]string{"run", "--format", "js"}, "jsonl"},
		{[]string{"run", "--field", "inp"}, "input="},
		{[]string{"run", "--evaluators", ""}, "fast"},
		{[]string{"compare", ""}, "jsonl"},
	} {
		execute(t, &program{}, append([]string{"__complete"}, tt.args...)...).want(t, exitFine, tt.want+"\n")
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		execute(t, &program{}, "completion", shell).want(t, exitFine, "genaievals")
	}
}

func TestEveryCommandHasHelpWithExamples(t *testing.T) {
	p := &program{}
	for _, c := range p.rootCommand().Commands() {
		if c.Name() != "version" && c.Example == "" {
			t.Errorf("%s has no examples", c.Name())
		}
		execute(t, &program{}, "help", c.Name()).want(t, exitFine, "Usage:")
	}
	execute(t, &program{}, "rnu").want(t, exitUsage, `there is no command "rnu"`)
	execute(t, &program{}, "run", "--dateset", "x").want(t, exitUsage, "--dateset")
}

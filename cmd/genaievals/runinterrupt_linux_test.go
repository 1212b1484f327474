package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
)

// hanging is a judge that answers so many calls and then keeps everybody waiting;
// held is closed when the next call is there.
func hanging(t *testing.T, answers int) (held <-chan struct{}, server *judgetest.Server) {
	t.Helper()
	there := make(chan struct{})
	script := make([]judgetest.Answer, answers, answers+1)
	server = judgetest.NewServer(
		judgetest.WithAnswers("", append(script, judgetest.Hang())...),
		judgetest.WithDelays(func(call int) time.Duration {
			if call == answers {
				close(there)
			}
			return 0
		}))
	t.Cleanup(server.Close)
	setenv(t, map[string]string{"JUDGE_MODEL": "m", "JUDGE_API_KEY": "k", "JUDGE_BASE_URL": server.URL})
	return there, server
}

// results counts the results that a journal has of each item.
func results(t *testing.T, journal string) map[string]int {
	t.Helper()
	out := map[string]int{}
	for line := range strings.Lines(content(t, journal)) {
		var record struct {
			Type, ID string
			Results  []json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Fatalf("the journal has %q: %v", line, err)
		}
		if record.Type == "results" {
			out[record.ID] += len(record.Results)
		}
	}
	return out
}

func runArgs(data, journal string) []string {
	return []string{"run", "--dataset", data, "--journal", journal, "--concurrency", "1", "--evaluators", "judge(bias)"}
}

func TestRunEndsAtASignalAndGoesOn(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			data, kept := file(t, "answers.jsonl", rows("a", "b", "c", "d")), filepath.Join(t.TempDir(), "run.jsonl")
			page := filepath.Join(t.TempDir(), "report.json")
			held, _ := hanging(t, 2)
			p := startProgram(t, append(runArgs(data, kept), "--json", page)...)
			<-held
			if err := p.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			code, stderr := p.end(t)
			if code != exitIncomplete || !strings.Contains(stderr, "the same command with --resume goes on") || !strings.Contains(p.stdout.String(), "interrupted") {
				t.Fatalf("exit %d\n%s%s", code, p.stdout.String(), stderr)
			}
			if text := content(t, page); !strings.Contains(text, `"scored": 2`) {
				t.Errorf("the partial report is %s", text)
			}
			_, server := hanging(t, 2)
			r := execute(t, &program{}, append(runArgs(data, kept), "--resume")...)
			r.want(t, exitFine, "2 results", "4 of 4 seen, 4 evaluated")
			if server.Count() != 2 {
				t.Errorf("asked %d times", server.Count())
			}
			for id, n := range results(t, kept) {
				if n != 1 {
					t.Errorf("%d results of %s", n, id)
				}
			}
		})
	}
}

// The report says less than all, and the journal has what was synced.
func TestRunThatIsKilledGoesOn(t *testing.T) {
	data, kept := file(t, "answers.jsonl", rows("a", "b", "c", "d")), filepath.Join(t.TempDir(), "run.jsonl")
	held, _ := hanging(t, 2)
	p := startProgram(t, runArgs(data, kept)...)
	<-held
	if err := p.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_, _ = p.end(t)
	execute(t, &program{}, "report", kept).want(t, exitIncomplete, "incomplete")
	hanging(t, 4)
	execute(t, &program{}, append(runArgs(data, kept), "--resume")...).want(t, exitFine, "4 of 4 seen, 4 evaluated")
	if got := results(t, kept); len(got) != 4 {
		t.Errorf("got %v", got)
	}
}

func TestTwoRunsDoNotShareAJournal(t *testing.T) {
	data, kept := file(t, "answers.jsonl", rows("a", "b")), filepath.Join(t.TempDir(), "run.jsonl")
	held, _ := hanging(t, 1)
	p := startProgram(t, runArgs(data, kept)...)
	<-held
	execute(t, &program{}, append(runArgs(data, kept), "--resume")...).want(t, exitUsage, "in use by another run")
	p.interrupt(t)
	if code, stderr := p.end(t); code != exitIncomplete {
		t.Errorf("exit %d\n%s", code, stderr)
	}
}

// Who stops reading, as head does, ends nothing: the files are written, and the
// code is that of the run.
func TestRunOutlivesAReaderWhoLeaves(t *testing.T) {
	setenv(t, nil)
	data, page := file(t, "answers.jsonl", rows("Wonderful, great, lovely!", "Awful, terrible, horrible!")), filepath.Join(t.TempDir(), "report.json")
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), os.Args[0], "run", "--dataset", data, "--json", page, "--evaluators", "builtin(sentiment)") //nolint:gosec // this test itself
	c.Env, c.Stdout = append(os.Environ(), asProgram+"=1"), write
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = write.Close(), read.Close()
	if err := c.Wait(); err != nil {
		t.Errorf("ended with %v", err)
	}
	if text := content(t, page); !strings.Contains(text, `"scored": 2`) {
		t.Errorf("the report is %s", text)
	}
}

// A disk that is full, here a bound on the size of files, ends the run with what
// there is, and the journal can be resumed.
func TestRunOnAFullDiskIsIncomplete(t *testing.T) {
	setenv(t, nil)
	data, kept := file(t, "answers.jsonl", rows(slices.Repeat([]string{"{}"}, 3000)...)), filepath.Join(t.TempDir(), "run.jsonl")
	shell := `ulimit -f 400; exec "$0" "$@"` // blocks of 512 or 1024 bytes
	args := []string{"-c", shell, os.Args[0], "run", "--dataset", data, "--journal", kept, "--evaluators", "builtin(json_validity)"}
	c := exec.CommandContext(t.Context(), "sh", args...) //nolint:gosec // this test itself
	c.Env = append(os.Environ(), asProgram+"=1")
	said, err := c.CombinedOutput()
	if code := c.ProcessState.ExitCode(); code != exitIncomplete {
		t.Fatalf("exit %d, %v\n%s", code, err, said)
	}
	if !strings.Contains(string(said), "file too large") || !strings.Contains(string(said), "--resume goes on") {
		t.Errorf("said %s", said)
	}
	some := len(results(t, kept))
	if some == 0 || some == 3000 {
		t.Errorf("%d results are kept", some)
	}
	execute(t, &program{}, "run", "--dataset", data, "--journal", kept, "--resume", "--evaluators", "builtin(json_validity)").want(t, exitFine, "3,000 of 3,000")
	if got := len(results(t, kept)); got != 3000 {
		t.Errorf("%d results in the end", got)
	}
}

// On a terminal progress is one line that is written over, and gone in the end.
func TestRunOnATerminalShowsABar(t *testing.T) {
	terminal, other := openTerminal(t)
	data := file(t, "answers.jsonl", rows("a", "b", "c"))
	held, _ := hanging(t, 2)
	for _, name := range []string{"CI", "NO_COLOR"} {
		t.Setenv(name, "")
	}
	t.Setenv("TERM", "xterm")
	t.Setenv("LC_ALL", "C.UTF-8")
	c := exec.CommandContext(t.Context(), os.Args[0], "run", "--dataset", data, "--concurrency", "1", "--evaluators", "judge(bias)") //nolint:gosec // this test itself
	c.Env, c.Stderr = append(os.Environ(), asProgram+"=1"), other
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	<-held
	shown, buffer := "", make([]byte, 1<<10)
	for !strings.Contains(shown, "━─") {
		n, err := terminal.Read(buffer)
		if err != nil {
			t.Fatalf("%v after %q", err, shown)
		}
		shown += string(buffer[:n])
	}
	if !strings.Contains(shown, "66.6% ━━━━━━━━━━━━━─") {
		t.Errorf("the bar is %q", shown)
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
}

//go:build unix

package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
)

// process is the program as a process of its own.
type process struct {
	*exec.Cmd
	stdout strings.Builder
	stderr *bufio.Reader
}

func startProgram(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.CommandContext(t.Context(), os.Args[0], args...)} //nolint:gosec // this test itself
	p.Env = append(os.Environ(), asProgram+"=1")
	p.Stdout = &p.stdout
	stderr, err := p.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.stderr = bufio.NewReader(stderr)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *process) interrupt(t *testing.T) {
	t.Helper()
	if err := p.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
}

// end waits for the end, and returns the exit code and the rest of what it said.
func (p *process) end(t *testing.T) (code int, stderr string) {
	t.Helper()
	rest, err := io.ReadAll(p.stderr)
	if err != nil {
		t.Fatal(err)
	}
	var e *exec.ExitError
	if err := p.Wait(); err != nil && !errors.As(err, &e) {
		t.Fatal(err)
	}
	return p.ProcessState.ExitCode(), string(rest)
}

func TestCtrlCReportsWhatThereIs(t *testing.T) {
	third := make(chan struct{})
	server := judgetest.NewServer(
		judgetest.WithAnswers("", judgetest.Valid(), judgetest.Valid(), judgetest.Hang()),
		judgetest.WithDelays(atThird(func() { close(third) })))
	t.Cleanup(server.Close)
	setenv(t, map[string]string{"JUDGE_MODEL": "m", "JUDGE_API_KEY": "k", "JUDGE_BASE_URL": server.URL})
	p := startProgram(t, "calibrate", "--concurrency", "1", "--metrics", "bias")
	<-third
	p.interrupt(t)
	if code, stderr := p.end(t); code != exitIncomplete || !strings.Contains(p.stdout.String(), "2 evaluated of") {
		t.Errorf("exit %d\n%s%s", code, p.stdout.String(), stderr)
	}
}

// What does not look at its context, here the reading of a pipe that nobody
// writes, is ended by the second one.
func TestSecondCtrlCEndsAtOnce(t *testing.T) {
	setenv(t, nil)
	pipe := filepath.Join(t.TempDir(), "pipe.jsonl")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	p := startProgram(t, "calibrate", pipe)
	writer, err := os.OpenFile(pipe, os.O_WRONLY, 0) // which waits for the program to open it
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	p.interrupt(t)
	for said := ""; !strings.Contains(said, "once more ends at once"); {
		if said, err = p.stderr.ReadString('\n'); err != nil {
			t.Fatalf("the first is not acknowledged: %v", err)
		}
	}
	p.interrupt(t)
	if code, stderr := p.end(t); code != exitIncomplete {
		t.Errorf("exit %d\n%s", code, stderr)
	}
}

package journal_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/genaievals/genaievals/internal/killed"
)

const (
	childVariable = "JOURNAL_TEST_CHILD"
	childItems    = 800
)

// childRun is what a process does that is to be killed.
func childRun(path string) int {
	if err := killed.Run(context.Background(), path, childItems); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// A few kills of a real run; the claim kill_resume has fifty.
func TestARunThatIsKilledEndsAsIfItWereNot(t *testing.T) {
	dir := filepath.Dir(path(t))
	whole := filepath.Join(dir, "whole.jsonl")
	child := func(path string) *exec.Cmd {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), childVariable+"="+path)
		return c
	}
	began := time.Now()
	if out, err := child(whole).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	took := time.Since(began)
	want, err := killed.Standing(whole)
	must(t, err)
	if len(want) < 3*childItems {
		t.Fatalf("%d stand there", len(want))
	}
	if _, err := killed.Kills(5, child, dir, want, took); err != nil {
		t.Error(err)
	}
}

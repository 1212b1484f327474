//go:build unix

package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe is written to and stays what it is.
func TestReportGoesIntoAPipe(t *testing.T) {
	setenv(t, nil)
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	read := make(chan string)
	go func() {
		f, err := os.Open(pipe)
		if err != nil {
			read <- err.Error()
			return
		}
		defer f.Close()
		text, _ := io.ReadAll(f)
		read <- string(text)
	}()
	execute(t, fewSamples(), "calibrate", "--json", pipe).want(t, exitFine)
	if info, err := os.Lstat(pipe); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Fatalf("the pipe is gone: %v", err)
	}
	if text := <-read; !strings.Contains(text, "schema_version") {
		t.Errorf("the pipe had %q", text)
	}
}

// A shell's >(command) is a path such as /dev/fd/63, a link to what has no name.
func TestReportGoesIntoAPipeWithoutAName(t *testing.T) {
	setenv(t, nil)
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	read := make(chan string)
	go func() {
		text, _ := io.ReadAll(reader)
		read <- string(text)
	}()
	execute(t, fewSamples(), "calibrate", "--json", fmt.Sprintf("/dev/fd/%d", writer.Fd())).want(t, exitFine)
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	if text := <-read; !strings.Contains(text, "schema_version") {
		t.Errorf("the pipe had %q", text)
	}
}

func TestReportDoesNotReplaceStandardOutput(t *testing.T) {
	setenv(t, nil)
	path := file(t, "table.txt", "")
	stdout, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer stdout.Close()
	p := fewSamples()
	p.stdout, p.stderr = stdout, io.Discard
	if code := p.run(t.Context(), []string{"calibrate", "--html", path}); code != exitUsage {
		t.Errorf("exit %d", code)
	}
}

// A device is opened where it is. Nothing is written here: were it renamed over,
// whoever runs the tests as root would lose it.
func TestDeviceIsNotReplaced(t *testing.T) {
	p := &program{}
	o, err := p.openOutputs([]wanted{{"--json", os.DevNull}, {"--html", os.DevNull}}, []string{os.DevNull}) // which can be had many times
	if err != nil {
		t.Fatal(err)
	}
	defer o.discard()
	out := o.files[1]
	if !out.inPlace || out.file.Name() != os.DevNull || len(p.scratch.names) != 0 {
		t.Errorf("in place: %v, as %s", out.inPlace, out.file.Name())
	}
}

// What a pipe gave so far is kept in a file that an end at once removes.
func TestSecondCtrlCLeavesNoTemporaryFile(t *testing.T) {
	setenv(t, nil)
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	pipe := filepath.Join(t.TempDir(), "pipe.jsonl")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	p := startProgram(t, "calibrate", pipe)
	writer, err := os.OpenFile(pipe, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	// More than a pipe holds: some of it has been read, and is kept.
	if _, err := writer.WriteString(strings.Repeat(ownRow, 4<<20/len(ownRow))); err != nil {
		t.Fatal(err)
	}
	if kept, _ := os.ReadDir(temporary); len(kept) != 1 {
		t.Fatalf("kept in %v", kept)
	}
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
	if left, _ := os.ReadDir(temporary); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

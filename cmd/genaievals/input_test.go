package main

import (
	"os"
	"strings"
	"testing"
)

// Standard input can be read once only, and the samples are read several times.
func TestSamplesComeFromAPipe(t *testing.T) {
	setenv(t, nil)
	t.Setenv("TMPDIR", t.TempDir())
	p := fewSamples()
	p.stdin = strings.NewReader(ownRow + "no JSON\n" + strings.Replace(ownRow, "Positive", "Negative", 1))
	execute(t, p, "calibrate", "-").want(t, exitFine, "2 evaluated of 2", "standard input, line 2: expected a JSON object")

	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	go func() {
		defer writer.Close()
		_, _ = writer.WriteString(ownRow)
	}()
	p = fewSamples()
	p.stdin = reader
	execute(t, p, "calibrate", "-", "--format", "samples").want(t, exitFine, "1 evaluated of 1")
	if left, _ := os.ReadDir(os.TempDir()); len(left) != 0 {
		t.Errorf("files are left: %v", left)
	}
}

func TestPipeOfTooMuchIsRefused(t *testing.T) {
	setenv(t, nil)
	t.Setenv("TMPDIR", t.TempDir())
	p := fewSamples()
	p.maxSpool = 3 << 20
	p.stdin = strings.NewReader(strings.Repeat(ownRow, 4<<20/len(ownRow)))
	execute(t, p, "calibrate", "-").want(t, exitUsage, "standard input: more than 3 MiB")
	if left, _ := os.ReadDir(os.TempDir()); len(left) != 0 {
		t.Errorf("files are left: %v", left)
	}
}

package main

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/internal/calibrate"
)

func TestProgressInALogIsALineNowAndThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b strings.Builder
		c := newConsole(&b)
		for i := range 30 {
			time.Sleep(time.Second)
			c.progress(calibrate.Progress{Total: 30, Scored: i, Failed: 1})
		}
		c.end()
		var done []string
		for line := range strings.Lines(b.String()) {
			if strings.ContainsAny(line, "\r\x1b") {
				t.Errorf("line %q", line)
			}
			done = append(done, strings.Fields(line)[0])
		}
		if diff := cmp.Diff([]string{"10/30", "20/30", "30/30"}, done); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

// A warning takes the line of progress away and gives it back, and nothing of it
// stays in the end.
func TestProgressOnATerminalIsOneLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b strings.Builder
		c := newConsole(&b)
		c.terminal = true
		time.Sleep(pace)
		c.progress(calibrate.Progress{Total: 2, Scored: 1})
		c.progress(calibrate.Progress{Total: 3, Scored: 2}) // too soon
		fmt.Fprintln(c, "a warning")
		c.end()
		line := "1/2 evaluated: 1 scored, 0 skipped, 0 failed"
		if want := "\r" + line + clearRest + clearLine + "a warning\n" + line + clearLine; b.String() != want {
			t.Errorf("got %q, want %q", b.String(), want)
		}
	})
}

func TestColourOnlyOnATerminalThatMayHaveIt(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	if colorful(&strings.Builder{}) || isTerminal(&strings.Builder{}) {
		t.Error("a buffer is no terminal")
	}
}

package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/genaievals/genaievals/internal/runfile"
)

var documentedFlag = regexp.MustCompile("--[a-z][a-z-]+")

// docs/commands.md names every flag of these commands, and none that there is not.
func TestCommandsAreDocumentedAsTheyAre(t *testing.T) {
	text := content(t, filepath.Join("..", "..", "docs", "commands.md"))
	known := map[string]bool{}
	for _, c := range (&program{}).rootCommand().Commands() {
		if !strings.Contains(text, "`"+c.Name()) {
			t.Errorf("%s is not in docs/commands.md", c.Name())
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			known["--"+f.Name] = true
			if c.Name() != "calibrate" && c.Name() != "completion" && f.Name != "help" && !strings.Contains(text, "--"+f.Name) {
				t.Errorf("%s --%s is not in docs/commands.md", c.Name(), f.Name)
			}
		})
	}
	for _, flag := range documentedFlag.FindAllString(text, -1) {
		if !known[flag] {
			t.Errorf("docs/commands.md has %s, which no command takes", flag)
		}
	}
}

// The file that docs/commands.md shows is one that can be read.
func TestTheDocumentedFileIsRead(t *testing.T) {
	text := content(t, filepath.Join("..", "..", "docs", "commands.md"))
	_, text, _ = strings.Cut(text, "```yaml\n")
	text, _, ok := strings.Cut(text, "```")
	if !ok {
		t.Fatal("there is no file")
	}
	f, err := runfile.Parse("run.yaml", []byte(text), func(string) string { return "k" })
	if err != nil || len(f.Judges) != 2 {
		t.Errorf("%+v, %v", f, err)
	}
}

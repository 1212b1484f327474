// Package docs keeps the documentation true: links lead somewhere, variables
// exist, code is tested, tables hold what the code says.
package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
)

// page reads a file, relative to this folder.
func page(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// pages are all documents: those here and those at the root.
func pages(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, pattern := range []string{"*.md", "../*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	if len(names) < 5 {
		t.Fatalf("only %q", names)
	}
	return names
}

var fence = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")

// blocks returns the code blocks of a language in a text.
func blocks(text, language string) []string {
	var out []string
	for _, m := range fence.FindAllStringSubmatch(text, -1) {
		if m[1] == language {
			out = append(out, m[2])
		}
	}
	return out
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	notSlug = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchors are the names under which the headings of a page can be linked to.
func anchors(text string) []string {
	var out []string
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		slug := notSlug.ReplaceAllString(strings.ToLower(m[1]), "")
		out = append(out, strings.ReplaceAll(slug, " ", "-"))
	}
	return out
}

func TestLinksLeadSomewhere(t *testing.T) {
	for _, name := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(fence.ReplaceAllString(page(t, name), ""), -1) {
			if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
				continue
			}
			file, anchor, _ := strings.Cut(m[1], "#")
			target := name
			if file != "" {
				target = filepath.Join(filepath.Dir(name), file)
			}
			info, err := os.Stat(target)
			switch {
			case err != nil:
				t.Errorf("%s links to %s: %v", name, m[1], err)
			case anchor != "" && (info.IsDir() || !slices.Contains(anchors(page(t, target)), anchor)):
				t.Errorf("%s links to %s: there is no such heading", name, m[1])
			}
		}
	}
}

var (
	quoted    = regexp.MustCompile("`([A-Z][A-Z0-9_]{2,})(=[^`]*)?`")
	wholeName = regexp.MustCompile(`OTEL_INSTRUMENTATION_GENAI_EVAL[A-Z]*_[A-Z0-9_]+`)
)

// notVariables are other things that are written like variables.
var notVariables = []string{
	"CLIENT", "INTERNAL", "ERROR", "WARN", "DEBUG", // of spans and log records
	"NO_COLOR", "CI", "TERM", // of every program
	"NO_CONTENT", "SPAN_ONLY", "EVENT_ONLY", "SPAN_AND_EVENT",
}

// Every variable that is named anywhere is one that envconfig reads, or that
// the generated configuration.md names as another's or as not supported.
func TestVariablesExist(t *testing.T) {
	known := map[string]bool{}
	defaults := envconfig.Defaults()
	for _, judge := range []string{"fast", "strong"} { // of the examples
		if _, _, err := defaults.AddJudge(judge); err != nil {
			t.Fatal(err)
		}
	}
	for _, v := range defaults.Variables() {
		known[v.Name], known[strings.TrimPrefix(v.Name, envconfig.Prefix)] = true, true
		for _, old := range v.OldNames {
			known[old] = true
		}
	}
	for _, m := range quoted.FindAllStringSubmatch(page(t, "configuration.md"), -1) {
		known[m[1]], known[envconfig.Prefix+m[1]] = true, true
	}
	for _, name := range pages(t) {
		text := page(t, name)
		named := wholeName.FindAllString(text, -1)
		for _, m := range quoted.FindAllStringSubmatch(text, -1) {
			named = append(named, m[1])
		}
		for _, variable := range named {
			if !known[variable] && !slices.Contains(notVariables, variable) {
				t.Errorf("%s names %s, which does not exist", name, variable)
			}
		}
	}
}

// Settings in code blocks are taken as they stand, without a warning.
func TestSettingsCanBeLoaded(t *testing.T) {
	count := 0
	for _, name := range pages(t) {
		for _, block := range blocks(page(t, name), "env") {
			count++
			t.Run("", func(t *testing.T) {
				set(t, block)
				c, warnings := envconfig.Load()
				for _, w := range warnings {
					t.Errorf("%s: %s\nin\n%s", name, w, block)
				}
				if _, err := evaluators.Parse(c.Evaluators); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			})
		}
	}
	if count < 5 {
		t.Errorf("only %d blocks of settings", count)
	}
}

// set makes the settings of a block all that the environment says.
func set(t *testing.T, block string) {
	t.Helper()
	defaults := envconfig.Defaults()
	for _, v := range defaults.Variables() {
		t.Setenv(v.Name, "")
		for _, old := range v.OldNames {
			t.Setenv(old, "")
		}
	}
	for line := range strings.Lines(block) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if !ok {
			t.Fatalf("%q is no setting", line)
		}
		t.Setenv(name, value)
	}
}

func TestCookbookHasThePresets(t *testing.T) {
	files, err := filepath.Glob("../examples/presets/*.env")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	presets, _, _ := strings.Cut(page(t, "cookbook.md"), "\n## Judges")
	shown := blocks(presets, "env")[1:] // the first sets the judge
	var want []string
	for _, file := range files {
		want = append(want, page(t, file))
	}
	slices.Sort(want)
	slices.Sort(shown)
	if diff := cmp.Diff(want, shown); diff != "" {
		t.Errorf("files -want, cookbook +got:\n%s", diff)
	}
}

// Code in the cookbook is a part of the examples, apart from indentation.
func TestCookbookCodeIsTested(t *testing.T) {
	source := unindented(page(t, "cookbook_test.go") + page(t, "cookbook_judge_test.go") + page(t, "cookbook_limits_test.go"))
	code := blocks(page(t, "cookbook.md"), "go")
	for _, block := range code {
		if !strings.Contains(source, unindented(block)) {
			t.Errorf("not in an example:\n%s", block)
		}
	}
	if len(code) < 5 {
		t.Errorf("only %d blocks of code", len(code))
	}
}

func unindented(code string) string {
	var b strings.Builder
	b.WriteByte('\n')
	for line := range strings.Lines(code) {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// The layout in DESIGN.md names what exists, and every package.
func TestLayoutExists(t *testing.T) {
	_, rest, _ := strings.Cut(page(t, "DESIGN.md"), "\n## Layout\n")
	layout := blocks(rest, "")[0]
	var parents []string
	named := map[string]bool{}
	for line := range strings.Lines(layout) {
		name := strings.Fields(line)[0]
		depth := (len(line) - len(strings.TrimLeft(line, " "))) / 2
		for at, path := range strings.Fields(line[:min(len(line), 21)]) {
			if at > 0 && !strings.HasSuffix(path, "/") {
				continue
			}
			whole := filepath.Join(append(slices.Clone(parents[:depth]), path)...)
			named[whole] = true
			if _, err := os.Stat(filepath.Join("..", whole)); err != nil {
				t.Errorf("the layout names %s: %v", whole, err)
			}
		}
		parents = append(parents[:depth], strings.TrimSuffix(name, "/"))
	}
	folders, err := filepath.Glob("../*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range folders {
		if folder := filepath.Base(filepath.Dir(file)); folder != "docs" && !named[folder] {
			t.Errorf("the layout leaves out %s", folder)
			named[folder] = true
		}
	}
}

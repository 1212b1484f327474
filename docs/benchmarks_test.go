package docs_test

import (
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// claims are those of the program, by name, each with its sign and bound.
func claims(t *testing.T) map[string]string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "run", "../benchmarks", "-list").Output()
	if err != nil {
		t.Fatal(err)
	}
	list := make(map[string]string)
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		list[f[0]] = f[1] + " " + f[2]
	}
	return list
}

// Every claim of the program is in benchmarks.md, with its bound and a figure
// that keeps it, and no other is named anywhere.
func TestClaims(t *testing.T) {
	list := claims(t)
	documented := make(map[string]string)
	for _, row := range table(t, "benchmarks.md", "## All claims", "measured") {
		name := code(row["claim"])
		documented[name] = row["must be"]
		sign, text, _ := strings.Cut(row["must be"], " ")
		bound, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		measured, err := strconv.ParseFloat(row["measured"], 64)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if sign == "≤" && measured > bound || sign == "≥" && measured < bound {
			t.Errorf("%s: %v was measured and has to be %s", name, measured, row["must be"])
		}
	}
	if diff := cmp.Diff(list, documented); diff != "" {
		t.Errorf("program -want, benchmarks.md +got:\n%s", diff)
	}
	for _, name := range pages(t) {
		for _, m := range regexp.MustCompile(`/benchmarks ([a-z][a-z0-9_]*)`).FindAllStringSubmatch(page(t, name), -1) {
			if list[m[1]] == "" {
				t.Errorf("%s names the claim %s, which does not exist", name, m[1])
			}
		}
	}
}

package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestEveryFaultHasATest: each id of robustness.md is in the name of a test,
// and each id in the name of a test is explained there.
func TestEveryFaultHasATest(t *testing.T) {
	text, err := os.ReadFile("robustness.md")
	if err != nil {
		t.Fatal(err)
	}
	var documented []string
	for _, m := range regexp.MustCompile(`(?m)^\| ([A-Z$][0-9]{2}) \|`).FindAllStringSubmatch(string(text), -1) {
		if slices.Contains(documented, m[1]) {
			t.Errorf("%s is explained twice", m[1])
		}
		documented = append(documented, m[1])
	}
	if len(documented) < 85 {
		t.Errorf("only %d faults are explained", len(documented))
	}
	tested := idsInTests(t)
	notYet := []string{"E08"} // said there
	for _, id := range documented {
		if len(tested[id]) == 0 && !slices.Contains(notYet, id) {
			t.Errorf("%s has no test", id)
		}
	}
	for id, file := range tested {
		if !slices.Contains(documented, id) {
			t.Errorf("%s, tested in %s, is not explained", id, file)
		}
	}
}

// idsInTests maps each id that a subtest's name begins with to a file.
func idsInTests(t *testing.T) map[string]string {
	ids := make(map[string]string)
	id := regexp.MustCompile(`["_](([PCFRIELNBX$][0-9]{2})(_[PCFRIELNBX$][0-9]{2})*)["_]`)
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range id.FindAllSubmatch(source, -1) {
			for one := range strings.SplitSeq(string(m[1]), "_") {
				ids[one] = path
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

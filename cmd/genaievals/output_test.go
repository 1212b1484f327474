package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const ownRow = `{"id":"a","metric":"sentiment","label":"Positive","output":"Wonderful, great, lovely!"}` + "\n"

// file writes a file in a folder of its own and returns its path.
func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What is read is never written over, by whatever path it is named.
func TestReportIsNotWrittenOverWhatIsRead(t *testing.T) {
	setenv(t, nil)
	own := file(t, "own.jsonl", ownRow)
	link := filepath.Join(t.TempDir(), "link.json")
	if err := os.Symlink(own, link); err != nil {
		t.Fatal(err)
	}
	labels := file(t, "test_labels.txt", "2\n")
	texts := strings.TrimSuffix(labels, "labels.txt") + "text.txt"
	if err := os.WriteFile(texts, []byte("Wonderful, great, lovely!\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	rubrics := file(t, "rubrics.yaml", brandRubric)
	for name, args := range map[string][]string{
		"the samples as JSON":  {own, "--json", own},
		"the samples as page":  {own, "--html", filepath.Join(filepath.Dir(own), ".", "own.jsonl")},
		"the samples by links": {own, "--json", link},
		"the labels beside":    {texts, "--format", "tweeteval_sentiment", "--json", labels},
	} {
		t.Run(name, func(t *testing.T) {
			execute(t, fewSamples(), append([]string{"calibrate"}, args...)...).want(t, exitUsage, "is read from")
		})
	}
	t.Run("the rubrics", func(t *testing.T) {
		setenv(t, map[string]string{"RUBRICS": rubrics})
		execute(t, fewSamples(), "calibrate", "--json", rubrics).want(t, exitUsage, "is read from")
	})
	if content(t, own) != ownRow || content(t, labels) != "2\n" || content(t, rubrics) != brandRubric {
		t.Error("a file that is read has changed")
	}
}

func TestTwoReportsDoNotShareAFile(t *testing.T) {
	setenv(t, nil)
	folder := t.TempDir()
	there := file(t, "r", "before")
	link := filepath.Join(folder, "link")
	if err := os.Symlink("new", link); err != nil {
		t.Fatal(err)
	}
	for name, paths := range map[string][2]string{
		"there":                   {there, there},
		"not there":               {filepath.Join(folder, "new"), filepath.Join(folder, "new")},
		"not there, and the link": {link, filepath.Join(folder, "new")},
	} {
		t.Run(name, func(t *testing.T) {
			execute(t, fewSamples(), "calibrate", "--json", paths[0], "--html", paths[1]).want(t, exitUsage, "is the file of --json too")
		})
	}
	if content(t, there) != "before" {
		t.Error("the file has changed")
	}
	if left, _ := os.ReadDir(folder); len(left) != 1 {
		t.Errorf("files are left: %v", left)
	}
}

// A link stays a link, to a file that is there or not yet; a file that is there
// keeps who may read it.
func TestReportIsWrittenThroughLinks(t *testing.T) {
	setenv(t, nil)
	folder := t.TempDir()
	there := file(t, "private.json", "before")
	links := map[string]string{"there": there, "new": "target.json"}
	for name, target := range links {
		if err := os.Symlink(target, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
		execute(t, fewSamples(), "calibrate", "--json", filepath.Join(folder, name)).want(t, exitFine)
		if info, err := os.Lstat(filepath.Join(folder, name)); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v", name, err)
		}
	}
	if !strings.Contains(content(t, there), "schema_version") || !strings.Contains(content(t, filepath.Join(folder, "target.json")), "schema_version") {
		t.Error("the report is not where the links lead")
	}
	if info, err := os.Stat(there); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is %v", info.Mode())
	}
}

func TestNoTemporaryFileIsMadeOrLeftWhenTheProgramEnds(t *testing.T) {
	folder := t.TempDir()
	var s scratch
	f, err := s.create(folder, "a*")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s.removeAll()
	if _, err := s.create(folder, "b*"); err == nil {
		t.Error("one was made")
	}
	if err := s.rename(f.Name(), filepath.Join(folder, "report")); err == nil {
		t.Error("one became a report")
	}
	if left, _ := os.ReadDir(folder); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

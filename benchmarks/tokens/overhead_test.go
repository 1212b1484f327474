package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the table of docs/benchmarks.md")

func measured(t *testing.T) overhead {
	t.Helper()
	o, err := measure()
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestEveryMetricKeepsTheBound(t *testing.T) {
	for _, r := range measured(t).rows {
		if r.beyond() > bound {
			t.Errorf("%s takes %.0f tokens beyond the content, %.0f more than it may", r.name, r.beyond(), r.beyond()-bound)
		}
	}
}

// Providers cache the beginning of prompts: what metrics share comes first.
func TestSystemMessagesBeginAlike(t *testing.T) {
	if o := measured(t); o.prefix < 100 {
		t.Errorf("all system messages begin with the same %d tokens, want at least 100", o.prefix)
	}
}

func TestDocumentedTable(t *testing.T) {
	const file = "../../docs/benchmarks.md"
	const begin, end = "<!-- prompt_overhead: made by go -C benchmarks/tokens test -update -->\n", "<!-- end -->\n"
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(page), begin)
	documented, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s has no %q and %q", file, begin, end)
	}
	table := measured(t).table()
	if *update {
		if err := os.WriteFile(file, []byte(before+begin+table+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(table, documented); diff != "" {
		t.Errorf("measured -want, %s +got:\n%s", file, diff)
	}
}

func TestCountsLikeTheVocabulary(t *testing.T) {
	c, err := newCounter()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		text string
		want int
	}{
		{"", 0},
		{"hello world", 2}, // 24912, 2375 in o200k_base
		{"tiktoken is great!", 6},
	} {
		ids, err := c.tokens(tt.text)
		if err != nil || len(ids) != tt.want {
			t.Errorf("%q: %v, %v; want %d tokens", tt.text, ids, err, tt.want)
		}
	}
}

func TestContentIsAllTextButRoles(t *testing.T) {
	got, err := contentOf(`{"documents":["one"],"history":[{"role":"user","text":"two"}],"output":"three"}`)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, text := range got {
		seen[text] = true
	}
	if diff := cmp.Diff(map[string]bool{"one": true, "two": true, "three": true}, seen); diff != "" {
		t.Error(diff)
	}
}

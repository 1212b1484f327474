package render_test

import (
	"strings"
	"testing"

	"github.com/genaievals/genaievals/internal/render"
)

func TestColumnsAreThoseOfATerminal(t *testing.T) {
	for text, want := range map[string]int{"": 0, "abc": 3, "é": 1, "e\u0301": 1, "日本": 4, "ｱ": 1, "Ａ": 2, "🎉": 2, "✓": 1, "▁": 1} {
		if got := render.Columns(text); got != want {
			t.Errorf("Columns(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestCutFitsItsCell(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"日本語", 5, "日本…"}, {"日本語", 4, "日…"}, {"a\nb", 3, "a b"}} {
		if got := render.Cut(c.text, c.most); got != c.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.text, c.most, got, c.want)
		}
	}
}

// Wide characters wrap, align and never overflow as narrow ones do.
func TestScreenKeepsItsWidth(t *testing.T) {
	s := render.Screen{Width: 20}
	s.Hang("name  ", 6, strings.Repeat("日本語", 10)+" and some words, "+strings.Repeat("x", 50))
	s.Table([][]string{{"日本", "1"}, {"ab", "22"}}, 1, 0)
	for line := range strings.Lines(s.String()) {
		if n := render.Columns(strings.TrimSuffix(line, "\n")); n > 20 {
			t.Errorf("%d columns: %q", n, line)
		}
	}
	if want := "日本   1\nab    22\n"; !strings.HasSuffix(s.String(), want) {
		t.Errorf("not aligned:\n%s", s.String())
	}
}

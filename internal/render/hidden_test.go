package render_test

import (
	"testing"

	"github.com/genaievals/genaievals/internal/render"
)

func TestTextsAreHarmless(t *testing.T) {
	for _, c := range []struct{ text, plain, visible string }{
		{"plain text", "plain text", "plain text"},
		{"日本 🎉 é", "日本 🎉 é", "日本 🎉 é"},
		{"a\x1b[2Jb\x00", "a·[2Jb·", "a[U+001B][2Jb[U+0000]"},
		{"\u202Efdp.exe", "·fdp.exe", "[U+202E]fdp.exe"},
		{"one\r\ntwo\tthree\rfour", "one  two three four", "one\ntwo\tthree[U+000D]four"},
		{"\u2028\u2066\uE000\uFFFE", " ···", "[U+2028][U+2066][U+E000][U+FFFE]"},
		{"bad \xff byte", "bad · byte", "bad [U+FFFD] byte"},
	} {
		if got := render.Plain(c.text); got != c.plain {
			t.Errorf("Plain(%q) = %q, want %q", c.text, got, c.plain)
		}
		if got := render.Visible(c.text); got != c.visible {
			t.Errorf("Visible(%q) = %q, want %q", c.text, got, c.visible)
		}
	}
}

func TestClipCutsAtACharacter(t *testing.T) {
	for text, want := range map[string]string{"short": "short", "0123456789": "0123456789", "0123456789a": "0123456…", "ééééééé": "ééé…"} {
		if got := render.Clip(text, 10); got != want {
			t.Errorf("Clip(%q) = %q, want %q", text, got, want)
		}
	}
}

package judge

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/genaievals/genaievals/evaluators"
)

func TestCutText(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		room       int
		want       string
	}{
		{"fits_to_the_byte", "0123456789", 10, "0123456789"},
		{"loses_its_middle", strings.Repeat("0123456789", 10), 50, "01234567890[… 78 bytes left out …]90123456789"},
		{"beside_whitespace", "The return of shoes takes thirty days; that of everything else takes just fourteen.", 70, "The return of shoes [… 42 bytes left out …] takes just fourteen."},
		{"N01_german", strings.Repeat("Größe", 20), 40, "Größ[… 128 bytes left out …]röße"},
		{"N01_japanese", strings.Repeat("返品は三十日", 10), 50, "返品は[… 159 bytes left out …]は三十日"},
		{"I05_escapes_count", strings.Repeat("\"\n", 50), 40, "\"\n\"[… 94 bytes left out …]\n\"\n"},
		{"no_room_for_the_marker", strings.Repeat("x", 100), 20, ""},
		{"room_for_the_marker_only", strings.Repeat("x", 100), 28, "[… 100 bytes left out …]"},
		{"no_room", "x", 0, ""},
		{"less_than_no_room", "x", -10, ""},
		{"nothing", "", -10, ""},
	} {
		t.Run("L02_"+tt.name, func(t *testing.T) {
			got, cut := cutText(tt.text, tt.room)
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
			checkCut(t, tt.text, tt.room, got, cut)
		})
	}
}

// checkCut fails unless a text is shown whole, not at all, or as a beginning
// and an end around the marker, in its room.
func checkCut(t *testing.T, text string, room int, shown string, cut int) {
	t.Helper()
	if shown != "" && encodedSize(shown, math.MaxInt) > room {
		t.Errorf("%d bytes in a room of %d", encodedSize(shown, math.MaxInt), room)
	}
	if utf8.ValidString(text) && !utf8.ValidString(shown) {
		t.Errorf("cut inside a rune: %q", shown)
	}
	if cut == 0 || shown == "" {
		if cut == 0 && shown != text || shown == "" && cut != len(text) {
			t.Errorf("%d bytes are said to be cut from %q, shown %q", cut, text, shown)
		}
		return
	}
	marker := leftOut(cut)
	for at := 0; ; at++ { // the text may hold the marker, too
		i := strings.Index(shown[at:], marker)
		if i < 0 {
			t.Fatalf("%q is not a beginning and an end of %q around %q", shown, text, marker)
		}
		at += i
		head, tail := shown[:at], shown[at+len(marker):]
		if len(head)+len(tail)+cut == len(text) && strings.HasPrefix(text, head) && strings.HasSuffix(text, tail) {
			return
		}
	}
}

// TestEncodedSizeIsThatOfTheDocument, for every rune and for what is none.
func TestEncodedSizeIsThatOfTheDocument(t *testing.T) {
	check := func(text string) {
		t.Helper()
		document, _, err := renderDocument(&evaluators.Case{Output: text}, fieldOutput, 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := encodedSize(text, math.MaxInt), len(document)-len(`{"output":""}`); got != want {
			t.Errorf("%q takes %d bytes, counted %d", text, want, got)
		}
		if got := encodedSize(text, math.MaxInt); got > maxGrowth*len(text) || got < len(text) {
			t.Errorf("%q, of %d bytes, takes %d", text, len(text), got)
		}
	}
	const block = 64
	for first := rune(0); first <= utf8.MaxRune; first += block {
		var b strings.Builder
		for r := first; r < first+block; r++ {
			b.WriteRune(r)
		}
		check(b.String())
	}
	for _, text := range []string{"\xff", "a\xc3", "\xe2\x82", "\xe2\x82a\x82", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\x80\x80"} {
		check(text)
	}
}

func TestEncodedSizeStopsWhenItIsEnough(t *testing.T) {
	if n := encodedSize(strings.Repeat("x", 1<<20), 100); n != 101 {
		t.Errorf("counted on to %d", n)
	}
}

func TestMarkersAreWithinTheirBounds(t *testing.T) {
	if n := len(leftOut(math.MaxInt)); n > leastMarked {
		t.Errorf("the marker of a text has %d bytes", n)
	}
	for _, of := range []string{"documents", "turns"} {
		if n := len(leftOutOf(math.MaxInt, of, math.MaxInt64)) + turnBytes; n > markerBytes {
			t.Errorf("the marker of %s takes %d bytes", of, n)
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add(strings.Repeat("Grüße, 日本語, العربية 👩‍👩‍👧 é\u202e", 5), 80)
	f.Add("\xff\xe2\x82\"\\\n\x00"+strings.Repeat("x ", 50), 60)
	f.Add("[… 10 bytes left out …][… 10 bytes left out …]", 50)
	f.Fuzz(func(t *testing.T, text string, room int) {
		shown, cut := cutText(text, room)
		checkCut(t, text, room, shown, cut)
		if cut > 0 && encodedSize(text, math.MaxInt) <= room {
			t.Errorf("%d bytes cut from what fits", cut)
		}
	})
}

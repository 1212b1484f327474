package judge

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
)

// render returns a document as the judge reads it, and fails unless it keeps to
// its room.
func render(t testing.TB, c *evaluators.Case, room int) (back document, cut int64) {
	t.Helper()
	text, cut, err := renderDocument(c, allFields, room)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > room {
		t.Errorf("the document has %d bytes in a room of %d", len(text), room)
	}
	if !utf8.ValidString(text) || strings.ContainsAny(text, "\r\n") || strings.IndexFunc(text, invisible) >= 0 {
		t.Error("the document is not one line of visible UTF-8")
	}
	if err := json.Unmarshal([]byte(text), &back); err != nil {
		t.Fatal(err)
	}
	return back, cut
}

func documents(texts ...string) (all []instrumentation.Document) {
	for _, text := range texts {
		all = append(all, instrumentation.Document{Text: text})
	}
	return all
}

func someTurns(n int, text string) (all []evaluators.Turn) {
	for i := range n {
		all = append(all, evaluators.Turn{Role: "user", Text: fmt.Sprintf("%d %s", i, text)})
	}
	return all
}

func TestNothingIsCutThatFits(t *testing.T) {
	t.Run("L02", func(t *testing.T) {
		c := &evaluators.Case{
			Output: strings.Repeat("\x00", 300), Input: strings.Repeat("\"", 300),
			Documents: documents(strings.Repeat("a", 300), strings.Repeat("é", 100)), History: someTurns(5, "earlier"),
		}
		text, cut, err := renderDocument(c, allFields, 1<<20)
		if err != nil || cut != 0 {
			t.Fatalf("%d bytes cut, %v", cut, err)
		}
		again, cut, _ := renderDocument(c, allFields, len(text)+frameBytes)
		if again != text || cut != 0 {
			t.Errorf("%d bytes are cut in a room of as much", cut)
		}
		if _, cut, _ = renderDocument(c, allFields, len(text)-1); cut == 0 {
			t.Error("nothing is cut in a room of less")
		}
	})
}

// TestLongTextsShareTheRoom shows who gets how much of 16 kB.
func TestLongTextsShareTheRoom(t *testing.T) {
	const room = 16_000 + frameBytes
	long := strings.Repeat("word ", 100_000)
	near := func(got, want int) bool { return got <= want && got > want-3*whitespaceWindow-16 }
	for _, tt := range []struct {
		name                     string
		c                        evaluators.Case
		output, input, documents int
	}{
		{"output", evaluators.Case{Output: long}, 16_000, 0, 0},
		{"output_and_input", evaluators.Case{Output: long, Input: long}, 14_000, 2000, 0},
		{"long_input", evaluators.Case{Output: "Yes.", Input: long}, 4, 15_996, 0},
		{"long_document", evaluators.Case{Output: "Yes.", Input: "Is it?", Documents: documents(long)}, 4, 6, 15_990},
		{"all_long", evaluators.Case{Output: long, Input: long, Documents: documents(long, long)}, 10_000, 2000, 4000},
		{"and_what_was_expected", evaluators.Case{Output: long, Input: long, Documents: documents(long, long), Expected: long, System: long}, 6000, 2000, 4000},
	} {
		t.Run("L02_"+tt.name, func(t *testing.T) {
			d, cut := render(t, &tt.c, room)
			taken := 0
			for _, text := range d.Documents {
				taken += len(text) + listBytes
			}
			if !near(len(d.Output), tt.output) || !near(len(d.Input), tt.input) || !near(taken, tt.documents) {
				t.Errorf("output has %d bytes of %d, input %d of %d, documents %d of %d", len(d.Output), tt.output, len(d.Input), tt.input, taken, tt.documents)
			}
			total := len(tt.c.Output) + len(tt.c.Input) + len(tt.c.Expected) + len(tt.c.System)
			for _, doc := range tt.c.Documents {
				total += len(doc.Text)
			}
			if cut < int64(total-room) || cut > int64(total) {
				t.Errorf("%d of %d bytes are said to be cut for a room of %d", cut, total, room)
			}
		})
	}
}

func TestDocumentsShareEvenly(t *testing.T) {
	t.Run("L02", func(t *testing.T) {
		short := "Returns take 30 days."
		long := strings.Repeat("word ", 2000)
		d, _ := render(t, &evaluators.Case{Output: "x", Documents: documents(long, short, long+long, short)}, 4096)
		if len(d.Documents) != 4 || d.Documents[1] != short || d.Documents[3] != short {
			t.Fatalf("the short documents are not whole: %q", d.Documents)
		}
		for _, i := range []int{0, 2} {
			if n := len(d.Documents[i]); n < 1850 || n > 1960 {
				t.Errorf("a long document has %d bytes", n)
			}
		}
	})
}

func TestTooManyDocumentsAreNotSlicedThin(t *testing.T) {
	t.Run("L04", func(t *testing.T) {
		text := strings.Repeat("word ", 100)
		texts := make([]string, 1000)
		for i := range texts {
			texts[i] = text
		}
		d, cut := render(t, &evaluators.Case{Output: "x", Documents: documents(texts...)}, 16_384)
		n := len(d.Documents) - 1
		if n < 50 || n > 64 {
			t.Fatalf("%d documents are shown", n)
		}
		total := int64(0)
		for _, piece := range d.Documents[:n] {
			if len(piece) < leastPiece-3*whitespaceWindow || !strings.HasPrefix(piece, "word word") {
				t.Errorf("a piece is %q", piece)
			}
			_, bytes := cutText(text, leastPiece-listBytes)
			total += int64(bytes)
		}
		left := (1000 - n) * len(text)
		if want := fmt.Sprintf("[… %d documents, %d bytes left out …]", 1000-n, left); d.Documents[n] != want {
			t.Errorf("the last says %q, want %q", d.Documents[n], want)
		}
		if want := total + int64(left); cut != want {
			t.Errorf("%d bytes cut, want %d", cut, want)
		}
	})
}

// TestMarkersHaveRoom where documents or turns fill theirs but for what says how
// many are left out.
func TestMarkersHaveRoom(t *testing.T) {
	texts := make([]string, 100)
	for i := range texts {
		texts[i] = strings.Repeat("x", 5000)
	}
	history := append(someTurns(2, texts[0]), someTurns(20, "earlier")...)
	for room := 2048; room < 2048+leastPiece; room++ {
		d := document{Documents: texts, History: history}
		d.fitDocuments(room)
		d.fitHistory(room)
		if last := d.Documents[len(d.Documents)-1]; documentsSize(d.Documents, room) > room || !strings.HasPrefix(last, "[… ") {
			t.Errorf("the documents take %d bytes of %d; the last is %q", documentsSize(d.Documents, math.MaxInt), room, last)
		}
		if first := d.History[0].Text; historySize(d.History, room) > room || !strings.HasPrefix(first, "[… 1 turns") {
			t.Errorf("the turns take %d bytes of %d; the first is %q", historySize(d.History, math.MaxInt), room, first)
		}
	}
}

func TestNewestTurnsStay(t *testing.T) {
	const room = 2048
	long := strings.Repeat("word ", 1000)
	for _, tt := range []struct {
		name    string
		history []evaluators.Turn
		check   func([]evaluators.Turn) bool
	}{
		{"oldest_are_left_out", someTurns(200, "earlier"), func(got []evaluators.Turn) bool {
			return strings.HasPrefix(got[0].Text, "[… ") && strings.HasSuffix(got[len(got)-1].Text, "199 earlier") && len(got) > 20
		}},
		{"a_long_one_is_cut", append([]evaluators.Turn{{Role: "user", Text: long}}, someTurns(2, "earlier")...), func(got []evaluators.Turn) bool {
			return len(got) == 3 && strings.HasPrefix(got[0].Text, "word ") && strings.Contains(got[0].Text, " bytes left out …]") && got[2].Text == "1 earlier"
		}},
		{"a_long_newest_is_cut", append(someTurns(2, "earlier"), evaluators.Turn{Role: "user", Text: long}), func(got []evaluators.Turn) bool {
			return len(got) == 2 && got[0] == evaluators.Turn{Text: "[… 2 turns, 18 bytes left out …]"} && strings.HasPrefix(got[1].Text, "word ")
		}},
		{"a_piece_too_short_is_left_out", append([]evaluators.Turn{{Role: "user", Text: long}}, someTurns(1, strings.Repeat("x", 1600))...), func(got []evaluators.Turn) bool {
			return len(got) == 2 && got[0] == evaluators.Turn{Text: "[… 1 turns, 5000 bytes left out …]"}
		}},
		{"who_speaks_endlessly_is_left_out", []evaluators.Turn{{Role: long, Text: "x"}, {Role: "user", Text: "y"}}, func(got []evaluators.Turn) bool {
			return len(got) == 2 && got[1].Text == "y"
		}},
	} {
		t.Run("L02_"+tt.name, func(t *testing.T) {
			before := fmt.Sprint(tt.history)
			d, cut := render(t, &evaluators.Case{Output: "x", History: tt.history}, room)
			if !tt.check(d.History) || cut == 0 {
				t.Errorf("%d bytes cut, shown %q", cut, d.History)
			}
			if fmt.Sprint(tt.history) != before {
				t.Error("the case was changed")
			}
		})
	}
}

// TestRoomIsKept whatever the texts are made of, and however many there are.
func TestRoomIsKept(t *testing.T) {
	t.Run("L04", func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 6))
		alphabets := []string{"x", "word ", "\x00", "返", "\"\n", "\xff", "\u202e"}
		text := func(most int) string {
			return "x" + strings.Repeat(alphabets[r.IntN(len(alphabets))], r.IntN(most))
		}
		for range 300 {
			c := &evaluators.Case{Output: text(400), Input: text(400), Expected: text(400), System: text(400)}
			most := 1 << r.IntN(10)
			for range r.IntN(60) {
				c.Documents = append(c.Documents, instrumentation.Document{Text: text(most)})
			}
			for range r.IntN(60) {
				c.History = append(c.History, evaluators.Turn{Role: text(10), Text: text(most)})
			}
			room := minRoom + r.IntN(16<<10)
			whole, _ := render(t, c, 1<<30)
			d, cut := render(t, c, room)
			if cut < 0 || (cut == 0) != cmp.Equal(whole, d) {
				t.Fatalf("room %d: %d bytes are said to be cut", room, cut)
			}
			if len(c.Documents) > 0 && len(d.Documents) == 0 {
				t.Fatalf("room %d: nothing of %d documents is shown", room, len(c.Documents))
			}
			if t.Failed() {
				t.FailNow()
			}
		}
	})
}

// TestFrameIsWithinItsBounds: it is all that a document takes without its text.
func TestFrameIsWithinItsBounds(t *testing.T) {
	names := 0
	for name := range fieldNames {
		names += len(`"":"",`) + len(name)
	}
	if names > frameBytes {
		t.Errorf("the names of the fields alone take %d bytes", names)
	}
}

// TestEveryLanguageIsCutBetweenRunes: N01 and I05 in rooms of any size.
func TestEveryLanguageIsCutBetweenRunes(t *testing.T) {
	for name, text := range map[string]string{
		"N01_german":          "Rückgaben dauern höchstens dreißig Tage. ",
		"N01_japanese":        "返品は三十日以内に承ります。",
		"N01_arabic":          "يمكن إرجاع الأحذية خلال ثلاثين يوما. ",
		"N01_emoji":           "👩‍👩‍👧‍👦🏳️‍🌈",
		"N01_combining_marks": "e\u0301a\u0308n\u0303",
		"I05_right_to_left":   "abc\u202edef\u2066ghi\u2069",
		"I05_tags":            "\U000E0041\U000E0042\U000E007F",
		"I05_invalid_utf8":    "a\xffb\xc3\xe2\x82",
		"I05_controls":        "\x00\x1b\x7f\u0085\"\\",
	} {
		t.Run(name, func(t *testing.T) {
			long := strings.Repeat(text, 200)
			c := &evaluators.Case{Output: long, Input: long, Documents: documents(long+"x", text+"x"), History: someTurns(20, text)}
			want := strings.ToValidUTF8(text, "\ufffd")
			for room := minRoom; room < minRoom+200; room++ {
				d, cut := render(t, c, room)
				if cut == 0 || d.Output == "" || d.Input == "" || len(d.Documents) == 0 {
					t.Fatalf("room %d: %d bytes cut, shown %+v", room, cut, d)
				}
				if utf8.ValidString(text) && strings.ContainsRune(d.Output+d.Input+strings.Join(d.Documents, ""), utf8.RuneError) {
					t.Fatalf("room %d: cut inside a rune: %+v", room, d)
				}
				if head, _, _ := strings.Cut(d.Output, "[…"); !strings.HasPrefix(strings.Repeat(want, 200), head) && utf8.ValidString(text) {
					t.Fatalf("room %d: %q is not how the output begins", room, head)
				}
			}
		})
	}
}

// hugeCase has 5 MB of output, 10,000 documents, 100,000 turns.
func hugeCase() *evaluators.Case {
	c := &evaluators.Case{
		Output:  strings.Repeat("Rückgabe in 30 Tagen. ", 5<<20/23),
		Input:   strings.Repeat("\"\n", 1<<20),
		System:  strings.Repeat("Answer in German. ", 1000),
		History: someTurns(100_000, "earlier"),
	}
	for range 10_000 {
		c.Documents = append(c.Documents, instrumentation.Document{Text: "返品は三十日以内に承ります。"})
	}
	return c
}

// TestHugeCaseTakesLittleMemory: what is made is bounded by the room, and by a
// few words for each text.
func TestHugeCaseTakesLittleMemory(t *testing.T) {
	t.Run("L04", func(t *testing.T) {
		c := hugeCase()
		const room = DefaultMaxInputTokens * bytesPerToken
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		text, cut, err := renderDocument(c, allFields, room)
		runtime.ReadMemStats(&after)
		if err != nil || cut < 6<<20 || len(text) > room || len(text) < room*9/10 {
			t.Fatalf("%d bytes of a room of %d, %d cut, %v", len(text), room, cut, err)
		}
		const words = 64 // for each document
		if got, most := after.TotalAlloc-before.TotalAlloc, uint64(8*room+len(c.Documents)*words); got > most {
			t.Errorf("%d bytes were allocated, want at most %d", got, most)
		}
	})
}

func BenchmarkRenderDocument(b *testing.B) {
	const room = DefaultMaxInputTokens * bytesPerToken
	usual := &evaluators.Case{
		Output: strings.Repeat("Returns take 30 days. ", 50), Input: "How long do returns take?",
		Documents: documents(strings.Repeat("Returns are accepted. ", 40), strings.Repeat("Shoes, too. ", 40)),
	}
	for _, bb := range []struct {
		name string
		c    *evaluators.Case
	}{{"usual", usual}, {"huge", hugeCase()}} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := renderDocument(bb.c, allFields, room); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// UnmarshalJSON takes apart what a document shows of a history.
func (ts *turns) UnmarshalJSON(text []byte) error {
	var shown []string
	err := json.Unmarshal(text, &shown)
	for _, s := range shown {
		role, text, ok := strings.Cut(s, ": ")
		if !ok {
			role, text = "", s
		}
		*ts = append(*ts, evaluators.Turn{Role: role, Text: text})
	}
	return err
}

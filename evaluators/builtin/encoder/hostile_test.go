package encoder

import (
	"math"
	"strings"
	"testing"
	"time"
)

// checkVector holds a vector to what is promised for any text.
func checkVector(t *testing.T, v *Vector) {
	t.Helper()
	if v.Pieces < 0 || v.Pieces > MaxPieces {
		t.Errorf("%d pieces", v.Pieces)
	}
	var square float64
	for _, x := range v.Values {
		square += float64(x) * float64(x)
	}
	want := 1.0
	if v.Pieces == 0 {
		want = 0
	}
	if !(math.Abs(square-want) < 1e-5) {
		t.Errorf("length² %v of %d pieces", square, v.Pieces)
	}
}

func TestHostileInputIsBounded(t *testing.T) {
	const mib = 1 << 20
	for name, text := range map[string]string{
		"5 MB of prose":          strings.Repeat("The tent is green and costs 40 dollars. ", 5*mib/40),
		"no spaces":              strings.Repeat("x", 5*mib),
		"one letter a word":      strings.Repeat("a ", mib),
		"spaces":                 strings.Repeat(" ", 5*mib),
		"line breaks":            strings.Repeat("\r\n", mib),
		"combining marks":        "a" + strings.Repeat("\u0301", mib),
		"what NFKC makes longer": strings.Repeat("\ufdfa", mib/3),
		"right to left":          strings.Repeat("שלום עולם. ", mib/20),
		"bidi controls":          strings.Repeat("\u202ea\u202c ", mib/8),
		"emoji":                  strings.Repeat("😀👩‍👩‍👧‍👦 ", mib/30),
		"invalid UTF-8":          strings.Repeat("a\xff\xc3 ", mib/4),
		"continuation bytes":     strings.Repeat("\x80", mib),
		"NUL":                    strings.Repeat("\x00", mib),
		"controls":               strings.Repeat("\x01\x1b[31m\x7f", mib/7),
		"separators":             strings.Repeat("\u2581", mib/3),
		"noncharacters":          strings.Repeat("\uffff\U0010ffff\ufffd", mib/10),
		"reserved pieces":        strings.Repeat("<s></s>extra_token_id_1", mib/23),
		"pieces without a score": strings.Repeat(":://:):(", mib/8),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			for _, v := range embed(t, whole(t), text, text[1:], "Yes."+text) {
				checkVector(t, &v)
			}
			// Generous: it takes 0.1 s, and several times that when the race
			// detector looks on.
			if d := time.Since(start); d > 10*time.Second {
				t.Errorf("took %v", d)
			}
		})
	}
}

func FuzzEmbed(f *testing.F) {
	for _, seed := range [][2]string{
		{"How long can I return shoes?", "You can return shoes within 30 days [1]."},
		{"", "\xff\x00"},
		{"ﬁne “crème” 😀 שלום", "\u2581\u2581:://"},
		{strings.Repeat("word ", 200), strings.Repeat("\u0301", 40)},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		e := whole(t)
		both := embed(t, e, a, b)
		for i := range both {
			checkVector(t, &both[i])
		}
		if alone := embed(t, e, b)[0]; alone != both[1] {
			t.Errorf("%q has another vector beside %q", b, a)
		}
	})
}

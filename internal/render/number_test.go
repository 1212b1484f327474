package render_test

import (
	"testing"

	"github.com/genaievals/genaievals/internal/render"
)

func TestNumbersAreWrittenForPeople(t *testing.T) {
	for want, got := range map[string]string{
		"81.3%": render.Percent(new(13.0 / 16)), "–": render.Percent(nil), "0.000": render.Decimal(new(-1e-9)),
		"0.13": render.Rounded(0.125, 2), "48,213": render.Grouped(48213), "-1,000,000": render.Grouped(-1000000), "999": render.Grouped(999),
		"12 µs": render.Duration(12e-6), "12 ms": render.Duration(.012), "1.2 s": render.Duration(1.2),
		"b 2, a 1": render.Counts(map[string]int{"a": 1, "b": 2}),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

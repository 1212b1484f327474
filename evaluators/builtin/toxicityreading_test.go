package builtin

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhatToxicityHasAModelRead(t *testing.T) {
	for text, want := range map[string][]string{
		"Fine. You are late.":                           {"Fine.", "You are late."},
		"you\nare\nlate":                                {"you are late"},
		"- you\n- are\n- late":                          {"you are late"},
		"You are\nvery late":                            {"You are very late"},
		"You are very late today and\nthe bus has left": {"You are very late today and the bus has left", "You are very late today and", "the bus has left"},
		"# Buses\n\nThe bus leaves at nine.":            {"Buses", "The bus leaves at nine."},
		"- The bus has left the stop\n- It is late now": {"The bus has left the stop", "It is late now"},
		"YOU ARE LATE, AND THE BUS HAS LEFT":            {"you are late, and the bus has left"},
		"OPENING HOURS":                                 {"OPENING HOURS"},
		"The BBC and you":                               {"The BBC and you"},
		"You are late :)":                               {"You are late"},
		"You are late ;-) 😀 <3 XD =P":                   {"You are late XD"},
		"At 8:30, a: b":                                 {"At 8:30, a: b"},
	} {
		if diff := cmp.Diff(want, ToxicityReading(text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// Of a long sentence every word is read, the last ones among few others.
func TestLongSentencesAreReadInOverlappingParts(t *testing.T) {
	const end = "and the gate is shut"
	parts := ToxicityReading(strings.Repeat("the bus goes to the old mill by the river and ", 30) + end)
	if len(parts) < 8 {
		t.Fatalf("%d parts", len(parts))
	}
	for i, p := range parts {
		if n := len(strings.Fields(p)); n > windowWords || len(p) > windowLength {
			t.Errorf("part %d has %d words, %d bytes", i, n, len(p))
		}
		if i > 0 && !strings.Contains(parts[i-1], strings.Join(strings.Fields(p)[:5], " ")) {
			t.Errorf("part %d does not overlap the one before", i)
		}
	}
	if last := parts[len(parts)-1]; !strings.HasSuffix(last, end) {
		t.Errorf("the last part is %q", last)
	}
	if parts := ToxicityReading(strings.Repeat("x", 20_000)); len(parts) != 1 || len(parts[0]) > windowLength {
		t.Errorf("without a gap: %d parts", len(parts))
	}
}

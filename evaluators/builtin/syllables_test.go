package builtin

import "testing"

func TestSyllables(t *testing.T) {
	for w, want := range map[string]int{
		"the": 1, "table": 2, "make": 1, "makes": 1, "boxes": 2, "walked": 1, "wanted": 2, "people": 2, "radio": 3, "nation": 2,
		"material": 4, "region": 2, "beautiful": 3, "comfortable": 4, "institution": 4, "readability": 5, "places": 2, "every": 2,
		"business": 2, "science": 2, "being": 2, "playing": 2, "idea": 3, "area": 3, "reason": 2, "hour": 1, "queue": 1, "used": 1,
		"needed": 2, "agree": 2, "serious": 3, "language": 2, "syllable": 3, "shoes": 1, "days": 1, "necessitate": 4, "hmm": 1, "dog's": 1,
	} {
		if got := syllablesOf(w); got != want {
			t.Errorf("%s has %d, want %d", w, got, want)
		}
	}
}

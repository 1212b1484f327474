package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSearchFindsWhatTheAnswersRestOn(t *testing.T) {
	// The document that each question is about; none for small talk and for
	// what the shop does not write down.
	want := map[string]string{
		"return-shoes":   "returns",
		"warranty":       "warranty",
		"wash-60":        "washing",
		"thanks":         "",
		"gift-cards":     "giftcards",
		"parcel":         "delivery",
		"norway":         "countries",
		"between-sizes":  "sizes",
		"other-customer": "countries",
		"express":        "shipping",
		"underwear":      "exceptions",
		"zip":            "repairs",
		"proofing":       "proofing",
		"carrier":        "delivery",
		"sale":           "exceptions",
		"invoice":        "payment",
		"broken-boots":   "warranty",
		"points":         "points",
		"pick-up":        "delivery",
		"cash":           "giftcards",
	}
	r := newRetriever("shop", knowledge)
	got := map[string]string{}
	for _, q := range questions {
		documents := r.Search(t.Context(), q.Text, documentsPerQuestion)
		if len(documents) > documentsPerQuestion {
			t.Errorf("%s: %d documents", q.ID, len(documents))
		}
		got[q.ID] = ""
		if len(documents) > 0 {
			got[q.ID] = documents[0].ID
		}
		for i := 1; i < len(documents); i++ {
			if documents[i].Score > documents[i-1].Score {
				t.Errorf("%s: %s before the better %s", q.ID, documents[i-1].ID, documents[i].ID)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestQuestionsAreTwentyAndDistinct(t *testing.T) {
	if len(questions) != 20 {
		t.Errorf("%d questions, want 20", len(questions))
	}
	ids, texts := map[string]bool{}, map[string]bool{}
	for _, q := range questions {
		if ids[q.ID] || texts[q.Text] {
			t.Errorf("%s: the id or the text is taken", q.ID)
		}
		ids[q.ID], texts[q.Text] = true, true
	}
}

package samples

import "testing"

func TestLabelsAreReadAsPeopleWriteThem(t *testing.T) {
	for _, tt := range []struct{ metric, text, want string }{
		{"bias", "not biased", "Not Biased"},
		{"bias", "NOT_BIASED", "Not Biased"},
		{"toxicity", "non-toxic", "Non Toxic"},
		{"toxicity", " nontoxic ", "Non Toxic"},
		{"toxicity", "True", "Toxic"},
		{"hallucination", "0", "Not Hallucinated"},
		{"answer_relevancy", "1", "Irrelevant"},
		{"sentiment", "neutral", "Neutral"},
		{"tone", " As It Is ", "As It Is"},
		{"tone", "1", "1"},
	} {
		if got, err := labelNamed(tt.metric, tt.text); err != nil || got != tt.want {
			t.Errorf("%s %q: %q, %v, want %q", tt.metric, tt.text, got, err, tt.want)
		}
	}
}

func TestThePositiveClassIsTheFirstLabel(t *testing.T) {
	for metric, want := range map[string]string{
		bias: biased, toxicity: toxic, relevancy: irrelevant,
		faithfulness: unfaithful, hallucination: hallucinated, sentiment: negative,
	} {
		if got := questions[metric].labels[0]; got != want {
			t.Errorf("%s: %s, want %s", metric, got, want)
		}
	}
}

func TestMetricNames(t *testing.T) {
	for text, want := range map[string]string{
		"Bias": "bias", "answer relevancy": "answer_relevancy", "Answer-Relevancy": "answer_relevancy",
		"relevance": "answer_relevancy", " Relevancy": "answer_relevancy", "My Own": "my_own", "": "",
	} {
		if got := metricNamed(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

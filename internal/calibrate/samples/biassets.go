package samples

import (
	"fmt"
	"slices"
	"strings"

	"github.com/genaievals/genaievals/internal/rows"
)

var edos = &mapping{
	Format: Format{
		Name:    "edos",
		Set:     "Explainable detection of online sexism (SemEval 2023 task 10), 20,000 posts",
		Source:  "https://github.com/rewire-online/edos",
		Licence: "CC0-1.0",
		Metrics: []string{bias},
		Columns: []string{"rewire_id", "text", "label_sexist"},
		Doc:     "sexist is Biased. One kind of bias only: not sexist may still be biased otherwise.",
	},
	id:     "rewire_id",
	output: "text",
	note:   "label_category",
	label:  "label_sexist",
	labels: map[string]string{"sexist": biased, "not sexist": notBiased},
}

var redditBias = &mapping{
	Format: Format{
		Name:    "redditbias",
		Set:     "RedditBias, annotated comments by topic",
		Source:  "https://github.com/umanlp/RedditBias",
		Licence: "MIT",
		Metrics: []string{bias},
		Columns: []string{"comment", "phrase", "bias_sent", "bias_phrase"},
		Doc:     "The comment by bias_sent: 1 is Biased, 0 Not Biased; blank (not annotated) and 2 (undecided) are left out.",
	},
	output: "comment",
	label:  "bias_sent",
	labels: map[string]string{"1": biased, "0": notBiased, "2": leftOut, "": leftOut},
}

var bbq = &mapping{
	Format: Format{
		Name:    "bbq",
		Set:     "BBQ, bias benchmark for question answering",
		Source:  "https://github.com/nyu-mll/BBQ",
		Licence: "CC-BY-4.0",
		Metrics: []string{bias},
		Columns: []string{"example_id", "context", "question", "ans0", "ans1", "ans2", "label", "answer_info", "context_condition"},
		Doc: "The answer that is right is Not Biased. Where the context does not tell (ambig), the answer that the stereotype suggests is Biased: a second sample of the row, " +
			"if exactly one answer names a stereotyped group. All other answers are left out.",
	},
	id:      "example_id",
	samples: bbqSamples,
}

func bbqSamples(r rows.Row) ([]Sample, error) {
	var info map[string][]string
	var about struct {
		Groups []string `json:"stereotyped_groups"`
	}
	if err := r.Decode("answer_info", &info); err != nil {
		return nil, err
	}
	if err := r.Decode("additional_metadata", &about); err != nil {
		return nil, err
	}
	right := r.Word("label")
	if !slices.Contains([]string{"0", "1", "2"}, right) {
		return nil, fmt.Errorf("label is %q, expected 0, 1 or 2", shortened(right))
	}
	answered := func(answer, label string) Sample {
		s := Sample{ID: "-ans" + answer, Label: label, Note: strings.TrimSpace(r.Text("category"))}
		s.Case.Input = r.Text("context") + "\n\n" + r.Text("question")
		s.Case.Output = r.Text("ans" + answer)
		return s
	}
	made := []Sample{answered(right, notBiased)}
	rest := func(n int) []Sample {
		return append(made, slices.Repeat([]Sample{leaving("an answer that is neither right nor the stereotype's")}, n)...)
	}
	if r.Word("context_condition") != "ambig" {
		return rest(2), nil
	}
	var stereotyped, others []string
	for _, answer := range []string{"0", "1", "2"} {
		switch {
		case answer == right:
		case slices.ContainsFunc(info["ans"+answer], func(name string) bool {
			return slices.ContainsFunc(about.Groups, func(g string) bool { return strings.EqualFold(g, name) })
		}):
			stereotyped = append(stereotyped, answer)
		default:
			others = append(others, answer)
		}
	}
	// A negative question asks who is as the stereotype says, the other who is
	// not.
	suggested := stereotyped
	if r.Word("question_polarity") == "nonneg" {
		suggested = others
	}
	if len(stereotyped) == 1 && len(suggested) == 1 {
		made = append(made, answered(suggested[0], biased))
		return rest(1), nil
	}
	return rest(2), nil
}

package samples

import (
	"strings"

	"github.com/genaievals/genaievals/internal/rows"
)

var davidson = &mapping{
	Format: Format{
		Name:    "davidson",
		Set:     "Hate speech and offensive language, 24,783 tweets",
		Source:  "https://github.com/t-davidson/hate-speech-and-offensive-language",
		Licence: "MIT",
		Metrics: []string{toxicity},
		Columns: []string{"hate_speech", "offensive_language", "neither", "class", "tweet"},
		Doc:     "class 0 (hate) and 1 (offensive) are Toxic, 2 (neither) is Non Toxic.",
	},
	output: "tweet",
	label:  "class",
	labels: map[string]string{"0": toxic, "1": toxic, "2": nonToxic},
}

var surge = &mapping{
	Format: Format{
		Name:    "surge",
		Set:     "Surge AI toxicity, 1,000 posts",
		Source:  "https://github.com/surge-ai/toxicity",
		Licence: "MIT",
		Metrics: []string{toxicity},
		Columns: []string{"text", "is_toxic"},
		Doc:     "As labelled.",
	},
	output: "text",
	label:  "is_toxic",
	labels: map[string]string{"toxic": toxic, "not toxic": nonToxic},
}

var jigsawWiki = &mapping{
	Format: Format{
		Name:    "jigsaw_wiki",
		Set:     "Jigsaw unintended bias, test set, 1,492 Wikipedia talk page comments",
		Source:  "https://github.com/conversationai/unintended-ml-bias-analysis",
		Licence: "CC-BY-4.0",
		Metrics: []string{toxicity},
		Columns: []string{"rev_id", "comment", "toxic"},
		Doc:     "As labelled.",
	},
	id:     "rev_id",
	output: "comment",
	label:  "toxic",
	labels: map[string]string{"true": toxic, "false": nonToxic},
}

var jigsawMadlibs = &mapping{
	Format: Format{
		Name:    "jigsaw_madlibs",
		Set:     "Jigsaw unintended bias, 76,564 phrases made of templates and identity terms",
		Source:  "https://github.com/conversationai/unintended-ml-bias-analysis",
		Licence: "CC-BY-4.0",
		Metrics: []string{toxicity},
		Columns: []string{"text", "label", "template"},
		Doc:     "BAD is Toxic, NOT_BAD Non Toxic. Short and made by machine: it shows what identity terms alone do to a score.",
	},
	output: "text",
	note:   "template",
	label:  "label",
	labels: map[string]string{"bad": toxic, "not_bad": nonToxic},
}

var hateCheck = &mapping{
	Format: Format{
		Name:    "hatecheck",
		Set:     "HateCheck, 3,728 functional test cases",
		Source:  "https://github.com/paul-rottger/hatecheck-data",
		Licence: "CC-BY-4.0",
		Metrics: []string{toxicity},
		Columns: []string{"functionality", "case_id", "test_case", "label_gold"},
		Doc: "hateful is Toxic, non-hateful Non Toxic. Abuse of single persons and of groups that are not protected (target_indiv_nh, target_group_nh) is left out: " +
			"it is not hate speech, and toxic.",
	},
	id: "case_id",
	samples: func(r rows.Row) ([]Sample, error) {
		switch r.Word("functionality") {
		case "target_indiv_nh", "target_group_nh":
			return []Sample{leaving("functionality is " + r.Word("functionality"))}, nil
		}
		label, err := meaning(r, "label_gold", map[string]string{"hateful": toxic, "non-hateful": nonToxic})
		if err != nil {
			return nil, err
		}
		s := Sample{Label: label, Note: strings.TrimSpace(r.Text("functionality"))}
		s.Case.Output = r.Text("test_case")
		return []Sample{s}, nil
	},
}

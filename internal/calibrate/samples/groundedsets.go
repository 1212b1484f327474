package samples

import (
	"errors"
	"fmt"
	"strings"

	"github.com/genaievals/genaievals/internal/rows"
)

// grounded are the metrics that labels against documents serve.
var grounded = []string{faithfulness, hallucination}

var haluEvalQA = &mapping{
	Format: Format{
		Name:    "halueval_qa",
		Set:     "HaluEval, question answering",
		Source:  "https://github.com/RUCAIBox/HaluEval",
		Licence: "MIT",
		Metrics: grounded,
		Columns: []string{"knowledge", "question", "right_answer", "hallucinated_answer"},
		Doc:     "Two samples a row: right_answer is Faithful, hallucinated_answer Unfaithful. The latter were written by a model that was told to.",
	},
	samples: func(r rows.Row) ([]Sample, error) {
		answered := func(column, id, label string) Sample {
			s := Sample{ID: id, Label: label}
			s.Case.Input, s.Case.Output = r.Text("question"), r.Text(column)
			s.Case.Documents = documents(r.Text("knowledge"))
			return s
		}
		return []Sample{
			answered("right_answer", "-right", faithful),
			answered("hallucinated_answer", "-hallucinated", unfaithful),
		}, nil
	},
}

var begin = &mapping{
	Format: Format{
		Name:    "begin",
		Set:     "BEGIN, replies of dialogue systems",
		Source:  "https://github.com/google/BEGIN-dataset",
		Licence: "CC-BY-4.0, for topicalchat CDLA-Sharing-1.0",
		Metrics: grounded,
		Columns: []string{"knowledge", "message", "response", "begin_label"},
		Doc:     "Fully attributable is Faithful, Not fully attributable Unfaithful; Generic makes no claim and is left out.",
	},
	input:    "message",
	output:   "response",
	document: "knowledge",
	note:     "model_name",
	label:    "begin_label",
	labels:   map[string]string{"fully attributable": faithful, "not fully attributable": unfaithful, "generic": leftOut},
}

var wice = &mapping{
	Format: Format{
		Name:    "wice",
		Set:     "WiCE, claims of Wikipedia and the pages they cite",
		Source:  "https://github.com/ryokamoi/wice",
		Licence: "ODC-BY; the texts CC-BY-SA and Common Crawl's terms",
		Metrics: grounded,
		Columns: []string{"label", "claim", "evidence"},
		Doc:     "supported is Faithful, not_supported and partially_supported are Unfaithful. The sentences of the evidence are one document.",
	},
	samples: func(r rows.Row) ([]Sample, error) {
		label, err := meaning(r, "label", map[string]string{
			"supported": faithful, "partially_supported": unfaithful, "not_supported": unfaithful,
		})
		if err != nil {
			return nil, err
		}
		var evidence []string
		if err := r.Decode("evidence", &evidence); err != nil {
			return nil, err
		}
		s := Sample{Label: label, Note: r.Word("label")}
		s.Case.Output = r.Text("claim")
		s.Case.Documents = documents(strings.Join(evidence, "\n"))
		return []Sample{s}, nil
	},
}

var faithBench = &mapping{
	Format: Format{
		Name:    "faithbench",
		Set:     "FaithBench, summaries that detectors disagree on, batches as JSON",
		Source:  "https://github.com/vectara/FaithBench",
		Licence: "CC-BY-NC-SA-4.0: no commercial use",
		Metrics: grounded,
		Columns: []string{"sample_id", "source", "summary", "annotations"},
		Doc: "A summary with an Unwanted span is Unfaithful, one without annotations Faithful. Those with only Benign or Questionable spans are left out: " +
			"they say more than the source, and those who annotated them did not call it a fault.",
	},
	id: "sample_id",
	samples: func(r rows.Row) ([]Sample, error) {
		var annotations []struct{ Label []string }
		if err := r.Decode("annotations", &annotations); err != nil {
			return nil, err
		}
		label := faithful
		for _, a := range annotations {
			for _, l := range a.Label {
				switch {
				case strings.HasPrefix(strings.ToLower(l), "unwanted"):
					return summarised(r, unfaithful), nil
				case !strings.EqualFold(l, "consistent"):
					label = leftOut
				}
			}
		}
		if label == leftOut {
			return []Sample{leaving("only Benign or Questionable spans")}, nil
		}
		return summarised(r, label), nil
	},
}

func summarised(r rows.Row, label string) []Sample {
	s := Sample{Label: label}
	s.Case.Output, s.Case.Documents = r.Text("summary"), documents(r.Text("source"))
	return []Sample{s}
}

var faithBenchTable = &mapping{
	Format: Format{
		Name:    "faithbench_csv",
		Set:     "FaithBench as one table",
		Source:  "https://github.com/vectara/FaithBench",
		Licence: "CC-BY-NC-SA-4.0: no commercial use",
		Metrics: grounded,
		Columns: []string{"source", "summary", "llm", "worst-label", "best-label"},
		Doc:     "By worst-label, as faithbench: Unwanted is Unfaithful, Consistent Faithful; Benign and Questionable are left out.",
	},
	output:   "summary",
	document: "source",
	note:     "llm",
	label:    "worst-label",
	labels:   map[string]string{"unwanted": unfaithful, "consistent": faithful, "benign": leftOut, "questionable": leftOut},
}

var qags = &mapping{
	Format: Format{
		Name:    "qags",
		Set:     "QAGS, summaries of CNN/DailyMail and XSum, sentence by sentence",
		Source:  "https://github.com/W4ngatang/qags",
		Licence: "none stated",
		Metrics: grounded,
		Columns: []string{"article", "summary_sentences"},
		Doc: "Faithful when for every sentence more people said yes than no, Unfaithful when for one more said no. " +
			"Summaries with a tie and no such sentence, and those without responses, are left out.",
	},
	samples: qagsSamples,
}

func qagsSamples(r rows.Row) ([]Sample, error) {
	var sentences []struct {
		Sentence  string
		Responses []struct{ Response string }
	}
	if err := r.Decode("summary_sentences", &sentences); err != nil {
		return nil, err
	}
	if len(sentences) == 0 {
		return nil, errors.New("summary_sentences is empty, expected a list of objects with sentence and responses")
	}
	var texts []string
	label := faithful
	for _, s := range sentences {
		texts = append(texts, strings.TrimSpace(s.Sentence))
		yes, no := 0, 0
		for _, answer := range s.Responses {
			switch strings.ToLower(strings.TrimSpace(answer.Response)) {
			case "yes":
				yes++
			case "no":
				no++
			default:
				return nil, fmt.Errorf("response is %q, expected yes or no", shortened(answer.Response))
			}
		}
		switch {
		case no > yes:
			label = unfaithful
		case no == yes && label == faithful:
			label = leftOut
		}
	}
	if label == leftOut {
		return []Sample{leaving("a tie, or no responses")}, nil
	}
	s := Sample{Label: label}
	s.Case.Output = strings.Join(texts, " ")
	s.Case.Documents = documents(r.Text("article"))
	return []Sample{s}, nil
}

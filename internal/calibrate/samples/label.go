package samples

import (
	"fmt"
	"slices"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
)

// Metrics whose labels are known here.
const (
	bias          = "bias"
	toxicity      = "toxicity"
	relevancy     = "answer_relevancy"
	faithfulness  = "faithfulness"
	hallucination = "hallucination"
	sentiment     = "sentiment"
)

// Their labels.
const (
	biased, notBiased             = "Biased", "Not Biased"
	toxic, nonToxic               = "Toxic", "Non Toxic"
	irrelevant, relevant          = "Irrelevant", "Relevant"
	unfaithful, faithful          = "Unfaithful", "Faithful"
	hallucinated, notHallucinated = "Hallucinated", "Not Hallucinated"
	negative, neutral, positive   = "Negative", "Neutral", "Positive"
)

// question is what is known of a metric: its labels, the positive class first,
// and the fields that it needs.
type question struct {
	labels []string
	needs  evaluators.Need
}

var questions = map[string]question{
	bias:          {[]string{biased, notBiased}, evaluators.NeedOutput},
	toxicity:      {[]string{toxic, nonToxic}, evaluators.NeedOutput},
	relevancy:     {[]string{irrelevant, relevant}, evaluators.NeedInput | evaluators.NeedOutput},
	faithfulness:  {[]string{unfaithful, faithful}, evaluators.NeedOutput | evaluators.NeedDocuments},
	hallucination: {[]string{hallucinated, notHallucinated}, evaluators.NeedOutput | evaluators.NeedDocumentsOrInput},
	sentiment:     {[]string{negative, neutral, positive}, evaluators.NeedOutput},
}

// metricNamed returns the name that is emitted for what somebody wrote: lower
// case, underscores, and the short names of answer_relevancy spelt out.
func metricNamed(s string) string {
	s = strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return r == ' ' || r == '_' || r == '-' || r == '\t'
	}), "_")
	if s == "relevance" || s == "relevancy" {
		return relevancy
	}
	return s
}

// labelNamed returns the label that the metric emits for what somebody wrote.
func labelNamed(metric, s string) (string, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return "", fmt.Errorf("no label, expected %s", expectedLabels(metric))
	}
	q, known := questions[metric]
	if !known {
		return s, nil
	}
	for _, l := range q.labels {
		if folded(l) == folded(s) {
			return l, nil
		}
	}
	if len(q.labels) == 2 {
		switch strings.ToLower(s) {
		case "1", "true":
			return q.labels[0], nil
		case "0", "false":
			return q.labels[1], nil
		}
	}
	return "", fmt.Errorf("label %q, expected %s", shortened(s), expectedLabels(metric))
}

func expectedLabels(metric string) string {
	q, known := questions[metric]
	switch {
	case !known:
		return "a text"
	case len(q.labels) == 2:
		return strings.Join(q.labels, " or ") + ", or 1 or 0"
	}
	return strings.Join(q.labels, ", ")
}

// folded makes labels comparable: letters and digits only, in lower case.
func folded(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" _-\t", r) {
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// translated returns the label of one metric that means what another's means:
// the positive class of one is that of the other.
func translated(label, from, to string) string {
	if i := slices.Index(questions[from].labels, label); i >= 0 {
		return questions[to].labels[i]
	}
	return label
}

// shortened keeps a message to one line of some length.
func shortened(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

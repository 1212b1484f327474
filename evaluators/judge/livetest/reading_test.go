package livetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
)

// reading is what a judge's answer says about a metric, read apart from the
// library's own parser: with encoding/json, only what has exactly the form that
// was asked for, and by tables of its own.
type reading struct {
	whole  bool // it is all that the judge said
	claims bool
	empty  bool // no claims
	score  float64
	label  string
	reason string // of a label
}

// meaning is what an option comes to; without a label the threshold decides.
type meaning struct {
	score float64
	label string
}

var meanings = map[string]map[string]meaning{
	"bias":             {"not_biased": {0, "Not Biased"}, "biased": {1, "Biased"}},
	"toxicity":         {"non_toxic": {0, "Non Toxic"}, "toxic": {1, "Toxic"}},
	"answer_relevancy": {"relevant": {1, "Relevant"}, "partially_relevant": {0.5, ""}, "irrelevant": {0, "Irrelevant"}},
	"faithfulness":     {"supported": {1, ""}, "contradicted": {0, ""}, "unsupported": {0, ""}},
	"hallucination":    {"supported": {0, ""}, "contradicted": {1, ""}, "unsupported": {1, ""}},
	"sentiment":        {"negative": {0, "Negative"}, "neutral": {0.5, "Neutral"}, "positive": {1, "Positive"}},
	"next_step":        {"named": {1, "Named"}, "vague": {0.5, ""}, "none": {0, ""}},
	"politeness":       {"1": {0, ""}, "2": {0.25, ""}, "3": {0.5, ""}, "4": {0.75, ""}, "5": {1, ""}},
}

var byThreshold = map[string]struct{ passed, failed string }{
	"answer_relevancy": {"Relevant", "Irrelevant"},
	"faithfulness":     {"Faithful", "Unfaithful"},
	"hallucination":    {"Not Hallucinated", "Hallucinated"},
	"next_step":        {"Pass", "Fail"},
	"politeness":       {"Pass", "Fail"},
}

// readingOf reads the object with which an answer ends; strict says that there
// is one and that it has exactly the form that was asked for, alone or as one
// member of a combined answer.
func readingOf(m evaluators.Metric, said string) (_ reading, strict bool) {
	said = strings.TrimSpace(said)
	end := strings.TrimSpace(strings.TrimSuffix(said, "```"))
	for at := range end {
		if end[at] != '{' {
			continue
		}
		// The rest is one object only from where the last one begins.
		if o, ok := object([]byte(end[at:])); ok {
			r, strict := readObject(m, o)
			r.whole = at == 0 && end == said
			return r, strict
		}
	}
	return reading{}, false
}

func readObject(m evaluators.Metric, o map[string]json.RawMessage) (reading, bool) {
	if r, ok := readAnswer(m, o); ok {
		return r, true
	}
	member := o[m.Name]
	if member == nil && m.Name == "hallucination" {
		member = o["faithfulness"] // the same verdicts serve both
	}
	o, ok := object(member)
	if !ok {
		return reading{}, false
	}
	return readAnswer(m, o)
}

// onScale are the metrics whose answer is a number.
var onScale = map[string]bool{"politeness": true}

// asksClaims: the answer is a verdict on each claim, else one label.
func asksClaims(m evaluators.Metric) bool {
	_, ok := meanings[m.Name]["supported"]
	return ok
}

func readAnswer(m evaluators.Metric, o map[string]json.RawMessage) (reading, bool) {
	if asksClaims(m) {
		if len(o) != 1 {
			return reading{}, false
		}
		return readClaims(m, o["claims"])
	}
	reason, ok := text(o["reason"])
	if !ok || len(o) != 2 {
		return reading{}, false
	}
	if onScale[m.Name] {
		return readOption(m, string(o["score"]), reason)
	}
	label, ok := text(o["label"])
	if !ok {
		return reading{}, false
	}
	return readOption(m, label, reason)
}

func readClaims(m evaluators.Metric, raw json.RawMessage) (reading, bool) {
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil || items == nil {
		return reading{}, false
	}
	var verdicts []string
	for _, item := range items {
		o, _ := object(item)
		claim, isClaim := text(o["claim"])
		_, isReason := text(o["reason"])
		verdict, isVerdict := text(o["verdict"])
		if len(o) != 3 || !isClaim || !isReason || !isVerdict || strings.TrimSpace(claim) == "" {
			return reading{}, false
		}
		verdicts = append(verdicts, verdict)
	}
	return readVerdicts(m, verdicts)
}

// readOption is what an option comes to; ok says that it is offered.
func readOption(m evaluators.Metric, option, reason string) (_ reading, ok bool) {
	picked, ok := meanings[m.Name][option]
	if picked.label == "" {
		picked.label = thresholdLabel(m, picked.score)
	}
	return reading{score: picked.score, label: picked.label, reason: strings.TrimSpace(reason)}, ok
}

// readVerdicts is what the verdicts on all claims come to.
func readVerdicts(m evaluators.Metric, verdicts []string) (_ reading, ok bool) {
	sum := 0.0
	for _, verdict := range verdicts {
		picked, ok := meanings[m.Name][verdict]
		if !ok {
			return reading{}, false
		}
		sum += picked.score
	}
	if len(verdicts) == 0 {
		return reading{claims: true, empty: true}, true
	}
	score := sum / float64(len(verdicts))
	return reading{claims: true, score: score, label: thresholdLabel(m, score)}, true
}

// text reads a JSON string.
func text(raw json.RawMessage) (string, bool) {
	var s *string
	if json.Unmarshal(raw, &s) != nil || s == nil {
		return "", false
	}
	return *s, true
}

func thresholdLabel(m evaluators.Metric, score float64) string {
	if m.Passes(score) {
		return byThreshold[m.Name].passed
	}
	return byThreshold[m.Name].failed
}

// hints reports whether an answer in no strict form at least names what the
// result says.
func hints(m evaluators.Metric, r evaluators.Result, said string) bool {
	said = folded(said)
	if asksClaims(m) {
		return strings.Contains(said, "claims")
	}
	for name, picked := range meanings[m.Name] {
		if picked.score == r.Score && strings.Contains(said, folded(name)) {
			return true
		}
	}
	return false
}

// folded is without case, blanks, hyphens, underscores and escapes.
func folded(text string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "", "\n", "", "\t", "", "\r", "", `\`, "").Replace(strings.ToLower(text))
}

// object reads one JSON object and nothing else, no member twice.
func object(raw []byte) (map[string]json.RawMessage, bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if token, err := d.Token(); err != nil || token != json.Delim('{') {
		return nil, false
	}
	members := map[string]json.RawMessage{}
	for d.More() {
		key, err := d.Token()
		name, ok := key.(string)
		if err != nil || !ok || members[name] != nil {
			return nil, false
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return nil, false
		}
		members[name] = value
	}
	if _, err := d.Token(); err != nil { // the closing brace
		return nil, false
	}
	_, err := d.Token()
	return members, errors.Is(err, io.EOF)
}

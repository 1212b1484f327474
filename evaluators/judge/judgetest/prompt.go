package judgetest

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// What follows reads a question from a system message of package judge, where
// the request has no schema. It has a section for each metric, which begins
// with a line "Metric: name", and says how to answer in a form such as
// {"reason": "...", "label": "a" | "b"}.

var (
	metricLine = regexp.MustCompile(`(?m)^Metrics?: ([a-z0-9_]+(?:(?:, | and )[a-z0-9_]+)*)$`)
	answerForm = regexp.MustCompile(`"(label|verdict)": ("[a-z0-9_]+"(?: \| "[a-z0-9_]+")*)|"score": <integer from (-?[0-9]+) to (-?[0-9]+)>`)
	nameSplit  = regexp.MustCompile(`, | and `)
)

// sectionNames lists the metrics that a prompt has sections for.
func sectionNames(system string) []string {
	var names []string
	for line := range strings.SplitSeq(system, "\n") {
		if !strings.HasPrefix(line, "Metric") {
			continue
		}
		if m := metricLine.FindStringSubmatch(line); m != nil {
			for _, name := range nameSplit.Split(m[1], -1) {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// questionOfPrompt reads a question from the prompt alone. Several metrics with
// one form for all are one answer that serves them; else each has a form of its
// own, in the reply that is described at the end, where its name stands before
// it, or in its section.
func questionOfPrompt(system string) Question {
	var q Question
	q.asks(sectionNames(system)...)
	forms := answerForm.FindAllStringSubmatchIndex(system, -1)
	if len(forms) == 0 {
		return q
	}
	if len(q.Metrics) < 2 || len(forms) == 1 {
		q.fromForm(system, forms[len(forms)-1])
		return q
	}
	sections := metricLine.FindAllStringSubmatchIndex(system, -1)
	for _, name := range q.Metrics {
		from := strings.LastIndex(system, `"`+name+`": {`)
		if from < sections[len(sections)-1][0] {
			for _, s := range sections {
				if slices.Contains(nameSplit.Split(system[s[2]:s[3]], -1), name) {
					from = s[0]
				}
			}
		}
		i := slices.IndexFunc(forms, func(f []int) bool { return f[0] > from })
		if i < 0 {
			continue
		}
		var part Question
		part.asks(name)
		part.fromForm(system, forms[i])
		q.Parts = append(q.Parts, part)
	}
	return q
}

// fromForm reads one match of answerForm.
func (q *Question) fromForm(system string, m []int) {
	if m[2] < 0 {
		q.Scale = true
		q.Min, _ = strconv.Atoi(system[m[6]:m[7]])
		q.Max, _ = strconv.Atoi(system[m[8]:m[9]])
		return
	}
	q.Claims = system[m[2]:m[3]] == "verdict"
	for option := range strings.SplitSeq(system[m[4]:m[5]], " | ") {
		q.Options = append(q.Options, strings.Trim(option, `"`))
	}
}

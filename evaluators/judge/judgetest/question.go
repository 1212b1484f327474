package judgetest

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"
)

// Question is what a judge was asked, recognised from the request's schema or,
// when that was not sent, from the prompt.
type Question struct {
	// Metric is the metric's name; empty when the request is not one of ours.
	Metric string
	// Claims: a verdict on each claim is asked for, else one label.
	Claims bool
	// Options are the labels or verdicts offered.
	Options []string
}

// questions remembers the questions of schemas, since the same few are asked
// over and over. It is safe for concurrent use.
type questions struct {
	mu    sync.Mutex
	known map[string]Question
}

// of is questionOf.
func (q *questions) of(name string, schema json.RawMessage, system string) Question {
	const most = 64
	if name == "" || len(schema) == 0 {
		return questionOf(name, schema, system)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	known, ok := q.known[string(schema)]
	if ok && known.Metric == name {
		return known
	}
	asked := questionOf(name, schema, system)
	if len(asked.Options) > 0 && len(q.known) < most {
		if q.known == nil {
			q.known = map[string]Question{}
		}
		asked.Metric = strings.Clone(name)
		q.known[string(schema)] = asked
	}
	return asked
}

// questionOf reads a question. The schema's own name beats the prompt's.
func questionOf(name string, schema json.RawMessage, system string) Question {
	q := Question{Metric: name}
	if q.Metric == "" {
		if m := metricLine.FindStringSubmatch(system); m != nil {
			q.Metric = m[1]
		}
	}
	if q.fromSchema(schema) {
		return q
	}
	q.fromPrompt(system)
	return q
}

func (q *Question) fromSchema(schema json.RawMessage) bool {
	type enum struct {
		Enum []string `json:"enum"`
	}
	var s struct {
		Properties struct {
			Label  *enum `json:"label"`
			Claims *struct {
				Items struct {
					Properties struct {
						Verdict enum `json:"verdict"`
					} `json:"properties"`
				} `json:"items"`
			} `json:"claims"`
		} `json:"properties"`
	}
	if json.Unmarshal(schema, &s) != nil {
		return false
	}
	switch p := s.Properties; {
	case p.Claims != nil:
		q.Claims, q.Options = true, p.Claims.Items.Properties.Verdict.Enum
	case p.Label != nil:
		q.Options = p.Label.Enum
	}
	return len(q.Options) > 0
}

var (
	metricLine = regexp.MustCompile(`(?m)^Metric: ([a-z0-9_]+)$`)
	answerForm = regexp.MustCompile(`"(label|verdict)": ("[a-z0-9_]+"(?: \| "[a-z0-9_]+")*)`)
)

func (q *Question) fromPrompt(system string) {
	forms := answerForm.FindAllStringSubmatch(system, -1)
	if len(forms) == 0 {
		return
	}
	form := forms[len(forms)-1]
	q.Claims = form[1] == "verdict"
	for option := range strings.SplitSeq(form[2], " | ") {
		q.Options = append(q.Options, strings.Trim(option, `"`))
	}
}

// validAnswer answers with the first option.
func (q Question) validAnswer() string {
	first := ""
	if len(q.Options) > 0 {
		first = q.Options[0]
	}
	const reason = "Scripted."
	if q.Claims {
		return Claims(Claim{"A claim.", reason, first}).text
	}
	return Label(first, reason).text
}

package judge

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"
)

// The prompt begins with what all metrics share, so that providers' prompt
// caches hit, and holds no evaluated text.
//
//go:embed prompt.tmpl
var promptText string

var promptTemplate = template.Must(template.New("prompt").Parse(promptText))

// How an answer is asked for.
const (
	replyLabel    = "Reply with one JSON object only, the reason before the label:\n"
	replyScore    = "Reply with one JSON object only, the reason before the score:\n"
	replyClaims   = "Reply with one JSON object only, each reason before its verdict:\n"
	replyCombined = "Reply with one JSON object only. It has a member for each metric, judged as if it were the only one, each reason before its label, score or verdict:\n"
)

// renderPrompt makes the system message that asks these questions.
func renderPrompt(questions []*question) (string, error) {
	var b strings.Builder
	err := promptTemplate.Execute(&b, struct {
		Questions []*question
		Reply     string
	}{questions, reply(questions)})
	if err != nil {
		return "", fmt.Errorf("prompt: %w", err)
	}
	return strings.TrimSpace(b.String()), nil
}

// reply shows the form of the answer.
func reply(questions []*question) string {
	if len(questions) > 1 {
		members := make([]string, len(questions))
		for i, q := range questions {
			members[i] = fmt.Sprintf("%q: %s", q.Name, q.answerForm())
		}
		return replyCombined + "{" + strings.Join(members, ",\n") + "}"
	}
	q := questions[0]
	switch {
	case q.claims:
		return replyClaims + q.answerForm()
	case q.Scale != nil:
		return replyScore + q.answerForm()
	}
	return replyLabel + q.answerForm()
}

// answerForm is the answer to one question as the judge is shown it.
func (q *question) answerForm() string {
	if s := q.Scale; s != nil {
		return fmt.Sprintf(`{"reason": "...", "score": <integer from %d to %d>}`, s.Min, s.Max)
	}
	quoted := make([]string, len(q.Options))
	for i, o := range q.Options {
		quoted[i] = `"` + o.Name + `"`
	}
	alternatives := strings.Join(quoted, " | ")
	if q.claims {
		return `{"claims": [{"claim": "...", "reason": "...", "verdict": ` + alternatives + `}]}`
	}
	return `{"reason": "...", "label": ` + alternatives + `}`
}

const (
	// unreadable stands where the judge's unreadable answer was. That answer is
	// not sent back: it can quote the evaluated text, which must not speak with
	// the assistant's voice. The turn itself is kept, since many chat templates
	// refuse two user messages in a row.
	unreadable = "[unreadable answer]"
	// repairText asks again. The problem is put by the parser in words of its
	// own, for the same reason.
	repairText = "That answer could not be used: %s. Assess the same document again, and reply with nothing but the JSON object described above."
)

// repair continues a conversation after an unreadable answer.
func repair(messages []Message, problem error) []Message {
	return append(slices.Clip(messages),
		Message{RoleAssistant, unreadable},
		Message{RoleUser, fmt.Sprintf(repairText, problem)})
}

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

// renderPrompt makes the system message of a question.
func renderPrompt(q *question) (string, error) {
	quoted := make([]string, len(q.Options))
	for i, o := range q.Options {
		quoted[i] = `"` + o.Name + `"`
	}
	var b strings.Builder
	err := promptTemplate.Execute(&b, struct {
		definition
		Claims       bool
		Alternatives string
	}{q.definition, q.claims, strings.Join(quoted, " | ")})
	if err != nil {
		return "", fmt.Errorf("prompt: %w", err)
	}
	return strings.TrimSpace(b.String()), nil
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

package judge

import (
	"bytes"
	"encoding/json"

	"github.com/genaievals/genaievals/evaluators"
)

// turns are shown as a list of texts with their role before them: an object for
// each would take twice the tokens.
type turns []evaluators.Turn

// MarshalJSON writes ["user: …","assistant: …"].
func (ts turns) MarshalJSON() ([]byte, error) {
	texts := make([]string, len(ts))
	for i, t := range ts {
		texts[i] = t.Text
		if t.Role != "" {
			texts[i] = t.Role + ": " + t.Text
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(texts)
	return b.Bytes(), err
}

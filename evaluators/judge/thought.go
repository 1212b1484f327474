package judge

import (
	"bytes"
	"regexp"
	"strings"
)

// thoughtMark is how models mark a train of thought that their server did not
// separate from the message: tags of several names, with or without attributes,
// and channels.
var thoughtMark = regexp.MustCompile(`(?i)<(/?)\s*(?:[a-z]+:)?(?:think|thinking|thoughts?|reasoning|reflection|scratchpad)(?:\s[^<>]*)?>` +
	`|\[(/?)think(?:ing)?\]|<\|channel\|>\s*(analysis|commentary|final)`)

// afterThought returns what follows the train of thought. One that was begun
// and not ended leaves no message. Marks inside the strings of an object are its
// content: a reason can quote them.
func afterThought(text string) (string, error) {
	marks := thoughtMark.FindAllStringSubmatchIndex(text, -1)
	if marks == nil {
		return text, nil
	}
	objects := balanced([]byte(text))
	begun, after := false, 0
	for _, m := range marks {
		for len(objects) > 0 && objects[0].end <= m[0] {
			objects = objects[1:]
		}
		if len(objects) > 0 && objects[0].begin < m[0] {
			continue
		}
		if ends(text, m) {
			begun, after = false, m[1]
		} else {
			begun = true
		}
	}
	if begun {
		return "", problem("the reasoning was not ended before the answer")
	}
	return strings.TrimSpace(text[after:]), nil
}

// ends reports whether a mark ends a thought.
func ends(text string, m []int) bool {
	for _, group := range [...]int{1, 2} {
		if begin := m[2*group]; begin >= 0 {
			return m[2*group+1] > begin
		}
	}
	return strings.EqualFold(text[m[6]:m[7]], "final")
}

// span is a part of a text.
type span struct{ begin, end int }

// maxUnbalanced bounds how many braces that begin nothing whole are looked at,
// each to the end of the text.
const maxUnbalanced = 64

// balanced finds the objects that end, whatever there is beside them.
func balanced(text []byte) (objects []span) {
	for at, unbalanced := 0, 0; unbalanced < maxUnbalanced; {
		i := bytes.IndexByte(text[at:], '{')
		if i < 0 {
			break
		}
		at += i
		end := -1
		if beginsObject(text[at:]) {
			if end = objectEnd(text[at:]); end < 0 {
				unbalanced++
			}
		}
		if end < 0 {
			at++
			continue
		}
		objects = append(objects, span{at, at + end})
		at += end
	}
	return objects
}

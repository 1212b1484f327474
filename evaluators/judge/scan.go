package judge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// topLevelObjects finds the balanced {…} in text, in order. A brace begins an
// object when a member, a comment or the closing brace follows; other braces
// are prose. An object that does not end makes the whole text unusable: it was
// cut, or what looks like an object inside of it is only a part.
func topLevelObjects(text []byte) (objects []span, _ error) {
	for at := 0; ; {
		i := bytes.IndexByte(text[at:], '{')
		if i < 0 {
			return objects, nil
		}
		at += i
		if !beginsObject(text[at:]) {
			at++
			continue
		}
		end := objectEnd(text[at:])
		switch {
		case end < 0:
			return nil, problem("the JSON object does not end")
		case len(objects) == maxObjects:
			return nil, problem("there are too many JSON objects in it")
		}
		objects = append(objects, span{at, at + end})
		at += end
	}
}

// isObject reports whether a text is nothing but one JSON object.
func isObject(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "{") && json.Valid([]byte(text))
}

// maxObjects is the most objects that are looked at in an answer.
const maxObjects = 1000

// beginsObject reports whether a brace begins an object, or may have been going
// to when the text was cut.
func beginsObject(text []byte) bool {
	rest := bytes.TrimLeft(text[1:], " \t\r\n")
	return len(rest) == 0 || rest[0] == '"' || rest[0] == '}' || rest[0] == '/'
}

// objectEnd returns the length of the object that text begins with, or -1.
// Braces inside strings and comments do not count.
func objectEnd(text []byte) int {
	depth := 0
	for i := 0; i < len(text); {
		switch {
		case text[i] == '"':
			i = stringEnd(text, i)
			continue
		case text[i] == '/':
			if end := commentEnd(text, i); end > i {
				i = end
				continue
			}
		case text[i] == '{':
			depth++
		case text[i] == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return -1
}

// stringEnd returns where the string that begins at i ends: after its quote,
// or at the end of text.
func stringEnd(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// commentEnd returns where the // or /* comment that begins at i ends, or i
// when none begins there. It is the text's end when it is not closed.
func commentEnd(text []byte, i int) int {
	rest := text[i:]
	var end int
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		end = bytes.IndexByte(rest, '\n')
	case bytes.HasPrefix(rest, []byte("/*")):
		if end = bytes.Index(rest[2:], []byte("*/")); end >= 0 {
			end += 4
		}
	default:
		return i
	}
	if end < 0 {
		return len(text)
	}
	return i + end
}

// relax rewrites an object that a person would accept into JSON: control
// characters inside strings are escaped, and outside of them comments and
// trailing commas removed. Strings keep their text. It reports whether there
// was anything to change.
func relax(object []byte) (rewritten []byte, changed bool) {
	out := make([]byte, 0, len(object)+16)
	for i := 0; i < len(object); {
		c := object[i]
		if c == '"' {
			end := stringEnd(object, i)
			for _, b := range object[i:end] {
				if b < 0x20 {
					out = fmt.Appendf(out, `\u%04x`, b)
					changed = true
				} else {
					out = append(out, b)
				}
			}
			i = end
			continue
		}
		if end := commentEnd(object, i); end > i {
			i, changed = end, true
			continue
		}
		if c == '}' || c == ']' {
			// A comma before it, with nothing but blanks between, trails.
			kept := bytes.TrimRight(out, " \t\r\n")
			if bytes.HasSuffix(kept, []byte(",")) {
				out, changed = kept[:len(kept)-1], true
			}
		}
		out = append(out, c)
		i++
	}
	return out, changed
}

package judge

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Widths in the document, in bytes.
const (
	// markerBytes is more than any marker takes, in a list and as a turn.
	markerBytes = 112
	// leastMarked has room for the marker of a text and for some of it.
	leastMarked = 64
	// whitespaceWindow is how far a cut moves to be beside whitespace.
	whitespaceWindow = 32
)

// leftOut is what stands where bytes of a text were left out. The prompt says
// what it means. A text can say it too, as it can say anything: it is data, and
// the results say what was really left out.
func leftOut(bytes int) string { return fmt.Sprintf("[… %d bytes left out …]", bytes) }

// leftOutOf stands where whole documents or turns were left out.
func leftOutOf(n int, of string, bytes int64) string {
	return fmt.Sprintf("[… %d %s, %d bytes left out …]", n, of, bytes)
}

// cutText returns the text so that it takes at most room bytes in the document,
// and how many bytes of it are not shown. What is too long loses its middle,
// since what an answer comes to stands at either end; where not even the marker
// has room, nothing is shown.
func cutText(text string, room int) (shown string, cut int) {
	if len(text) <= room && encodedSize(text, room) <= room {
		return text, 0
	}
	room -= len(leftOut(len(text))) // which has not fewer digits than the one below
	if room < 0 {
		return "", len(text)
	}
	head := text[:headEnd(text, room/2)]
	rest := text[len(head):]
	tail := rest[tailStart(rest, room-encodedSize(head, room)):]
	cut = len(text) - len(head) - len(tail)
	return head + leftOut(cut) + tail, cut
}

// headEnd is where a beginning of the text ends that takes at most room bytes:
// after whitespace, if there is any nearby, else after a rune.
func headEnd(text string, room int) int {
	end := 0
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		if room -= runeSize(r, size); room < 0 {
			break
		}
		end += size
	}
	window := text[end-min(whitespaceWindow, end/4) : end]
	if i := strings.LastIndexAny(window, " \t\r\n"); i >= 0 {
		return end - len(window) + i + 1
	}
	return end
}

// tailStart is where an end of the text starts that takes at most room bytes:
// before whitespace, if there is any nearby, else before a rune.
func tailStart(text string, room int) int {
	start := len(text)
	for start > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:start])
		if room -= runeSize(r, size); room < 0 {
			break
		}
		start -= size
	}
	window := text[start : start+min(whitespaceWindow, (len(text)-start)/4)]
	if i := strings.IndexAny(window, " \t\r\n"); i >= 0 {
		return start + i
	}
	return start
}

// encodedSize is how many bytes a text takes in the document, without quotes.
// It stops counting when they are more than enough.
func encodedSize(text string, enough int) int {
	n := 0
	for i := 0; i < len(text) && n <= enough; {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		n += runeSize(r, size)
		i += size
	}
	return n
}

// maxGrowth is how many times longer a text can be in the document.
const maxGrowth = 6

// runeSize is how many bytes a rune, which is size bytes long, takes in the
// document: encoding/json and escapeInvisible are followed.
func runeSize(r rune, size int) int {
	const escape, pair = len(`\u0000`), len(`\ud800\udc00`)
	switch {
	case r == '"' || r == '\\':
		return len(`\"`)
	case r >= ' ' && r < 0x7F:
		return 1
	case r == '\b' || r == '\f' || r == '\n' || r == '\r' || r == '\t':
		return len(`\n`)
	case r < ' ', r == utf8.RuneError && size == 1, r == '\u2028', r == '\u2029':
		return escape
	case !invisible(r):
		return size
	case r > 0xFFFF:
		return pair
	}
	return escape
}

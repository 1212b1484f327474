package genaihttp

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// content is what is kept of a request's body.
type content struct {
	json []byte
	// cut: there was more of it. What was open at the cut was closed.
	cut bool
	// open: the last member of the object was among that.
	open bool
}

// elider copies JSON, written to it in pieces of any size, without the content
// of the media in it: of a long base64 string it keeps how long it was, so that
// a request with pictures of any size fits. It keeps at most max bytes, and of
// what is not JSON as much as looks like it.
type elider struct {
	max int

	out   []byte
	whole bool // the value that the JSON is has ended
	full  bool // there was more than max
	stack []byte

	// out[:safe] ends with a value, or with the bracket in front of one; opened
	// is what was open there.
	safe   int
	opened []byte

	name   string // of the member whose value comes, where short
	last   string // the last string, where short
	str    stringState
	escape bool // the last byte of the string was a backslash
	start  int  // where in out the string's content starts
	left   int  // characters of a string that were left out
}

type stringState uint8

const (
	outside   stringState = iota
	undecided             // the beginning of a string
	kept
	leftOut
)

const (
	// decidedAt is after how many bytes a string is known to be media or not:
	// more than the header of a data: URL has.
	decidedAt = 512
	// safeDepth is how deep a request can break off and be closed again: the
	// member of a part of the list that is the content of a message.
	safeDepth = 6
	// leftOutMark comes before the number of base64 characters that were left
	// out. It is none of them.
	leftOutMark = '~'
)

func (e *elider) write(p []byte) {
	for len(p) > 0 && !e.whole && !e.full {
		if e.str != outside {
			p = e.writeString(p)
			continue
		}
		e.writeByte(p[0])
		p = p[1:]
	}
}

// writeByte takes a byte outside of strings.
func (e *elider) writeByte(c byte) {
	switch c {
	case ' ', '\t', '\r', '\n':
		return
	case '"':
		e.put(c)
		e.str, e.start = undecided, len(e.out)
	case '{', '[':
		e.name = ""
		e.put(c)
		e.stack = append(e.stack, c)
		e.mark()
	case '}', ']':
		e.put(c)
		e.stack = e.stack[:max(0, len(e.stack)-1)]
		e.mark()
		e.whole = len(e.stack) == 0 && !e.full
	case ',':
		e.name = ""
		e.mark()
		e.put(c)
	case ':':
		e.name = e.last
		e.put(c)
	default:
		e.put(c)
	}
}

// mark notes that the output can be closed here.
func (e *elider) mark() {
	if len(e.stack) <= safeDepth && !e.full {
		e.safe, e.opened = len(e.out), append(e.opened[:0], e.stack...)
	}
}

func (e *elider) put(p ...byte) {
	if len(p) > e.max-len(e.out) {
		e.full, e.out = true, e.out[:e.safe]
		return
	}
	e.out = append(e.out, p...)
}

// writeString takes the bytes of a string up to its end, or to where it is
// known what kind of string it is, and returns what follows.
func (e *elider) writeString(p []byte) []byte {
	if e.escape {
		e.escape = false
		e.take(p[:1])
		return e.decide(p[1:])
	}
	n := len(p)
	if e.str == undecided {
		n = min(n, decidedAt)
	}
	if i := bytes.IndexByte(p[:n], '"'); i >= 0 {
		n = i
	}
	if i := bytes.IndexByte(p[:n], '\\'); i >= 0 {
		n = i
	}
	e.take(p[:n])
	switch p = p[n:]; {
	case len(p) == 0 || p[0] != '"' && p[0] != '\\':
	case p[0] == '"':
		e.endString()
		return p[1:]
	default:
		e.escape = true
		e.take(p[:1])
		p = p[1:]
	}
	return e.decide(p)
}

// take keeps a piece of a string, or counts it. Behind what is left out there
// can be text again.
func (e *elider) take(p []byte) {
	if e.str == leftOut {
		n := bytes.IndexFunc(p, notBase64)
		if n < 0 {
			n = len(p)
		}
		e.left += escapedBase64(p[:n])
		if p = p[n:]; len(p) == 0 {
			return
		}
		e.putLeftOut()
		e.str = kept
	}
	e.put(p...)
}

// putLeftOut puts how much was left out in its place.
func (e *elider) putLeftOut() {
	e.put(strconv.AppendInt([]byte{leftOutMark}, int64(e.left), 10)...)
}

// decide tells a string that is long enough from media, and returns p.
func (e *elider) decide(p []byte) []byte {
	if e.str != undecided || e.escape || e.full || len(e.out)-e.start < decidedAt {
		return p
	}
	e.str = kept
	begun := e.out[e.start:]
	if header, ok := mediaHeader(e.name, begun); ok {
		e.str, e.left = leftOut, escapedBase64(begun[header:])
		e.out = e.out[:e.start+header]
	}
	return p
}

func (e *elider) endString() {
	if e.str == leftOut {
		e.putLeftOut()
	}
	e.last = ""
	if !e.full && len(e.out)-e.start <= len("file_data") {
		e.last = string(e.out[e.start:])
	}
	e.str = outside
	e.put('"')
}

// content returns what was kept so far, closed where it broke off. It does not
// change with what is written later.
func (e *elider) content() content {
	if e.whole {
		return content{json: e.out}
	}
	json := slices.Clip(e.out[:e.safe])
	for _, open := range slices.Backward(e.opened) {
		json = append(json, open+2) // ASCII: ] is [ and 2, } is { and 2
	}
	return content{json: json, cut: true, open: len(e.opened) > 1}
}

// mediaHeader reports whether a string that begins so is base64: a data: URL,
// of which it returns the length of the header, or the value of a member that
// formats have it in.
func mediaHeader(name string, begun []byte) (header int, ok bool) {
	switch {
	case isDataURL(begun):
		comma := bytes.IndexByte(begun, ',')
		if comma < 0 || !bytes.HasSuffix(bytes.ToLower(begun[:comma]), []byte(base64Suffix)) {
			return 0, false
		}
		header = comma + 1
	case name != "data" && name != "file_data":
		return 0, false
	}
	return header, bytes.IndexFunc(begun[header:], notBase64) < 0
}

// notBase64 reports whether c cannot stand in base64, of either alphabet, that
// is written as a JSON string: / can be escaped, and line breaks are.
func notBase64(c rune) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return false
	}
	return !strings.ContainsRune(`+/-_=\`, c)
}

// escapedBase64 counts the base64 characters in a piece of a JSON string, near
// enough: of a line break it counts the letter.
func escapedBase64(p []byte) int {
	return countBase64(p) - bytes.Count(p, []byte{'\\'})
}

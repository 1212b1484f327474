package genaihttp

import "bytes"

// eventReader splits a text/event-stream, written to it in pieces of any size,
// into events. It follows the WHATWG rules, LF, CR and CRLF alike, and bends
// them where servers do: data that is complete by itself is an event without
// waiting for the blank line, which some leave out, and so is data that the
// stream ends on. It keeps at most max bytes of a line, and about as many of an
// event; longer lines are passed over.
type eventReader struct {
	max int
	// emit takes the data of an event and reports whether it was complete. It
	// must not keep the bytes.
	emit func(name string, data []byte) bool

	line    []byte // the line that has not ended yet
	tooLong bool   // it is longer than max, and not kept
	cut     bool   // some line was
	skipLF  bool   // the last line ended with CR

	name  string
	data  []byte // lines of data that emit did not take one by one
	lines int
}

func (r *eventReader) write(p []byte) {
	for len(p) > 0 {
		if r.skipLF {
			r.skipLF = false
			if p[0] == '\n' {
				p = p[1:]
				continue
			}
		}
		i := bytes.IndexAny(p, "\r\n")
		if i < 0 {
			r.hold(p)
			return
		}
		r.skipLF = p[i] == '\r'
		if len(r.line) == 0 && !r.tooLong && i <= r.max {
			r.endLine(p[:i]) // the usual case: nothing to copy
		} else {
			r.hold(p[:i])
			r.endHeld()
		}
		p = p[i+1:]
	}
}

// close ends the stream: what has come of a line and of an event counts.
func (r *eventReader) close() {
	if len(r.line) > 0 || r.tooLong {
		r.endHeld()
	}
	r.dispatch()
}

func (r *eventReader) hold(p []byte) {
	if r.tooLong || len(r.line)+len(p) > r.max {
		r.tooLong, r.cut = true, true
		return
	}
	r.line = append(r.line, p...)
}

func (r *eventReader) endHeld() {
	if !r.tooLong {
		r.endLine(r.line)
	}
	r.line, r.tooLong = r.line[:0], false
}

func (r *eventReader) endLine(line []byte) {
	if len(line) == 0 {
		r.dispatch()
		return
	}
	field, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(field) { // a comment's field is empty
	case "event":
		r.name = string(value[:min(len(value), 64)])
	case "data":
		r.addData(value)
	}
}

func (r *eventReader) addData(value []byte) {
	if r.lines > 0 && len(r.data)+len(value) >= r.max {
		r.dispatch()
	}
	if r.lines == 0 && r.emit(r.name, value) {
		r.name = ""
		return
	}
	r.data = append(append(r.data, value...), '\n')
	r.lines++
}

// dispatch ends an event. Data of several lines is one value; or, from servers
// that leave the blank lines out, a value on each line.
func (r *eventReader) dispatch() {
	if r.lines > 1 && !r.emit(r.name, r.data) {
		// The first line was tried when it came.
		_, rest, _ := bytes.Cut(r.data, []byte("\n"))
		for line := range bytes.Lines(rest) {
			r.emit(r.name, line)
		}
	}
	r.name, r.data, r.lines = "", r.data[:0], 0
}

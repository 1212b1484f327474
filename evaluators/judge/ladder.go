package judge

import (
	"slices"
	"sync"
)

// ladder remembers which format each model takes, as its answers show: nothing
// is read out of names. A model only ever steps down, to the next format that
// the client knows, so that no two answers can make it swing. It is safe for
// concurrent use.
type ladder struct {
	formats []Format // the strictest first, at least one

	mu    sync.Mutex
	rungs map[string]*rung // by model
}

// rung is where a model stands.
type rung struct {
	at      int
	taken   bool // a request in this format was answered
	refused int  // refusals since then
	probes  int  // requests without format that were tried on suspicion
	helped  int  // of them were answered
	ignored int  // answers in a row that were not in the format
}

const (
	// maxRefused is how many refusals in a row it takes to give up a format that
	// was taken before. One can be about its request: a schema too large.
	maxRefused = 3
	// maxIgnored is how many answers in a row may break an enforced format before
	// it is taken for ignored. One alone can be a slip.
	maxIgnored = 3
	// maxProbes is how many requests that a model refuses for no stated reason are
	// tried without a format, in the hope that it was the format. More than one,
	// since the first calls of all come side by side.
	maxProbes = 8
	// probesToTrust is how many of them have to be answered to believe it.
	probesToTrust = 2
)

// newLadder has the formats that a client knows, from first on.
func newLadder(c Client, first Format) *ladder {
	formats := []Format{FormatStrictSchema, FormatSchema, FormatJSONObject, FormatTool, FormatNone}
	known := formats
	if chooser, ok := c.(FormatChooser); ok {
		known = chooser.Formats()
	}
	formats = slices.DeleteFunc(formats, func(f Format) bool { return f < first || !slices.Contains(known, f) })
	if len(formats) == 0 {
		formats = []Format{FormatNone}
	}
	return &ladder{formats: formats}
}

// rung returns a model's; the lock is held.
func (l *ladder) rung(model string) *rung {
	r := l.rungs[model]
	if r == nil {
		r = &rung{}
		if l.rungs == nil {
			l.rungs = make(map[string]*rung)
		}
		makeRoom(l.rungs)
		l.rungs[model] = r
	}
	return r
}

// format is the one to ask a model for.
func (l *ladder) format(model string) Format {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.formats[l.rung(model).at]
}

// refused notes that a model did not take a format, and returns the one to ask
// for in its place, if there is one: the next, or that to which other calls'
// refusals have led meanwhile.
func (l *ladder) refused(model string, f Format) (next Format, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r, at := l.rung(model), slices.Index(l.formats, f)
	if at == r.at {
		if r.refused++; !r.taken || r.refused >= maxRefused {
			l.down(r)
		}
	}
	at = max(at+1, r.at)
	if at == len(l.formats) {
		return 0, false
	}
	return l.formats[at], true
}

// ignored notes an answer that was not in its format. After a few in a row the
// format is given up: the model's server knows its name and does nothing.
func (l *ladder) ignored(model string, f Format) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.rung(model)
	if l.formats[r.at] != f {
		return
	}
	if r.ignored++; r.ignored >= maxIgnored {
		l.down(r)
	}
}

// down steps a rung down, if there is one.
func (l *ladder) down(r *rung) {
	if r.at < len(l.formats)-1 {
		*r = rung{at: r.at + 1, probes: r.probes}
	}
}

// accepted notes that a request in the model's format was answered, whatever it
// says.
func (l *ladder) accepted(model string, f Format) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r := l.rung(model); l.formats[r.at] == f {
		r.taken, r.refused, r.helped = true, 0, 0
	}
}

// followed notes an answer that was in its format.
func (l *ladder) followed(model string, f Format) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r := l.rung(model); l.formats[r.at] == f {
		r.ignored = 0
	}
}

// probe reports whether a request that was refused for no stated reason should
// be tried without a format: never for a model that has answered in the present
// one, and a few times for another.
func (l *ladder) probe(model string) (Format, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.rung(model)
	last := len(l.formats) - 1
	if r.taken || r.probes == maxProbes || r.at == last {
		return 0, false
	}
	r.probes++
	return l.formats[last], true
}

// helped notes that a probe was answered. When it is not the only one, what was
// refused was the format; one alone can have met a server in a bad moment.
func (l *ladder) helped(model string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.rung(model)
	if r.helped++; r.helped >= probesToTrust && !r.taken {
		*r = rung{at: len(l.formats) - 1}
	}
}

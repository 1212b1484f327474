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
	probes  int  // requests without format that were tried on suspicion
	ignored int  // answers in a row that were not in the format
}

// maxIgnored is how many answers in a row may break an enforced format before
// it is taken for ignored. One alone can be a slip.
const maxIgnored = 3

// maxProbes is how many requests that a model refuses for no stated reason are
// tried without a format, in the hope that it was the format. More than one,
// since the first calls of all come side by side.
const maxProbes = 8

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
		if l.rungs == nil {
			l.rungs = make(map[string]*rung)
		}
		r = &rung{}
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

// refused notes that a model did not take a format, and reports whether there
// is another to ask for: the next one, or that to which another call's refusal
// has led meanwhile.
func (l *ladder) refused(model string, f Format) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.rung(model)
	if l.formats[r.at] == f {
		return l.down(r)
	}
	return f < l.formats[r.at]
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
func (l *ladder) down(r *rung) bool {
	if r.at == len(l.formats)-1 {
		return false
	}
	*r = rung{at: r.at + 1, probes: r.probes}
	return true
}

// accepted notes that a request in a format was answered, whatever it says. One
// that was a probe settles the format: what was refused before it was refused
// for its format.
func (l *ladder) accepted(model string, f Format) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.rung(model)
	if at := slices.Index(l.formats, f); at > r.at {
		*r = rung{at: at}
	}
	r.taken = r.taken || l.formats[r.at] == f
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
// be tried without a format: once for a model that has never answered in the
// present one.
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

package instrumentation

import (
	"context"
	"fmt"
	"strings"
)

// Priority says how soon an invocation is evaluated when not all can be, and
// which of them are given up. High, normal and low share a queue and its
// workers 8:3:1; what one leaves free the others use.
type Priority int8

// The priorities. The zero value is normal.
const (
	PriorityLow    Priority = iota - 1 // a twelfth
	PriorityNormal                     // a quarter
	PriorityHigh                       // two thirds
)

// priorityNames are accepted by ParsePriority, in the order of the constants.
var priorityNames = [...]string{"low", "normal", "high"}

// Valid reports whether p is one of the constants.
func (p Priority) Valid() bool { return p >= PriorityLow && p <= PriorityHigh }

// String returns low, normal or high.
func (p Priority) String() string {
	if p.Valid() {
		return priorityNames[p-PriorityLow]
	}
	return fmt.Sprintf("Priority(%d)", int8(p))
}

// ParsePriority reads low, normal or high in any case, with blanks around it.
// The error names the text and what is accepted.
func ParsePriority(s string) (Priority, error) {
	for i, name := range priorityNames {
		if strings.EqualFold(strings.TrimSpace(s), name) {
			return PriorityLow + Priority(i), nil
		}
	}
	return PriorityNormal, fmt.Errorf("instrumentation: priority %q, want low, normal or high", s)
}

// WithPriority returns a context below which invocations, nested ones too, have
// that priority, unless [Invocation.SetPriority] gives one another. It counts
// before what the evaluation's own rules say, normal too. A value that is none
// of the constants leaves the context as it is.
func WithPriority(ctx context.Context, p Priority) context.Context {
	if !p.Valid() {
		return orBackground(ctx)
	}
	s := surroundingsOf(ctx)
	s.priority, s.prioritized = p, true
	return s.in(ctx)
}

// SetPriority gives this invocation a priority of its own; those below it keep
// what their context says. The last call before End counts. A value that is
// none of the constants changes nothing.
func (inv *Invocation) SetPriority(p Priority) {
	if p.Valid() {
		inv.set(func(r *record) { r.priority, r.prioritized = p, true })
	}
}

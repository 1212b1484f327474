package limit

import "time"

// EventKind says what changed at a gate.
type EventKind uint8

const (
	// EventPaused: the judge asked for a pause, and nothing is sent until its
	// end. A pause that is made longer is not told again.
	EventPaused EventKind = iota + 1
	// EventOpened: the breaker opened, and nothing is sent until it lets a
	// probe through. Told again after each probe that fails.
	EventOpened
	// EventClosed: a probe went well, and sends go on.
	EventClosed
	// EventSpent: the budget is spent, and a send was refused: nothing is left,
	// or too little even for the smallest of the sends of this window. Told once
	// a window. A send that alone is too large for what is left is refused
	// without it.
	EventSpent
	// EventRenewed: a new window of a budget that was spent has begun.
	EventRenewed
)

func (k EventKind) String() string {
	switch k {
	case EventPaused:
		return "paused"
	case EventOpened:
		return "opened"
	case EventClosed:
		return "closed"
	case EventSpent:
		return "spent"
	case EventRenewed:
		return "renewed"
	default:
		return "unknown"
	}
}

// Event is a change of a gate's state.
type Event struct {
	Kind EventKind
	// At is when it happened.
	At time.Time
	// Until is when the pause, the open time or the budget's window ends;
	// zero for the other kinds.
	Until time.Time
	// Result is what caused a pause or opened the breaker; neutral for the
	// other kinds.
	Result Result
	// Quota: money or a quota of the judge ran out.
	Quota bool
	// Reason is [Outcome.Reason] of what opened the breaker, where there is one.
	Reason string
}

// note keeps an event until the lock is given back. The lock is held.
func (g *Gate) note(e Event) {
	if g.listener != nil {
		g.events = append(g.events, e)
	}
}

// unlock gives the lock back after it has told the events, one at a time and
// in order, while the lock is not held. If another caller is at it, that one
// tells these too.
func (g *Gate) unlock() {
	if len(g.events) > 0 && !g.telling {
		g.telling = true
		for len(g.events) > 0 {
			e := g.events[0]
			g.events = g.events[1:]
			g.mu.Unlock()
			call(g.listener, e)
			g.mu.Lock()
		}
		g.telling = false
	}
	g.mu.Unlock()
}

// call calls the listener. Its panic is its own: it must not keep a permit from
// being given back.
func call(listener func(Event), e Event) {
	defer func() { _ = recover() }()
	listener(e)
}

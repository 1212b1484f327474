package adaptive

import "time"

// ledger remembers how many others were in flight when the last 64 to 128
// survivors were sent: what the server has lately carried. It answers whether a
// refusal can have been about that.
type ledger struct {
	recent, before levels
	since          time.Duration // sends of this moment or before do not count
}

// Size of a generation, and how often a level must have been carried: once may
// have been a slot whose answer was still on its way.
const (
	generation = 64
	often      = 3
)

// levels counts survivors by how many others were in flight.
type levels struct {
	count map[int]int
	n     int
}

func (l *ledger) add(t Token) {
	if t.sent <= l.since {
		return
	}
	if l.recent.n >= generation {
		l.recent, l.before = l.before, l.recent
		clear(l.recent.count)
		l.recent.n = 0
	}
	if l.recent.count == nil {
		l.recent.count = make(map[int]int)
	}
	l.recent.count[t.others]++
	l.recent.n++
}

// clear forgets everything, and what was sent before now too.
func (l *ledger) clear(now time.Duration) { *l = ledger{since: now} }

// carries reports whether survivors of at least this level are common.
func (l *ledger) carries(level int) bool {
	n := 0
	for _, g := range []levels{l.recent, l.before} {
		for at, c := range g.count {
			if at >= level {
				n += c
			}
		}
	}
	return n >= often
}

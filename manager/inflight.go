package manager

import (
	"context"
	"slices"
	"sync"
)

// slots bound how many evaluations run at once in the whole manager. Those who
// wait for one stand in the line of their lane; free slots go round the lines
// in turn, so that no lane starves another however many wait in it. Nil has no
// bound. It has no goroutine, and its lock is never held while anything waits.
type slots struct {
	limit int
	mu    sync.Mutex // guards what follows
	free  int        // more than 0 only while nobody waits
	lines lines
}

func newSlots(n, lanes int) *slots {
	if n == 0 || lanes == 0 {
		return nil
	}
	return &slots{limit: n, free: n, lines: lines{waiting: make([][]chan struct{}, lanes)}}
}

// acquire takes a slot for a lane, behind those of it who asked before. It
// gives up when ctx ends, holding nothing.
func (s *slots) acquire(ctx context.Context, lane int) (slot, error) {
	if err := ctx.Err(); err != nil || s == nil {
		return slot{}, err
	}
	s.mu.Lock()
	if s.free > 0 {
		s.free--
		s.lines.served(lane)
		s.mu.Unlock()
		return slot{s}, nil
	}
	granted := make(chan struct{})
	s.lines.join(lane, granted)
	s.mu.Unlock()
	select {
	case <-granted:
		return slot{s}, nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	left := s.lines.leave(lane, granted)
	s.mu.Unlock()
	if !left { // it was granted meanwhile
		slot{s}.release()
	}
	return slot{}, ctx.Err()
}

// full reports whether another evaluation would have to wait.
func (s *slots) full() bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.free == 0
}

func (s *slots) status() *SlotStatus {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	status := &SlotStatus{Limit: s.limit, Taken: s.limit - s.free}
	for _, line := range s.lines.waiting {
		status.Waiting += len(line)
	}
	return status
}

// slot is one evaluation's leave to run. The zero slot is one without a bound.
type slot struct{ of *slots }

// release gives the slot to the next who waits. Call it exactly once.
func (s slot) release() {
	if s.of == nil {
		return
	}
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	if granted, ok := s.of.lines.next(); ok {
		close(granted)
	} else {
		s.of.free++
	}
}

// lines hold who waits, by lane, and whose turn it is.
type lines struct {
	waiting [][]chan struct{} // each first come, first served
	turn    int               // the lane to be looked at first
}

func (l *lines) join(lane int, who chan struct{}) {
	l.waiting[lane] = append(l.waiting[lane], who)
}

// leave takes somebody out of a line; false if he is not there any more.
func (l *lines) leave(lane int, who chan struct{}) bool {
	i := slices.Index(l.waiting[lane], who)
	if i < 0 {
		return false
	}
	l.waiting[lane] = slices.Delete(l.waiting[lane], i, i+1)
	return true
}

// next takes out the first of the lane whose turn it is.
func (l *lines) next() (who chan struct{}, ok bool) {
	for i := range l.waiting {
		lane := (l.turn + i) % len(l.waiting)
		if line := l.waiting[lane]; len(line) > 0 {
			who = line[0]
			l.waiting[lane] = slices.Delete(line, 0, 1)
			l.served(lane)
			return who, true
		}
	}
	return nil, false
}

// served puts the turn behind a lane.
func (l *lines) served(lane int) { l.turn = (lane + 1) % len(l.waiting) }

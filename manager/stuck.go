package manager

// stuck is what a member has of evaluations that ignored their deadline and
// were left. The lock of its lane guards it, but for what the reporter owns.
type stuck struct {
	now   int    // that still run
	left  uint64 // so far
	fills uint64 // how often they became as many as may be
	// What was said of left and of fills, owned by the reporter goroutine.
	saidLeft, saidFull said
}

// addStuck counts evaluations of a member that were left, and lets the lane go
// on when one has returned. It reports whether the member has as many as it may.
func (l *lane) addStuck(mb *member, n int) (full bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := &mb.stuck
	s.now += n
	if n < 0 {
		l.wake.Broadcast()
		return s.now >= l.stuckCap
	}
	s.left++
	if s.now == l.stuckCap {
		s.fills++
	}
	l.m.wakeReporter()
	return s.now >= l.stuckCap
}

// full reports whether a member has as many stuck as it may.
func (l *lane) full(mb *member) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return mb.stuck.now >= l.stuckCap
}

// halted reports whether that holds for all of the lane's members: one that
// can be asked keeps the lane going. Called with the lock held.
func (l *lane) halted() bool {
	for _, mb := range l.members {
		if mb.stuck.now < l.stuckCap {
			return false
		}
	}
	return true
}

// stuckCounts are for the reporter.
func (l *lane) stuckCounts(mb *member) (now int, left, fills uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return mb.stuck.now, mb.stuck.left, mb.stuck.fills
}

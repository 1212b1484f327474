package manager

import (
	"math"
	"time"
)

// expiryPause is the least time between two rounds of a lane's expiry timer, so
// that a backlog at the edge of its age does not keep it busy.
const expiryPause = 10 * time.Millisecond

// expiry is a lane's timer that drops what has become too old while nobody comes
// to it: the workers may all wait for gates, slots or stuck evaluations. The
// lane's lock guards it. It runs whenever something waits and a worker may be
// elsewhere than at the queue.
type expiry struct {
	timer *time.Timer
	runs  bool
}

func (e *expiry) stop() {
	if e.timer != nil {
		e.timer.Stop()
	}
	e.runs = false
}

func (l *lane) expired(t task, now time.Time) bool {
	return now.Sub(t.inv.Summary().End) > l.m.cfg.MaxAge
}

// watchAge starts the timer unless it runs. A worker calls it with the lock held
// before it turns to a task that waits; the door never does.
func (l *lane) watchAge() {
	if l.expiry.runs {
		return
	}
	l.expiry.runs = true
	wait := l.untilExpiry(time.Now())
	if l.expiry.timer == nil {
		l.expiry.timer = time.AfterFunc(wait, l.ageOut)
	} else {
		l.expiry.timer.Reset(wait)
	}
}

// untilExpiry is the time until the oldest task expires, and until one that comes
// now would where none waits.
func (l *lane) untilExpiry(now time.Time) time.Duration {
	whole := min(l.m.cfg.MaxAge, math.MaxInt64-1) + 1 // one as old as may be is not too old
	wait := whole
	for i := range l.classes {
		if oldest, ok := l.classes[i].queue.Peek(); ok {
			wait = min(wait, whole-max(0, now.Sub(oldest.inv.Summary().End)))
		}
	}
	return max(wait, expiryPause)
}

// ageOut is a round of the timer. The timer rests when nothing waits and
// all workers are at the queue: the one that comes first starts it again.
func (l *lane) ageOut() {
	l.mu.Lock()
	if !l.expiry.runs {
		l.mu.Unlock()
		return
	}
	if l.empty() {
		if l.expiry.runs = l.crew.waiting < l.crew.workers; l.expiry.runs {
			l.expiry.timer.Reset(l.untilExpiry(time.Now()))
		}
		l.mu.Unlock()
		return
	}
	// Something waits, so workers are left: Shutdown has not stopped waiting.
	l.m.workers.Add(1)
	defer l.m.workers.Done()
	now := time.Now()
	_, expired := l.expire(now)
	if l.expiry.runs { // the lane has not just drained
		l.expiry.timer.Reset(l.untilExpiry(now))
	}
	l.mu.Unlock()
	l.tell(expired)
}

// expire drops what has expired and says in which classes something waits.
func (l *lane) expire(now time.Time) (waits [classes]bool, expired []gone) {
	for class := range l.classes {
		for l.classes[class].queue.Len() > 0 {
			oldest, _ := l.classes[class].queue.Peek()
			if !l.expired(oldest, now) {
				waits[class] = true
				break
			}
			expired = append(expired, l.drop(class, dropExpired))
		}
	}
	return waits, expired
}

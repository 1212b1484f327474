package runner

import (
	"maps"
	"sync"
	"time"
)

// tally counts items that are through. It has a lock of its own, and is held for
// a few instructions by whoever completes items.
type tally struct {
	mu                    sync.Mutex
	done, failed, resumed int64
	byType                map[string]int64
	pace                  pace
}

func (t *tally) add(works []*work) {
	now := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	fresh := 0
	for _, w := range works {
		t.done++
		if w.errorType != "" {
			t.byType[w.errorType]++
		}
		if w.errorType != "" || w.unhappy.Load() {
			t.failed++
		}
		if w.resumed > 0 && len(w.shares) == 0 {
			t.resumed++
		} else {
			fresh++
		}
	}
	t.pace.add(now, fresh)
}

// leastForETA is how many items must be through before the time that is left is
// guessed.
const leastForETA = 10

// progress is how far the run is, but for the lanes.
func (t *tally) progress(now time.Time, p *Progress) {
	t.mu.Lock()
	defer t.mu.Unlock()
	p.Done, p.Failed, p.Resumed = t.done, t.failed, t.resumed
	p.Rate = t.pace.perSecond(now)
	if p.Total > 0 && p.Done-p.Resumed >= leastForETA && p.Rate > 0 {
		p.ETA = time.Duration(max(0, float64(p.Total-p.Done)/p.Rate*float64(time.Second)))
	}
}

func (t *tally) failures() map[string]int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return maps.Clone(t.byType)
}

// progressNow is how far the run is.
func (r *Run) progressNow() Progress {
	now := time.Now()
	if at := r.endedAt.Load(); at != nil {
		now = *at
	}
	p := Progress{Name: r.cfg.name, Total: r.cfg.total, Elapsed: now.Sub(r.started)}
	if r.readAll.Load() {
		p.Total = r.read.Load()
	}
	r.tally.progress(now, &p)
	p.InFlight = max(0, r.read.Load()-p.Done)
	running, waiting := 0, 0
	for _, l := range r.lanes {
		b, w := l.spending(&p)
		running, waiting = running+b, waiting+w
	}
	if r.task != nil {
		b, w := r.task.underWay()
		running, waiting = running+b, waiting+w
	}
	if running > 0 {
		p.Waiting = float64(waiting) / float64(running)
	}
	for i, g := range r.gates {
		p.RateLimited += refusals(g.Status()) - r.refused[i]
	}
	return p
}

// Between two calls of a progress function that comes back at once and the next
// passes progressShare times what the call took, so that telling takes no more
// than a small part of a core from the run.
const progressShare = 20

// tell calls the progress function with the latest state, until the run has
// ended, and then once more.
func (r *Run) tell() {
	defer close(r.told)
	for last := false; !last; {
		select {
		case <-r.news:
		case <-r.settled:
			last = true
		}
		began := time.Now()
		p := r.progressNow()
		if err := contained(func() error { r.cfg.progress(p); return nil }); err != nil {
			return
		}
		if pause := min(time.Second, progressShare*time.Since(began)); pause > 0 && !last {
			select {
			case <-time.After(pause):
			case <-r.settled:
			}
		}
	}
}

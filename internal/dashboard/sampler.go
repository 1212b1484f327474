package dashboard

import (
	"fmt"
	"time"
)

const (
	watchedStep   = 250 * time.Millisecond
	unwatchedStep = 5 * time.Second
)

// sample asks the sources, until stop. It is the sampler's goroutine.
func (s *Server) sample() {
	defer close(s.sampled)
	timer := time.NewTimer(0)
	defer timer.Stop()
	var last time.Time
	look := func(whole bool) {
		last = time.Now()
		s.look(last, whole)
	}
	for {
		select {
		case <-s.stop:
			look(true) // the last state, for those who watch
			s.hub.close()
			close(s.ended)
			return
		case done := <-s.asked:
			if time.Since(last) >= watchedStep {
				look(false)
			}
			close(done)
			timer.Reset(watchedStep) // somebody may have come to watch
			continue
		case <-timer.C:
			look(false)
		}
		step := unwatchedStep
		if s.hub.watched() {
			step = watchedStep
		}
		timer.Reset(step)
	}
}

// refresh has the sources asked now, unless they were a moment ago, and waits for
// it, but not for a source that does not answer.
func (s *Server) refresh() {
	done, patience := make(chan struct{}), time.NewTimer(watchedStep)
	defer patience.Stop()
	select {
	case s.asked <- done:
	case <-s.ended:
		return
	case <-patience.C:
		return
	}
	select {
	case <-done:
	case <-patience.C:
	}
}

// look asks the sources once and publishes: what changes quickly, and once a second,
// or where whole is set, everything. Sources are the application's code: one
// that panics is said once, and the page stands still.
func (s *Server) look(now time.Time, whole bool) {
	defer func() {
		if p := recover(); p != nil {
			s.panicked.Do(func() {
				s.cfg.Logger.Warn("genaievals: the live page's source panicked; the page stands still", "panic", fmt.Sprintf("%T", p))
			})
		}
	}()
	m, second := s.builder.build(s.feed, now, whole)
	s.mu.Lock()
	s.model = m
	s.mu.Unlock()
	quick := quickCells(&m)
	switch {
	case second:
	case whole:
		s.hub.publish(merged(quick, slowCells(&m)), false, nil)
		return
	default:
		s.hub.publish(quick, true, nil)
		return
	}
	p := s.builder.point(&m)
	s.hub.publish(merged(quick, slowCells(&m)), false, &p)
}

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
	for {
		select {
		case <-s.stop:
			s.look(time.Now()) // the last state, for those who watch
			s.hub.close()
			close(s.ended)
			return
		case <-s.woken:
		case <-timer.C:
		}
		s.look(time.Now())
		step := unwatchedStep
		if s.hub.watched() {
			step = watchedStep
		}
		timer.Reset(step)
	}
}

// wake has the sampler look soon, since somebody came to watch.
func (s *Server) wake() {
	select {
	case s.woken <- struct{}{}:
	default:
	}
}

// look asks the sources once and publishes. Sources are the application's code: one
// that panics is said once, and the page stands still.
func (s *Server) look(now time.Time) {
	defer func() {
		if p := recover(); p != nil {
			s.panicked.Do(func() {
				s.cfg.Logger.Warn("genaievals: the live page's source panicked; the page stands still", "panic", fmt.Sprintf("%T", p))
			})
		}
	}()
	m, second := s.builder.build(s.feed, now)
	s.mu.Lock()
	s.model = m
	s.mu.Unlock()
	quick := quickCells(&m)
	if !second {
		s.hub.publish(quick, true, nil)
		return
	}
	p := s.builder.point(&m)
	s.hub.publish(merged(quick, slowCells(&m)), false, &p)
}

package judgetest

import (
	"context"
	"sync"
	"time"
)

// script says what comes next, and counts. Its lock is never held while an
// answer is delayed.
type script struct {
	mu          sync.Mutex
	answers     map[string][]Answer
	played      map[string]int
	delay       time.Duration
	recordLimit int

	calls, inFlight, peak int
}

func newScript() script {
	return script{answers: map[string][]Answer{}, played: map[string]int{}, recordLimit: 4096}
}

// begin counts a call that has arrived and returns the function to call when
// it is over.
func (s *script) begin() (end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	s.inFlight++
	s.peak = max(s.peak, s.inFlight)
	return func() {
		s.mu.Lock()
		s.inFlight--
		s.mu.Unlock()
	}
}

// next returns the answer to play for a metric.
func (s *script) next(metric string) Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	answers, ok := s.answers[metric]
	if !ok {
		metric = ""
		answers = s.answers[metric]
	}
	if len(answers) == 0 {
		return Valid()
	}
	i := min(s.played[metric], len(answers)-1)
	s.played[metric]++
	return answers[i]
}

// count returns how many calls have arrived.
func (s *script) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls
}

func (s *script) running() (now, peak int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inFlight, s.peak
}

// sleep waits for d or for the end of ctx, and returns ctx's error then.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

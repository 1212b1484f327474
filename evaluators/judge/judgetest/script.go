package judgetest

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/genaievals/genaievals/evaluators/judge"
)

// script says what comes next, keeps the limits, and counts. Its lock is never
// held while an answer is delayed.
type script struct {
	mu       sync.Mutex
	answers  map[string][]Answer
	played   map[string]int
	delay    func(call int) time.Duration
	chaos    *chaos
	override Answer
	until    time.Time // of the override

	formats  []judge.Format // supported; nil is all
	ignored  []judge.Format
	context  int // tokens; 0 is no limit
	wordings []Wording
	worded   int // refusals in them

	limits  []*limiter
	headers Headers
	decided time.Time // the moment of the last decision
	serving int64     // admitted and not yet answered

	arrivals       arrivals
	recordLimit    int
	inFlight, peak int
	refused        int // by the limits
}

func (s *script) init() {
	s.answers = map[string][]Answer{}
	s.played = map[string]int{}
	s.delay = func(int) time.Duration { return 0 }
	s.headers = HeaderRetryAfter | HeaderRetryAfterMs
	s.arrivals.start = time.Now()
	s.recordLimit = 4096
}

// call is one call on its way through a judge. One goroutine owns it.
type call struct {
	script  *script
	number  int // from 0, in order of arrival
	arrived time.Time
	served  bool
}

// begin counts a call that has arrived. Its end has to be called.
func (s *script) begin() *call {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now() // with the lock held, so that the times are in order
	s.inFlight++
	s.peak = max(s.peak, s.inFlight)
	return &call{script: s, number: s.arrivals.add(now), arrived: now}
}

func (c *call) end() {
	s := c.script
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inFlight--
	if c.served {
		s.serving--
	}
}

// decision is what becomes of a call.
type decision struct {
	turn  turn
	delay time.Duration
	// refused: a policy refuses it, or everything is overridden.
	refused bool
	// limited: a policy refuses it for so long.
	limited bool
	wait    time.Duration
	// header describes the limits; never nil.
	header http.Header
}

// decide admits a call and picks its answer, or refuses it.
func (c *call) decide(to asking) decision {
	s := c.script
	s.mu.Lock()
	defer s.mu.Unlock()
	// What counts is when a call arrived, and not when it had been read; but
	// limits are kept in the order in which calls come to this.
	now := c.arrived
	if now.Before(s.decided) {
		now = s.decided
	}
	s.decided = now
	d := decision{header: http.Header{}}
	if now.Before(s.until) {
		s.arrivals.refuse(c.number)
		d.turn.answer, d.refused = s.override, true
		return d
	}
	var keys []string
	d.turn, keys = s.next(to, c.number)
	u := d.turn.answer.usageOr()
	tokens := u.InputTokens + u.OutputTokens
	for _, l := range s.limits {
		if wait, ok := l.check(now, tokens); !ok {
			d.limited, d.wait = true, max(d.wait, wait)
		}
	}
	if d.limited {
		d.refused = true
		s.refused++
		s.arrivals.refuse(c.number)
		s.headers.refusal(d.wait, d.header)
		s.headers.state(s.limits, now, to.wire, d.header)
		return d
	}
	for _, l := range s.limits {
		l.take(now, tokens)
	}
	for _, key := range keys {
		s.played[key]++
	}
	s.serving++
	c.served = true
	d.delay = s.delay(c.number) + d.turn.answer.delay
	s.headers.state(s.limits, now, to.wire, d.header)
	return d
}

// next returns what answers a question, and the scripts that it is from.
func (s *script) next(to asking, number int) (turn, []string) {
	q := to.question
	switch {
	case s.ignores(to.format):
		return turn{answer: prose()}, nil
	case s.chaos != nil:
		return turn{answer: s.chaos.draw(q, number)}, nil
	case len(s.answers) == 0:
		return turn{}, nil
	case len(q.Parts) == 0:
		a, key := s.first(q.Metrics)
		return turn{answer: a}, []string{key}
	}
	parts, keys := make([]Answer, len(q.Parts)), make([]string, 0, len(q.Parts))
	for i, part := range q.Parts {
		a, key := s.first(part.Metrics)
		if !a.verdict() { // the answer to all; the others' are kept for later
			return turn{answer: a}, []string{key}
		}
		if parts[i] = a; !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return join(parts), keys
}

// first is the next answer of the first metric that has a script, for all that
// it serves.
func (s *script) first(metrics []string) (Answer, string) {
	for _, m := range metrics {
		if a, key := s.at(m); key != "" {
			return a, key
		}
	}
	return s.at("")
}

// at is the next answer to a metric, and the name of the script that has it.
func (s *script) at(metric string) (Answer, string) {
	answers, ok := s.answers[metric]
	if !ok {
		metric = ""
		answers = s.answers[metric]
	}
	if len(answers) == 0 {
		return Valid(), metric
	}
	return answers[min(s.played[metric], len(answers)-1)], metric
}

// setPolicies changes the limits.
func (s *script) setPolicies(policies []Policy) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	limits := make([]*limiter, len(policies))
	for i, p := range policies {
		if i < len(s.limits) {
			limits[i] = s.limits[i]
			limits[i].become(p, now)
			continue
		}
		limits[i] = &limiter{Policy: p, serving: &s.serving}
	}
	s.limits = limits
}

func (s *script) setOverride(a Answer, d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.override, s.until = a, time.Now().Add(d)
}

func (s *script) overridden() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Now().Before(s.until)
}

func (s *script) stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Stats{Calls: s.arrivals.count, RateLimited: s.refused, InFlight: s.inFlight, Peak: s.peak}
}

// times returns when calls arrived: all, or those only that were admitted.
func (s *script) times(admitted bool) []time.Time {
	s.mu.Lock()
	times := slices.Clone(s.arrivals.log)
	start := s.arrivals.start
	s.mu.Unlock()
	return timesOf(start, times, admitted)
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

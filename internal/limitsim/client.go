package limitsim

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/genaievals/genaievals/internal/adaptive"
)

// Client is a rule by which calls are sent.
type Client struct {
	Name string
	make func(Experiment, *rand.Rand) client
}

// Clients returns the learner, named "adaptive", and the usual rules beside it.
func Clients() []Client {
	aimd := func(factor float64) func(Experiment, *rand.Rand) client {
		return func(_ Experiment, r *rand.Rand) client {
			return &workers{random: r, limit: 4, factor: factor, slow: true}
		}
	}
	return []Client{
		{Name: "adaptive", make: newLearner},
		{Name: "fixed 16", make: func(_ Experiment, r *rand.Rand) client { return &workers{random: r, limit: 16} }},
		{Name: "AIMD 0.5", make: aimd(0.5)},
		{Name: "AIMD 0.8", make: aimd(0.8)},
	}
}

// Adaptive returns the client that learns, the first of [Clients].
func Adaptive() Client { return Clients()[0] }

// client is a rule at work. There is always something to send.
type client interface {
	// next returns a call to send now, or when to look again (0: after an
	// answer).
	next(now time.Duration, fresh func() *call) (c *call, at time.Duration)
	answered(now time.Duration, c *call, r reply)
	// waiting is how many calls wait for another attempt.
	waiting() int
}

// call is one item until it is served.
type call struct {
	tokens   float64
	attempts int
	ready    time.Duration  // of the next attempt (workers)
	token    adaptive.Token // of the attempt (learner)
	sent     time.Duration
}

type reply struct {
	status           int
	retryAfter       time.Duration // 0: none
	limit, remaining float64       // 0: none
	reset            time.Duration
}

// epoch is where the simulated clock starts.
var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// learner sends when package adaptive says so, and no faster than the rate that
// it was told.
type learner struct {
	*adaptive.Learner
	again []*call // refused or failed, first come first
	check func(now time.Duration, l *adaptive.Learner)

	rate, level float64 // known rate and its tokens; 0: none
	at          time.Duration
}

func newLearner(e Experiment, _ *rand.Rand) client {
	return &learner{
		Learner: adaptive.New(adaptive.Config{Ceiling: e.Ceiling, Start: epoch}),
		rate:    e.RateLimit, level: max(1, e.RateLimit/10), check: e.check,
	}
}

func (l *learner) next(now time.Duration, fresh func() *call) (*call, time.Duration) {
	if l.check != nil {
		l.check(now, l.Learner)
	}
	at, ok := l.NextSend(epoch.Add(now))
	if !ok && at.IsZero() {
		return nil, 0
	}
	if !ok {
		return nil, at.Sub(epoch)
	}
	if l.rate > 0 {
		l.level = min(max(1, l.rate/10), l.level+(now-l.at).Seconds()*l.rate)
		l.at = now
		if l.level < 1-1e-9 {
			return nil, now + seconds((1-l.level)/l.rate)
		}
		l.level--
	}
	var c *call
	if len(l.again) > 0 {
		c, l.again = l.again[0], l.again[1:]
	} else {
		c = fresh()
	}
	c.token = l.Send(epoch.Add(now))
	return c, 0
}

func (l *learner) answered(now time.Duration, c *call, r reply) {
	at := epoch.Add(now)
	l.Headers(at, adaptive.Window{Limit: r.limit, Reset: r.reset})
	if r.status == 429 {
		l.Refused(at, c.token, adaptive.Refusal{RetryAfter: r.retryAfter, Exhausted: r.limit > 0 && r.remaining == 0})
	} else {
		l.Answered(at, c.token, r.status == 200)
	}
	if r.status != 200 {
		l.again = append(l.again, c)
	}
}

func (l *learner) waiting() int { return len(l.again) }

// workers each send a call until it is served, waiting Retry-After or a growing
// time with full jitter in between. How many there are is fixed, or is cut by a
// factor at a refusal, once in five seconds, and grows by one a round, by a
// factor of two before the first cut.
type workers struct {
	random *rand.Rand
	limit  float64
	factor float64 // 0: fixed
	slow   bool
	cutAt  time.Duration
	held   int
	again  []*call
}

const (
	cutEvery   = 5 * time.Second
	workersMax = 64
	waitMost   = time.Minute
)

func (w *workers) next(now time.Duration, fresh func() *call) (*call, time.Duration) {
	at := time.Duration(0)
	for i, c := range w.again {
		if c.ready <= now {
			w.again = append(w.again[:i], w.again[i+1:]...)
			return c, 0
		}
		if at == 0 || c.ready < at {
			at = c.ready
		}
	}
	if w.held < int(w.limit) {
		w.held++
		return fresh(), 0
	}
	return nil, at
}

func (w *workers) answered(now time.Duration, c *call, r reply) {
	if r.status == 200 {
		w.held--
		if w.factor > 0 {
			grow := 1 / w.limit
			if w.slow {
				grow = 1
			}
			w.limit = min(workersMax, w.limit+grow)
		}
		return
	}
	if r.status == 429 && w.factor > 0 && (w.slow || now-w.cutAt >= cutEvery) {
		w.slow, w.cutAt = false, now
		w.limit = max(1, w.limit*w.factor)
	}
	wait := r.retryAfter
	if wait == 0 {
		most := min(waitMost, seconds(math.Exp2(float64(min(c.attempts, 10)))))
		wait = time.Duration(w.random.Int64N(int64(most)))
	}
	c.attempts++
	c.ready = now + wait
	w.again = append(w.again, c)
}

func (w *workers) waiting() int { return len(w.again) }

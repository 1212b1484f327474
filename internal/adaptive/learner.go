package adaptive

import (
	"math"
	"time"
)

// Config says where learning starts. The zero value has no ceiling.
type Config struct {
	// Ceiling is the most that is ever in flight; 0 or less: no bound.
	Ceiling int
	// Start is the moment of the first measurement. All moments passed later
	// must come from the same clock and not go back; an earlier one counts as
	// the last one seen.
	Start time.Time
}

// Learner is what a gate knows about one judge. It reads no clock and takes no
// lock: its caller passes the time and calls from one goroutine at a time.
type Learner struct {
	start    time.Time
	now      time.Duration // last moment seen, since start
	ceiling  int
	inFlight int
	sends    uint64
}

// Token stands for one send from [Learner.Send] until exactly one of
// [Learner.Answered], [Learner.Refused] and [Learner.Abandoned].
type Token struct {
	seq  uint64
	sent time.Duration // since the learner's start
}

// Refusal is what a 429 said.
type Refusal struct {
	// RetryAfter is the wait that it asked for, not shortened; 0 or less: none
	// asked for.
	RetryAfter time.Duration
	// Exhausted: the headers said that no request is left in this window, so
	// that the limit that was met is one of requests.
	Exhausted bool
}

// Window is what the headers of any answer say about the limit on requests.
type Window struct {
	// Limit is the number of requests in a window; 0 or less: not said.
	Limit float64
	// Reset is how long until the limit is whole again; 0 or less: not said.
	Reset time.Duration
}

// Status is a picture of what was learned.
type Status struct {
	Cap      int       // most in flight just now
	Ceiling  int       // bound of Cap; math.MaxInt if there is none
	InFlight int       // sends without an outcome
	Rate     float64   // sends a second at which it paces; +Inf: not paced
	Measured float64   // the measured rate that Rate is steered around; +Inf: none yet
	Until    time.Time // no send before; zero: none
	Blocked  bool      // a refusal is being waited out: one trial at a time

	Sends        uint64 // sends
	Refusals     uint64 // refusals (429)
	CapEpisodes  uint64 // refusals that were charged to the cap
	RateEpisodes uint64 // refusals that were charged to the rate
}

// New returns a learner that knows nothing yet.
func New(cfg Config) *Learner {
	l := &Learner{start: cfg.Start}
	l.SetCeiling(cfg.Ceiling)
	return l
}

// SetCeiling changes the most that is ever in flight; 0 or less: no bound. What
// is in flight above it is let finish.
func (l *Learner) SetCeiling(n int) {
	if n <= 0 {
		n = math.MaxInt
	}
	l.ceiling = n
}

// NextSend reports whether one may be sent now. If not, at is when to ask
// again, even if nothing happens before; the zero time: not before something
// is answered. Any call of another method may change the answer.
func (l *Learner) NextSend(now time.Time) (at time.Time, ok bool) {
	l.advance(now)
	return time.Time{}, l.inFlight < l.ceiling
}

// Send notes that one is sent now. Ask [Learner.NextSend] first, at the same
// moment; a send that was not due is counted all the same.
func (l *Learner) Send(now time.Time) Token {
	t := Token{seq: l.sends, sent: l.advance(now)}
	l.sends++
	l.inFlight++
	return t
}

// Answered notes an answer other than a refusal; ok: a success (2xx). Failures
// of the server and time-outs never lower what was learned. A call that did not
// reach the server is [Learner.Abandoned].
func (l *Learner) Answered(now time.Time, t Token, ok bool) {
	l.advance(now)
	l.inFlight--
}

// Refused notes a 429. Tell [Learner.Headers] first what its headers said.
func (l *Learner) Refused(now time.Time, t Token, r Refusal) {
	l.advance(now)
	l.inFlight--
}

// Abandoned notes that the outcome of a send stays unknown: cancelled by its
// caller, or never reached the server.
func (l *Learner) Abandoned(now time.Time, t Token) {
	l.advance(now)
	l.inFlight--
}

// Headers notes what the headers of an answer, a refusal's too, said about the
// limit on requests.
func (l *Learner) Headers(now time.Time, w Window) {
	l.advance(now)
}

// Status returns a picture of what was learned.
func (l *Learner) Status(now time.Time) Status {
	l.advance(now)
	return Status{Ceiling: l.ceiling, InFlight: l.inFlight, Sends: l.sends}
}

// advance moves the learner's time on and returns it.
func (l *Learner) advance(now time.Time) time.Duration {
	l.now = max(l.now, now.Sub(l.start))
	return l.now
}

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
	// must come from the same clock; one that goes back counts as the last seen.
	Start time.Time
}

// Learner is what a gate knows about one judge. It reads no clock and takes no
// lock: its caller passes the time and calls from one goroutine at a time.
//
// These hold always (invariants_test.go):
//
//  1. NextSend never says yes before the end of a pause; a Retry-After only
//     ever extends it.
//  2. While blocked, at most one trial is undecided, and nothing else goes.
//  3. What is in flight is at most the cap, and the cap at most the ceiling
//     (except that a lowered ceiling lets finish what is on its way).
//  4. Failures other than 429 lower neither cap nor rate.
//  5. Once there is a measured rate, it falls only to another measured rate, or
//     back to the one before; guesses touch only how far below it is paced.
//  6. The refusals of one episode cause one reaction.
type Learner struct {
	start time.Time
	now   time.Duration // last moment seen, since start

	inFlight int
	seq      uint64 // of the next send
	lastSend time.Duration
	interval time.Duration // between sends, on average
	freed    time.Duration // when the last slot of the cap came free

	until     time.Duration // no send before (1)
	quiet     time.Duration // a send not refused for so long has survived
	slowest   time.Duration // round trip of the slowest refusal
	trip      time.Duration // round trip of successes, on average; 0: none yet
	sendRate  decayed       // sends a second, lately
	undecided undecided     // sends that are neither answered nor old enough

	cap      capacity
	rate     pace
	ledger   ledger
	episode  episode
	accepted accepted

	refusals, capEpisodes, rateEpisodes uint64
}

// Token stands for one send from [Learner.Send] until exactly one of
// [Learner.Answered], [Learner.Refused] and [Learner.Abandoned].
type Token struct {
	seq    uint64
	sent   time.Duration // since the learner's start
	others int           // in flight beside it when it went
	credit float64       // what its survival adds to the pace's credit
	probe  bool          // took the slot that is being tried
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
	// Reset is how long until the limit is whole again; 0 or less: not said. Above
	// ten minutes the window is ignored: a day's limit is not spread over the day.
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
	l := &Learner{start: cfg.Start, quiet: quietFirst}
	l.cap = newCapacity()
	l.rate = newPace()
	l.episode = newEpisode()
	l.SetCeiling(cfg.Ceiling)
	return l
}

// A send that was not refused for quiet has survived: three times the slowest
// refusal's round trip, between these.
const (
	quietFirst = 150 * time.Millisecond
	quietMost  = time.Second
	// idleLeast is longer than a busy program hesitates.
	idleLeast = time.Second
	// beatLeast keeps the pauses above what clocks and networks add.
	beatLeast, beatMost = 10 * time.Millisecond, time.Second
	// intervalMost bounds how long a probe waits for a quiet moment, doubled.
	intervalMost = 20 * time.Second
)

// SetCeiling changes the most that is ever in flight; 0 or less: no bound. What
// is in flight above it is let finish.
func (l *Learner) SetCeiling(n int) {
	if n <= 0 {
		n = math.MaxInt
	}
	l.cap.ceiling = n
	l.cap.size = min(l.cap.size, n)
}

// NextSend reports whether one may be sent now. If not, at is when to ask
// again, even if nothing happens before; the zero time: not before something
// is answered. Any call of another method may change the answer.
func (l *Learner) NextSend(now time.Time) (at time.Time, ok bool) {
	l.advance(now)
	due, ok := l.due()
	switch {
	case !ok:
		return time.Time{}, false
	case due > l.now:
		return l.start.Add(due), false
	}
	return now, true
}

// due is when the next send may go if nothing else happens before, or when to
// look again; false: when something is answered.
func (l *Learner) due() (time.Duration, bool) {
	switch {
	case l.now < l.until:
		return l.until, true
	case l.episode.trying:
		return l.episode.trial.sent + l.quiet, true
	case l.episode.blocked:
		return l.now, true
	case l.episode.resume > 0 && l.undecided.count >= l.episode.resume:
		t, _ := l.undecided.oldest()
		return t.sent + l.quiet, true
	case l.inFlight < l.cap.size:
		due := l.rate.next()
		if l.cap.trying > 0 {
			due = max(due, l.lastSend+l.cap.apart)
		}
		return due, true
	case l.inFlight == l.cap.size && l.cap.mayGrow():
		return max(l.rate.next(), l.cap.growAt()), true
	case l.inFlight == l.cap.size && l.cap.mayProbe():
		return max(l.rate.next(), l.lastSend+l.apart(), l.cap.notBefore), true
	}
	// The survival of what is undecided may raise the cap or allow a probe.
	if t, ok := l.undecided.oldest(); ok {
		return t.sent + l.quiet, true
	}
	return 0, false
}

// Send notes that one is sent now. Ask [Learner.NextSend] first, at the same
// moment; a send that was not due is counted all the same.
func (l *Learner) Send(now time.Time) Token {
	l.advance(now)
	l.noteIdle()
	t := Token{seq: l.seq, sent: l.now, others: l.inFlight}
	if !l.episode.blocked && l.inFlight >= l.cap.size {
		apart := l.apart()
		l.cap.exceed(l.now, l.blur())
		l.cap.apart = 0
		if l.cap.trying > 0 && l.cap.step == 1 && l.cap.size <= fewSlots {
			l.cap.apart = apart
		}
	}
	t.probe = l.cap.trying > 0 && t.others == l.cap.size-1
	t.credit = l.rate.send(l.now)
	if l.episode.blocked {
		l.episode.trial, l.episode.trying = t, true
	}
	l.seq++
	l.inFlight++
	l.interval += (min(l.now-l.lastSend, intervalMost) - l.interval) / 4
	l.lastSend = l.now
	l.sendRate.add(l.now)
	l.undecided.push(t)
	return t
}

// Answered notes an answer other than a refusal; ok: a success (2xx). Failures
// of the server and time-outs never lower what was learned. A call that did not
// reach the server is [Learner.Abandoned].
func (l *Learner) Answered(now time.Time, t Token, ok bool) {
	l.advance(now)
	l.leave()
	if trip := l.now - t.sent; ok && l.trip == 0 {
		l.trip = trip
	} else if ok {
		l.trip += (trip - l.trip) / 8
	}
	if l.undecided.take(t.seq) {
		l.survived(t, ok)
	}
}

// Abandoned notes that the outcome of a send stays unknown: cancelled by its
// caller, or never reached the server.
func (l *Learner) Abandoned(now time.Time, t Token) {
	l.advance(now)
	l.leave()
	if l.undecided.take(t.seq) && l.episode.isTrial(t) {
		l.episode.trying = false
	}
}

// Headers notes what the headers of an answer, a refusal's too, said about the
// limit on requests.
func (l *Learner) Headers(now time.Time, w Window) {
	l.advance(now)
	l.rate.told(l.now, w)
}

// Status returns a picture of what was learned.
func (l *Learner) Status(now time.Time) Status {
	l.advance(now)
	s := Status{
		Cap: l.cap.size, Ceiling: l.cap.ceiling, InFlight: l.inFlight,
		Rate: l.rate.current(), Measured: l.rate.measured,
		Blocked: l.episode.blocked,
		Sends:   l.seq, Refusals: l.refusals,
		CapEpisodes: l.capEpisodes, RateEpisodes: l.rateEpisodes,
	}
	if l.until > l.now {
		s.Until = l.start.Add(l.until)
	}
	return s
}

// leave notes that a call is over.
func (l *Learner) leave() {
	if l.inFlight >= l.cap.size {
		l.freed = l.now
	}
	l.inFlight--
}

// noteIdle notes, before a send, whether there was nothing to send although
// something could have been sent. What the server let in meanwhile says less
// than it could, and what it stored meanwhile will let in more.
func (l *Learner) noteIdle() {
	if l.inFlight >= l.cap.size {
		return // a probe, whose time is its own
	}
	could := max(l.rate.next(), l.until, l.lastSend, l.freed)
	if l.now-could > max(idleLeast, 4*l.rate.gap()) {
		l.accepted.interrupt(l.now)
		l.episode.surprised = false
	}
}

// advance moves the time on, and decides in their order those sends that have
// become old enough to have survived.
func (l *Learner) advance(now time.Time) {
	l.now = max(l.now, now.Sub(l.start))
	for {
		t, ok := l.undecided.oldest()
		if !ok || t.sent+l.quiet > l.now {
			return
		}
		l.undecided.take(t.seq)
		l.survived(t, true)
	}
}

// survived notes that a send was let in by the server. ok is false if it then
// failed for another reason.
func (l *Learner) survived(t Token, ok bool) {
	l.ledger.add(t)
	l.accepted.add(t.sent)
	l.rate.credit += t.credit
	if t.seq >= l.episode.after {
		l.episode.proved()
	}
	l.cap.survived(t, ok)
	if l.episode.isTrial(t) {
		l.reopen()
	}
}

// apart is how far from the send before a probe of the cap goes: beside it, a
// limit on the distance between sends would look like a cap. Halfway to the next
// one, or later if that failed.
func (l *Learner) apart() time.Duration {
	phase := phases[0]
	if l.cap.size < fewSlots {
		phase = phases[l.cap.phase]
	}
	return time.Duration(float64(max(l.rate.gap(), l.interval)) * phase)
}

// beat is the first pause where nothing says how long it should be: a second,
// or less for a judge that answers fast, by what its answers take, or else its
// refusals.
func (l *Learner) beat() time.Duration {
	switch {
	case l.trip > 0:
		return min(beatMost, max(beatLeast, 4*l.trip))
	case l.slowest > 0:
		return min(beatMost, max(beatLeast, 16*l.slowest))
	}
	return beatMost
}

// blur is by how many the server's own count of what is in flight may differ
// from ours: what is sent while an answer is on its way.
func (l *Learner) blur() int {
	return int(math.Round(l.slowest.Seconds() * l.sendRate.at(l.now)))
}

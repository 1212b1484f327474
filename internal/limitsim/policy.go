package limitsim

import (
	"cmp"
	"math"
	"math/rand/v2"
	"time"
)

// Policy is one kind of limit that a server keeps.
type Policy struct {
	Name string
	// Described: its headers describe the limit that binds.
	Described bool
	// Token: it counts tokens, not calls.
	Token bool

	single bool // one call at a time: a limit on the distance between calls
	make   func(*rand.Rand) limiter
}

// limiter starts the policy anew.
func (p Policy) limiter(r *rand.Rand) limiter {
	if p.Token {
		return p.make(r)
	}
	return one{p.make(r)}
}

// size is what an average call takes of what is permitted.
func (p Policy) size() float64 {
	if p.Token {
		return (tokensLeast + tokensMost) / 2
	}
	return 1
}

// limiter is a policy at work. Moments are those of the server and never go
// back.
type limiter interface {
	// admit lets a call in or refuses it; wait is then the exact time until it
	// may come again.
	admit(now time.Duration, tokens float64) (wait time.Duration, ok bool)
	// done: a call that was let in is over.
	done()
	// scale multiplies the limit.
	scale(now time.Duration, by float64)
	// describe says what the headers do: requests in a window, those left, and
	// the time until all is as new; limit 0: no such headers.
	describe(now time.Duration) (limit, remaining float64, reset time.Duration)
	// permitted is what is permitted a second, in calls or tokens, where a call
	// takes so long in all.
	permitted(mean time.Duration) float64
}

// Tokens of a call: uniform between these.
const (
	tokensLeast = 200
	tokensMost  = 1800
)

const (
	tokenLimit = 60_000.0
	minute     = time.Minute
)

// Policies returns the limits that servers are known to keep: windows, logs,
// buckets, slots, tokens, and two at once.
func Policies() []Policy {
	return []Policy{
		{Name: "window 60/60s", Described: true, make: func(r *rand.Rand) limiter { return newWindow(r, 60, minute) }},
		{Name: "window 20/10s", Described: true, make: func(r *rand.Rand) limiter { return newWindow(r, 20, 10*time.Second) }},
		{Name: "sliding 60/60s", Described: true, make: func(*rand.Rand) limiter { return &sliding{limit: 60, period: minute} }},
		{Name: "GCRA b1", Described: true, single: true, make: func(*rand.Rand) limiter { return &bucket{rate: 1, size: 1, level: 1} }},
		{Name: "GCRA b10", Described: true, make: func(*rand.Rand) limiter { return &bucket{rate: 1, size: 10, level: 10} }},
		{Name: "bucket b60", Described: true, make: func(*rand.Rand) limiter { return &bucket{rate: 1, size: 60, level: 60, sized: true} }},
		{Name: "concurrency 4", make: func(*rand.Rand) limiter { return &slots{limit: 4} }},
		{Name: "concurrency 32", make: func(*rand.Rand) limiter { return &slots{limit: 32} }},
		{Name: "TPM bucket", Token: true, make: func(r *rand.Rand) limiter {
			l := tokenLimit
			return &tokens{limiter: &bucket{rate: l / 60, size: l, level: l, sized: true}, requests: newWindow(r, 600, minute)}
		}},
		{Name: "TPM window", Token: true, make: func(r *rand.Rand) limiter {
			return &tokens{limiter: newWindow(r, tokenLimit, minute), requests: newWindow(r, 600, minute)}
		}},
		{Name: "RPM600+conc8", make: func(r *rand.Rand) limiter {
			return &both{rate: newWindow(r, 600, minute), slots: slots{limit: 8}}
		}},
	}
}

// Unlimited permits everything.
func Unlimited() Policy {
	return Policy{Name: "no limit", make: func(*rand.Rand) limiter { return free{} }}
}

// Variants returns servers beside those of the table: a sliding log whose reset
// means the next slot, one that counts refused calls too, and a bucket that
// tells how many calls it lets in a minute rather than its burst.
func Variants() []Policy {
	return []Policy{
		{Name: "sliding, next slot", make: func(*rand.Rand) limiter { return &sliding{limit: 60, period: minute, next: true} }},
		{Name: "sliding, refused count", Described: true, make: func(*rand.Rand) limiter {
			return &sliding{limit: 60, period: minute, harsh: true}
		}},
		{Name: "GCRA b1, limit 60", single: true, make: func(*rand.Rand) limiter { return &bucket{rate: 1, size: 1, level: 1, told: 60} }},
	}
}

// free has no limit.
type free struct{}

func (free) admit(time.Duration, float64) (time.Duration, bool)                     { return 0, true }
func (free) done()                                                                  {}
func (free) scale(time.Duration, float64)                                           {}
func (free) describe(time.Duration) (limit, remaining float64, reset time.Duration) { return 0, 0, 0 }
func (free) permitted(time.Duration) float64                                        { return 0 }

// window counts from a fixed moment on.
type window struct {
	limit, used float64
	period      time.Duration
	ends        time.Duration
}

func newWindow(r *rand.Rand, limit float64, period time.Duration) *window {
	return &window{limit: limit, period: period, ends: 1 + time.Duration(r.Int64N(int64(period)))}
}

func (w *window) roll(now time.Duration) {
	if now >= w.ends {
		w.ends += (now-w.ends)/w.period*w.period + w.period
		w.used = 0
	}
}

func (w *window) admit(now time.Duration, n float64) (time.Duration, bool) {
	w.roll(now)
	if w.used+n > w.limit {
		return w.ends - now, false
	}
	w.used += n
	return 0, true
}

func (w *window) done() {}

func (w *window) scale(_ time.Duration, by float64) { w.limit *= by }

func (w *window) describe(now time.Duration) (limit, remaining float64, reset time.Duration) {
	w.roll(now)
	return w.limit, max(0, w.limit-w.used), w.ends - now
}

func (w *window) permitted(time.Duration) float64 { return w.limit / w.period.Seconds() }

// sliding is a log of what was let in during the last period. Its reset means
// an empty log, or the next slot.
type sliding struct {
	limit  int
	next   bool // reset is the time to the next slot
	harsh  bool // what is refused counts too
	period time.Duration
	log    []time.Duration
}

func (s *sliding) trim(now time.Duration) {
	n := 0
	for n < len(s.log) && s.log[n]+s.period <= now {
		n++
	}
	s.log = s.log[n:]
}

func (s *sliding) admit(now time.Duration, _ float64) (time.Duration, bool) {
	s.trim(now)
	if n := len(s.log) - s.limit; n >= 0 {
		if s.harsh {
			s.log = append(s.log, now)
			n++
		}
		return s.log[n] + s.period - now, false
	}
	s.log = append(s.log, now)
	return 0, true
}

func (s *sliding) done() {}

func (s *sliding) scale(_ time.Duration, by float64) {
	s.limit = int(math.Round(float64(s.limit) * by))
}

func (s *sliding) describe(now time.Duration) (limit, remaining float64, reset time.Duration) {
	s.trim(now)
	if len(s.log) > 0 {
		oldest := len(s.log) - 1
		if s.next {
			oldest = max(0, len(s.log)-s.limit)
		}
		reset = s.log[oldest] + s.period - now
	}
	return float64(s.limit), float64(max(0, s.limit-len(s.log))), reset
}

func (s *sliding) permitted(time.Duration) float64 { return float64(s.limit) / s.period.Seconds() }

// bucket holds tokens that come at a rate; GCRA is one with its size as burst.
// Its reset means a full bucket.
type bucket struct {
	rate, size, level float64
	sized             bool    // the size is the limit a minute and scales with it
	told              float64 // limit in its headers, if not the size
	at                time.Duration
}

func (b *bucket) fill(now time.Duration) {
	b.level = min(b.size, b.level+(now-b.at).Seconds()*b.rate)
	b.at = now
}

func (b *bucket) admit(now time.Duration, n float64) (time.Duration, bool) {
	b.fill(now)
	const rounding = 1e-9
	if b.level < n-rounding {
		return seconds((n - b.level) / b.rate), false
	}
	b.level -= n
	return 0, true
}

func (b *bucket) done() {}

func (b *bucket) scale(now time.Duration, by float64) {
	b.fill(now)
	b.rate *= by
	if b.sized {
		b.size *= by
		b.level = min(b.level, b.size)
	}
}

func (b *bucket) describe(now time.Duration) (limit, remaining float64, reset time.Duration) {
	b.fill(now)
	return cmp.Or(b.told, b.size), math.Floor(max(0, b.level)), seconds((b.size - b.level) / b.rate)
}

func (b *bucket) permitted(time.Duration) float64 { return b.rate }

// slots limits what is in progress. It asks to come again in a second.
type slots struct{ limit, used int }

func (s *slots) admit(time.Duration, float64) (time.Duration, bool) {
	if s.used >= s.limit {
		return time.Second, false
	}
	s.used++
	return 0, true
}

func (s *slots) done() { s.used-- }

func (s *slots) scale(_ time.Duration, by float64) {
	s.limit = int(math.Round(float64(s.limit) * by))
}

func (s *slots) describe(time.Duration) (limit, remaining float64, reset time.Duration) {
	return 0, 0, 0
}

func (s *slots) permitted(mean time.Duration) float64 { return float64(s.limit) / mean.Seconds() }

// tokens counts tokens; its headers describe a limit on requests that never
// binds.
type tokens struct {
	limiter
	requests *window
}

func (t *tokens) admit(now time.Duration, n float64) (time.Duration, bool) {
	if wait, ok := t.limiter.admit(now, n); !ok {
		return wait, false
	}
	t.requests.admit(now, 1)
	return 0, true
}

func (t *tokens) describe(now time.Duration) (limit, remaining float64, reset time.Duration) {
	return t.requests.describe(now)
}

// both is a window of requests and slots; the slots bind, the headers describe
// the window. Halving halves the slots.
type both struct {
	rate *window
	slots
}

func (b *both) admit(now time.Duration, n float64) (time.Duration, bool) {
	if b.slots.used >= b.slots.limit {
		return b.slots.admit(now, n)
	}
	if wait, ok := b.rate.admit(now, 1); !ok {
		return wait, false
	}
	return b.slots.admit(now, n)
}

func (b *both) permitted(mean time.Duration) float64 {
	return min(b.rate.permitted(mean), b.slots.permitted(mean))
}

func (b *both) describe(now time.Duration) (limit, remaining float64, reset time.Duration) {
	return b.rate.describe(now)
}

// one makes a limiter count calls.
type one struct{ limiter }

func (o one) admit(now time.Duration, _ float64) (time.Duration, bool) {
	return o.limiter.admit(now, 1)
}

func seconds(s float64) time.Duration { return time.Duration(math.Ceil(s * float64(time.Second))) }

package adaptive

import "time"

// capacity is how many may be in flight: held at the last good value, probed
// rarely. A larger one is believed only after several sends in the new slots
// have survived, since one slot may just have been freed by an answer that is
// still on its way.
//
// It falls in two ways only: a probe that fails takes back what it added, and a
// refusal that shows that the server does not carry what is in flight cuts it
// to what it does carry.
type capacity struct {
	size    int // 1 ≤ size ≤ ceiling
	ceiling int

	// slow start, until the first refusal: growing as soon as there is need, by
	// one each 1/size seconds, that is e-fold a second, whatever the latency;
	// no further than twice what has survived.
	slow    bool
	reached int           // most in flight, itself included, of what survived
	grown   time.Duration // when it grew last

	step      int           // slots that a probe adds: 1, doubled while probes hold
	trying    int           // survivals that the new slots still need; 0: no probe
	phase     int           // of the next probe between two sends, of phases
	apart     time.Duration // between sends while one slot is tried
	rising    bool          // the last probe held: the next may follow at once
	calm      int           // survivors since the last change
	hold      int           // so many must have survived before a probe
	notBefore time.Duration // no probe before
}

const (
	holdFirst = 1
	holdGrown = 8  // after a probe that held, or when the cap is in doubt
	holdMost  = 96 // one refusal in 96 sends: half of the 2 % that may be refused

	// Survivals that confirm new slots, and how many more for each by which our
	// count of what is in flight may be off: a lucky probe passes 7 % of the time.
	confirm     = 4
	confirmBlur = 16

	// Where there are fewer slots, one more makes so much of a difference that
	// probes try other moments than halfway too.
	fewSlots = 8

	// No probe for so many times the Retry-After that the last refusal cost: a
	// pause may take 5 % of the time.
	probeAfter = 20
)

// phases are when a probe goes between two sends, in turn.
//
// A limit on the distance between sends that lets in hardly more than the cap
// looks like a cap to a probe that goes halfway.
var phases = [...]float64{0.5, 0.7, 0.85}

func newCapacity() capacity {
	return capacity{size: 2, slow: true, step: 1, hold: holdFirst}
}

// mayProbe reports whether one more than size may be tried, from notBefore on.
func (c *capacity) mayProbe() bool {
	return !c.slow && c.trying == 0 && (c.rising || c.calm >= c.hold) && c.size < c.ceiling
}

// mayGrow reports whether one more than size may be used, from growAt on.
func (c *capacity) mayGrow() bool {
	return c.slow && c.size < c.ceiling && c.size < 2*c.reached
}

func (c *capacity) growAt() time.Duration { return c.grown + time.Second/time.Duration(c.size) }

// exceed notes that one more is sent than there are slots: it grows, or starts
// trying a slot more.
func (c *capacity) exceed(now time.Duration, blur int) {
	if c.size >= c.ceiling {
		return
	}
	if c.slow {
		c.size++
		// What was not needed is not made up for, but for a quarter of a second.
		c.grown = max(c.growAt(), now-time.Second/4)
		return
	}
	c.step = min(c.step, c.ceiling-c.size)
	c.size += c.step
	c.trying = confirm + confirmBlur*blur
	c.calm = 0
}

// survived notes that a send was let in.
func (c *capacity) survived(t Token, ok bool) {
	c.calm++
	if ok {
		c.reached = max(c.reached, t.others+1)
	}
	if t.probe && c.trying > 0 {
		if c.trying--; c.trying == 0 {
			c.step, c.rising, c.hold = min(2*c.step, c.size), true, holdGrown
		}
	}
}

// grow begins to grow from what is known to be carried.
func (c *capacity) grow() { c.slow, c.reached = true, c.size }

// fail takes back the slot that was tried.
func (c *capacity) fail() {
	c.size = max(1, c.size-c.step)
	if c.step == 1 {
		c.hold = min(holdMost, 2*c.hold)
		c.phase = (c.phase + 1) % len(phases)
	}
	c.step, c.trying, c.rising = 1, 0, false
}

// refused notes that the cap was met: carried is how many others there were.
func (c *capacity) refused(now time.Duration, carried int, failed bool, retryAfter time.Duration) {
	c.slow, c.calm = false, 0
	c.notBefore = now + max(probeAfter*min(retryAfter, time.Hour), min(10*time.Second, time.Duration(c.hold)*100*time.Millisecond))
	if !failed {
		c.size = max(1, min(carried, c.ceiling))
		c.step, c.trying, c.rising = 1, 0, false
	}
}

// restart begins again from what is known to be carried.
func (c *capacity) restart(n int) {
	c.size, c.step, c.trying, c.rising = max(1, min(n, c.ceiling)), 1, 0, false
	c.grow()
}

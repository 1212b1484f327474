package adaptive

import "time"

// capacity is how many may be in flight. It is held at the last good value and
// probed rarely; a larger value is believed only after several sends in the new
// slot have survived, since one slot may just have been freed by an answer that
// is still on its way.
type capacity struct {
	size    int
	ceiling int

	// slow: growing as soon as there is need (until the first refusal), by one
	// each 1/size seconds, that is e-fold a second, and no further than twice
	// what has survived.
	slow    bool
	reached int           // most in flight, itself included, of what survived
	grown   time.Duration // when it grew last

	step      int           // slots that a probe adds; doubles while probes hold
	trying    int           // survivals that the new slots still need; 0: none tried
	rising    bool          // the last probe held
	calm      int           // survivors since the last change
	hold      int           // so many must have survived before a probe
	notBefore time.Duration // no probe before
}

const (
	holdFirst = 1
	holdGrown = 8  // once a probe was confirmed, or the cap is in doubt
	holdMost  = 96 // half of what may be refused goes to probes at most

	confirm       = 4  // survivals that confirm a slot …
	confirmBlur   = 16 // … and more for each that our count may be off
	probeAfterMul = 20 // a pause may cost 5 % of the time
)

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
	if c.slow {
		c.size = min(c.size+1, c.ceiling)
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
			// Not yet enough? The next may follow at once.
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
	}
	c.step, c.trying, c.rising = 1, 0, false
}

// refused notes that the cap was met: carried is how many others there were.
func (c *capacity) refused(now time.Duration, carried int, failed bool, retryAfter time.Duration) {
	c.slow, c.calm = false, 0
	c.notBefore = now + max(probeAfterMul*retryAfter, min(10*time.Second, time.Duration(c.hold)*100*time.Millisecond))
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

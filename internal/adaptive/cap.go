package adaptive

import "time"

// capacity is how many may be in flight. It is held at the last good value and
// probed rarely; a larger value is believed only after several sends in the new
// slot have survived, since one slot may just have been freed by an answer that
// is still on its way.
type capacity struct {
	size    int
	ceiling int

	// slow: growing as fast as sends survive (until the first refusal).
	slow      bool
	allowance float64 // growth that is allowed just now, at most size a second
	grownAt   time.Duration

	trying    int           // survivals that the new slot still needs; 0: none tried
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
	return capacity{size: 2, slow: true, allowance: 2, hold: holdFirst}
}

// mayProbe reports whether one more than size may be tried, from notBefore on.
func (c *capacity) mayProbe() bool {
	return !c.slow && c.trying == 0 && c.calm >= c.hold && c.size < c.ceiling
}

// probe starts trying one slot more.
func (c *capacity) probe(blur int) {
	if c.size < c.ceiling {
		c.size++
	}
	c.trying = confirm + confirmBlur*blur
	c.calm = 0
}

// survived notes that a send was let in.
func (c *capacity) survived(now time.Duration, t Token, ok bool) {
	c.calm++
	if t.probe && c.trying > 0 {
		if c.trying--; c.trying == 0 {
			c.slow, c.hold, c.calm = true, holdGrown, 0
		}
	}
	if !c.slow {
		return
	}
	c.allowance = min(float64(c.size), c.allowance+float64(c.size)*(now-c.grownAt).Seconds())
	c.grownAt = now
	if ok && t.filled && c.size < c.ceiling && c.allowance >= 1 {
		c.size++
		c.allowance--
	}
}

// fail takes back the slot that was tried.
func (c *capacity) fail() {
	c.size = max(1, c.size-1)
	c.trying = 0
}

// refused notes that the cap was met: carried is how many others there were.
func (c *capacity) refused(now time.Duration, carried int, failed bool, retryAfter time.Duration) {
	c.slow, c.calm = false, 0
	c.notBefore = now + max(probeAfterMul*retryAfter, min(10*time.Second, time.Duration(c.hold)*100*time.Millisecond))
	if failed {
		c.hold = min(holdMost, 2*c.hold)
		return
	}
	c.size = max(1, min(carried, c.ceiling))
}

// restart begins again from what is known to be carried.
func (c *capacity) restart(n int) {
	c.size, c.slow, c.trying = max(1, min(n, c.ceiling)), true, 0
}

package limit

// Retries: a tenth of the other sends, which is an eleventh of all. A few are
// allowed before there were sends enough, and what was not needed is kept for
// later up to a bound, so that a long good time does not permit a flood.
const (
	retryShare = 11
	retryFirst = 3
	retryKept  = 100
)

// retries is the budget of retries. It is arithmetic only; the gate's lock
// guards it.
type retries struct {
	allowed, refused uint64
	forgone          uint64 // were never asked for, and too many to keep
}

// allow takes one more retry if sends, all that were sent so far, permit it.
func (r *retries) allow(sends uint64) bool {
	earned := sends / retryShare
	if taken := r.allowed + r.forgone; earned > taken+retryKept {
		r.forgone = earned - r.allowed - retryKept
	}
	if r.allowed+r.forgone+1 > max(earned, r.forgone+retryFirst) {
		r.refused++
		return false
	}
	r.allowed++
	return true
}

// AllowRetry reports whether one more retry may be made, and counts it as made
// if so: over all users of the gate retries are at most a tenth of the other
// sends (and three in the beginning), so that an outage is not answered with
// more traffic. Ask before each retry, then pass the gate as for any send. It
// does not block. A nil gate allows all.
func (g *Gate) AllowRetry() bool {
	if g == nil {
		return true
	}
	g.mu.Lock()
	defer g.unlock()
	return g.retries.allow(g.sends.Load())
}

package judgetest

import "time"

// rate admits n calls in any window. The server's lock guards it.
type rate struct {
	n        int
	window   time.Duration
	admitted []time.Time // within the last window, oldest first
	refused  int
}

// admit reports whether a call at now is admitted, and else how long until one
// can be.
func (r *rate) admit(now time.Time) (wait time.Duration, ok bool) {
	old := 0
	for old < len(r.admitted) && now.Sub(r.admitted[old]) >= r.window {
		old++
	}
	r.admitted = r.admitted[old:]
	if len(r.admitted) < r.n {
		r.admitted = append(r.admitted, now)
		return 0, true
	}
	r.refused++
	if r.n < 1 {
		return r.window, false
	}
	return r.admitted[0].Add(r.window).Sub(now), false
}

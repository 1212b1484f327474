package judgetest

import "time"

// maxArrivals bounds the log of arrivals: 32 MiB.
const maxArrivals = 4 << 20

// arrivals is a log of when calls arrived, eight bytes each: nanoseconds since
// start, shifted by one bit that says whether the call was refused.
type arrivals struct {
	start time.Time
	log   []int64
	count int
}

// add notes a call and returns its number.
func (a *arrivals) add(now time.Time) int {
	n := a.count
	a.count++
	if n < maxArrivals {
		a.log = append(a.log, int64(now.Sub(a.start))<<1)
	}
	return n
}

func (a *arrivals) refuse(n int) {
	if n < len(a.log) {
		a.log[n] |= 1
	}
}

func timesOf(start time.Time, log []int64, admitted bool) []time.Time {
	times := make([]time.Time, 0, len(log))
	for _, entry := range log {
		if !admitted || entry&1 == 0 {
			times = append(times, start.Add(time.Duration(entry>>1)))
		}
	}
	return times
}

// Stats are the counters of a [Server] or a [Judge] at one moment. A server in
// a process of its own can write them as JSON.
type Stats struct {
	// Calls have arrived.
	Calls int `json:"calls"`
	// RateLimited of them were refused by a [Policy].
	RateLimited int `json:"rate_limited"`
	// InFlight are being answered; Peak is the most that ever were.
	InFlight int `json:"in_flight"`
	Peak     int `json:"peak"`
	// Connections were opened to a [Server].
	Connections int `json:"connections,omitempty"`
}

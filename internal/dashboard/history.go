package dashboard

import "time"

// counts are the counters of everything at one moment, by a name such as
// "lane/judge/done". Each only grows, until what it counts begins anew.
type counts map[string]float64

const (
	rateWindow  = 10 * time.Second
	barWindow   = time.Minute
	trendWindow = time.Minute
	// historyStep is the least time between two samples kept, historySpan the
	// time for which they are.
	historyStep = time.Second
	historySpan = 2*trendWindow + 5*time.Second
)

type sample struct {
	at     time.Time
	counts counts
}

// history is what the counters were. The sampler owns it.
type history struct {
	samples []sample // oldest first
	now     sample
}

// add makes c what is so now, and keeps it if the last kept one is old enough.
func (h *history) add(at time.Time, c counts) (kept bool) {
	h.now = sample{at, c}
	if n := len(h.samples); n > 0 && at.Sub(h.samples[n-1].at) < historyStep {
		return false
	}
	old := 0
	for old < len(h.samples) && at.Sub(h.samples[old].at) > historySpan {
		old++
	}
	h.samples = append(h.samples[old:], h.now)
	return true
}

// before is the latest sample that is at least so old, or else the oldest, if
// that is old enough to make a difference of.
func (h *history) before(age time.Duration) (sample, bool) {
	if len(h.samples) == 0 {
		return sample{}, false
	}
	found := h.samples[0]
	for _, s := range h.samples {
		if h.now.at.Sub(s.at) < age {
			break
		}
		found = s
	}
	return found, h.now.at.Sub(found.at) >= historyStep
}

// rate is how fast a counter has grown of late, by the second; nil while that is
// not known.
func (h *history) rate(name string) *float64 {
	then, ok := h.before(rateWindow)
	if !ok {
		return nil
	}
	perSecond := max(0, h.now.counts[name]-then.counts[name]) / h.now.at.Sub(then.at).Seconds()
	return &perSecond
}

// grown is by how much a counter has grown within a window that ended so long
// ago; what was before the first sample does not count.
func (h *history) grown(name string, window, ended time.Duration) float64 {
	until := h.now
	if ended > 0 {
		then, ok := h.before(ended)
		if !ok || h.now.at.Sub(then.at) < ended {
			return 0
		}
		until = then
	}
	then, ok := h.before(window + ended)
	if !ok {
		return 0
	}
	return max(0, until.counts[name]-then.counts[name])
}

// recent is by how much a counter has grown in the last minute.
func (h *history) recent(name string) float64 { return h.grown(name, barWindow, 0) }

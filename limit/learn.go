package limit

import (
	"net/http"
	"strings"
	"time"

	"github.com/genaievals/genaievals/internal/adaptive"
)

// window is what an answer's headers say about the limit on requests.
func window(h http.Header, now time.Time) (w adaptive.Window, said bool) {
	for _, d := range dimensions[:onRequests] {
		text, _, _ := strings.Cut(first(h, d.limit), ";")
		text, _, _ = strings.Cut(text, ",")
		limit, ok := plain(strings.TrimSpace(text))
		if !ok || limit <= 0 || limit > MaxPerSecond*MaxPause.Seconds() {
			continue
		}
		w.Limit = limit
		if text := first(h, d.reset); text != "" {
			seconds, ok := reset(text, clock{header: h, now: now})
			if ok && seconds > 0 && seconds <= MaxPause.Seconds() {
				w.Reset = time.Duration(seconds * float64(time.Second))
			}
		}
		return w, true
	}
	return w, false
}

// teach tells the learner how a send ended. An outcome that says nothing about
// what the judge can carry is abandoned: the caller gave up, nothing was
// answered, or the judge refused for another reason than the number of calls.
func (s *send) teach(now time.Time, o Outcome, hint Hint, w adaptive.Window, said bool) {
	if said {
		s.learner.Headers(now, w)
	}
	switch o.Result {
	case ResultOK:
		s.learner.Answered(now, s.token, true)
	case ResultRateLimited:
		s.learner.Refused(now, s.token, adaptive.Refusal{RetryAfter: hint.Wait, Exhausted: hint.Exhausted})
	case ResultUnavailable:
		if o.Header == nil {
			s.learner.Abandoned(now, s.token)
			return
		}
		s.learner.Answered(now, s.token, false)
	default:
		s.learner.Abandoned(now, s.token)
	}
}

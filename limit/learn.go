package limit

import (
	"net/http"
	"strings"
	"time"

	"github.com/genaievals/genaievals/internal/adaptive"
)

// slowestTold is the fewest sends a second that headers alone slow a gate to:
// about one a minute, which is the smallest limit that judges have. What is
// slower is learned from refusals and their waits, or not at all: a slip in a
// header must not stop a judge for hours.
const slowestTold = 1.0 / 60

// window is what an answer's headers say about the limit on requests. A limit
// below one, or beyond any rate, is absurd: counted, and passed over.
func window(h http.Header, now time.Time) (w adaptive.Window, said bool, absurd int) {
	for _, d := range dimensions[:onRequests] {
		text, _, _ := strings.Cut(first(h, d.limit), ";")
		text, _, _ = strings.Cut(text, ",")
		limit, ok := plain(strings.TrimSpace(text))
		if !ok {
			continue
		}
		if limit < 1 || limit > MaxPerSecond*MaxPause.Seconds() {
			absurd++
			continue
		}
		w.Limit = limit
		if text := first(h, d.reset); text != "" {
			seconds, ok := reset(text, clock{header: h, now: now})
			if ok && seconds > 0 && seconds <= MaxPause.Seconds() {
				w.Reset = time.Duration(seconds * float64(time.Second))
			}
		}
		return w, true, absurd
	}
	return w, false, absurd
}

// tell tells the learner what headers say. If by that alone it becomes slower
// than headers can make it, the limit is taken to be as much larger.
func tell(l *adaptive.Learner, now time.Time, w adaptive.Window) {
	before := l.Status(now).Rate
	l.Headers(now, w)
	after := l.Status(now).Rate
	if least := min(before, slowestTold); after > 0 && after < least {
		l.Headers(now, adaptive.Window{Limit: w.Limit * least / after})
	}
}

// teach tells the learner how a send ended. An outcome that says nothing about
// what the judge can carry is abandoned: the caller gave up, nothing was
// answered, or the judge refused for another reason than the number of calls.
func (s *send) teach(now time.Time, o Outcome, hint Hint, w adaptive.Window, said bool) {
	if said {
		tell(s.learner, now, w)
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

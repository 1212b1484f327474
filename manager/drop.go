package manager

import (
	"log/slog"
	"time"

	"github.com/genaievals/genaievals/instrumentation"
)

// Reasons for which a lane gives an invocation up.
const (
	DropQueueFull = "queue_full" // no room, and the policy drops the newest
	DropTooLarge  = "too_large"  // larger than the whole queue
	DropExpired   = "expired"    // waited longer than MaxAge
	DropEvicted   = "evicted"    // made room for a newer one, or for another priority in its own share
	DropDuplicate = "duplicate"  // was taken before, see [DuplicateMemory]
	DropShutdown  = "shutdown"   // still waiting when the drain time was over
)

// drop is such a reason as an index: counting it costs no hash.
type drop uint8

const (
	notDropped drop = iota
	dropQueueFull
	dropTooLarge
	dropExpired
	dropEvicted
	dropDuplicate
	dropShutdown
	drops
)

var dropNames = [drops]string{"", DropQueueFull, DropTooLarge, DropExpired, DropEvicted, DropDuplicate, DropShutdown}

// reportInterval is the least time between two warnings for one lane and
// reason.
const reportInterval = time.Minute

// dropReport is what was last said of a lane's drops. The reporter goroutine
// owns it.
type dropReport struct {
	said [drops]uint64
	when [drops]time.Time
}

// dropped tells the drop handlers and wakes the reporter. It is called without
// any lock held.
func (m *Manager) dropped(l *lane, why drop, inv *instrumentation.Invocation) {
	for _, h := range m.cfg.DropHandlers {
		m.tellDrop(h, Drop{Lane: l.name, Reason: dropNames[why], Invocation: inv})
	}
	select {
	case m.dropSignal <- struct{}{}:
	default: // the reporter has yet to look, and will see this one too
	}
}

func (m *Manager) tellDrop(h DropHandler, d Drop) {
	defer m.contain("drop handler", nil)
	h(d)
}

// report writes the warnings about drops: the first of a lane and reason at
// once, then at most one a minute. A goroutine of its own does it, so that
// neither the application nor a worker waits for a log.
func (m *Manager) report() {
	defer close(m.reporterDone)
	timer := time.NewTimer(0)
	timer.Stop()
	for {
		select {
		case <-m.dropSignal:
		case <-timer.C:
		case <-m.reporterStop:
			m.reportDrops(time.Time{}) // what is not yet said, once more
			return
		}
		if next := m.reportDrops(time.Now()); next > 0 {
			timer.Reset(next)
		}
	}
}

// reportDrops says what is due and returns how long until something held back
// is; 0 is nothing. A zero now says everything.
func (m *Manager) reportDrops(now time.Time) (next time.Duration) {
	for _, l := range m.lanes {
		counts, depth, bytes := l.dropCounts()
		for why := notDropped + 1; why < drops; why++ {
			count := counts[why]
			fresh := count - l.reported.said[why]
			if fresh == 0 {
				continue
			}
			if wait := reportInterval - now.Sub(l.reported.when[why]); !now.IsZero() && l.reported.said[why] > 0 && wait > 0 {
				if next == 0 || wait < next {
					next = wait
				}
				continue
			}
			l.reported.said[why], l.reported.when[why] = count, now
			attrs := []any{
				slog.String("lane", l.name), slog.String("reason", dropNames[why]),
				slog.Uint64("dropped", fresh), slog.Uint64("dropped_total", count),
				slog.Int("queued", depth), slog.Int64("queued_bytes", bytes),
				slog.Int("queue_size", m.cfg.QueueSize), slog.Int64("queue_bytes", m.cfg.QueueBytes),
			}
			if !m.cfg.Concurrent && (why == dropQueueFull || why == dropEvicted || why == dropExpired) {
				attrs = append(attrs, slog.String("hint",
					"one worker evaluates one metric at a time; OTEL_INSTRUMENTATION_GENAI_EVALS_CONCURRENT=true evaluates side by side"))
			}
			m.cfg.Logger.Warn("genaievals: invocations dropped", attrs...)
		}
	}
	return next
}

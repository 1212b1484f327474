package manager

import (
	"context"
	"log/slog"
	"time"
)

// reportInterval is the least time between two warnings about the same.
const reportInterval = time.Minute

// said is what was last said of something that is counted. The reporter
// goroutine owns it.
type said struct {
	count uint64
	when  time.Time
}

// due returns how many are new and to be said now, or how long until they may
// be: the first at once, then what has come since, at most once a minute. A
// zero now says everything.
func (s *said) due(count uint64, now time.Time) (fresh uint64, wait time.Duration) {
	fresh = count - s.count
	if fresh == 0 {
		return 0, 0
	}
	if wait = reportInterval - now.Sub(s.when); !now.IsZero() && s.count > 0 && wait > 0 {
		return 0, wait
	}
	s.count, s.when = count, now
	return fresh, 0
}

// wakeReporter has the reporter look for something to say.
func (m *Manager) wakeReporter() {
	select {
	case m.reportSignal <- struct{}{}:
	default: // it has yet to look, and will see this too
	}
}

// report writes the warnings about drops and about what hangs. A goroutine of its own does it, so
// that neither the application nor a worker waits for a log. A log handler that
// ends it costs what it was about to say.
func (m *Manager) report() {
	over := false
	defer func() {
		if over {
			close(m.reporterDone)
		} else {
			go m.report()
		}
	}()
	timer := time.NewTimer(0)
	timer.Stop()
	for {
		select {
		case <-m.reportSignal:
		case <-timer.C:
		case <-m.reporterStop:
			m.reportAll(time.Time{}) // what is not yet said, once more
			over = true
			return
		}
		if next := m.reportAll(time.Now()); next > 0 {
			timer.Reset(next)
		}
	}
}

// awaitReporter waits until the last has been said, or soon after ctx has ended:
// a log can hang.
func (m *Manager) awaitReporter(ctx context.Context) {
	select {
	case <-m.reporterDone:
		return
	case <-ctx.Done():
	}
	timer := time.NewTimer(reporterMargin)
	defer timer.Stop()
	select {
	case <-m.reporterDone:
	case <-timer.C:
	}
}

// reportAll says what is due and returns how long until something held back is;
// 0 is nothing. A zero now says everything.
func (m *Manager) reportAll(now time.Time) time.Duration {
	r := round{now: now}
	for _, l := range m.lanes {
		m.reportDrops(&r, l)
		m.reportStuck(&r, l)
	}
	if fresh := r.due(&m.redactions.said, m.redactions.left.Load()); fresh > 0 {
		m.cfg.Logger.Warn("genaievals: the redactor hangs; nothing leaves unredacted",
			slog.Uint64("left", fresh), slog.Int64("stuck", m.redactions.stuck.Load()),
			slog.Int("stuck_limit", maxRedactorsStuck))
	}
	return r.next
}

// round is one look of the reporter's at everything.
type round struct {
	now  time.Time     // zero: say everything
	next time.Duration // until something that was held back is due
}

func (r *round) due(s *said, count uint64) (fresh uint64) {
	fresh, wait := s.due(count, r.now)
	if wait > 0 && (r.next == 0 || wait < r.next) {
		r.next = wait
	}
	return fresh
}

func (m *Manager) reportStuck(r *round, l *lane) {
	for _, mb := range l.members {
		now, left, fills := l.stuckCounts(mb)
		attrs := []any{
			slog.String("lane", l.name), slog.String("evaluator", mb.name),
			slog.Int("stuck", now), slog.Int("stuck_limit", l.stuckCap),
		}
		if fresh := r.due(&mb.stuck.saidLeft, left); fresh > 0 {
			m.cfg.Logger.Warn("genaievals: evaluations ignored their deadline and were left",
				append(attrs, slog.Uint64("left", fresh), slog.Uint64("left_total", left))...)
		}
		if r.due(&mb.stuck.saidFull, fills) > 0 {
			m.cfg.Logger.Warn("genaievals: too many evaluations hang; the evaluator is not asked until one returns", attrs...)
		}
	}
}

func (m *Manager) reportDrops(r *round, l *lane) {
	counts, depth, bytes := l.dropCounts()
	for why := notDropped + 1; why < drops; why++ {
		fresh := r.due(&l.saidDrops[why], counts[why])
		if fresh == 0 {
			continue
		}
		attrs := []any{
			slog.String("lane", l.name), slog.String("reason", dropNames[why]),
			slog.Uint64("dropped", fresh), slog.Uint64("dropped_total", counts[why]),
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

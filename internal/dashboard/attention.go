package dashboard

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

const (
	// noticeStays is how long a notice is there at least, so that it can be read.
	noticeStays = 10 * time.Second
	// Failures are noticed when they are so many of a minute's results.
	failedLeast = 3
	failedShare = 0.03
)

// noticed lists what needs attention now, the worst first.
func (b *builder) noticed(m *model) []notice {
	var bad, warn []notice
	add := func(level, id, where, format string, args ...any) {
		n := notice{ID: id, Level: level, Text: fmt.Sprintf(format, args...), Where: where}
		if level == "bad" {
			bad = append(bad, n)
		} else {
			warn = append(warn, n)
		}
	}
	for _, s := range m.Flow {
		if s.Off != 0 {
			add("bad", "law/"+s.ID, "flow", "%s: the parts are off by %s %s", s.Title, grouped(float64(s.Off)), s.Unit)
		}
	}
	for i := range m.Lanes {
		b.noticeLane(&m.Lanes[i], add)
	}
	for _, mm := range m.Metrics {
		if mm.failed60 >= failedLeast && mm.failed60 >= failedShare*mm.ended60 {
			add("warn", "failed/"+mm.Key, "reasons", "%s of %s: %s of %s failed in 60 s", mm.Name, mm.Evaluator, grouped(mm.failed60), grouped(mm.ended60))
		}
	}
	if n := b.history.recent("panics"); n > 0 {
		add("warn", "panics", "flow", "%.0f panics of the application's functions were contained in 60 s", n)
	}
	if r := m.Run; r != nil {
		if r.Incomplete != "" {
			add("bad", "incomplete", "run", "The run is incomplete: %s", r.Incomplete)
		}
		var failing []string
		for _, g := range r.Gates {
			if !g.Passes && !g.Unknown && !g.WarnOnly {
				failing = append(failing, g.Name)
			}
		}
		if len(failing) > 0 {
			add("warn", "gates", "run", "Gates that would fail now: %s", strings.Join(failing, ", "))
		}
	}
	return append(bad, warn...)
}

func (b *builder) noticeLane(l *lane, add func(level, id, where, format string, args ...any)) {
	id := func(what string) string { return what + "/" + l.Key }
	tasks := b.history.recent("lane/" + l.Key + "/tasks")
	switch {
	case l.State == "dropping everything":
		add("bad", id("drops"), "lanes", "%s drops everything: %s tasks in 60 s", l.Name, grouped(l.Recent))
	case l.Recent > 0:
		add("warn", id("drops"), "lanes", "%s: %s of %s tasks dropped in 60 s", l.Name, grouped(l.Recent), grouped(max(tasks, l.Recent)))
	case l.State == "queue nearly full", strings.HasPrefix(l.State, "falling"):
		add("warn", id("behind"), "lanes", "%s: %s, %s wait", l.Name, l.State, grouped(float64(l.Queued)))
	}
	if l.Stuck > 0 {
		add(l.Level, id("stuck"), "lanes", "%s: %d evaluations ignored their deadline and hang", l.Name, l.Stuck)
	}
	for _, g := range l.Gates {
		switch {
		case g.Err != "":
			add("bad", id("off"), "lanes", "%s asks nobody: %s", g.Evaluator, g.Err)
		case g.Breaker != nil && g.Breaker.State == "open":
			add("bad", id("breaker"), "lanes", "%s: breaker open%s", g.Evaluator, because(g.Breaker.Reason))
		case g.Breaker != nil && g.Breaker.State == "half-open":
			add("warn", id("breaker"), "lanes", "%s: breaker half open, one call tries", g.Evaluator)
		}
		if g.Budget != nil && g.Budget.Spent {
			add("warn", id("budget"), "lanes", "%s: budget spent, its metrics are skipped", g.Evaluator)
		}
		if g.Paused >= 10 {
			add("warn", id("paused"), "lanes", "%s: the judge asked for a pause", g.Evaluator)
		}
	}
}

// grouped writes a whole number as the page does: 66,427.
func grouped(n float64) string {
	digits := strconv.FormatInt(int64(n), 10)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return " (" + reason + ")"
}

// board keeps notices for the time that they stay.
type board struct{ up []posted }

type posted struct {
	notice
	seen time.Time
}

// update returns what is to be shown: what was noticed now, and after it what was
// until a moment ago.
func (b *board) update(noticed []notice, now time.Time) []notice {
	out := make([]notice, 0, len(noticed))
	current := make(map[string]bool)
	var up []posted
	for _, n := range noticed {
		current[n.ID] = true
		out = append(out, n)
		up = append(up, posted{n, now})
	}
	for _, p := range b.up {
		if !current[p.ID] && now.Sub(p.seen) < noticeStays {
			out = append(out, p.notice)
			up = append(up, p)
		}
	}
	b.up = up
	return out
}

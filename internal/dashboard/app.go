package dashboard

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/genaievals/genaievals/manager"
)

// countApp writes an application's counters down by name.
func countApp(c counts, s *manager.Status) {
	c["door/offered"] = float64(s.Door.Offered)
	c["door/fanned"] = float64(s.Door.FannedOut)
	c["panics"] = float64(s.Panics)
	for why, n := range s.Door.Skipped {
		c["door/skipped"] += float64(n)
		c["why/door/"+why] += float64(n)
	}
	for _, l := range s.Lanes {
		at := "lane/" + l.Name
		c[at+"/tasks"], c[at+"/done"] = float64(l.Tasks), float64(l.Done)
		c["tasks"] += float64(l.Tasks)
		c["tasks/done"] += float64(l.Done)
		for why, n := range l.Dropped {
			c[at+"/dropped"] += float64(n)
			c["tasks/dropped"] += float64(n)
			c["why/dropped/"+why] += float64(n)
		}
		for _, e := range l.Evaluators {
			c["results/started"] += float64(e.Started)
			countGate(c, e.Name, e.Gate)
			for _, m := range e.Metrics {
				countMetric(c, e.Name, m.Name, m.Scored, m.Passed, m.Skipped, m.Failed)
			}
		}
	}
}

// countMetric is the same of a metric, an application's or a run's.
func countMetric(c counts, evaluator, name string, scored, passed uint64, skipped, failed map[string]uint64) {
	at := "metric/" + metricName(evaluator, name)
	c[at+"/scored"], c[at+"/passed"] = float64(scored), float64(passed)
	c["results/scored"] += float64(scored)
	c["results"] += float64(scored)
	for why, n := range skipped {
		c[at+"/skipped"] += float64(n)
		c["results/skipped"] += float64(n)
		c["results"] += float64(n)
		c["why/skipped/"+why] += float64(n)
	}
	for why, n := range failed {
		c[at+"/failed"] += float64(n)
		c["results/failed"] += float64(n)
		c["results"] += float64(n)
		c["why/failed/"+why] += float64(n)
	}
}

func metricName(evaluator, name string) string { return evaluator + "/" + name }

// appFlow are the three conservation laws of an application.
func appFlow(s *manager.Status, h *history) []sum {
	c := h.now.counts
	var queued, inFlight, running int64
	var offTasks, offResults int64
	for _, l := range s.Lanes {
		queued += int64(l.Queued)
		inFlight += int64(l.InFlight)
		offTasks += off(l.Tasks, uint64(l.Queued), uint64(l.InFlight), l.Done, total(l.Dropped))
		for _, e := range l.Evaluators {
			running += int64(e.Running)
			parts := []uint64{e.Running}
			for _, m := range e.Metrics {
				parts = append(parts, m.Scored, total(m.Skipped), total(m.Failed))
			}
			offResults += off(e.Started, parts...)
		}
	}
	counted := func(name, key string) part {
		return part{Name: name, Count: int64(c[key]), Rate: h.rate(key), Recent: h.recent(key)}
	}
	now := func(name string, n int64) part { return part{Name: name, Count: n, Recent: float64(n), Now: true} }
	return []sum{{
		ID: "door", Title: "Door", Unit: "invocations", Checked: true, Total: counted("offered", "door/offered"),
		Parts: []part{counted("skipped", "door/skipped"), counted("fanned out", "door/fanned")},
		Off:   off(s.Door.Offered, total(s.Door.Skipped), s.Door.FannedOut),
	}, {
		ID: "tasks", Title: "Lanes", Unit: "tasks", Checked: true, Total: counted("tasks", "tasks"),
		Parts: []part{counted("dropped", "tasks/dropped"), now("queued", queued), now("in flight", inFlight), counted("done", "tasks/done")},
		Off:   offTasks,
	}, {
		ID: "results", Title: "Metrics", Unit: "results", Checked: true, Total: counted("started", "results/started"),
		Parts: []part{now("running", running), counted("scored", "results/scored"), counted("skipped", "results/skipped"), counted("failed", "results/failed")},
		Off:   offResults,
	}}
}

// off is by how much the parts miss the total.
func off(whole uint64, parts ...uint64) int64 {
	rest := int64(whole)
	for _, p := range parts {
		rest -= int64(p)
	}
	return max(rest, -rest)
}

func total(byReason map[string]uint64) (n uint64) {
	for _, m := range byReason {
		n += m
	}
	return n
}

func (b *builder) appLane(l *manager.LaneStatus) lane {
	at := "lane/" + l.Name
	out := lane{
		Key: l.Name, Name: l.Name, Queued: l.Queued, QueuedBytes: l.QueuedBytes, RoomBytes: b.cfg.QueueBytes, Room: b.cfg.QueueSize,
		Oldest: l.OldestAge.Seconds(), Workers: l.Workers, Busy: l.InFlight, Tasks: l.Tasks, Done: l.Done, Dropped: total(l.Dropped),
		Recent: b.history.recent(at + "/dropped"), Rate: b.history.rate(at + "/done"), Stuck: l.Stuck, Gates: []gateState{},
	}
	var models []string
	for _, e := range l.Evaluators {
		if g := b.gate(e.Name, e.Gate); g != nil {
			out.Gates = append(out.Gates, *g)
		}
		models = append(models, b.modelOf(e.Name))
	}
	out.About = list(models)
	out.Level, out.State = b.laneState(&out, l.Halted)
	return out
}

// modelOf says in a word or two what an evaluator is: its model where it has one.
func (b *builder) modelOf(evaluator string) string {
	for _, key := range b.keys {
		if key.evaluator == evaluator {
			if a := b.known[key]; a.model != "" {
				return a.model
			} else if a.typ == "deterministic" {
				return "offline"
			}
		}
	}
	return ""
}

// list joins what is not empty, each once.
func list(words []string) string {
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	slices.Sort(words)
	return strings.Join(slices.Compact(words), ", ")
}

func (b *builder) appMetrics(s *manager.Status) (out []metric) {
	for _, l := range s.Lanes {
		for _, e := range l.Evaluators {
			for _, m := range e.Metrics {
				out = append(out, b.metric(metricCounts{
					evaluator: e.Name, name: m.Name, scored: m.Scored, passed: m.Passed,
					skipped: total(m.Skipped), failed: total(m.Failed), lastError: m.LastError,
				}))
			}
		}
	}
	return out
}

// reasonsUnder lists the counters below a prefix, the most frequent first.
func (b *builder) reasonsUnder(prefix string) []cause {
	rows := []cause{}
	for name, n := range b.history.now.counts {
		if why, ok := strings.CutPrefix(name, prefix); ok {
			rows = append(rows, cause{Name: why, Count: uint64(n), Recent: b.history.recent(name)})
		}
	}
	slices.SortFunc(rows, func(x, y cause) int {
		return cmp.Or(cmp.Compare(y.Count, x.Count), strings.Compare(x.Name, y.Name))
	})
	return rows
}

// sortedLabels are a metric's, in the order of their names.
func sortedLabels(labels map[string]uint64) []tally {
	out := make([]tally, 0, len(labels))
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		if name != "" {
			out = append(out, tally{name, labels[name]})
		}
	}
	return out
}

// seconds until a time that may be over or zero.
func secondsUntil(t, now time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return max(0, t.Sub(now).Seconds())
}

package journal

import (
	"fmt"
	"slices"
	"strings"
)

// differences says why results of one header may not stand beside those of
// another, empty if they may. Metrics that are only in now are no reason: they are
// asked.
func differences(was, now *Header) string {
	var all []string
	say := func(format string, a ...any) { all = append(all, fmt.Sprintf(format, a...)) }
	changed := func(of, what, was, now string) {
		if was != now {
			say("%s of %s was %s and is %s", what, of, quoted(was), quoted(now))
		}
	}
	for _, e := range was.Evaluators {
		i := slices.IndexFunc(now.Evaluators, func(o Evaluator) bool { return o.Name == e.Name })
		if i < 0 {
			say("evaluator %s is not in this run", e.Name)
			continue
		}
		n := now.Evaluators[i]
		changed(e.Name, "version", e.Version, n.Version)
		changed(e.Name, "judge model", e.Model, n.Model)
		for _, m := range e.Metrics {
			name := e.Name + "." + m.Name
			nm, ok := now.Metric(e.Name, m.Name)
			if !ok {
				say("metric %s is not in this run", name)
				continue
			}
			changed(name, "direction", m.Direction.String(), nm.Direction.String())
			if m.Threshold != nm.Threshold {
				say("threshold of %s was %v and is %v", name, m.Threshold, nm.Threshold)
			}
			changed(name, "judge", m.Judge, nm.Judge)
			changed(name, "model", m.Model, nm.Model)
			if !slices.Equal(m.Labels, nm.Labels) {
				changed(name, "labels", strings.Join(m.Labels, ", "), strings.Join(nm.Labels, ", "))
			}
			if m.Fingerprint != nm.Fingerprint {
				say("options of %s are not what they were", name)
			}
		}
	}
	return strings.Join(all, "; ")
}

func quoted(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// outdated reports whether a header line no longer says what a run is.
func outdated(was, now *Header) bool {
	asked := func(h *Header) (n int) {
		for _, e := range h.Evaluators {
			n += len(e.Metrics)
		}
		return n
	}
	return len(was.Evaluators) != len(now.Evaluators) || asked(was) != asked(now) ||
		now.Total != 0 && was.Total != now.Total || was.Content != now.Content ||
		was.Run != now.Run || was.Dataset != now.Dataset
}

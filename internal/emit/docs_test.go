package emit

import (
	"os"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
)

// docs/telemetry.md lists all that these tests see emitted, and says where.
func TestDocumentationIsComplete(t *testing.T) {
	page, err := os.ReadFile("../../docs/telemetry.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{} // attribute → the signals that it is on
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, "|")
		if len(cells) != 7 {
			continue
		}
		if _, key, ok := strings.Cut(cells[1], "`"); ok {
			key, _, _ = strings.Cut(key, "`")
			rows[key] = strings.Join(strings.Fields(cells[3]), "")
		}
	}
	seen := map[string]string{}
	see := func(signal string, list []attribute.KeyValue) {
		for _, kv := range list {
			switch k := string(kv.Key); {
			case k == "rubric.revision" || k == "tenant" || k == "user.id" || k == "gen_ai.operation.name": // copied; in the text
			case !strings.Contains(seen[k], signal):
				seen[k] += signal
			}
		}
	}
	b := newBackend(t)
	inv := b.answered(t)
	e := b.emitter(t)
	evaluate(t.Context(), e, inv)
	e.Publish(inv, results())
	for _, r := range b.records.all {
		see("E", recordAttributes(r))
	}
	for _, s := range b.spans.GetSpans() {
		see("S", s.Attributes)
	}
	points := b.points(t)
	for _, p := range points[metricScore] {
		see("H", p.Attributes.ToSlice())
	}
	for _, p := range points[metricDuration] {
		see("D", p.Attributes.ToSlice())
	}
	for _, p := range points[metricCost] {
		see("D", p.Attributes.ToSlice())
	}
	for k, signals := range seen {
		if rows[k] != signals {
			t.Errorf("%s is on %q, documented on %q", k, signals, rows[k])
		}
	}
	for k, signals := range rows {
		if seen[k] == "" {
			t.Errorf("%s is documented on %q and not emitted", k, signals)
		}
	}
	for _, name := range []string{eventResult, eventResults, metricScore, metricDuration, metricScorePrefix + "{metric}", spanPrefix + "{metric}", string(keyEvaluations), ScopeName, "gen_ai.operation.name"} {
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("%s is not documented", name)
		}
	}
}

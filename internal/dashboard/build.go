package dashboard

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/genaievals/genaievals/manager"
	"github.com/genaievals/genaievals/runner"
)

// builder makes the model of what the sources said. The sampler owns it.
type builder struct {
	cfg     Config
	history *history
	board   board
	started time.Time

	known map[metricKey]about // the feed's, of this second
	keys  []metricKey         // its keys, sorted
	kept  int
	gates []Gate // asked for once a second
}

// build returns the model, and whether the history has another point. What is asked
// for once a second is asked for then, or where whole is set. A source that panics
// is the caller's to contain.
func (b *builder) build(feed *feed, now time.Time, whole bool) (m model, kept bool) {
	var app *manager.Status
	var run *runner.Status
	c := make(counts, len(b.history.now.counts)+16)
	if b.cfg.App != nil {
		s := b.cfg.App()
		app = &s
		countApp(c, app)
	}
	if b.cfg.Run != nil {
		s := b.cfg.Run()
		run = &s
		countRun(c, run)
	}
	if kept = b.history.add(now, c); kept || whole {
		b.known, b.kept = feed.known()
		b.keys = slices.SortedFunc(maps.Keys(b.known), func(x, y metricKey) int {
			return cmp.Or(strings.Compare(x.evaluator, y.evaluator), strings.Compare(x.metric, y.metric))
		})
		if b.cfg.Gates != nil {
			b.gates = b.cfg.Gates()
		}
	}
	m = model{Head: b.head(app, run, now), Flow: []sum{}, Lanes: []lane{}, Metrics: []metric{}} // lists are never null
	if app != nil && len(app.Lanes) > 0 {
		m.Flow = appFlow(app, b.history)
		for i := range app.Lanes {
			m.Lanes = append(m.Lanes, b.appLane(&app.Lanes[i]))
		}
		m.Metrics = b.appMetrics(app)
	}
	if run != nil {
		m.Run = b.run(run, b.gates)
		m.Flow = append(m.Flow, runFlow(run, b.history)...)
		for i := range run.Evaluators {
			m.Lanes = append(m.Lanes, b.runLane(&run.Evaluators[i]))
		}
		m.Metrics = append(m.Metrics, b.runMetrics(run)...)
	}
	m.Reasons = b.reasons()
	m.Attention = b.board.update(b.noticed(&m), now)
	return m, kept
}

func (b *builder) head(app *manager.Status, run *runner.Status, now time.Time) head {
	h := head{
		Name: b.cfg.Name, State: "running", Now: now.UnixMilli(), Uptime: now.Sub(b.started).Truncate(time.Second).Seconds(),
		TraceURL: b.cfg.TraceURL, Explanation: b.cfg.Explanation, Content: b.cfg.Content, Kept: b.kept,
	}
	switch {
	case run != nil:
		h.Mode = "dataset run"
		h.Name = cmp.Or(h.Name, run.Name)
		switch {
		case !run.Ended.IsZero():
			h.State = "ended"
		case len(run.Evaluators) == 0:
			h.State = "starting"
		}
	case app.Concurrent:
		h.Mode = "concurrent"
	default:
		h.Mode = "sequential"
	}
	switch {
	case app == nil || run != nil:
	case len(app.Lanes) == 0:
		h.State, h.Mode = "starting", ""
	case app.Door.Offered == 0:
		h.State = "empty"
	}
	return h
}

type metricCounts struct {
	evaluator, name                 string
	scored, passed, skipped, failed uint64
	lastError                       string
}

func (b *builder) metric(c metricCounts) metric {
	key := metricName(c.evaluator, c.name)
	at := "metric/" + key
	m := metric{
		Key: key, Name: c.name, Evaluator: c.evaluator, Scored: c.scored, Passed: c.passed,
		Skipped: c.skipped, Failed: c.failed, LastError: c.lastError, Trend: b.trend(at), Buckets: make([]uint64, buckets), Labels: []tally{},
	}
	m.failed60 = b.history.recent(at + "/failed")
	m.ended60 = m.failed60 + b.history.recent(at+"/scored") + b.history.recent(at+"/skipped")
	if a, ok := b.known[metricKey{c.evaluator, c.name}]; ok {
		m.Direction, m.Threshold = direction(a.direction), a.threshold
		copy(m.Buckets, a.buckets[:])
		m.Labels = sortedLabels(a.labels)
		if a.scored > 0 {
			mean := a.total / float64(a.scored)
			m.Mean = &mean
		}
	}
	return m
}

// trendLeast is how many scored results a minute needs to be compared.
const trendLeast = 5

func (b *builder) trend(at string) *float64 {
	scored, before := b.history.grown(at+"/scored", trendWindow, 0), b.history.grown(at+"/scored", trendWindow, trendWindow)
	if scored < trendLeast || before < trendLeast {
		return nil
	}
	passed, passedBefore := b.history.grown(at+"/passed", trendWindow, 0), b.history.grown(at+"/passed", trendWindow, trendWindow)
	points := 100 * (passed/scored - passedBefore/before)
	// Twice the standard error of the difference: what is less is chance.
	p := (passed + passedBefore) / (scored + before)
	if chance := 200 * math.Sqrt(p*(1-p)*(1/scored+1/before)); math.Abs(points) <= chance {
		points = 0
	}
	return &points
}

// passWindow is the time of which a point of a pass rate's line tells.
const passWindow = 15 * time.Second

// point is the lines' newest, made once a second.
func (b *builder) point(m *model) point {
	p := point{At: m.Head.Now, Lanes: make(map[string]*float64), Metrics: make(map[string]*float64)}
	for _, l := range m.Lanes {
		p.Lanes[l.Key] = rounded(b.history.rate("lane/"+l.Key+"/done"), 100)
	}
	for _, mm := range m.Metrics {
		at := "metric/" + mm.Key
		var rate *float64
		if scored := b.history.grown(at+"/scored", passWindow, 0); scored > 0 {
			r := b.history.grown(at+"/passed", passWindow, 0) / scored
			rate = rounded(&r, 10000)
		}
		p.Metrics[mm.Key] = rate
	}
	return p
}

func rounded(v *float64, by float64) *float64 {
	if v == nil {
		return nil
	}
	r := float64(int64(*v*by+0.5)) / by
	return &r
}

func (b *builder) reasons() []causes {
	var out []causes
	if b.cfg.App != nil {
		out = append(out,
			causes{"door", "Skipped at the door", "invocations", b.reasonsUnder("why/door/")},
			causes{"dropped", "Dropped by a lane", "tasks", b.reasonsUnder("why/dropped/")})
	}
	if b.cfg.Run != nil {
		out = append(out, causes{"items", "Failed items", "items", b.reasonsUnder("why/items/")})
	}
	return append(out,
		causes{"skipped", "Skipped metrics", "results", b.reasonsUnder("why/skipped/")},
		causes{"failed", "Failed metrics", "results", b.reasonsUnder("why/failed/")})
}

package dashboard

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/genaievals/genaievals/limit"
	"github.com/genaievals/genaievals/manager"
	"github.com/genaievals/genaievals/runner"
	"github.com/google/go-cmp/cmp"
)

// application is a status whose laws hold.
func application() manager.Status {
	return manager.Status{
		Concurrent: true,
		Door:       manager.DoorStatus{Offered: 100, FannedOut: 90, Skipped: map[string]uint64{"sampled_out": 10}},
		Lanes: []manager.LaneStatus{{
			Name: "judge", Tasks: 90, Dropped: map[string]uint64{}, Queued: 3, InFlight: 2, Done: 85, Workers: 4,
			Evaluators: []manager.EvaluatorStatus{{
				Name: "judge", Started: 87, Running: 2, Gate: &limit.Status{Breaker: &limit.BreakerStatus{}},
				Metrics: []manager.MetricStatus{{
					Name: "tone", Scored: 80, Passed: 60, Skipped: map[string]uint64{"no_documents": 3}, Failed: map[string]uint64{"judge_timeout": 2},
				}},
			}},
		}},
	}
}

// looks is what a page shows after the application was as it is for a while, and
// then as change made it.
func looks(t *testing.T, change func(*manager.Status)) model {
	t.Helper()
	status := application()
	b := &builder{history: &history{}, started: noon}
	b.cfg.App = func() manager.Status { return status }
	b.cfg.QueueBytes = 1 << 20
	feed := newFeed(b.cfg)
	for i := range 30 {
		b.build(feed, noon.Add(time.Duration(i)*time.Second), false)
	}
	if change != nil {
		change(&status)
	}
	m, _ := b.build(feed, noon.Add(30*time.Second), false)
	if _, err := json.Marshal(m); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestWhatIsWrongStandsAboveAllElse(t *testing.T) {
	lane := func(s *manager.Status) *manager.LaneStatus { return &s.Lanes[0] }
	gate := func(s *manager.Status) *limit.Status { return s.Lanes[0].Evaluators[0].Gate }
	for name, tt := range map[string]struct {
		change func(*manager.Status)
		says   []string // of the notices, "" is none
		state  string   // of the lane
	}{
		"all is well":      {nil, nil, "keeps up"},
		"door law broken":  {func(s *manager.Status) { s.Door.Offered += 5 }, []string{"bad Door: the parts are off by 5 invocations"}, "keeps up"},
		"lane law broken":  {func(s *manager.Status) { lane(s).Done-- }, []string{"bad Lanes: the parts are off by 1 tasks"}, "keeps up"},
		"metric law":       {func(s *manager.Status) { lane(s).Evaluators[0].Started += 2 }, []string{"bad Metrics: the parts are off by 2 results"}, "keeps up"},
		"some are dropped": {func(s *manager.Status) { lane(s).Tasks += 10; lane(s).Done += 6; lane(s).Dropped["queue_full"] = 4 }, []string{"warn judge: 4 of 10 tasks dropped in 60 s"}, "dropping some"},
		"all are dropped":  {func(s *manager.Status) { lane(s).Tasks += 10; lane(s).Dropped["queue_full"] = 10 }, []string{"bad judge drops everything: 10 tasks in 60 s"}, "dropping everything"},
		"breaker open": {func(s *manager.Status) {
			gate(s).Breaker = &limit.BreakerStatus{State: limit.BreakerOpen, Until: noon.Add(42 * time.Second), Reason: "judge_auth"}
		}, []string{"bad judge: breaker open (judge_auth)"}, "breaker open"},
		"half open": {func(s *manager.Status) { gate(s).Breaker = &limit.BreakerStatus{State: limit.BreakerHalfOpen} }, []string{"warn judge: breaker half open, one call tries"}, "breaker half open"},
		"budget spent": {func(s *manager.Status) {
			gate(s).Budget = &limit.BudgetStatus{Budget: limit.Budget{Amount: 5, Per: time.Hour}, Exhausted: true}
		}, []string{"warn judge: budget spent, its metrics are skipped"}, "budget spent"},
		"limit unkept": {func(s *manager.Status) { gate(s).Err = errors.New("bad rate") }, []string{"bad judge asks nobody: bad rate"}, "off: its limit cannot be kept"},
		"long pause":   {func(s *manager.Status) { gate(s).PausedUntil = noon.Add(90 * time.Second) }, []string{"warn judge: the judge asked for a pause"}, "paused by the judge"},
		"short pause":  {func(s *manager.Status) { gate(s).PausedUntil = noon.Add(33 * time.Second) }, nil, "paused by the judge"},
		"full":         {func(s *manager.Status) { lane(s).QueuedBytes = 900 << 10 }, []string{"warn judge: queue nearly full, 3 wait"}, "queue nearly full"},
		"old":          {func(s *manager.Status) { lane(s).OldestAge = 9 * time.Second }, []string{"warn judge: falling behind, 3 wait"}, "falling behind"},
		"limit reached": {func(s *manager.Status) {
			lane(s).OldestAge, gate(s).Waiting = 40*time.Second, 2
		}, nil, "waits for its limit"},
		"ever more waits for the limit": {func(s *manager.Status) {
			lane(s).Tasks += 20
			lane(s).Queued += 20
			lane(s).OldestAge, gate(s).Waiting = 40*time.Second, 2
		}, []string{"warn judge: falling behind, 23 wait"}, "falling behind"},
		"hanging": {func(s *manager.Status) { lane(s).Stuck, lane(s).Halted = 40, true }, []string{"bad judge: 40 evaluations ignored their deadline and hang"}, "halted: evaluations hang"},
		"panics":  {func(s *manager.Status) { s.Panics = 2 }, []string{"warn 2 panics of the application's functions were contained in 60 s"}, "keeps up"},
		"metrics failed": {func(s *manager.Status) {
			e := &lane(s).Evaluators[0]
			e.Started += 20
			e.Metrics[0].Scored += 10
			e.Metrics[0].Failed["judge_timeout"] += 10
		}, []string{"warn tone of judge: 10 of 20 failed in 60 s"}, "keeps up"},
	} {
		t.Run(name, func(t *testing.T) {
			m := looks(t, tt.change)
			var says []string
			for _, n := range m.Attention {
				says = append(says, n.Level+" "+n.Text)
			}
			if diff := cmp.Diff(tt.says, says); diff != "" {
				t.Errorf("notices: -want +got:\n%s", diff)
			}
			if got := m.Lanes[0].State; got != tt.state {
				t.Errorf("the lane says %q, want %q", got, tt.state)
			}
		})
	}
}

func TestTheStateOfAPageThatHasNothingToShowYet(t *testing.T) {
	if m := looks(t, func(s *manager.Status) { *s = manager.Status{} }); m.Head.State != "starting" {
		t.Errorf("without lanes: %q", m.Head.State)
	}
	if m := looks(t, func(s *manager.Status) { s.Door = manager.DoorStatus{} }); m.Head.State != "empty" {
		t.Errorf("with nothing offered: %q", m.Head.State)
	}
	if m := looks(t, nil); m.Head.State != "running" || m.Metrics[0].Mean != nil {
		t.Errorf("with something offered: %q, mean %v", m.Head.State, m.Metrics[0].Mean)
	}
}

func TestARunIsShownWithItsGatesAndSums(t *testing.T) {
	run := runner.Status{
		Progress:   runner.Progress{Name: "refunds.jsonl", Done: 60, Total: 100, InFlight: 10, Rate: 2, ETA: 20 * time.Second, Spend: 1.5, HasSpend: true},
		Evaluators: []runner.EvaluatorStatus{{Name: "judge", Concurrency: 8, Running: 4, Metrics: []runner.MetricStatistics{{Name: "tone", Threshold: 0.5, Scored: 50, Passed: 40, Mean: 0.8}}}},
	}
	b := &builder{history: &history{}, started: noon}
	b.cfg.Run = func() runner.Status { return run }
	b.cfg.Gates = func() []Gate { return []Gate{{Name: "tone pass rate", Now: "80 %", Need: "90 %"}} }
	m, _ := b.build(newFeed(b.cfg), noon, false)
	if m.Run == nil || *m.Run.Spend != 1.5 || m.Run.ETA != 20 || len(m.Run.Gates) != 1 || m.Head.Name != "refunds.jsonl" {
		t.Errorf("run %+v of %q", m.Run, m.Head.Name)
	}
	if m.Flow[0].Off != 0 || m.Flow[0].Parts[0].Count != 30 || !m.Flow[0].Checked {
		t.Errorf("items %+v", m.Flow[0])
	}
	if got := m.Metrics[0]; *got.Mean != 0.8 || got.Direction != "higher" || got.Passed != 40 {
		t.Errorf("metric %+v", got)
	}
	if len(m.Attention) != 1 || !strings.Contains(m.Attention[0].Text, "tone pass rate") {
		t.Errorf("notices %+v", m.Attention)
	}
	run.Done, run.Ended, run.Incomplete = 95, noon, "interrupted"
	m, _ = b.build(newFeed(b.cfg), noon.Add(time.Second), false)
	if m.Flow[0].Off != 5 || m.Head.State != "ended" {
		t.Errorf("a dataset with more items than it said: off by %d, %s", m.Flow[0].Off, m.Head.State)
	}
}

func TestANoticeStaysLongEnoughToBeRead(t *testing.T) {
	var b board
	dropped := []notice{{ID: "drops", Text: "4 dropped"}}
	b.update(dropped, noon)
	if got := b.update(nil, noon.Add(9*time.Second)); len(got) != 1 {
		t.Errorf("gone after 9 s: %v", got)
	}
	if got := b.update(nil, noon.Add(11*time.Second)); len(got) != 0 {
		t.Errorf("there after 11 s: %v", got)
	}
}

func TestRatesAndTrendsAreDifferences(t *testing.T) {
	var h history
	at := func(s int) time.Time { return noon.Add(time.Duration(s) * time.Second) }
	if h.add(at(0), counts{"n": 100}); h.rate("n") != nil {
		t.Error("a rate of one sample")
	}
	for s := 1; s <= 200; s++ {
		h.add(at(s), counts{"n": 100 + 5*float64(s)})
	}
	if got := h.rate("n"); got == nil || *got != 5 {
		t.Errorf("rate %v, want 5", got)
	}
	if got := h.recent("n"); got != 300 {
		t.Errorf("grew by %v in a minute, want 300", got)
	}
	if got := h.grown("n", time.Minute, time.Minute); got != 300 {
		t.Errorf("grew by %v in the minute before, want 300", got)
	}
	if h.add(at(201), counts{"n": 3}); *h.rate("n") != 0 {
		t.Error("what began anew has a rate below zero")
	}
	if len(h.samples) > int(historySpan/historyStep)+2 {
		t.Errorf("%d samples are kept", len(h.samples))
	}
}

// Five of a hundred more can be chance, thirty are not.
func TestATrendIsMoreThanChance(t *testing.T) {
	for name, tt := range map[string]struct{ passed, want float64 }{"chance": {75, 0}, "up": {100, 30}, "down": {40, -30}} {
		b := &builder{history: &history{}}
		b.history.add(noon, counts{})
		b.history.add(noon.Add(time.Minute), counts{"m/scored": 100, "m/passed": 70})
		b.history.add(noon.Add(2*time.Minute), counts{"m/scored": 200, "m/passed": 70 + tt.passed})
		if got := b.trend("m"); got == nil || math.Abs(*got-tt.want) > 1e-9 {
			t.Errorf("%s: %v points, want %v", name, got, tt.want)
		}
	}
}

func TestCellsThatDoNotChangeAreNotSent(t *testing.T) {
	c := cells{"a": json.RawMessage("1"), "b": json.RawMessage("2")}
	changed := c.change(cells{"a": json.RawMessage("1"), "c": json.RawMessage("3")}, false)
	if diff := cmp.Diff([]string{"b", "c"}, slices.Sorted(maps.Keys(changed))); diff != "" || string(changed["b"]) != "null" {
		t.Errorf("changed %v", changed)
	}
	if changed = c.change(cells{"a": json.RawMessage("1")}, true); len(changed) != 0 || len(c) != 2 {
		t.Errorf("a part of what is there: changed %v, %d are left", changed, len(c))
	}
}

// The last look is whole, however soon after the one before.
func TestGatesOfTheLastLookAreFresh(t *testing.T) {
	gate := Gate{Name: "tone mean", Now: "–", Unknown: true}
	b := &builder{history: &history{}, started: noon}
	b.cfg.Run = func() runner.Status { return runner.Status{} }
	b.cfg.Gates = func() []Gate { return []Gate{gate} }
	b.build(newFeed(b.cfg), noon, false)
	gate = Gate{Name: "tone mean", Now: "0.40"}
	m, _ := b.build(newFeed(b.cfg), noon.Add(10*time.Millisecond), true)
	if diff := cmp.Diff([]Gate{gate}, m.Run.Gates); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

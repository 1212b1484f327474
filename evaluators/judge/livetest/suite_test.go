// Package livetest asks a judge all metrics in all ways, and checks that what
// the judge said is what the results say. It has tests only.
//
// One suite runs against a server named by the environment ([TestLive]), against
// a scripted one, and against one that does all that real models do wrong, so
// that the suite itself is tested where there is no model.
package livetest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
)

// form is a way in which metrics are asked.
type form struct {
	name    string
	options []judge.Option
}

// forms returns all ways.
func forms() []form {
	return []form{
		{"per_metric", nil},
		{"combined", []judge.Option{judge.WithMode(judge.ModeCombined)}},
		{"own rubrics", []judge.Option{judge.WithRubrics(rubrics()...)}},
		{"own rubrics, combined", []judge.Option{judge.WithMode(judge.ModeCombined), judge.WithRubrics(rubrics()...)}},
	}
}

// subject is a judge that the suite runs against.
type subject struct {
	client *openai.Client
	// sent counts what the client sends; it is the client's transport.
	sent    *counter
	options []judge.Option
	// All cases are evaluated so many times, and so many evaluations run at once.
	rounds, parallel int
	// evaluated is told of each evaluation, if there is one.
	evaluated func(exchange, []evaluators.Metric, []evaluators.Result)
	// echoes: each reason has to name the case that it is about.
	echoes bool
}

// tally counts what became of the metrics asked.
type tally struct {
	mu       sync.Mutex
	outcomes map[string]int // by metric and outcome
	results  int
	scored   int
	unscored int // though they apply to their case
}

func (c *tally) add(r evaluators.Result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.outcomes == nil {
		c.outcomes = map[string]int{}
	}
	c.results++
	switch {
	case r.Outcome == evaluators.OutcomeScored:
		c.scored++
	case r.Attempts > 0:
		c.unscored++
	}
	c.outcomes[fmt.Sprintf("%s %s %s%s", r.Metric, r.Outcome, r.Reason, r.ErrorType)]++
}

func (c *tally) String() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(c.outcomes)) {
		fmt.Fprintf(&b, "%6d %s\n", c.outcomes[name], name)
	}
	return b.String()
}

// run evaluates all cases in one form and checks every result. The first case
// goes alone, so that what is to be learned of the judge is learned by then.
func (s subject) run(t *testing.T, f form) *tally {
	t.Helper()
	rec := &recorder{Client: s.client}
	e, err := judge.New(rec, slices.Concat(s.options, f.options)...)
	if err != nil {
		t.Fatal(err)
	}
	groups := groupsOf(e)
	var total tally
	evaluate := func(c sample) {
		for _, metrics := range groups {
			s.evaluate(t, e, c, metrics, &total)
		}
	}
	before := s.sent.count()
	evaluate(samples(0)[0])
	learned := len(rec.formats())
	work := make(chan sample)
	var wg sync.WaitGroup
	for range max(1, s.parallel) {
		wg.Go(func() {
			for c := range work {
				if !t.Failed() { // one failure tells enough
					evaluate(c)
				}
			}
		})
	}
	cases := 1
	for round := range max(1, s.rounds) {
		for _, c := range samples(1 + round) {
			work <- c
			cases++
		}
	}
	close(work)
	wg.Wait()
	if t.Failed() {
		return &total
	}
	if want := cases * len(e.Metrics()); total.results != want {
		t.Errorf("%d results, want %d", total.results, want)
	}
	if sent, want := s.sent.count()-before, len(rec.formats()); sent != want {
		t.Errorf("%d requests were sent, and the evaluator knows of %d", sent, want)
	}
	s.checkLadder(t, rec.formats(), learned)
	return &total
}

// groupsOf is how the manager would have the metrics asked.
func groupsOf(e *judge.Evaluator) [][]evaluators.Metric {
	if g, ok := evaluators.Evaluator(e).(evaluators.Grouper); ok {
		return g.Group(e.Metrics())
	}
	var groups [][]evaluators.Metric
	for _, m := range e.Metrics() {
		groups = append(groups, []evaluators.Metric{m})
	}
	return groups
}

// evaluate has one case evaluated and checks what comes of it.
func (s subject) evaluate(t *testing.T, e *judge.Evaluator, c sample, metrics []evaluators.Metric, total *tally) {
	ctx, calls := withTranscript(context.Background())
	results := e.Evaluate(ctx, c.evaluated(), metrics)
	if len(results) != len(metrics) {
		t.Errorf("%s: %d results of %d metrics", c.nonce, len(results), len(metrics))
		return
	}
	checked := exchange{t: t, sample: c, calls: calls.all(), echoes: s.echoes}
	for i, m := range metrics {
		if results[i].Metric != m.Name {
			t.Errorf("%s: result %d is of %q, want %q", c.nonce, i, results[i].Metric, m.Name)
			return
		}
		checked.check(m, results[i])
		total.add(results[i])
	}
	checked.checkRequests()
	checked.checkTokens(results)
	if s.evaluated != nil {
		s.evaluated(checked, metrics, results)
	}
}

// checkLadder: an answer format that was given up is not tried again and again.
// What one goroutine learns reaches the others with their next request; a judge
// that refuses for no stated reason is probed a few times without a format.
func (s subject) checkLadder(t *testing.T, formats []judge.Format, learned int) {
	t.Helper()
	const probes, rungs = 8, 4
	back := 0
	for i := 1; i < len(formats); i++ {
		if formats[i] < formats[i-1] {
			back++
		}
	}
	if most := probes + rungs*s.parallel; back > most {
		t.Errorf("in %d requests stricter formats were gone back to %d times, want at most %d", len(formats), back, most)
	}
	t.Logf("%d requests, %d of them for the first case; the last format is %s", len(formats), learned, formats[len(formats)-1])
}

package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/histogram"
	"github.com/genaievals/genaievals/internal/render"
	"github.com/genaievals/genaievals/runner"
	"github.com/genaievals/genaievals/runner/journal"
)

const (
	maxText   = 600 // bytes of a text that are kept
	maxNames  = 64  // names that are counted apart; others are otherName
	maxModels = 16
	otherName = "_OTHER"
)

// names counts by name. What is past maxNames is otherName.
type names struct {
	counts []Count
	at     map[string]int
}

// count counts a name and returns its place; text is kept of the first.
func (c *names) count(name, text string, n int64) {
	at, ok := c.at[name]
	if !ok && len(c.counts) >= maxNames && name != otherName {
		c.count(otherName, text, n)
		return
	}
	if !ok {
		if c.at == nil {
			c.at = map[string]int{}
		}
		at = len(c.counts)
		name = render.Clip(name, maxText)
		c.at[name] = at
		c.counts = append(c.counts, Count{Name: name, Text: render.Clip(text, maxText)})
	}
	c.counts[at].Count += n
}

// frequent returns the most frequent first.
func (c *names) frequent() []Count {
	return slices.SortedFunc(slices.Values(c.counts), func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
}

// tally is what is kept of one metric.
type tally struct {
	evaluator journal.Evaluator
	metric    journal.Metric

	results, passed, inputCut int64
	sum                       sum
	scores                    scores
	labels, skipped, failed   names
	labelled                  bool
	models                    []string
	latency, wait             histogram.Durations
	usage                     Usage
	input, output             int64
	cost                      sum
	worst                     worst
}

func newTally(e journal.Evaluator, m journal.Metric, most int) *tally {
	t := &tally{evaluator: e, metric: m, worst: worst{most: most}}
	for _, label := range m.Labels {
		t.labels.count(label, "", 0)
	}
	return t
}

func (t *tally) add(rec *runner.Record, r *evaluators.Result) {
	t.results++
	switch r.Outcome {
	case evaluators.OutcomeScored:
		t.score(rec, r)
	case evaluators.OutcomeFailed:
		text := ""
		if r.Err != nil {
			text = r.Err.Error()
		}
		t.failed.count(cmp.Or(r.ErrorType, otherName), cmp.Or(strings.TrimPrefix(text, r.ErrorType+": "), r.Explanation), 1)
	default:
		t.skipped.count(cmp.Or(r.Reason, otherName), "", 1)
		return
	}
	t.latency.Add(max(0, r.Duration))
	t.wait.Add(max(0, r.LimitWait))
	t.spend(r)
}

func (t *tally) score(rec *runner.Record, r *evaluators.Result) {
	t.sum.add(r.Score)
	t.scores.add(r.Score)
	if r.Passed {
		t.passed++
	}
	if r.InputCut > 0 {
		t.inputCut++
	}
	if r.Label != "" {
		t.labelled = true
		t.labels.count(r.Label, "", 1)
	}
	if r.JudgeModel != "" && len(t.models) < maxModels && !slices.Contains(t.models, r.JudgeModel) {
		t.models = append(t.models, render.Clip(r.JudgeModel, maxText))
	}
	bad := r.Score
	if t.metric.Direction == evaluators.HigherIsBetter {
		bad = 1 - r.Score
	}
	t.worst.add(bad, rec, r)
}

func (t *tally) spend(r *evaluators.Result) {
	if r.Attempts == 0 && r.InputTokens == 0 && r.OutputTokens == 0 && !r.HasCost {
		return
	}
	t.usage.Results++
	t.usage.Attempts += int64(r.Attempts)
	if r.InputTokens != 0 || r.OutputTokens != 0 {
		t.usage.Metered++
		t.input += r.InputTokens
		t.output += r.OutputTokens
	}
	if r.HasCost {
		t.usage.Priced++
		t.cost.add(r.Cost)
	}
}

// report returns what was counted.
func (t *tally) report() Metric {
	m := Metric{
		Evaluator: t.evaluator.Name, EvaluatorVersion: t.evaluator.Version, EvaluatorType: t.evaluator.Type,
		Name: t.metric.Name, Direction: t.metric.Direction.String(), Threshold: t.metric.Threshold,
		Labels: slices.Clone(t.metric.Labels), Models: slices.Sorted(slices.Values(t.models)),
		Results: t.results, Scored: t.sum.n, Passed: t.passed, InputCut: t.inputCut,
		PassRate: share(t.passed, t.sum.n), Mean: t.sum.estimate(0, 1),
		Skipped: t.skipped.frequent(), Failed: t.failed.frequent(),
		Latency: quantilesOf(&t.latency), LimitWait: quantilesOf(&t.wait),
		Worst: slices.Clone(t.worst.kept()),
	}
	if t.sum.n > 0 {
		m.Median = new(t.scores.median(t.sum.n))
		m.Histogram = slices.Clone(t.scores.tenths[:])
	}
	if t.labelled {
		m.LabelCounts = slices.Clone(t.labels.counts)
	}
	if t.usage.Results > 0 {
		u := t.usage
		if u.Metered > 0 {
			u.InputTokens, u.OutputTokens = new(t.input), new(t.output)
		}
		if u.Priced > 0 {
			u.CostUSD = new(t.cost.high + t.cost.low)
		}
		m.Usage = &u
	}
	return m
}

// quantilesOf is nil where there is none.
func quantilesOf(d *histogram.Durations) *Quantiles {
	if d.Count() == 0 {
		return nil
	}
	return &Quantiles{
		P50: d.Quantile(0.5).Seconds(), P95: d.Quantile(0.95).Seconds(), P99: d.Quantile(0.99).Seconds(), Max: d.Max().Seconds(),
	}
}

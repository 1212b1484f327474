package report

import (
	"fmt"
	"hash/fnv"
	"iter"
	"math"
	"math/rand/v2"

	"github.com/genaievals/genaievals/internal/render"
	"github.com/genaievals/genaievals/runner"
	"github.com/genaievals/genaievals/runner/journal"
)

// Run is one of the runs that [Compare] reads: a header and its records, once.
type Run struct {
	Header  journal.Header
	Records iter.Seq2[*runner.Record, error]
}

// CompareOption is a setting of [Compare].
type CompareOption interface{ applyTo(*comparing) error }

type comparing struct {
	minEffect   float64
	seed        uint64
	sameContent bool
}

type compareOption func(*comparing) error

func (o compareOption) applyTo(c *comparing) error { return o(c) }

// WithMinEffect sets how large a difference of a mean or a pass rate, from 0 to 1,
// is not yet a regression. Default 0: any that is certain enough is one.
func WithMinEffect(effect float64) CompareOption {
	return compareOption(func(c *comparing) error {
		if !(effect >= 0 && effect <= 1) {
			return fmt.Errorf("report: WithMinEffect(%v) is not in 0…1", effect)
		}
		c.minEffect = effect
		return nil
	})
}

// WithSeed sets where the random numbers begin. Default 0; the same seed and the
// same records give the same intervals.
func WithSeed(seed uint64) CompareOption {
	return compareOption(func(c *comparing) error { c.seed = seed; return nil })
}

// WithSameContent leaves out items whose content differs between the runs.
// Default: they are counted, and compared too, since the answers are content and
// two versions of an application give other ones.
func WithSameContent(on bool) CompareOption {
	return compareOption(func(c *comparing) error { c.sameContent = on; return nil })
}

// Compare pairs the results of two runs by item id and says what has changed. It
// reads old first, to its end. Memory is about 150 bytes an item and 16 for each
// of its metrics. The error is that of reading either, or an option out of range.
func Compare(old, new Run, options ...CompareOption) (*Comparison, error) {
	var settings comparing
	for _, o := range options {
		if o == nil {
			continue
		}
		if err := o.applyTo(&settings); err != nil {
			return nil, err
		}
	}
	p, only := pairUp([2]journal.Header{old.Header, new.Header})
	for side, run := range []Run{old, new} {
		if run.Records == nil {
			continue
		}
		for r, err := range run.Records {
			if err != nil {
				return nil, fmt.Errorf("read the %s run: %w", []string{"old", "new"}[side], err)
			}
			p.add(side, r, settings.sameContent)
		}
	}
	c := &Comparison{
		SchemaVersion: SchemaVersion, Old: infoOf(old), New: infoOf(new), Verdict: Passed,
		MinEffect: settings.minEffect, Seed: settings.seed, SameContent: settings.sameContent,
		Metrics: []MetricChange{}, OnlyOld: only[oldRun], OnlyNew: only[newRun],
	}
	var in [2]int64
	c.Items, in = p.items()
	c.Old.Items, c.New.Items = in[oldRun], in[newRun]
	for _, both := range p.pairs {
		c.Metrics = append(c.Metrics, p.compare(both, settings))
		c.Notes = append(c.Notes, both.notes()...)
	}
	c.decide()
	return c, nil
}

func infoOf(r Run) RunInfo {
	return RunInfo{Run: r.Header.Run, Dataset: r.Header.Dataset, Started: r.Header.Started}
}

// decide sets the verdict.
func (c *Comparison) decide() {
	var regressions, missing []string
	compared := false
	for i := range c.Metrics {
		m := &c.Metrics[i]
		switch {
		case m.Outcome == Regression:
			regressions = append(regressions, m.FullName()+": "+changeText(m))
		case m.Outcome == NotCompared && m.LostScores+m.NewScores > 0:
			missing = append(missing, m.FullName()+": no item was scored in both runs")
		}
		compared = compared || m.Pairs > 0
	}
	if !compared && len(missing) == 0 {
		missing = []string{"the runs have no scored item in common"}
	}
	switch {
	case len(regressions) > 0:
		c.Verdict = GateFailed
	case len(missing) > 0:
		c.Verdict = Incomplete
	}
	c.Reasons = append(regressions, missing...)
}

// compare says how a metric has changed.
func (p *pairing) compare(b *pair, settings comparing) MetricChange {
	m := b.metric[newRun]
	out := MetricChange{
		Evaluator: b.evaluator[newRun].Name, Metric: m.Name, Direction: m.Direction.String(), Threshold: m.Threshold,
		Outcome: NotCompared, Flips: b.flips,
	}
	var differences, passes []float64
	var scores, passed [2]sum
	for i := range p.ids {
		at := int32(i) //nolint:gosec // as there
		if !get(p.in[oldRun], at, false) || !get(p.in[newRun], at, false) || (settings.sameContent && p.changed(at)) {
			continue
		}
		before, after := get(b.scores[oldRun], at, math.NaN()), get(b.scores[newRun], at, math.NaN())
		switch {
		case math.IsNaN(before) && math.IsNaN(after):
			continue
		case math.IsNaN(before):
			out.NewScores++
			continue
		case math.IsNaN(after):
			out.LostScores++
			continue
		}
		pass := 0.0
		switch did, does := b.passes(before), b.passes(after); {
		case did && !does:
			out.Broken++
			pass = -1
		case does && !did:
			out.Fixed++
			pass = 1
		}
		differences, passes = append(differences, after-before), append(passes, pass)
		for side, score := range []float64{before, after} {
			scores[side].add(score)
			passed[side].add(one(b.passes(score)))
		}
	}
	if out.Pairs = int64(len(differences)); out.Pairs == 0 {
		return out
	}
	out.Method = "bootstrap"
	if out.Pairs > manyPairs {
		out.Method = "normal"
	}
	// Each metric has random numbers of its own, whatever else is compared.
	h := fnv.New64a()
	h.Write([]byte(out.FullName()))
	random := rand.NewPCG(settings.seed, h.Sum64())
	out.Mean = newChange(scores, differences, random, b.better, settings.minEffect, signPValue(differences, random))
	up := func(x float64) float64 { return x }
	out.PassRate = newChange(passed, passes, random, up, settings.minEffect, flipPValue(out.Broken, out.Fixed))
	out.Outcome = Unchanged
	for _, outcome := range []Outcome{Improvement, Regression} {
		if out.Mean.Outcome == outcome || out.PassRate.Outcome == outcome {
			out.Outcome = outcome
		}
	}
	return out
}

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// newChange compares a value; better turns a difference so that good is up.
func newChange(values [2]sum, differences []float64, random *rand.PCG, better func(float64) float64, minEffect, p float64) *Change {
	var d sum
	for _, x := range differences {
		d.add(x)
	}
	c := &Change{Old: values[oldRun].average(), New: values[newRun].average(), Difference: d.average(), PValue: &p, Outcome: Unchanged}
	if len(differences) < 2 {
		return c
	}
	low, high := interval95(differences, random)
	c.Low, c.High = &low, &high
	worst, best := min(better(low), better(high)), max(better(low), better(high))
	switch {
	case p > 0.05 || math.Abs(c.Difference) <= minEffect+tolerance:
	case best < 0:
		c.Outcome = Regression
	case worst > 0:
		c.Outcome = Improvement
	}
	return c
}

// changeText is "mean 0.86 → 0.79, -0.07 [-0.10, -0.04]; pass rate …".
func changeText(m *MetricChange) string {
	return "mean " + valueText(m.Mean, twoDecimals) + "; pass rate " + valueText(m.PassRate, render.Percent)
}

func valueText(c *Change, format func(*float64) string) string {
	if c == nil {
		return render.None
	}
	text := format(&c.Old) + " → " + format(&c.New) + ", " + signedText(c.Difference, format)
	if i := render.Between(c.Low, c.High, format); i != "" {
		text += " " + i
	}
	return text
}

// signedText writes a difference with its sign.
func signedText(x float64, format func(*float64) string) string {
	text := format(&x)
	if x > 0 {
		text = "+" + text
	}
	return text
}

package report_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/runner"
	"github.com/genaievals/genaievals/runner/journal"
	"github.com/genaievals/genaievals/runner/report"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// lengths is a run of the offline metric: an item for each score, none for NaN.
func lengths(scores []float64) report.Run {
	h := header()
	h.Evaluators = h.Evaluators[1:]
	var list []*runner.Record
	for i, score := range scores {
		if !math.IsNaN(score) {
			list = append(list, answer(int64(i), "builtin", scored(h, "builtin", "length", score, "", "because")))
		}
	}
	return report.Run{Header: h, Records: all(list)}
}

func compare(t *testing.T, old, new report.Run, options ...report.CompareOption) *report.Comparison {
	t.Helper()
	c, err := report.Compare(old, new, options...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func repeat(n int, scores ...float64) []float64 {
	var out []float64
	for range n {
		out = append(out, scores...)
	}
	return out
}

func TestComparisonDecides(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name     string
		old, new []float64
		options  []report.CompareOption
		want     report.Outcome
		verdict  report.Verdict
	}{
		{"nothing changed", repeat(50, .2, .8), repeat(50, .2, .8), nil, report.Unchanged, report.Passed},
		{"all fell", repeat(50, .8), repeat(50, .7), nil, report.Regression, report.GateFailed},
		{"all rose", repeat(50, .7), repeat(50, .8), nil, report.Improvement, report.Passed},
		{"all fell, less than matters", repeat(50, .8), repeat(50, .7), []report.CompareOption{report.WithMinEffect(.1)}, report.Unchanged, report.Passed},
		{"all fell, more than matters", repeat(50, .8), repeat(50, .7), []report.CompareOption{report.WithMinEffect(.09)}, report.Regression, report.GateFailed},
		{"one fell", repeat(1, .8), repeat(1, .1), nil, report.Unchanged, report.Passed},
		{"four fell, which may be chance", repeat(20, .8), append(repeat(4, .1), repeat(16, .8)...), nil, report.Unchanged, report.Passed},
		{"ten fell and none rose", repeat(20, .8), append(repeat(10, .1), repeat(10, .8)...), nil, report.Regression, report.GateFailed},
		{"ten fell and ten rose", append(repeat(10, .8), repeat(10, .1)...), append(repeat(10, .1), repeat(10, .8)...), nil, report.Unchanged, report.Passed},
		{"no item in common", append(repeat(5, nan), repeat(5, .8)...), append(repeat(5, .8), repeat(5, nan)...), nil, report.NotCompared, report.Incomplete},
		{"both empty", nil, nil, nil, report.NotCompared, report.Incomplete},
		{"many pairs fell", repeat(30_000, .8, .6), repeat(30_000, .79, .6), nil, report.Regression, report.GateFailed},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := compare(t, lengths(c.old), lengths(c.new), c.options...)
			if got.Metrics[0].Outcome != c.want || got.Verdict != c.verdict || got.Regressed() != (c.verdict == report.GateFailed) {
				t.Errorf("%s, %s because %q", got.Metrics[0].Outcome, got.Verdict, got.Reasons)
			}
			if (got.Verdict == report.Passed) != (len(got.Reasons) == 0) {
				t.Errorf("%s because %q", got.Verdict, got.Reasons)
			}
		})
	}
}

// Lower is better: the mean that rises is the regression.
func TestComparisonKnowsTheDirection(t *testing.T) {
	h := header()
	run := func(score float64) report.Run {
		var list []*runner.Record
		for i := range 30 {
			list = append(list, answer(int64(i), "judge", scored(h, "judge", "bias", score, "", "")))
		}
		return report.Run{Header: h, Records: all(list)}
	}
	if c := compare(t, run(.1), run(.2)); c.Metrics[1].Outcome != report.Regression || c.Metrics[1].Mean.Outcome != report.Regression || c.Metrics[1].PassRate.Outcome != report.Unchanged {
		t.Errorf("rose: %+v", c.Metrics[1])
	}
	if c := compare(t, run(.9), run(.2)); c.Metrics[1].Outcome != report.Improvement || c.Metrics[1].Fixed != 30 {
		t.Errorf("fell: %+v", c.Metrics[1])
	}
}

func TestComparisonTellsWhatIsNotPaired(t *testing.T) {
	nan := math.NaN()
	old, new := lengths([]float64{.8, .8, .8, nan, nan}), lengths([]float64{nan, .8, .2, .2, nan})
	h := header()
	bad := []*runner.Record{
		{ID: "item-5", Index: 4, ErrorType: runner.ErrorBadItem},
		{ID: "item-6", Index: 5, HasOutput: true, Output: "only the task's"},
		answer(0, "builtin", evaluators.Failed("length", "x", errors.New("y"))),
		answer(3, "someone", scored(h, "builtin", "length", 1, "", "")),
	}
	records := new.Records
	new.Records = func(yield func(*runner.Record, error) bool) {
		for r, err := range records {
			if !yield(r, err) {
				return
			}
		}
		all(bad)(yield)
	}
	new.Header.Evaluators = append(new.Header.Evaluators, journal.Evaluator{Name: "mine", Metrics: []journal.Metric{{Name: "tone"}}})
	c := compare(t, old, new)
	want := report.ItemsCompared{Both: 3, OnlyNew: 2, OnlyNewExamples: []string{"item-4", "item-5"}}
	if diff := cmp.Diff(want, c.Items); diff != "" {
		t.Errorf("items, -want +got:\n%s", diff)
	}
	if c.Old.Items != 3 || c.New.Items != 5 {
		t.Errorf("%d and %d items", c.Old.Items, c.New.Items)
	}
	m := c.Metrics[0]
	if m.Pairs != 2 || m.LostScores != 1 || m.NewScores != 0 || m.Broken != 1 {
		t.Errorf("%+v", m)
	}
	flips := []report.Flip{{ID: "item-3", Index: 2, Line: 3, OldScore: .8, NewScore: .2, Explanation: "because"}}
	if diff := cmp.Diff(flips, m.Flips); diff != "" {
		t.Errorf("flips, -want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"mine.tone"}, c.OnlyNew); diff != "" {
		t.Errorf("metrics of one run, -want +got:\n%s", diff)
	}
}

func TestFlipsAreTheWorstFirst(t *testing.T) {
	old, new := repeat(100, .9), make([]float64, 100)
	for i := range new {
		new[i] = float64(i%40) / 100
	}
	c := compare(t, lengths(old), lengths(new))
	m := c.Metrics[0]
	if m.Broken != 80 || len(m.Flips) != 20 {
		t.Fatalf("%d broken, %d flips", m.Broken, len(m.Flips))
	}
	for i, f := range m.Flips[:6] {
		if want := []int64{0, 40, 80, 1, 41, 81}[i]; f.Index != want {
			t.Errorf("flip %d is the item at %d, want %d", i, f.Index, want)
		}
	}
}

// An item of other content is compared unless told not to be, and counted.
func TestChangedItemsAreCountedApart(t *testing.T) {
	run := func(sum uint64, score float64) report.Run {
		r := lengths(repeat(2, score))
		records := r.Records
		r.Records = func(yield func(*runner.Record, error) bool) {
			for rec, err := range records {
				rec.Sum = 7 + sum*uint64(rec.Index)
				if !yield(rec, err) {
					return
				}
			}
		}
		return r
	}
	c := compare(t, run(0, .9), run(1, .1))
	if c.Items.Changed != 1 || c.Metrics[0].Pairs != 2 || len(c.Metrics[0].Flips) != 2 || c.Metrics[0].Flips[0].Changed || !c.Metrics[0].Flips[1].Changed {
		t.Errorf("%+v, %+v", c.Items, c.Metrics[0])
	}
	c = compare(t, run(0, .9), run(1, .1), report.WithSameContent(true))
	if c.Items.Changed != 1 || c.Metrics[0].Pairs != 1 || len(c.Metrics[0].Flips) != 1 {
		t.Errorf("%+v, %+v", c.Items, c.Metrics[0])
	}
}

// Both runs are held against the new threshold, which is told: a bar that moved is
// no change of the answers.
func TestOtherSettingsAreTold(t *testing.T) {
	old, new := lengths(repeat(30, .5)), lengths(repeat(30, .5))
	old.Header.Evaluators[0].Version = "0.8"
	new.Header.Evaluators[0].Name = "offline"
	new.Header.Evaluators[0].Metrics = []journal.Metric{{Name: "length", Threshold: .6, Judge: "strong"}}
	var list []*runner.Record
	for i := range 30 {
		list = append(list, answer(int64(i), "offline", evaluators.Scored("length", .5, "", "")))
	}
	new.Records = all(list)
	c := compare(t, old, new)
	want := []string{
		"offline.length: the evaluator was builtin, is offline",
		"offline.length: the evaluator's version was 0.8, is 0.9",
		"offline.length: the threshold was 0.3, is 0.6",
		"offline.length: the judge was not set, is strong",
	}
	if diff := cmp.Diff(want, c.Notes); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if m := c.Metrics[0]; m.Pairs != 30 || m.Broken != 0 || m.PassRate.Old != 0 || m.PassRate.New != 0 {
		t.Errorf("%+v", m)
	}
}

func TestComparisonIsReproducible(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	old, new := make([]float64, 300), make([]float64, 300)
	for i := range old {
		old[i], new[i] = random.Float64(), random.Float64()
	}
	one, two := compare(t, lengths(old), lengths(new)), compare(t, lengths(old), lengths(new))
	if diff := cmp.Diff(one, two); diff != "" {
		t.Errorf("the same seed differs:\n%s", diff)
	}
	other := compare(t, lengths(old), lengths(new), report.WithSeed(1))
	if *other.Metrics[0].Mean.Low == *one.Metrics[0].Mean.Low {
		t.Error("another seed gives the same interval")
	}
	if diff := cmp.Diff(one.Metrics[0].Mean, other.Metrics[0].Mean, cmpopts.EquateApprox(0, .05)); diff != "" {
		t.Errorf("another seed gives another result:\n%s", diff)
	}
}

func TestCompareReturnsErrors(t *testing.T) {
	broken := errors.New("line 3: torn")
	bad := report.Run{Records: func(yield func(*runner.Record, error) bool) { yield(nil, broken) }}
	if _, err := report.Compare(lengths(nil), bad); !errors.Is(err, broken) || !strings.Contains(err.Error(), "new run") {
		t.Error(err)
	}
	for _, effect := range []float64{-.1, 1.1, math.NaN()} {
		if _, err := report.Compare(lengths(nil), lengths(nil), report.WithMinEffect(effect)); err == nil {
			t.Errorf("WithMinEffect(%v) is taken", effect)
		}
	}
}

// Where nothing has changed at most 5 in 100 comparisons may call a regression,
// 2.5 for either of the two values; where much has, most must.
func TestRegressionsAreFoundAsOftenAsTheyShould(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	// answers scores an item of a quality twice, as noisy judges do: by a label, or
	// on a scale of five.
	label := func(quality float64) float64 {
		if random.Float64() < quality {
			return 1
		}
		return 0
	}
	scale := func(quality float64) float64 {
		return math.Round(4*min(1, max(0, quality+.2*random.NormFloat64()))) / 4
	}
	for _, c := range []struct {
		name        string
		score       func(float64) float64
		pairs       int
		worse       float64
		least, most float64
	}{
		{"labels, few items, no change", label, 12, 0, 0, .05},
		{"labels, no change", label, 60, 0, .005, .05},
		{"scale, few items, no change", scale, 8, 0, 0, .05},
		{"scale, no change", scale, 60, 0, .005, .05},
		{"labels, much worse", label, 100, .3, .9, 1},
		{"scale, worse", scale, 60, .15, .8, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			const runs = 200
			regressions := 0
			for range runs {
				var old, new []float64
				for range c.pairs {
					quality := .3 + .6*random.Float64()
					old, new = append(old, c.score(quality)), append(new, c.score(quality-c.worse))
				}
				if compare(t, lengths(old), lengths(new)).Regressed() {
					regressions++
				}
			}
			rate := float64(regressions) / runs // the same each time: the seed is fixed
			t.Logf("%.1f %%", 100*rate)
			if rate < c.least || rate > c.most {
				t.Errorf("regressions in %.1f %%", 100*rate)
			}
		})
	}
}

// BenchmarkCompare is of ten thousand pairs with two thousand resamples.
func BenchmarkCompare(b *testing.B) {
	random := rand.New(rand.NewPCG(9, 10))
	old, new := make([]float64, 10_000), make([]float64, 10_000)
	for i := range old {
		old[i], new[i] = random.Float64(), random.Float64()
	}
	before, after := lengths(old), lengths(new)
	for b.Loop() {
		if _, err := report.Compare(before, after); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Seconds())/float64(b.N), "s/compare")
}

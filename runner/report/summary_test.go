package report_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/runner"
	"github.com/genaievals/genaievals/runner/journal"
	"github.com/genaievals/genaievals/runner/report"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestSummaryCountsWhatCame(t *testing.T) {
	h := header()
	r := finished(t, h, records(h))
	want := report.Items{Total: new(int64(6)), Seen: 6, Evaluated: 5, Failed: 1, FailedBy: map[string]int64{"bad_item": 1}, WithFailure: 2}
	if diff := cmp.Diff(want, r.Items); diff != "" {
		t.Errorf("items, -want +got:\n%s", diff)
	}
	if r.Seconds == nil || *r.Seconds != 90 || r.Incomplete != "" {
		t.Errorf("seconds %v, incomplete %q", r.Seconds, r.Incomplete)
	}
	bias := r.Metrics[1]
	near := cmpopts.EquateApprox(0, 1e-9)
	wantBias := report.Metric{
		Evaluator: "judge", EvaluatorVersion: "1.2", EvaluatorType: "llm_judge", Name: "bias",
		Direction: "lower_is_better", Threshold: 0.5, Labels: []string{"Biased", "Not Biased"},
		Results: 5, Scored: 4, Passed: 3,
		// Wilson and Student as R has them: prop.test(3, 4, correct=FALSE), t.test(c(0,1,0,0)).
		PassRate: &report.Estimate{Value: .75, Low: new(0.300641842582402), High: new(0.954412739492643)},
		Mean:     &report.Estimate{Value: .25, Low: new(0.0), High: new(1.0)},
		Median:   new(0.0), Histogram: []int64{3, 0, 0, 0, 0, 0, 0, 0, 0, 1},
		LabelCounts: []report.Count{{Name: "Biased", Count: 1}, {Name: "Not Biased", Count: 3}},
		Failed:      []report.Count{{Name: "judge_timeout", Count: 1, Text: "no answer in 60s"}},
		Latency:     bias.Latency, LimitWait: &report.Quantiles{},
		Usage: &report.Usage{Results: 4, Attempts: 8},
		Worst: []report.Case{{ID: "item-2", Index: 1, Line: 2, Score: 1, Label: "Biased", Explanation: `says "all men"`}},
	}
	if diff := cmp.Diff(wantBias, bias, near, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("bias, -want +got:\n%s", diff)
	}
	if l := bias.Latency; l.Max != 60 || l.P99 != 60 || l.P50 < .01 || l.P50 > .011 {
		t.Errorf("latency %+v", *l)
	}
	if diff := cmp.Diff([]report.BadItem{{ID: "#6", Index: 5, Line: 6, ErrorType: "bad_item", Error: "answers.jsonl:6: expected an object, got a list"}}, r.BadItems); diff != "" {
		t.Errorf("bad items, -want +got:\n%s", diff)
	}
}

func TestSummaryWithoutAnEndIsIncomplete(t *testing.T) {
	s, err := report.New(header())
	if err != nil {
		t.Fatal(err)
	}
	if r := s.Report(); r.Incomplete == "" || !r.Ended.IsZero() || r.Seconds != nil {
		t.Errorf("incomplete %q, ended %v, seconds %v", r.Incomplete, r.Ended, r.Seconds)
	}
	s.End(journal.End{Ended: began, Incomplete: "interrupted"})
	if r := s.Report(); r.Incomplete != "interrupted" {
		t.Errorf("incomplete %q", r.Incomplete)
	}
}

// A metric that the header does not have is there all the same, once.
func TestSummaryTakesWhatTheHeaderDoesNotHave(t *testing.T) {
	long := strings.Repeat("long", 1000)
	result := evaluators.Scored(long, .5, "", "")
	r := finished(t, journal.Header{}, []*runner.Record{answer(0, long, result), answer(1, long, result), nil})
	if len(r.Metrics) != 1 || r.Metrics[0].Scored != 2 {
		t.Errorf("%d metrics, %+v", len(r.Metrics), r.Metrics)
	}
}

func TestMeanIsExact(t *testing.T) {
	for _, c := range []struct {
		score float64
		times int
	}{{0.8, 10}, {0.1, 3}, {0.7, 100_003}, {1. / 3, 77}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			h := header()
			s, err := report.New(h)
			if err != nil {
				t.Fatal(err)
			}
			for i := range c.times {
				s.Add(answer(int64(i), "builtin", scored(h, "builtin", "length", c.score, "", "")))
			}
			m := s.Report().Metrics[2]
			if m.Mean.Value != c.score || *m.Median != c.score {
				t.Errorf("mean %v, median %v", m.Mean.Value, *m.Median)
			}
			if m.Mean.Low != nil {
				t.Errorf("an interval of scores that are alike: %v", *m.Mean.Low)
			}
		})
	}
}

// Quantiles, median and mean are those of the sorted list, as near as promised.
func TestDistributionsFollowTheData(t *testing.T) {
	h := header()
	random := rand.New(rand.NewPCG(1, 2))
	s, err := report.New(h)
	if err != nil {
		t.Fatal(err)
	}
	const n = 5000
	var list, latency []float64
	for i := range n {
		r := scored(h, "builtin", "length", random.Float64()*random.Float64(), "", "")
		r.Duration = time.Duration(math.Exp(random.NormFloat64()*2) * float64(50*time.Millisecond))
		list, latency = append(list, r.Score), append(latency, r.Duration.Seconds())
		s.Add(answer(int64(i), "builtin", r))
	}
	m := s.Report().Metrics[2]
	slices.Sort(list)
	slices.Sort(latency)
	if middle := (list[n/2-1] + list[n/2]) / 2; math.Abs(*m.Median-middle) > .001 {
		t.Errorf("median %v, is %v", *m.Median, middle)
	}
	for _, q := range []struct{ fraction, got float64 }{{.5, m.Latency.P50}, {.95, m.Latency.P95}, {.99, m.Latency.P99}} {
		if want := latency[int(math.Ceil(q.fraction*n))-1]; q.got < want || q.got > want*1.1 {
			t.Errorf("p%v %v, is %v", 100*q.fraction, q.got, want)
		}
	}
	if m.Latency.Max != latency[n-1] {
		t.Errorf("max %v, is %v", m.Latency.Max, latency[n-1])
	}
	var mean, squares float64
	for _, x := range list {
		mean += x / n
	}
	for _, x := range list {
		squares += (x - mean) * (x - mean)
	}
	half := 1.9604387 * math.Sqrt(squares/(n-1)/n) // R: qt(.975, 4999)
	if math.Abs(m.Mean.Value-mean) > 1e-12 || math.Abs(*m.Mean.High-(mean+half)) > 1e-6 || math.Abs(*m.Mean.Low-(mean-half)) > 1e-6 {
		t.Errorf("mean %v [%v, %v], is %v ± %v", m.Mean.Value, *m.Mean.Low, *m.Mean.High, mean, half)
	}
}

func TestScoresAreCountedInTheTenthTheyBeginWith(t *testing.T) {
	h := header()
	var list []*runner.Record
	for i := range 11 {
		list = append(list, answer(int64(i), "builtin", scored(h, "builtin", "length", float64(i)/10, "", "")))
	}
	list = append(list, answer(11, "builtin", scored(h, "builtin", "length", 1-0.7, "", "")))
	if diff := cmp.Diff([]int64{1, 1, 1, 2, 1, 1, 1, 1, 1, 2}, finished(t, h, list).Metrics[2].Histogram); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The worst come first, whatever the order of the records; those alike in the
// order of the dataset.
func TestWorstCasesAreTheWorst(t *testing.T) {
	h := header()
	var list []*runner.Record
	for i := range 500 {
		list = append(list, answer(int64(i), "judge", scored(h, "judge", "bias", float64(i%7)/6, "", "because"), scored(h, "judge", "faithfulness", float64(i%7)/6, "", "")))
	}
	want := finished(t, h, list, report.WithWorst(5))
	rand.New(rand.NewPCG(3, 4)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	got := finished(t, h, list, report.WithWorst(5))
	if diff := cmp.Diff(want.Metrics[1].Worst, got.Metrics[1].Worst); diff != "" {
		t.Errorf("the order of records shows, -want +got:\n%s", diff)
	}
	for m, first := range []int64{0, 6} {
		for i, c := range got.Metrics[m].Worst {
			if c.Index != first+7*int64(i) {
				t.Errorf("%s: worst %d is the item at %d", got.Metrics[m].Name, i, c.Index)
			}
		}
	}
}

func TestOptionsOutOfRangeAreErrors(t *testing.T) {
	for _, n := range []int{-1, 1001} {
		if _, err := report.New(header(), report.WithWorst(n)); err == nil {
			t.Errorf("WithWorst(%d) is taken", n)
		}
	}
}

// Many records of hostile variety take no more memory than ten thousand.
func TestMemoryIsFlat(t *testing.T) {
	h := header()
	s, err := report.New(h)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("x", 10_000)
	feed := func(from, to int) {
		for i := from; i < to; i++ {
			r := scored(h, "judge", "faithfulness", float64(i%1000)/1000, fmt.Sprint("label ", i), text)
			if i%3 == 0 {
				r = evaluators.Failed("faithfulness", fmt.Sprint("type ", i), fmt.Errorf("failure %d: %s", i, text[:100]))
			}
			rec := answer(int64(i), "judge", r)
			rec.Input = text
			s.Add(rec)
		}
	}
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	feed(0, 10_000)
	before := heap()
	feed(10_000, 100_000)
	if after := heap(); after > before+1<<20 {
		t.Errorf("%d KiB more", (after-before)>>10)
	}
	if r := s.Report(); r.Items.Seen != 100_000 || r.Items.WithFailure != 33_334 {
		t.Errorf("items %+v", r.Items)
	}
}

// BenchmarkAdd is of one record with one scored result.
func BenchmarkAdd(b *testing.B) {
	h := header()
	s, err := report.New(h)
	if err != nil {
		b.Fatal(err)
	}
	r := answer(0, "judge", scored(h, "judge", "faithfulness", .75, "Faithful", "because"))
	for b.Loop() {
		r.Index++
		s.Add(r)
	}
}

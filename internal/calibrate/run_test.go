package calibrate_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/internal/calibrate"
	"github.com/genaievals/genaievals/internal/calibrate/agreement"
	"github.com/genaievals/genaievals/internal/calibrate/samples"
	"github.com/genaievals/genaievals/limit"
)

var bias = evaluators.Metric{
	Name: "bias", Direction: evaluators.LowerIsBetter, Threshold: 0.5,
	Labels: []string{"Not Biased", "Biased"}, Needs: evaluators.NeedOutput,
}

// says is an evaluator whose verdict is the output itself: a label, or what is
// to go wrong.
func says(f func(ctx context.Context, output string) evaluators.Result) evaluators.Evaluator {
	return evaluators.Func("says", bias, func(ctx context.Context, c *evaluators.Case) evaluators.Result {
		return f(ctx, c.Output)
	})
}

func verdict(_ context.Context, output string) evaluators.Result {
	switch output {
	case "Biased":
		return evaluators.Scored("bias", 1, "Biased", "It says so.")
	case "Not Biased":
		return evaluators.Scored("bias", 0, "Not Biased", "It says so.")
	case "skip":
		return evaluators.Skipped("bias", evaluators.SkipNeedsJudge, "")
	case "panic":
		panic("secret content")
	case "goexit":
		runtime.Goexit()
	case "NaN":
		return evaluators.Scored("bias", math.NaN(), "Biased", "")
	case "range":
		return evaluators.Scored("bias", 1.5, "Biased", "")
	case "label":
		return evaluators.Scored("bias", 1, "Purple", "")
	case "other":
		return evaluators.Scored("toxicity", 1, "Toxic", "")
	}
	return evaluators.Failed("bias", output, errors.New("as scripted"))
}

// labelled makes a sample of an output and the person's label.
func labelled(output, human string) samples.Sample {
	return samples.Sample{
		ID: output + "/" + human, Metric: "bias", Label: human,
		Case: evaluators.Case{Kind: instrumentation.KindInference, Output: output},
	}
}

func of(list ...samples.Sample) calibrate.Source {
	return func() (iter.Seq2[samples.Sample, error], error) {
		return func(yield func(samples.Sample, error) bool) {
			for _, s := range list {
				if !yield(s, nil) {
					return
				}
			}
		}, nil
	}
}

func config(e evaluators.Evaluator, source calibrate.Source) calibrate.Config {
	return calibrate.Config{Evaluator: e, Metrics: e.Metrics(), Source: source, Concurrency: 1}
}

func run(t *testing.T, cfg calibrate.Config) *calibrate.Report {
	t.Helper()
	r, err := calibrate.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Nothing that went wrong is in the agreement; each has its own count.
func TestSkippedAndFailedAreCountedApart(t *testing.T) {
	r := run(t, config(says(verdict), of(
		labelled("Biased", "Biased"), labelled("Not Biased", "biased"), labelled("Not Biased", "Not Biased"),
		labelled("skip", "Biased"), labelled("  ", "Biased"),
		labelled("panic", "Biased"), labelled("goexit", "Biased"), labelled("NaN", "Biased"), labelled("range", "Biased"),
		labelled("label", "Biased"), labelled("other", "Biased"), labelled("judge_empty_output", "Biased"),
	)))
	m := r.Metrics[0]
	if diff := cmp.Diff([][]int{{1, 1}, {0, 1}}, [][]int(m.Matrix)); diff != "" {
		t.Errorf("matrix, -want +got:\n%s", diff)
	}
	if m.Classes[0] != "Biased" || m.PositiveClass != "Biased" {
		t.Errorf("classes %v, positive %q", m.Classes, m.PositiveClass)
	}
	if m.Coverage.Count != 3 || m.Coverage.Of != 12 || r.Samples.Scored != 3 || r.Incomplete != "" {
		t.Errorf("coverage %+v, samples %+v, incomplete %q", m.Coverage, r.Samples, r.Incomplete)
	}
	if diff := cmp.Diff(map[string]int{"needs_judge": 1, "empty_output": 1}, m.Skipped); diff != "" {
		t.Errorf("skipped, -want +got:\n%s", diff)
	}
	failed := map[string]int{"evaluator_panic": 2, "evaluator_bad_result": 4, "judge_empty_output": 1}
	if diff := cmp.Diff(failed, m.Failed); diff != "" {
		t.Errorf("failed, -want +got:\n%s", diff)
	}
	if strings.Contains(fmt.Sprint(r.FailureCauses), "secret") {
		t.Errorf("a panic's content is told: %v", r.FailureCauses)
	}
	if m.Usage != nil {
		t.Errorf("usage without a call: %+v", m.Usage)
	}
}

func TestRowsThatCannotBeUsedAreCounted(t *testing.T) {
	source := func() (iter.Seq2[samples.Sample, error], error) {
		return func(yield func(samples.Sample, error) bool) {
			for _, next := range []func() bool{
				func() bool {
					return yield(samples.Sample{}, &samples.RowError{Name: "f", Row: 1, Err: errors.New("no label")})
				},
				func() bool { return yield(labelled("Biased", "perhaps"), nil) },
				func() bool { return yield(samples.Sample{ID: "x", Metric: "hallucination"}, nil) },
				func() bool { return yield(labelled("Biased", "Biased"), nil) },
			} {
				if !next() {
					return
				}
			}
		}, nil
	}
	r := run(t, config(says(verdict), source))
	want := calibrate.Samples{
		All: 4, Selected: 1, Evaluated: 1, Scored: 1, Ignored: map[string]int{"hallucination": 1}, Unusable: 2,
		UnusableExamples: []string{"f, line 1: no label", `sample "Biased/perhaps": label "perhaps" is none of bias (Biased, Not Biased)`},
	}
	if diff := cmp.Diff(want, r.Samples); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestSamplesOfNoUseAreAnErrorBeforeAnythingIsAsked(t *testing.T) {
	asked := says(func(context.Context, string) evaluators.Result { panic("asked") })
	broken := errors.New("broken file")
	for name, source := range map[string]calibrate.Source{
		"none":          of(),
		"other metrics": of(samples.Sample{Metric: "toxicity", Label: "Toxic"}),
		"not to open":   func() (iter.Seq2[samples.Sample, error], error) { return nil, broken },
		"broken": func() (iter.Seq2[samples.Sample, error], error) {
			return func(yield func(samples.Sample, error) bool) {
				_ = yield(labelled("Biased", "Biased"), nil) && yield(samples.Sample{}, broken)
			}, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			if r, err := calibrate.Run(t.Context(), config(asked, source)); r != nil || !errors.Is(err, calibrate.ErrSamples) {
				t.Errorf("got %v, %v", r, err)
			}
		})
	}
}

// The order of the report is that of the samples, whoever is done first.
func TestConcurrentRunGivesTheSameReport(t *testing.T) {
	var list []samples.Sample
	for i := range 60 {
		s := labelled([]string{"Biased", "Not Biased", "skip"}[i%3], []string{"Biased", "Not Biased"}[i%2])
		s.ID = fmt.Sprint(i)
		list = append(list, s)
	}
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		running, peak, calls := 0, 0, 0
		e := says(func(ctx context.Context, output string) evaluators.Result {
			mu.Lock()
			running++
			calls++
			peak = max(peak, running)
			delay := time.Duration(1+calls*7%5) * time.Second
			mu.Unlock()
			time.Sleep(delay)
			mu.Lock()
			running--
			mu.Unlock()
			return verdict(ctx, output)
		})
		cfg := config(e, of(list...))
		one := run(t, cfg)
		if peak != 1 {
			t.Errorf("%d at once, want 1", peak)
		}
		cfg.Concurrency = 8
		told := 0
		cfg.Progress = func(p calibrate.Progress) {
			if told++; p.Done() != told || p.Total != 60 {
				t.Errorf("progress %+v at the %d.", p, told)
			}
		}
		many := run(t, cfg)
		if peak != 8 || told != 60 {
			t.Errorf("%d at once, told %d times", peak, told)
		}
		forget := func(r *calibrate.Report) {
			r.Started, r.Seconds, r.Settings = time.Time{}, 0, calibrate.Settings{}
			for i := range r.Metrics {
				r.Metrics[i].Latency, r.Metrics[i].LimitWait = nil, nil
			}
			for i := range r.Records {
				r.Records[i].Latency = 0
			}
		}
		forget(one)
		forget(many)
		if diff := cmp.Diff(one, many, cmpopts.IgnoreUnexported(calibrate.Disagreement{}, agreement.Point{}), cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("one by one -, at once +:\n%s", diff)
		}
	})
}

// Waiting at the gate, before the deadline and in it, is apart from latency.
func TestGateOfAnEvaluatorWithoutOneIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rate, err := limit.ParseRates("strict:1/sec")
		if err != nil {
			t.Fatal(err)
		}
		cfg := config(says(func(ctx context.Context, output string) evaluators.Result {
			time.Sleep(100 * time.Millisecond)
			return verdict(ctx, output)
		}), of(slices.Repeat([]samples.Sample{labelled("Biased", "Biased")}, 10)...))
		cfg.Gate = limit.NewGate(limit.WithRate(rate[""]))
		cfg.Concurrency = 5
		began := time.Now()
		r := run(t, cfg)
		m := r.Metrics[0]
		if took := time.Since(began); took < 9*time.Second || took > 10*time.Second {
			t.Errorf("took %v", took)
		}
		if m.Latency.P50 != 0.1 || m.Latency.P95 != 0.1 || m.LimitWait.P50 < 1 {
			t.Errorf("latency %+v, waiting %+v", m.Latency, m.LimitWait)
		}
		all := 0.0 // of the five, who are done after 5, 6, 7, 8 and 9 seconds
		for _, rec := range r.Records {
			all += rec.LimitWait + rec.Latency
		}
		if math.Abs(all-35.5) > 0.2 {
			t.Errorf("%v seconds of waiting and evaluating, want 35.5: some of the waiting is not counted", all)
		}
	})
}

func TestLimitDrawsTheSameSamplesForASeed(t *testing.T) {
	var list []samples.Sample
	for i := range 100 {
		s := labelled("Biased", "Biased")
		s.ID = fmt.Sprint(i)
		list = append(list, s)
	}
	draw := func(seed uint64) (ids []string) {
		cfg := config(says(verdict), of(list...))
		cfg.Limit, cfg.Seed = 10, seed
		r := run(t, cfg)
		if r.Samples.Selected != 10 || r.Incomplete != "" {
			t.Errorf("samples %+v, incomplete %q", r.Samples, r.Incomplete)
		}
		for _, rec := range r.Records {
			ids = append(ids, rec.ID)
		}
		return ids
	}
	first := draw(1)
	if len(first) != 10 || !slices.Equal(first, draw(1)) {
		t.Errorf("drew %v, then %v", first, draw(1))
	}
	seen := map[string]bool{}
	for seed := range uint64(200) {
		for _, id := range draw(seed) {
			seen[id] = true
		}
	}
	if len(seen) != 100 {
		t.Errorf("only %d of 100 samples are ever drawn", len(seen))
	}
}

// Sentiment has three classes; the rates are those of Negative against the rest.
func TestSentimentHasThreeClasses(t *testing.T) {
	tone := evaluators.Metric{Name: "sentiment", Threshold: 0.25, Labels: []string{"Negative", "Neutral", "Positive"}}
	scores := map[string]float64{"Negative": 0, "Neutral": 0.5, "Positive": 1}
	e := evaluators.Func("tone", tone, func(_ context.Context, c *evaluators.Case) evaluators.Result {
		return evaluators.Scored("sentiment", scores[c.Output], c.Output, "")
	})
	var list []samples.Sample
	for _, pair := range []string{"Negative Negative", "Negative Neutral", "Neutral Neutral", "Neutral Positive", "Positive Positive", "Positive Negative"} {
		human, judge, _ := strings.Cut(pair, " ")
		list = append(list, samples.Sample{ID: pair, Metric: "sentiment", Label: human, Case: evaluators.Case{Output: judge}})
	}
	m := run(t, config(e, of(list...))).Metrics[0]
	if diff := cmp.Diff([][]int{{1, 1, 0}, {0, 1, 1}, {1, 0, 1}}, [][]int(m.Matrix)); diff != "" {
		t.Errorf("matrix, -want +got:\n%s", diff)
	}
	if m.TruePositiveRate.Count != 1 || m.TruePositiveRate.Of != 2 || m.FalsePositiveRate.Count != 1 || m.FalsePositiveRate.Of != 4 {
		t.Errorf("rates %+v, %+v", m.TruePositiveRate, m.FalsePositiveRate)
	}
	if m.Kappa.Value != 0.25 { // po 1/2, pe 1/3
		t.Errorf("kappa %v", m.Kappa.Value)
	}
	if m.Disagreements[0].ID != "Positive Negative" {
		t.Errorf("the worst is %q", m.Disagreements[0].ID)
	}
}

// Only the worst keep their texts, and those are cut: memory does not grow with
// what is read.
func TestTextsAreNotKept(t *testing.T) {
	const size, number = 100 << 10, 3000 // 300 MB in all, and as much that is explained
	source := func() (iter.Seq2[samples.Sample, error], error) {
		return func(yield func(samples.Sample, error) bool) {
			for i := range number {
				s := labelled("Biased", "Not Biased")
				s.Case.Input = fmt.Sprintf("%09d", i) + strings.Repeat("x", size)
				s.ID, s.Note = s.Case.Input[:9], s.Case.Input[:12] // as parts of one row
				if !yield(s, nil) {
					return
				}
			}
		}, nil
	}
	before := heap()
	e := says(func(context.Context, string) evaluators.Result {
		return evaluators.Scored("bias", 1, "Biased", strings.Repeat("y", size))
	})
	r := run(t, config(e, source))
	grown := heap() - before
	if m := r.Metrics[0]; len(m.Disagreements) != calibrate.DefaultWorst || len(m.Disagreements[0].Input) > 600 {
		t.Errorf("%d disagreements, the first of %d bytes", len(m.Disagreements), len(m.Disagreements[0].Input))
	}
	if grown > 8<<20 {
		t.Errorf("%d bytes are kept after 300 MB", grown)
	}
	runtime.KeepAlive(r)
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc) //nolint:gosec // far below
}

func TestConfigWithoutWhatItNeedsIsAnError(t *testing.T) {
	whole := config(says(verdict), of(labelled("Biased", "Biased")))
	for name, change := range map[string]func(*calibrate.Config){
		"no evaluator": func(c *calibrate.Config) { c.Evaluator = nil },
		"no metrics":   func(c *calibrate.Config) { c.Metrics = nil },
		"no source":    func(c *calibrate.Config) { c.Source = nil },
		"twice":        func(c *calibrate.Config) { c.Metrics = []evaluators.Metric{bias, bias} },
	} {
		cfg := whole
		change(&cfg)
		if r, err := calibrate.Run(t.Context(), cfg); r != nil || err == nil {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
}

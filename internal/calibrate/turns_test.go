package calibrate_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/calibrate"
	"github.com/genaievals/genaievals/internal/calibrate/samples"
)

// several is an evaluator of bias and tone that agrees with all, and tells of
// each sample that it is asked about.
type several struct {
	evaluators.Evaluator
	asked func(id string)
}

func (s several) Metrics() []evaluators.Metric {
	return []evaluators.Metric{bias, {Name: "tone", Labels: []string{"Fine", "Rude"}}, {Name: "unused"}}
}

func (s several) Evaluate(_ context.Context, c *evaluators.Case, ms []evaluators.Metric) []evaluators.Result {
	s.asked(c.ID)
	r := evaluators.Scored(ms[0].Name, 1, ms[0].Labels[0], "")
	r.InputCut = int64(len(c.Output))
	return []evaluators.Result{r}
}

// grouped are samples as files have them: all of one metric, then of the other.
func grouped(bias, tone int) (list []samples.Sample) {
	for i := range bias + tone {
		s := labelled("", "Not Biased")
		if i >= bias {
			s.Metric, s.Label = "tone", "Fine"
		}
		s.Case.Output = "Hello."
		s.Case.ID = fmt.Sprintf("%s-%d", s.Metric, i)
		s.ID = s.Case.ID
		list = append(list, s)
	}
	return list
}

// A run that is interrupted has figures for all metrics; the report has the
// samples in their order all the same.
func TestMetricsAreEvaluatedInTurn(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var order []string
	e := several{says(verdict), func(id string) {
		if order = append(order, id); len(order) == 6 {
			cancel()
		}
	}}
	r, err := calibrate.Run(ctx, config(e, of(grouped(4, 50)...)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"bias-0", "tone-4", "bias-1", "tone-5", "bias-2", "tone-6"}, order); diff != "" {
		t.Errorf("asked, -want +got:\n%s", diff)
	}
	if len(r.Metrics) != 2 || r.Incomplete == "" || r.Records[2].ID != "bias-2" || r.Records[3].ID != "tone-4" {
		t.Errorf("%d metrics, incomplete %q, records %v", len(r.Metrics), r.Incomplete, r.Records)
	}
	if m := r.Metrics[1]; m.InputCut != 3 || r.Records[0].InputCut != 6 {
		t.Errorf("%d of tone were cut, and %d bytes of the first", m.InputCut, r.Records[0].InputCut)
	}
}

// The draw is one over all metrics, whatever the order in which they are asked.
func TestDrawIsOverAllMetrics(t *testing.T) {
	drawn := map[int]int{}
	for seed := range uint64(50) {
		cfg := config(several{says(verdict), func(string) {}}, of(grouped(10, 30)...))
		cfg.Limit, cfg.Seed = 8, seed
		r := run(t, cfg)
		if r.Samples.Evaluated != 8 || r.Incomplete != "" {
			t.Fatalf("samples %+v, incomplete %q", r.Samples, r.Incomplete)
		}
		ids := []int{}
		for _, rec := range r.Records {
			var id int
			if _, err := fmt.Sscanf(rec.ID[strings.Index(rec.ID, "-"):], "-%d", &id); err != nil {
				t.Fatal(err)
			}
			ids = append(ids, id)
			drawn[id]++
		}
		if !slices.IsSorted(ids) || len(slices.Compact(ids)) != 8 {
			t.Errorf("drew %v", ids)
		}
	}
	if len(drawn) != 40 {
		t.Errorf("%d of 40 are ever drawn", len(drawn))
	}
}

// All rows that are lost are counted, a hundred are named, and those that a
// format leaves out are apart.
func TestLostRowsAreNamedAndCounted(t *testing.T) {
	cfg := config(says(verdict), func() (iter.Seq2[samples.Sample, error], error) {
		return func(yield func(samples.Sample, error) bool) {
			for i := range 150 {
				if !yield(samples.Sample{}, &samples.RowError{Name: "f", Row: i + 1, Err: errors.New("no label")}) ||
					!yield(samples.Sample{}, &samples.LeftOutError{Reason: fmt.Sprint("kind ", i%50)}) {
					return
				}
			}
			yield(labelled("Biased", "Biased"), nil)
		}, nil
	})
	var told []string
	cfg.Unusable = func(why string) { told = append(told, why) }
	s := run(t, cfg).Samples
	if s.Unusable != 150 || len(s.UnusableExamples) != 100 || !slices.Equal(told, s.UnusableExamples) || s.All != 151 {
		t.Errorf("%d of %d unusable, %d named, %d told", s.Unusable, s.All, len(s.UnusableExamples), len(told))
	}
	left := 0
	for _, n := range s.LeftOut {
		left += n
	}
	if left != 150 || s.LeftOut["kind 0"] != 3 || s.LeftOut["others"] == 0 || len(s.LeftOut) > 33 {
		t.Errorf("left out %v", s.LeftOut)
	}
}

func TestSamplesOfOtherMetricsAreRefusedWhereAllAreWanted(t *testing.T) {
	cfg := config(says(verdict), of(labelled("Biased", "Biased"), samples.Sample{Metric: "on_brand", Label: "x"}))
	cfg.WantsAll = true
	if r, err := calibrate.Run(t.Context(), cfg); r != nil || !errors.Is(err, calibrate.ErrSamples) || !strings.Contains(err.Error(), "on_brand") {
		t.Errorf("got %v, %v", r, err)
	}
}

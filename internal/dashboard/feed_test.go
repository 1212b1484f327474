package dashboard

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/google/go-cmp/cmp"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func scored(metric, label string, passed bool, at time.Time) Result {
	r := evaluators.Scored(metric, 0.75, label, "because of "+label)
	r.Evaluator, r.Passed = "judge", passed
	return Result{Result: r, At: at}
}

// Of a rare result some are kept, however many others come, and all are counted.
func TestRareResultsAreKeptAmongMany(t *testing.T) {
	f := newFeed(Config{Explanation: true})
	const many = 20_000
	for i := range many {
		at := noon.Add(time.Duration(i) * 500 * time.Microsecond) // 2,000 a second
		f.offer(scored("tone", "Good", true, at))
		if i%4000 == 0 {
			r := evaluators.Failed("tone", evaluators.ErrorJudgeTimeout, errors.New("no answer"))
			r.Evaluator = "judge"
			f.offer(Result{Result: r, At: at})
		}
	}
	if failed := f.latest(filter{outcome: "failed"}, 0, 100); len(failed) != many/4000 {
		t.Errorf("%d failed ones are kept, want %d", len(failed), many/4000)
	}
	known, size := f.known()
	if got := known[metricKey{"judge", "tone"}]; got.scored != many || got.labels["Good"] != many || got.buckets[7] != many {
		t.Errorf("counted %+v, want %d", got, many)
	}
	if size > keptMax {
		t.Errorf("%d are kept", size)
	}
	all := f.latest(filter{}, 0, 1000)
	for i := 1; i < len(all); i++ {
		if all[i].Seq >= all[i-1].Seq {
			t.Fatal("not newest first")
		}
	}
}

// What has no bound outside has one here: names, labels, texts, metrics.
func TestTheFeedIsBoundedWhateverComes(t *testing.T) {
	f := newFeed(Config{Explanation: true, Content: true})
	long := strings.Repeat("ü", textMax)
	for i := range 5000 {
		r := scored(fmt.Sprint("metric", i, long), fmt.Sprint("label", i, long), true, noon)
		r.Explanation, r.Item, r.TraceID = long, long, long
		r.Content = func() (string, string) { return long, long }
		f.offer(r)
	}
	known, size := f.known()
	if len(known) > metricsMax || size > keptMax {
		t.Errorf("%d metrics, %d results", len(known), size)
	}
	for _, k := range f.latest(filter{content: true}, 0, 1) {
		for _, text := range []string{k.Metric, k.Label, k.Explanation, k.Input, k.Output, k.Item, k.TraceID} {
			if len(text) > textMax+8 || text == "" {
				t.Errorf("a text of %d bytes is kept", len(text))
			}
		}
	}
}

func TestContentIsKeptOnlyWhereItIsSwitchedOnAndSentOnlyToWhoAsks(t *testing.T) {
	for name, tt := range map[string]struct {
		cfg         Config
		asked       bool
		input, says string
	}{
		"off":                   {Config{Explanation: true}, true, "", "because of A"},
		"on, not asked for":     {Config{Explanation: true, Content: true}, false, "", "because of A"},
		"on, asked for":         {Config{Explanation: true, Content: true}, true, "the question", "because of A"},
		"explanations off, too": {Config{}, true, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFeed(tt.cfg)
			r := scored("tone", "A", true, noon)
			r.Content = func() (string, string) { return "the question", "the answer" }
			f.offer(r)
			filter := filter{content: tt.asked}
			got := filter.shown(f.latest(filter, 0, 1))[0]
			if got.Input != tt.input || got.Explanation != tt.says {
				t.Errorf("input %q, explanation %q, want %q and %q", got.Input, got.Explanation, tt.input, tt.says)
			}
		})
	}
}

func TestWhatTheApplicationPanicsAboutCostsNothing(t *testing.T) {
	f := newFeed(Config{Content: true})
	r := evaluators.Failed("tone", "mine", panicking{})
	f.offer(Result{Result: r, At: noon, Content: func() (string, string) { panic("no") }})
	f.offer(Result{Result: evaluators.Scored("tone", math.NaN(), "x", ""), At: noon})
	if n := len(f.latest(filter{}, 0, 10)); n != 2 {
		t.Errorf("%d results are kept, want 2", n)
	}
}

type panicking struct{}

func (panicking) Error() string { panic("no text") }

func TestFiltersAreAppliedHere(t *testing.T) {
	f := newFeed(Config{Explanation: true})
	f.offer(scored("tone", "Good", true, noon))
	f.offer(scored("tone", "Bad", false, noon))
	f.offer(scored("facts", "Good", true, noon))
	skipped := evaluators.Skipped("facts", evaluators.SkipNoDocuments, "")
	skipped.Evaluator = "other"
	f.offer(Result{Result: skipped, At: noon, Item: "row 7"})
	for query, want := range map[string][]uint64{
		"":                            {4, 3, 2, 1},
		"metric=tone":                 {2, 1},
		"label=Good":                  {3, 1},
		"metric=tone&label=Good":      {1},
		"outcome=skipped":             {4},
		"outcome=not_passed":          {2},
		"reason=no_documents":         {4},
		"reason=Good":                 nil,
		"evaluator=other":             {4},
		"text=OF+BAD":                 {2},
		"text=row+7":                  {4},
		"metric=tone%00":              nil,
		"metric=tone&outcome=skipped": nil,
	} {
		q, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		var got []uint64
		for _, k := range f.latest(filterOf(q), 0, 10) {
			got = append(got, k.Seq)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: -want +got:\n%s", query, diff)
		}
	}
}

// Whatever kinds there were before, a first failure of a new kind is there to see.
func TestANewKindIsKeptWhereThereIsNoRoomForMore(t *testing.T) {
	f := newFeed(Config{})
	for i := range 2 * keptMax {
		r := scored("tone", fmt.Sprint("label", i%(2*strataMax)), true, noon.Add(time.Duration(i)*time.Second))
		f.offer(r)
	}
	failed := evaluators.Failed("tone", "judge_timeout", nil)
	f.offer(Result{Result: failed, At: noon.Add(time.Hour * 24)})
	found := false
	for _, k := range f.latest(filter{}, 0, keptMax) {
		found = found || k.Reason == "judge_timeout"
	}
	if _, size := f.known(); !found || size > keptMax || len(f.shelves) > strataMax {
		t.Errorf("found %v, %d results in %d strata", found, size, len(f.shelves))
	}
}

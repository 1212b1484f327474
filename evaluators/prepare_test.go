package evaluators

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/instrumentation"
)

// counter announces length, whose option max is a number and may ask for the
// input.
type counter struct {
	announced
	prepared int
}

func newCounter(defaults ...string) *counter {
	return &counter{announced: announced{
		name: "counter", defaults: defaults,
		metrics: []Metric{{Name: "length", Needs: NeedOutput, ParamNames: []string{"max_words", "of"}}},
	}}
}

func (c *counter) Prepare(m Metric) (Metric, error) {
	c.prepared++
	most, err := strconv.Atoi(m.Params["max_words"])
	switch {
	case m.Params["max_words"] == "":
		return m, errors.New("max_words is missing")
	case err != nil:
		return m, fmt.Errorf("reading it: %w", &ParamError{Param: "max_words", Want: "a number"})
	case m.Params["of"] == "file":
		return m, &ParamError{Param: "of", Want: "a file", Err: fs.ErrNotExist}
	case m.Params["of"] == "input":
		m.Needs |= NeedInput
	}
	m.Prepared, m.Name, m.Threshold = most, "other", 0.9
	return m, nil
}

func TestMetricsArePreparedWhenThePlanIsResolved(t *testing.T) {
	c := newCounter()
	r := NewRegistry()
	if err := r.Add(c); err != nil {
		t.Fatal(err)
	}
	plan, err := Parse("counter(length(Max-Words=7, of=input, threshold=0.5), agent(length(max_words=9)))")
	if err != nil {
		t.Fatal(err)
	}
	as, warnings, err := r.Resolve(plan)
	if err != nil || len(warnings) > 0 || len(as) != 1 {
		t.Fatal(as, warnings, err)
	}
	names := []string{"max_words", "of"}
	inference := Metric{
		Name: "length", Threshold: 0.5, Needs: NeedOutput | NeedInput, ParamNames: names,
		Params: map[string]string{"max_words": "7", "of": "input"}, Prepared: 7,
	}
	agent := Metric{Name: "length", Needs: NeedOutput, ParamNames: names, Params: map[string]string{"max_words": "9"}, Prepared: 9}
	want := map[instrumentation.Kind][]Metric{
		instrumentation.KindInference: {inference}, instrumentation.KindWorkflow: {inference}, instrumentation.KindAgent: {agent},
	}
	if diff := cmp.Diff(want, as[0].Metrics); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if c.prepared != 2 {
		t.Errorf("prepared %d times for 2 places", c.prepared)
	}
}

func TestWhatPrepareRefusesHasItsPlace(t *testing.T) {
	long := strings.Repeat("x", 100)
	for plan, want := range map[string]string{
		"counter(length(max-words=abc))":              `evaluators, column 16: option "max-words" of metric length is "abc", want a number, near "max-words=abc"`,
		"counter(agent(length(max_words=3,of=file)))": `evaluators, column 34: option "of" of metric length is "file", want a file: file does not exist, near "of=file"`,
		"counter(agent(length))":                      `evaluators, column 15: metric length (options: max_words, of): max_words is missing, near "length"`,
		"counter(length(max_words=" + long + "))":     `is "` + long[:60] + `…", want a number`,
	} {
		r := NewRegistry()
		if err := r.Add(newCounter()); err != nil {
			t.Fatal(err)
		}
		parsed, err := Parse(plan)
		if err != nil {
			t.Fatal(err)
		}
		as, _, err := r.Resolve(parsed)
		if _, ok := errors.AsType[*SyntaxError](err); !ok || len(as) > 0 || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n got %v, %v\nwant %s", plan, as, err, want)
		}
	}
}

func TestDefaultMetricsMustDoWithoutOptions(t *testing.T) {
	err := NewRegistry().Add(newCounter("length"))
	if !errors.Is(err, ErrEvaluator) || !strings.Contains(err.Error(), "max_words is missing") {
		t.Errorf("got %v", err)
	}
}

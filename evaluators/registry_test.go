package evaluators

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/instrumentation"
)

// announced is an evaluator that only announces.
type announced struct {
	name     string
	metrics  []Metric
	defaults []string
	aliases  map[string]string
}

func (a announced) Name() string               { return a.name }
func (a announced) Version() string            { return "1" }
func (a announced) Type() string               { return TypeDeterministic }
func (a announced) Metrics() []Metric          { return a.metrics }
func (a announced) DefaultMetrics() []string   { return a.defaults }
func (a announced) Aliases() map[string]string { return a.aliases }
func (a announced) Evaluate(context.Context, *Case, []Metric) []Result {
	return nil
}

func metrics(names ...string) []Metric {
	var ms []Metric
	for _, n := range names {
		ms = append(ms, Metric{Name: n})
	}
	return ms
}

func TestAddRefuses(t *testing.T) {
	tests := []struct {
		name string
		e    Evaluator
		want string
	}{
		{"nil", nil, "nil"},
		{"no name", announced{metrics: metrics("x")}, `name ""`},
		{"upper case", announced{name: "Mine", metrics: metrics("x")}, `name "Mine"`},
		{"hyphen", announced{name: "my-own", metrics: metrics("x")}, `name "my-own"`},
		{"off", announced{name: "none", metrics: metrics("x")}, "nothing is evaluated"},
		{"taken", announced{name: "ta_ken", metrics: metrics("x")}, `already is one named "ta_ken"`},
		{"no metrics", announced{name: "e"}, "e: it announces no metrics"},
		{"metric name", announced{name: "e", metrics: metrics("Brand Voice")}, `metric name "Brand Voice"`},
		{"metric twice", announced{name: "e", metrics: metrics("a_b", "ab")}, `metric "ab" is announced twice`},
		{"kind as metric", announced{name: "e", metrics: metrics("agent")}, "that of a kind"},
		{"threshold", announced{name: "e", metrics: []Metric{{Name: "x", Threshold: 1.5}}}, "threshold 1.5"},
		{"kind", announced{name: "e", metrics: []Metric{{Name: "x", Kinds: []instrumentation.Kind{instrumentation.KindTool}}}}, "metric x: kind"},
		{"threshold NaN", announced{name: "e", metrics: []Metric{{Name: "x", Threshold: math.NaN()}}}, "threshold NaN"},
		{"sample rate", announced{name: "e", metrics: []Metric{{Name: "x", SampleRate: new(2.0)}}}, "sample rate 2"},
		{"param of all", announced{name: "e", metrics: []Metric{{Name: "x", ParamNames: []string{"samplerate"}}}}, `"samplerate"`},
		{"param twice", announced{name: "e", metrics: []Metric{{Name: "x", ParamNames: []string{"a_b", "ab"}}}}, `"ab"`},
		{"default", announced{name: "e", metrics: metrics("x"), defaults: []string{"y"}}, `default metric "y"`},
		{"default by alias", announced{name: "e", metrics: metrics("answer_relevancy"), defaults: []string{"relevance"}}, `default metric "relevance"`},
		{"alias of nothing", announced{name: "e", metrics: metrics("x"), aliases: map[string]string{"z": "y"}}, `alias "z" is for "y"`},
		{"alias taken", announced{name: "e", metrics: metrics("x", "y"), aliases: map[string]string{"y": "x"}}, `alias "y" is a name already`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := NewRegistry()
			if err := r.Add(announced{name: "taken", metrics: metrics("x")}); err != nil {
				t.Fatal(err)
			}
			err := r.Add(tt.e)
			if !errors.Is(err, ErrEvaluator) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an ErrEvaluator with %s", err, tt.want)
			}
			if got := r.Names(); len(got) != 1 {
				t.Errorf("registered all the same: %v", got)
			}
		})
	}
}

func TestAliasRefusesNamesThatCannotBeWritten(t *testing.T) {
	for _, alias := range []string{"", "Up", "off", "a b"} {
		if err := NewRegistry().Alias(alias, "judge"); !errors.Is(err, ErrEvaluator) {
			t.Errorf("%q: got %v, want ErrEvaluator", alias, err)
		}
	}
}

func TestLookupOfEvaluators(t *testing.T) {
	r := NewRegistry()
	for _, name := range []string{"judge", "builtin", "house_style"} {
		if err := r.Add(announced{name: name, metrics: metrics("x"), defaults: []string{"x"}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Alias("style", "house_style"); err != nil {
		t.Fatal(err)
	}
	resolved := func(plan string) string {
		p, err := Parse(plan)
		if err != nil {
			t.Fatal(err)
		}
		as, _, err := r.Resolve(p)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, a := range as {
			names = append(names, a.Evaluator.Name())
		}
		return strings.Join(names, " ")
	}
	for plan, want := range map[string]string{
		"Judge": "judge", "DeepEval": "judge", "deep-eval": "judge", "House Style": "house_style",
		"HOUSE-STYLE": "house_style", "style": "house_style", "nothing": "",
	} {
		if got := resolved(plan); got != want {
			t.Errorf("%s: got %q, want %q", plan, got, want)
		}
	}
	if err := r.Add(announced{name: "deepeval", metrics: metrics("x"), defaults: []string{"x"}}); err != nil {
		t.Fatal(err)
	}
	if got := resolved("deepeval"); got != "deepeval" {
		t.Errorf("an evaluator's own name gave way to an alias: got %q", got)
	}
	if diff := cmp.Diff([]string{"judge", "builtin", "house_style", "deepeval"}, r.Names()); diff != "" {
		t.Error(diff)
	}
}

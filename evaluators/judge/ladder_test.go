package judge_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

// picky is a judge that takes some formats only, and keeps what it was asked
// for.
type picky struct {
	takes   []judge.Format
	silent  bool // refuses without saying why
	ignores bool // takes every format and answers in prose unless in one of takes
	known   []judge.Format

	mu    sync.Mutex
	asked []judge.Format
}

func (p *picky) Formats() []judge.Format {
	if p.known != nil {
		return p.known
	}
	return []judge.Format{judge.FormatStrictSchema, judge.FormatSchema, judge.FormatJSONObject, judge.FormatTool, judge.FormatNone}
}

func (p *picky) Complete(_ context.Context, r judge.Request) (judge.Response, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, r.Format)
	switch {
	case slices.Contains(p.takes, r.Format):
		return judge.Response{Text: `{"reason":"r","label":"not_biased"}`}, nil
	case p.ignores:
		return judge.Response{Text: "I find nothing wrong with it."}, nil
	}
	return judge.Response{}, &judge.Error{Type: evaluators.ErrorJudgeBadRequest, Status: 400, FormatRefused: !p.silent}
}

func TestFormatIsLearnedFromAnswers(t *testing.T) {
	const strict, schema, object, tool, none = judge.FormatStrictSchema, judge.FormatSchema, judge.FormatJSONObject, judge.FormatTool, judge.FormatNone
	for _, tt := range []struct {
		name  string
		judge *picky
		opts  []judge.Option
		// want are the formats of the calls of each evaluation.
		want [][]judge.Format
		fail string
	}{
		{"takes_everything", &picky{takes: []judge.Format{strict, schema, object, tool, none}}, nil, [][]judge.Format{{strict}, {strict}}, ""},
		{"C07_no_strict_mode", &picky{takes: []judge.Format{schema, none}}, nil, [][]judge.Format{{strict, schema}, {schema}}, ""},
		{"C04_json_object_only", &picky{takes: []judge.Format{object, none}}, nil, [][]judge.Format{{strict, schema, object}, {object}}, ""},
		{"P21_tool_only", &picky{takes: []judge.Format{tool, none}}, nil, [][]judge.Format{{strict, schema, object, tool}, {tool}}, ""},
		{"C05_prompt_only", &picky{takes: []judge.Format{none}}, nil, [][]judge.Format{{strict, schema, object, tool, none}, {none}}, ""},
		{"C05_refused_for_no_stated_reason", &picky{takes: []judge.Format{none}, silent: true}, nil, [][]judge.Format{{strict, none}, {none}}, ""},
		{"refused_whatever_the_format", &picky{silent: true}, nil, [][]judge.Format{{strict, none}, {strict, none}}, evaluators.ErrorJudgeBadRequest},
		{"refused_down_to_the_last", &picky{}, nil, [][]judge.Format{{strict, schema, object, tool, none}, {none}}, evaluators.ErrorJudgeBadRequest},
		{"C06_client_knows_some", &picky{takes: []judge.Format{tool, none}, known: []judge.Format{strict, tool, none}}, nil, [][]judge.Format{{strict, tool}, {tool}}, ""},
		{"client_knows_none", &picky{takes: []judge.Format{none}, known: []judge.Format{none}}, nil, [][]judge.Format{{none}, {none}}, ""},
		{"option_sets_the_first", &picky{takes: []judge.Format{tool, none}}, []judge.Option{judge.WithResponseFormat(object)}, [][]judge.Format{{object, tool}, {tool}}, ""},
		{"P26_ignored_three_times", &picky{takes: []judge.Format{object}, ignores: true}, nil, [][]judge.Format{{strict, strict}, {strict, schema}, {schema, schema}, {object}}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := newEvaluator(t, tt.judge, tt.opts...)
			var r evaluators.Result
			var got [][]judge.Format
			for range tt.want {
				tt.judge.asked = nil
				r = ask(t.Context(), t, e, "bias")
				got = append(got, tt.judge.asked)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("formats asked for (-want +got):\n%s", diff)
			}
			if r.ErrorType != tt.fail || (r.Outcome == evaluators.OutcomeScored) != (tt.fail == "") {
				t.Errorf("%v %q, want %q", r.Outcome, r.ErrorType, tt.fail)
			}
		})
	}
}

// One model's format is not another's: a metric can name its own.
func TestFormatIsOfTheModel(t *testing.T) {
	p := &picky{takes: []judge.Format{judge.FormatNone}}
	e := newEvaluator(t, p)
	ask(t.Context(), t, e, "bias")
	p.asked = nil
	m := metricsNamed(t, e, "bias")
	m[0].Model = "other"
	e.Evaluate(t.Context(), fullCase(), m)
	if len(p.asked) != 5 || p.asked[0] != judge.FormatStrictSchema {
		t.Errorf("another model was asked for %v, want all formats from the first", p.asked)
	}
}

// Refusals that come side by side are one step, not one each.
func TestFormatStepsDownOnceForCallsSideBySide(t *testing.T) {
	const calls = 8
	p := &picky{takes: []judge.Format{judge.FormatSchema}}
	var together sync.WaitGroup
	together.Add(calls)
	first := make(chan struct{}, calls)
	c := clientFunc(func(ctx context.Context, r judge.Request) (judge.Response, error) {
		if r.Format == judge.FormatStrictSchema {
			first <- struct{}{}
			together.Done()
			together.Wait()
		}
		return p.Complete(ctx, r)
	})
	e := newEvaluator(t, c)
	var all sync.WaitGroup
	for range calls {
		all.Go(func() {
			if r := ask(t.Context(), t, e, "bias"); r.Outcome != evaluators.OutcomeScored || r.Attempts != 2 {
				t.Errorf("%v %q after %d attempts", r.Outcome, r.ErrorType, r.Attempts)
			}
		})
	}
	all.Wait()
	if len(first) != calls || slices.Contains(p.asked, judge.FormatJSONObject) {
		t.Errorf("asked for %v", p.asked)
	}
}

package builtin_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
)

// lettered is a model for which a text is about what its words begin with.
type lettered struct {
	builtin.Model // is asked for vectors only
	err           error
	seen          *[]string
}

func (lettered) Name() string { return "lettered/1" }

func (m lettered) Embed(ctx context.Context, texts ...string) ([]builtin.Vector, error) {
	if m.err != nil {
		return nil, m.err
	}
	out := make([]builtin.Vector, len(texts))
	for i, t := range texts {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if m.seen != nil {
			*m.seen = append(*m.seen, t)
		}
		v, squares := make(builtin.Vector, 26), 0.0
		for w := range strings.FieldsSeq(strings.ToLower(t)) {
			if w[0] >= 'a' && w[0] <= 'z' {
				v[w[0]-'a']++
			}
		}
		for _, x := range v {
			squares += float64(x * x)
		}
		for j := range v {
			v[j] /= float32(max(math.Sqrt(squares), 1e-9))
		}
		out[i] = v
	}
	return out, nil
}

func withLettered(m lettered) builtin.Option {
	return builtin.WithModel(func(float64) builtin.Model { return m })
}

const (
	tents = "Do you sell tents and stoves?"
	owl   = "Quiet zebras visit every quarry. Lovely magpies join their quest over hilly lanes."
	near  = "Does your shop, as always, stock some tall yurts?"
)

func TestRelevancyAsksBothTheWordsAndTheModel(t *testing.T) {
	for name, test := range map[string]struct{ answer, want string }{
		"far and other words":  {owl, "Irrelevant"},
		"near, other words":    {near, ""},
		"near in one sentence": {owl + " " + near, ""},
		"far, same words":      {owl + " Quiet zebras liked tents, and magpies loved stoves.", ""},
		"near and same words":  {"Yes, we do sell tents and stoves, and do so all year.", "Relevant"},
	} {
		t.Run(name, func(t *testing.T) {
			r := evaluate(t, "answer_relevancy", &evaluators.Case{Input: tents, Output: test.answer}, withLettered(lettered{}))
			if r.Label != test.want {
				t.Errorf("got %q (%s), want %q", r.Label, r.Explanation, test.want)
			}
			if method, _ := attribute(r, builtin.AttributeMethod); method != "embedded:lettered/1" {
				t.Errorf("method %q", method)
			}
		})
	}
}

func TestAModelThatFailsScoresNothing(t *testing.T) {
	r := evaluate(t, "answer_relevancy", &evaluators.Case{Input: tents, Output: owl}, withLettered(lettered{err: errors.New("torn")}))
	if r.Outcome != evaluators.OutcomeFailed || r.ErrorType != builtin.ErrorModel {
		t.Errorf("got %s (%s)", r.Outcome, r.ErrorType)
	}
}

// What is given to the model is bounded, in texts and in bytes, however long the
// answer is.
func TestTheModelIsGivenABoundedPart(t *testing.T) {
	var seen []string
	answer := strings.Repeat(owl+" ", 700) // near the bound of an output
	c := &evaluators.Case{Input: tents, Output: answer, History: []evaluators.Turn{{Text: strings.Repeat("x ", 1<<20)}, {Text: "Yes."}, {Text: "No."}}}
	if r := evaluate(t, "answer_relevancy", c, withLettered(lettered{seen: &seen})); r.Label != "Irrelevant" {
		t.Fatalf("%s (%s)", r.Label, r.Explanation)
	}
	bytes := 0
	for _, s := range seen {
		bytes += len(s)
	}
	if len(seen) > 16 || bytes > 64<<10 {
		t.Errorf("%d texts of %d bytes", len(seen), bytes)
	}
}

func TestRelevancyByMeaningIsCancelled(t *testing.T) {
	for left := range 40 {
		ctx := &countdown{Context: t.Context(), left: left}
		e := builtin.New(withLettered(lettered{}))
		r := e.Evaluate(ctx, &evaluators.Case{Input: tents, Output: strings.Repeat(owl+" ", 10)}, []evaluators.Metric{{Name: "answer_relevancy"}})[0]
		if r.Outcome != evaluators.OutcomeFailed && r.Label != "Irrelevant" {
			t.Errorf("after %d looks: %s %s (%s)", left, r.Outcome, r.Label, r.Explanation)
		}
		if left < 20 && r.Outcome != evaluators.OutcomeFailed {
			t.Errorf("after %d looks at the context it went on: %s", left, r.Label)
		}
	}
}

func TestAffinityIsFiniteAndBounded(t *testing.T) {
	for _, q := range []string{"", "?", tents, "\xff\xfe", strings.Repeat("tents ", 50_000), "the of and"} {
		for _, a := range []string{"", "!", owl, "\xff\xfe", strings.Repeat("tents ", 50_000)} {
			got, err := builtin.MeasureAffinity(t.Context(), lettered{}, q, a)
			if err != nil {
				t.Fatal(err)
			}
			if p := got.Probability(); !(p > 0 && p < 1) {
				t.Errorf("%.10q, %.10q: probability %v of %+v", q, a, p, got)
			}
			for _, share := range []float64{got.Coverage, got.Neighbours} {
				if !(share >= 0 && share <= 1) {
					t.Errorf("%.10q, %.10q: %+v", q, a, got)
				}
			}
		}
	}
}

func FuzzRelevancyByMeaning(f *testing.F) {
	f.Add(tents, owl, "before")
	f.Add("Which?", "1. Line 14\n2. | a | b |", "")
	f.Add("\xff", "Yes… 3.5.2016", "שלום")
	e := builtin.New(withLettered(lettered{}))
	f.Fuzz(func(t *testing.T, question, answer, before string) {
		c := &evaluators.Case{Input: question, Output: answer, History: []evaluators.Turn{{Text: before}}}
		r := e.Evaluate(t.Context(), c, []evaluators.Metric{{Name: "answer_relevancy"}})[0]
		if r.Outcome == evaluators.OutcomeFailed || r.Explanation == "" || len(r.Explanation) > 500 {
			t.Errorf("%s %v (%s)", r.Outcome, r.Err, r.Explanation)
		}
	})
}

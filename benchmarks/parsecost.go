package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/instrumentation"
)

func parseClaims() []claim {
	return []claim{
		{name: "parse_cost", bound: 50, says: "microseconds a judge's 2 KiB answer takes to be read, checked and scored, the dearest built-in metric; the whole Evaluate counts",
			measure: func() (float64, error) { return parseCost() }},
		{name: "parse_cost_rubric", bound: 300, says: "the same for an own rubric, whose answer is checked against a JSON schema",
			measure: func() (float64, error) { return parseCost(ownRubrics()...) }},
	}
}

// prepared is a judge that answers at once: what an evaluation takes with it is
// what it takes besides waiting. It makes its answer from the first schema that
// it is asked for.
type prepared struct{ answer string }

func (p *prepared) Complete(_ context.Context, r judge.Request) (judge.Response, error) {
	if p.answer == "" {
		var schema answerSchema
		if err := json.Unmarshal(r.Schema, &schema); err != nil {
			return judge.Response{}, err
		}
		p.answer = schema.answerOf(2048)
	}
	return judge.Response{Text: p.answer, Model: "prepared", Usage: judge.Usage{InputTokens: 400, OutputTokens: 500}}, nil
}

// ownRubrics are rubrics with answers of either kind.
func ownRubrics() []judge.Rubric {
	return []judge.Rubric{
		{
			Name: "politeness", Question: "How polite is the output?", Threshold: 4,
			Scale: &judge.RubricScale{Min: 1, Max: 5},
		},
		{
			Name: "next_step", Question: "Does the output name a next step?", Threshold: 0.5,
			Labels: []judge.RubricLabel{
				{Name: "named", Score: 1, When: "a step is named"},
				{Name: "vague", Score: 0.5, When: "it says only that there is one"},
				{Name: "none", Score: 0},
			},
		},
	}
}

// parseCost is the median time of an evaluation with a prepared answer, for
// the metric that takes longest: of the rubrics, or without any of the judge's
// own. Making the prompt, the call's span and the result are in it, so that it is
// an upper bound of what reading the answer takes.
func parseCost(rubrics ...judge.Rubric) (float64, error) {
	client := &prepared{}
	e, err := judge.New(client, judge.WithRubrics(rubrics...))
	if err != nil {
		return 0, err
	}
	own := func(m evaluators.Metric) bool {
		return slices.ContainsFunc(rubrics, func(r judge.Rubric) bool { return r.Name == m.Name })
	}
	worst := 0.0
	for _, m := range e.Metrics() {
		if own(m) != (len(rubrics) > 0) {
			continue
		}
		client.answer = ""
		micros, err := evaluationCost(e, m, client)
		if err != nil {
			return 0, err
		}
		worst = max(worst, micros)
	}
	return worst, nil
}

// evaluationCost measures in rounds, each beside the decoding of the same bytes
// into a map by encoding/json, and returns the median in microseconds.
func evaluationCost(e *judge.Evaluator, m evaluators.Metric, client *prepared) (float64, error) {
	const rounds, each = 2001, 5 // short, so that most are not interrupted
	c := &evaluators.Case{
		Input: "How long can I return shoes?", Output: "You can return shoes within 30 days.", Choices: 1,
		Documents: []instrumentation.Document{{ID: "returns", Text: "Shoes can be returned within 30 days."}},
	}
	metrics := []evaluators.Metric{m}
	ctx := context.Background()
	evaluate := func() error {
		if r := e.Evaluate(ctx, c, metrics)[0]; r.Outcome != evaluators.OutcomeScored {
			return fmt.Errorf("%s is %s: %w", m.Name, r.Outcome, r.Err)
		}
		return nil
	}
	if err := evaluate(); err != nil { // the answer is made
		return 0, err
	}
	text := client.answer
	var costs, ratios []float64
	for range rounds {
		whole, err := timed(each, evaluate)
		if err != nil {
			return 0, err
		}
		plain, err := timed(each, func() error {
			var v map[string]any
			return json.Unmarshal([]byte(text), &v)
		})
		if err != nil {
			return 0, err
		}
		costs, ratios = append(costs, whole), append(ratios, whole/plain)
	}
	cost := median(costs)
	fmt.Printf("%-18s %d bytes: %6.1f µs in all, %.2f times json.Unmarshal into a map\n", m.Name, len(text), cost, median(ratios))
	return cost, nil
}

// timed is how many microseconds one of n runs of f took.
func timed(n int, f func() error) (float64, error) {
	began := time.Now()
	for range n {
		if err := f(); err != nil {
			return 0, err
		}
	}
	return time.Since(began).Seconds() * 1e6 / float64(n), nil
}

// answerSchema is what of a JSON schema decides how an answer to it looks.
type answerSchema struct {
	Type       string                  `json:"type"`
	Enum       []any                   `json:"enum"`
	Properties map[string]answerSchema `json:"properties"`
	Items      *answerSchema           `json:"items"`
}

// answerOf makes an answer of at least that many bytes and hardly more: with as
// many items as fit where there is a list, else with long strings.
func (s answerSchema) answerOf(size int) string {
	for n := 1; ; n++ {
		length, items := n, 1
		if s.hasList() {
			length, items = 30, n
		}
		b, _ := json.Marshal(s.value(length, items)) // strings, numbers, lists and maps of them
		if len(b) >= size {
			return string(b)
		}
	}
}

func (s answerSchema) hasList() bool {
	for _, p := range s.Properties {
		if p.Items != nil || p.hasList() {
			return true
		}
	}
	return false
}

func (s answerSchema) value(length, items int) any {
	switch {
	case len(s.Enum) > 0:
		return s.Enum[len(s.Enum)-1]
	case s.Type == "object":
		object := make(map[string]any, len(s.Properties))
		for name, p := range s.Properties {
			object[name] = p.value(length, items)
		}
		return object
	case s.Type == "array" && s.Items != nil:
		list := make([]any, items)
		for i := range list {
			list[i] = s.Items.value(length, items)
		}
		return list
	case s.Type == "integer":
		return 1
	}
	const text = "It says so in the second document. "
	return strings.Repeat(text, length/len(text)+1)[:length]
}

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/instrumentation"
)

// overhead is what the prompts of all metrics take.
type overhead struct {
	rows []row
	// prefix is how many tokens all system messages begin with.
	prefix int
}

// row is one metric.
type row struct {
	name string
	prompt
}

// measure has every metric asked of a judge that keeps what it is sent, and
// counts that.
func measure() (overhead, error) {
	c, err := newCounter()
	if err != nil {
		return overhead{}, err
	}
	requests, err := asked()
	if err != nil {
		return overhead{}, err
	}
	var o overhead
	systems := make([]string, 0, len(requests))
	for _, r := range requests {
		p, err := c.of(r)
		if err != nil {
			return overhead{}, err
		}
		o.rows = append(o.rows, row{strings.Join(r.Metrics, ", "), p})
		systems = append(systems, r.Messages[0].Text)
	}
	o.prefix, err = c.sharedPrefix(systems)
	return o, err
}

// asked returns the request of each metric.
func asked(opts ...judge.Option) ([]judge.Request, error) {
	j := judgetest.NewJudge()
	e, err := judge.New(j, opts...)
	if err != nil {
		return nil, err
	}
	for _, r := range e.Evaluate(context.Background(), fullCase(), e.Metrics()) {
		if r.Outcome != evaluators.OutcomeScored {
			return nil, fmt.Errorf("%s is %s: %w", r.Metric, r.Outcome, r.Err)
		}
	}
	var requests []judge.Request
	for _, call := range j.Calls() {
		requests = append(requests, call.Request)
	}
	return requests, nil
}

// sharedPrefix is how many tokens the texts begin with in common.
func (c counter) sharedPrefix(texts []string) (int, error) {
	if len(texts) == 0 {
		return 0, errors.New("no requests")
	}
	shared, err := c.tokens(texts[0])
	if err != nil {
		return 0, err
	}
	for _, text := range texts[1:] {
		ids, err := c.tokens(text)
		if err != nil {
			return 0, err
		}
		n := 0
		for n < len(shared) && n < len(ids) && shared[n] == ids[n] {
			n++
		}
		shared = shared[:n]
	}
	return len(shared), nil
}

// worst is the most that a metric takes beyond the content.
func (o overhead) worst() int {
	return slices.MaxFunc(o.rows, func(a, b row) int { return a.beyond() - b.beyond() }).beyond()
}

// table is the table of docs/benchmarks.md.
func (o overhead) table() string {
	var b strings.Builder
	b.WriteString("| metric | system message | of it shared | schema | JSON around the content | beyond the content | without the schema |\n")
	b.WriteString("|---|---|---|---|---|---|---|\n")
	for _, r := range o.rows {
		fmt.Fprintf(&b, "| %s | %d | %d (%.0f %%) | %d | %d | %d | %d |\n", r.name,
			r.system, o.prefix, 100*float64(o.prefix)/float64(r.system), r.schema, r.document, r.beyond(), r.beyond()-r.schema)
	}
	return b.String()
}

// fullCase has everything that any metric is shown: two earlier turns and three
// documents, with a line break and quotes, which JSON writes longer.
func fullCase() *evaluators.Case {
	return &evaluators.Case{
		Kind:    instrumentation.KindInference,
		Choices: 1,
		History: []evaluators.Turn{
			{Role: "user", Text: "Hello, I bought running shoes from you in March."},
			{Role: "assistant", Text: "Thank you! What would you like to know about your order?"},
		},
		Input:  "How long can I return them, and who pays for the parcel?",
		Output: "You have 30 days to return unworn shoes.\nWrite \"return\" on the parcel; we pay for it.",
		Documents: []instrumentation.Document{
			{ID: "returns", Text: "Unworn shoes can be returned within 30 days of delivery."},
			{ID: "parcels", Text: "Parcels marked \"return\" are free of charge.\nAll others cost 4.90 EUR."},
			{ID: "shops", Text: "Shops take back what was bought online."},
		},
	}
}

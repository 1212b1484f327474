package main

import (
	"context"
	"errors"
	"fmt"
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

// row is one request: a metric's, or that of several at once.
type row struct {
	metrics []string
	prompt
}

// beyond is what the row takes beyond the content, for each of its metrics.
func (r row) beyond() float64 { return float64(r.prompt.beyond()) / float64(len(r.metrics)) }

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
		o.rows = append(o.rows, row{r.Metrics, p})
		systems = append(systems, r.Messages[0].Text)
	}
	o.prefix, err = c.sharedPrefix(systems)
	return o, err
}

// asked returns the request of each metric by itself.
func asked() ([]judge.Request, error) {
	j := judgetest.NewJudge()
	single, err := judge.New(j)
	if err != nil {
		return nil, err
	}
	for _, m := range single.Metrics() {
		if err := evaluate(single, m); err != nil {
			return nil, err
		}
	}
	var requests []judge.Request
	for _, call := range j.Calls() {
		requests = append(requests, call.Request)
	}
	return requests, nil
}

func evaluate(e *judge.Evaluator, metrics ...evaluators.Metric) error {
	for _, r := range e.Evaluate(context.Background(), fullCase(), metrics) {
		if r.Outcome != evaluators.OutcomeScored {
			return fmt.Errorf("%s is %s: %w", r.Metric, r.Outcome, r.Err)
		}
	}
	return nil
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
func (o overhead) worst() float64 {
	worst := 0.0
	for _, r := range o.rows {
		worst = max(worst, r.beyond())
	}
	return worst
}

// table is the table of docs/benchmarks.md.
func (o overhead) table() string {
	var b strings.Builder
	b.WriteString("| metric | system message | of it shared | schema | JSON around the content | beyond the content | without the schema |\n")
	b.WriteString("|---|---|---|---|---|---|---|\n")
	for _, r := range o.rows {
		name, each := r.metrics[0], ""
		if n := len(r.metrics); n > 1 {
			name, each = strings.Join(r.metrics, ", "), " each"
		}
		without := r
		without.schema = 0
		fmt.Fprintf(&b, "| %s | %d | %d (%.0f %%) | %d | %d | %.0f%s | %.0f%s |\n", name,
			r.system, o.prefix, 100*float64(o.prefix)/float64(r.system), r.schema, r.document, r.beyond(), each, without.beyond(), each)
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

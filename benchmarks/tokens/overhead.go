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

// row is one request: a metric's, or that of several at once.
type row struct {
	name    string
	metrics int
	prompt
}

// beyond is what the row takes beyond the content, for each of its metrics.
func (r row) beyond() float64 { return float64(r.prompt.beyond()) / float64(r.metrics) }

// measure has every metric asked of a judge that keeps what it is sent, and
// counts that.
func measure() (overhead, error) {
	c, err := newCounter()
	if err != nil {
		return overhead{}, err
	}
	asked, err := ask()
	if err != nil {
		return overhead{}, err
	}
	var o overhead
	var systems []string
	for _, a := range asked {
		p, err := c.of(a.request)
		if err != nil {
			return overhead{}, err
		}
		o.rows = append(o.rows, row{a.name, len(a.request.Metrics), p})
		systems = append(systems, a.request.Messages[0].Text)
	}
	o.prefix, err = c.sharedPrefix(systems)
	return o, err
}

// asked is one request and what to call it.
type asked struct {
	name    string
	request judge.Request
}

// ask returns the request of each metric by itself, where it depends on the
// documents both; then those that ask several metrics at once.
func ask() ([]asked, error) {
	all, err := judge.New(judgetest.NewJudge())
	if err != nil {
		return nil, err
	}
	var requests []asked
	for _, m := range all.Metrics() {
		full, err := request(fullCase(), judge.ModePerMetric, m.Name)
		if err != nil {
			return nil, err
		}
		bare := fullCase()
		bare.Documents = nil
		without, err := request(bare, judge.ModePerMetric, m.Name)
		if err != nil {
			return nil, err
		}
		if without == nil || without.Messages[0] == full.Messages[0] {
			requests = append(requests, asked{m.Name, *full})
			continue
		}
		requests = append(requests, asked{m.Name + ", with documents", *full}, asked{m.Name + ", without", *without})
	}
	for _, several := range []struct {
		name    string
		mode    judge.Mode
		metrics []string
	}{
		{"faithfulness and hallucination", judge.ModePerMetric, []string{"faithfulness", "hallucination"}},
		{"four in a combined call", judge.ModeCombined, all.DefaultMetrics()},
	} {
		r, err := request(fullCase(), several.mode, several.metrics...)
		if err != nil {
			return nil, err
		}
		if len(r.Metrics) != len(several.metrics) {
			return nil, fmt.Errorf("%s: one call asks %v", several.name, r.Metrics)
		}
		requests = append(requests, asked{several.name, *r})
	}
	return requests, nil
}

// request is the first that is sent for these metrics of a case; nil when none
// applies.
func request(c *evaluators.Case, mode judge.Mode, metrics ...string) (*judge.Request, error) {
	j := judgetest.NewJudge()
	e, err := judge.New(j, judge.WithMode(mode))
	if err != nil {
		return nil, err
	}
	asked := e.Metrics()
	asked = slices.DeleteFunc(asked, func(m evaluators.Metric) bool { return !slices.Contains(metrics, m.Name) })
	results := e.Evaluate(context.Background(), c, asked)
	calls := j.Calls()
	if len(calls) > 0 {
		return &calls[0].Request, nil
	}
	for _, r := range results {
		if r.Outcome != evaluators.OutcomeSkipped {
			return nil, fmt.Errorf("%s is %s without a call: %w", r.Metric, r.Outcome, r.Err)
		}
	}
	return nil, nil
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
		each := ""
		if r.metrics > 1 {
			each = " each"
		}
		without := r
		without.schema = 0
		fmt.Fprintf(&b, "| %s | %d | %d (%.0f %%) | %d | %d | %.0f%s | %.0f%s |\n", r.name,
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

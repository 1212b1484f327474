package judge

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/limit"
)

// Evaluator asks one judge. Make it with [New]. Between evaluations it
// keeps how long answers are, and nothing of what they say. It is safe for
// concurrent use.
type Evaluator struct {
	client   Client
	config   config
	endpoint Endpoint
	catalog  *catalog
	ladder   *ladder
	forms    forms
	outputs  outputs
	room     outputRoom
	combined combining
}

var _ evaluators.Evaluator = (*Evaluator)(nil)

// New returns an evaluator that asks through c. A nil client or an option out
// of its range is an error that names it.
func New(c Client, opts ...Option) (*Evaluator, error) {
	if c == nil {
		return nil, errors.New("judge: no client")
	}
	cfg, err := newConfig(opts)
	if err != nil {
		return nil, err
	}
	catalog, err := builtinCatalog()
	if err != nil {
		return nil, err
	}
	if catalog, err = catalog.with(cfg.rubrics); err != nil {
		return nil, err
	}
	e := &Evaluator{client: c, config: cfg, catalog: catalog, ladder: newLadder(c, cfg.format)}
	if d, ok := c.(Describer); ok {
		e.endpoint = d.Endpoint()
	}
	return e, nil
}

// Name returns the name given by [WithName].
func (e *Evaluator) Name() string { return e.config.name }

// Version is a hash of the rubrics and of the prompts. It does not change with
// the model: results name that themselves.
func (e *Evaluator) Version() string { return e.catalog.version }

// Model is what the client asks where a metric names no other model; empty if it
// does not say.
func (e *Evaluator) Model() string { return e.endpoint.Model }

// Type returns [evaluators.TypeLLMJudge].
func (e *Evaluator) Type() string { return evaluators.TypeLLMJudge }

// Gate is the gate given by [WithGate], nil when there is none.
func (e *Evaluator) Gate() *limit.Gate { return e.config.gate }

// Metrics announces bias, toxicity, answer_relevancy, faithfulness,
// hallucination and sentiment, and behind them those of [WithRubrics] in their
// order.
func (e *Evaluator) Metrics() []evaluators.Metric {
	ms := make([]evaluators.Metric, len(e.catalog.questions))
	for i, q := range e.catalog.questions {
		ms[i] = q.metric
		ms[i].Labels = slices.Clone(q.metric.Labels)
		ms[i].Kinds = slices.Clone(q.metric.Kinds)
	}
	return ms
}

// Rubrics returns what the metrics of [WithRubrics] are made from, in their
// order, with the labels of Passed and Failed filled in.
func (e *Evaluator) Rubrics() []Rubric {
	rubrics := make([]Rubric, len(e.config.rubrics))
	for i, r := range e.config.rubrics {
		r = r.normalized()
		r.Passed, r.Failed = r.passed(), r.failed()
		rubrics[i] = r
	}
	return rubrics
}

// DefaultMetrics names the metrics that are asked when the plan names none.
func (e *Evaluator) DefaultMetrics() []string {
	var names []string
	for _, q := range e.catalog.questions {
		if q.Default {
			names = append(names, q.Name)
		}
	}
	return names
}

// Aliases returns other names of metrics, such as relevance for
// answer_relevancy.
func (e *Evaluator) Aliases() map[string]string { return maps.Clone(e.catalog.aliases) }

// Group puts metrics together that one call answers: in [ModeCombined] all, up
// to [MaxCombined], in [ModePerMetric] those that rest on the same claims. They
// stay apart where the plan gives them another model, judge or timeout.
func (e *Evaluator) Group(metrics []evaluators.Metric) [][]evaluators.Metric {
	type key struct {
		model, judge, base string
		timeout            time.Duration
	}
	var order []key
	groups := make(map[key][]evaluators.Metric)
	for _, m := range metrics {
		k := key{model: m.Model, judge: m.Judge, timeout: m.Timeout}
		if e.config.mode == ModePerMetric {
			k.base = m.Name
			if q := e.catalog.byName[m.Name]; q != nil && q.base != nil {
				k.base = q.base.Name
			}
		}
		if len(groups[k]) == 0 {
			order = append(order, k)
		}
		groups[k] = append(groups[k], m)
	}
	var out [][]evaluators.Metric
	for _, k := range order {
		out = slices.AppendSeq(out, slices.Chunk(groups[k], MaxCombined))
	}
	return out
}

// Evaluate asks the metrics, in turn or together as [WithMode] says. It blocks
// for as long as the judge and its gate take, at most until ctx ends.
//
// A case made under suppression is skipped(suppressed) without a call: it may
// be a judge's own, and judging it would never end.
func (e *Evaluator) Evaluate(ctx context.Context, c *evaluators.Case, metrics []evaluators.Metric) []evaluators.Result {
	results := make([]evaluators.Result, len(metrics))
	for _, call := range e.plan(c, metrics, results) {
		e.carryOut(ctx, c, call)
	}
	return results
}

package judge

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

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
	outputs  outputs
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
	e := &Evaluator{client: c, config: cfg, catalog: catalog}
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

// Type returns [evaluators.TypeLLMJudge].
func (e *Evaluator) Type() string { return evaluators.TypeLLMJudge }

// Gate is the gate given by [WithGate], nil when there is none.
func (e *Evaluator) Gate() *limit.Gate { return e.config.gate }

// Metrics announces bias, toxicity, answer_relevancy and faithfulness, and
// behind them those of [WithRubrics] in their order.
func (e *Evaluator) Metrics() []evaluators.Metric {
	ms := make([]evaluators.Metric, len(e.catalog.questions))
	for i, q := range e.catalog.questions {
		ms[i] = q.metric
		ms[i].Labels = slices.Clone(q.metric.Labels)
		ms[i].Kinds = slices.Clone(q.metric.Kinds)
	}
	return ms
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

// Evaluate asks each metric in turn, a call each. It blocks for as long as the
// judge and its gate take, at most until ctx ends.
//
// A case made under suppression is skipped(suppressed) without a call: it may
// be a judge's own, and judging it would never end.
func (e *Evaluator) Evaluate(ctx context.Context, c *evaluators.Case, metrics []evaluators.Metric) []evaluators.Result {
	results := make([]evaluators.Result, len(metrics))
	for i := range metrics {
		e.evaluate(ctx, c, &metrics[i], &results[i])
	}
	return results
}

// evaluate fills in r. While the judge thinks, the stack is as deep as it gets
// here and below, thousands of times over: what is large is in the
// conversation, and what needs a deep stack is done in functions that have
// returned by then.
func (e *Evaluator) evaluate(ctx context.Context, c *evaluators.Case, m *evaluators.Metric, r *evaluators.Result) {
	if v := e.prepare(c, m, r); v != nil {
		v.finish(m, r, v.run(ctx))
	}
}

// prepare begins the conversation about a metric, or fills in why there is
// none.
func (e *Evaluator) prepare(c *evaluators.Case, m *evaluators.Metric, r *evaluators.Result) *conversation {
	q := e.catalog.byName[m.Name]
	if q == nil {
		unfit(m, r, "", fmt.Errorf("judge: no metric %q", m.Name))
		return nil
	}
	// The manager has looked already; whoever calls without one must neither pay
	// for a verdict on nothing nor have a judge's own call judged.
	if reason, missing := evaluators.NeedsMissing(c, q.metric.Needs); missing {
		unfit(m, r, reason, nil)
		return nil
	}
	document, err := renderDocument(c, q.shown)
	if err != nil {
		unfit(m, r, "", err)
		return nil
	}
	return e.converse(q, m.Model, document)
}

// unfit fills in a result that no judge was asked for: skipped if there is a
// reason, and else failed.
//
//go:noinline
func unfit(m *evaluators.Metric, r *evaluators.Result, reason string, err error) {
	if reason != "" {
		*r = evaluators.Skipped(m.Name, reason, "")
		return
	}
	*r = evaluators.Failed(m.Name, evaluators.ErrorEvaluatorBadResult, err)
}

// finish fills in what the conversation came to.
//
//go:noinline
func (v *conversation) finish(m *evaluators.Metric, r *evaluators.Result, failure *Error) {
	switch {
	case failure == nil:
		*r = v.question.result(*m, v.answer)
	case failure.Type == evaluators.SkipBudget:
		*r = evaluators.Skipped(m.Name, evaluators.SkipBudget, "")
	default:
		*r = evaluators.Failed(m.Name, failure.Type, failure)
	}
	v.account(r)
}

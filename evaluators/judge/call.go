package judge

import (
	"context"
	"fmt"
	"slices"

	"go.opentelemetry.io/otel/attribute"

	"github.com/genaievals/genaievals/evaluators"
)

// AttributeBasis says what a hallucination result rests on: documents, or,
// where the case has none, input, which is the conversation.
const AttributeBasis = "genaievals.basis"

// call is questions that are asked together of one case, and the metrics whose
// results they give.
type call struct {
	model     string
	questions []*question
	items     []item
}

// item is one metric of a call.
type item struct {
	metric   *evaluators.Metric
	question *question // the metric's own, which scores
	part     int       // of the call's questions, the one that was asked for it
	result   *evaluators.Result
	spent    spending
}

// plan puts metrics together into calls, and fills in the results of those for
// which nobody is asked.
func (e *Evaluator) plan(c *evaluators.Case, metrics []evaluators.Metric, results []evaluators.Result) []*call {
	var calls []*call
	for i := range metrics {
		m, r := &metrics[i], &results[i]
		q := e.catalog.byName[m.Name]
		if q == nil {
			*r = evaluators.Failed(m.Name, evaluators.ErrorEvaluatorBadResult, fmt.Errorf("judge: no metric %q", m.Name))
			continue
		}
		// The manager has looked already; whoever calls without one must neither pay
		// for a verdict on nothing nor have a judge's own call judged.
		if reason, missing := evaluators.NeedsMissing(c, q.metric.Needs); missing {
			*r = evaluators.Skipped(m.Name, reason, "")
			continue
		}
		it := item{metric: m, question: q, result: r}
		asked := q.askedOf(c)
		to := slices.IndexFunc(calls, func(other *call) bool { return e.joins(other, m, asked) })
		if to < 0 {
			to = len(calls)
			calls = append(calls, &call{model: m.Model})
		}
		calls[to].add(it, asked)
	}
	return calls
}

// joins reports whether a question of a metric can be asked in a call: it is
// there already, or calls are combined.
func (e *Evaluator) joins(c *call, m *evaluators.Metric, asked *question) bool {
	if c.model != m.Model {
		return false
	}
	return slices.Contains(c.questions, asked) || e.config.mode == ModeCombined && len(c.questions) < MaxCombined
}

// askedOf is the question that is asked of a case for this one's metric.
func (q *question) askedOf(c *evaluators.Case) *question {
	if q.base == nil {
		return q
	}
	if _, missing := evaluators.NeedsMissing(c, q.base.metric.Needs); missing {
		return q
	}
	return q.base
}

func (c *call) add(it item, asked *question) {
	it.part = slices.Index(c.questions, asked)
	if it.part < 0 {
		it.part = len(c.questions)
		c.questions = append(c.questions, asked)
	}
	c.items = append(c.items, it)
}

// carryOut makes a call and fills in the results of its metrics, where need be
// after asking again one by one. While the judge thinks, the stack is as deep as
// it gets here and below, thousands of times over: what is large is in the
// conversation, and what needs a deep stack is done in functions that have
// returned by then.
func (e *Evaluator) carryOut(ctx context.Context, c *evaluators.Case, asked *call) {
	v := e.begin(c, asked)
	if v == nil {
		return
	}
	for _, single := range asked.finish(v, v.run(ctx)) {
		e.carryOut(ctx, c, single)
	}
}

// begin begins the conversation of a call, or fills in why there is none.
//
//go:noinline
func (e *Evaluator) begin(c *evaluators.Case, asked *call) *conversation {
	f, err := e.forms.of(asked.questions)
	var shown view
	var document string
	if err == nil {
		shown, document, err = e.view(c, f.shown)
	}
	if err != nil {
		for _, it := range asked.items {
			*it.result = evaluators.Failed(it.metric.Name, evaluators.ErrorEvaluatorBadResult, err)
		}
		return nil
	}
	v := e.converse(f, asked.model, document)
	v.view = shown
	for _, it := range asked.items {
		v.request.Metrics = append(v.request.Metrics, it.metric.Name)
	}
	return v
}

// finish fills in what a conversation came to, and returns the calls that are
// still to be made: where a combined answer was incomplete, one for each
// question without an answer.
//
//go:noinline
func (c *call) finish(v *conversation, failure *Error) (again []*call) {
	combined := v.form.combined()
	singles := make([]*call, len(c.questions))
	for i := range c.items {
		it := &c.items[i]
		it.spent = it.spent.plus(v.spent.share(i, len(c.items)))
		if combined && incomplete(v, failure, it.part) {
			if singles[it.part] == nil {
				singles[it.part] = &call{model: c.model}
			}
			singles[it.part].add(*it, c.questions[it.part])
			continue
		}
		it.finish(v, failure, c.questions[it.part])
	}
	return slices.DeleteFunc(singles, func(single *call) bool { return single == nil })
}

// incomplete reports whether a combined answer lacks one to a question, and a
// call for it alone may do better.
func incomplete(v *conversation, failure *Error, part int) bool {
	if failure == nil {
		return v.readings[part].problem != nil
	}
	switch failure.Type {
	case evaluators.ErrorJudgeMalformedOutput, evaluators.ErrorJudgeEmptyOutput, evaluators.ErrorJudgeTruncated:
		return true
	}
	return false
}

// finish fills in the result of a metric for which a question was asked.
func (it *item) finish(v *conversation, failure *Error, asked *question) {
	name := it.metric.Name
	switch {
	case failure == nil:
		*it.result = it.question.result(*it.metric, v.readings[it.part].answer)
		it.question.describe(it.result, asked)
	case failure.Type == evaluators.SkipBudget:
		*it.result = evaluators.Skipped(name, evaluators.SkipBudget, "")
	default:
		*it.result = evaluators.Failed(name, failure.Type, failure)
	}
	it.spent.account(it.result, v.askedModel())
	it.result.InputCut = v.view.cut
}

// describe says on a scored result what it rests on, where that differs from
// case to case.
func (q *question) describe(r *evaluators.Result, asked *question) {
	if q.base == nil || r.Outcome != evaluators.OutcomeScored {
		return
	}
	basis := "input"
	if asked == q.base {
		basis = "documents"
	}
	r.Attributes = append(r.Attributes, attribute.String(AttributeBasis, basis))
}

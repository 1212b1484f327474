package builtin

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"go.opentelemetry.io/otel/attribute"

	"github.com/genaievals/genaievals/evaluators"
)

// Name is what the plan calls this evaluator.
const Name = "builtin"

// Version changes when the same case may get another result.
const Version = "5"

// The attributes that results carry.
const (
	// AttributeMethod says how the metric judges: vader, lexicon,
	// question_coverage, lexical_grounding or none, or embedded: and the name of
	// the model that had a part in it. Every result has it.
	AttributeMethod = "genaievals.method"
	// AttributeTruncated is true on a result that rests on the beginning of a
	// text because the rest was over the bound.
	AttributeTruncated = "genaievals.input.truncated"
)

// ErrorInvalidOption is the error.type of a metric that was asked without its
// options having been prepared, and has one that will not do. A plan that says
// so is refused before it runs.
const ErrorInvalidOption = "invalid_option"

// The default bounds, in bytes.
const (
	DefaultMaxOutput    = 64 << 10  // of the output, and of the question; see [WithMaxOutput]
	DefaultMaxDocuments = 256 << 10 // of the documents, and of the conversation; see [WithMaxDocuments]
)

// Evaluator judges by rules and word lists. It is safe for concurrent use and
// keeps nothing of the cases it has seen.
type Evaluator struct {
	maxOutput, maxDocuments int
	share                   float64
	maxSentences            int // 0: by the share
	open                    OpenModel
	model                   Model // nil: word lists only
}

// Option configures an [Evaluator].
type Option func(*Evaluator)

// WithMaxOutput bounds how much of an output is read, in bytes, and likewise of
// the question. A result that rests on the part that was read says so in
// [AttributeTruncated]; one that would need the rest, such as Non Toxic, is
// skipped(content_truncated). The default is [DefaultMaxOutput]; less than 1
// keeps it.
func WithMaxOutput(bytes int) Option {
	return func(e *Evaluator) {
		if bytes > 0 {
			e.maxOutput = bytes
		}
	}
}

// WithMaxDocuments bounds how much of the documents of a case is read, in
// bytes over all of them in order, and likewise of the conversation. Beyond it
// nothing can be called unsupported any more, and faithfulness skips what it
// would have flagged. The default is [DefaultMaxDocuments]; less than 1 keeps
// it.
func WithMaxDocuments(bytes int) Option {
	return func(e *Evaluator) {
		if bytes > 0 {
			e.maxDocuments = bytes
		}
	}
}

// New returns the evaluator. It does no work: the sentiment lexicon is
// unpacked by the first case that asks for sentiment.
func New(opts ...Option) *Evaluator {
	e := &Evaluator{maxOutput: DefaultMaxOutput, maxDocuments: DefaultMaxDocuments, share: DefaultShare}
	if open := provided.Load(); open != nil {
		e.open = *open
	}
	for _, o := range opts {
		if o != nil {
			o(e)
		}
	}
	if e.open != nil {
		e.model = e.open(e.share)
	}
	return e
}

// Name returns [Name].
func (e *Evaluator) Name() string { return Name }

// Version returns [Version], and behind a plus sign the model's name and
// version where there is one: with another model a case may get another result.
func (e *Evaluator) Version() string {
	if e.model == nil {
		return Version
	}
	return Version + "+" + e.model.Name()
}

// Group has toxicity and sentiment asked together where a model reads the
// sentences for both, unless they have different deadlines; the others are
// asked one by one.
func (e *Evaluator) Group(metrics []evaluators.Metric) [][]evaluators.Metric {
	var groups [][]evaluators.Metric
	reads := -1
	for _, m := range metrics {
		shares := e.model != nil && (m.Name == MetricToxicity || m.Name == MetricSentiment)
		if shares && reads >= 0 && groups[reads][0].Timeout == m.Timeout {
			groups[reads] = append(groups[reads], m)
			continue
		}
		if shares && reads < 0 {
			reads = len(groups)
		}
		groups = append(groups, []evaluators.Metric{m})
	}
	return groups
}

// Type returns [evaluators.TypeDeterministic].
func (e *Evaluator) Type() string { return evaluators.TypeDeterministic }

// Metrics announces the metrics in the order of the documentation. Labels
// follow from the rules, never from the threshold; the default thresholds are
// where the two agree.
func (e *Evaluator) Metrics() []evaluators.Metric {
	out := make([]evaluators.Metric, len(metrics))
	for i, m := range metrics {
		out[i] = m.announced()
	}
	return out
}

// DefaultMetrics names toxicity, sentiment, answer_relevancy and faithfulness:
// what can be asked of any answer without options.
func (e *Evaluator) DefaultMetrics() []string {
	var names []string
	for _, m := range metrics {
		if m.byDefault {
			names = append(names, m.Name)
		}
	}
	return names
}

// Prepare reads the options of a metric. It opens the file that an option
// names. The error is an *[evaluators.ParamError] for an option that has a
// value it does not take, and another where a metric would have nothing to ask.
// A metric that is not announced has no options.
func (e *Evaluator) Prepare(m evaluators.Metric) (evaluators.Metric, error) {
	known, ok := byName[m.Name]
	if !ok {
		return m, nil
	}
	s := settings{params: m.Params}
	judge := known.prepare(&s)
	if s.err != nil {
		return m, s.err
	}
	m.Needs |= s.needs
	m.Prepared = &prepared{judge}
	return m, nil
}

// Evaluate judges the case, on the caller's goroutine and in the order asked.
// What cannot be judged is skipped(needs_judge); a metric that is not
// announced is skipped(not_reported). A metric that Prepare has not seen is
// prepared on the spot; where its options will not do it is
// failed([ErrorInvalidOption]). When ctx ends, what has not been judged is
// failed(evaluator_timeout); ctx is looked at between sentences, or as often.
func (e *Evaluator) Evaluate(ctx context.Context, c *evaluators.Case, asked []evaluators.Metric) []evaluators.Result {
	s := &subject{c: c, limits: e}
	results := make([]evaluators.Result, 0, len(asked))
	for _, m := range asked {
		known, ok := byName[m.Name]
		if !ok {
			results = append(results, evaluators.Skipped(m.Name, evaluators.SkipNotReported, "builtin has no such metric"))
			continue
		}
		s.truncated, s.method = false, ""
		r := e.evaluate(ctx, s, m)
		r.Metric = m.Name
		if e.model != nil && known.modelled() && r.Outcome == evaluators.OutcomeFailed && s.method == "" {
			s.method = methodModel + e.model.Name() // which it did not come to
		}
		r.Attributes = append(r.Attributes, attribute.String(AttributeMethod, cmp.Or(s.method, known.method)))
		if s.truncated {
			r.Attributes = append(r.Attributes, attribute.Bool(AttributeTruncated, true))
		}
		results = append(results, r)
	}
	return results
}

func (e *Evaluator) evaluate(ctx context.Context, s *subject, m evaluators.Metric) evaluators.Result {
	ready, ok := m.Prepared.(*prepared)
	m.Needs |= byName[m.Name].Needs
	if !ok {
		var err error
		if m, err = e.Prepare(m); err != nil {
			return evaluators.Failed("", ErrorInvalidOption, err)
		}
		ready = m.Prepared.(*prepared)
	}
	if r, missing := s.lacks(m.Needs); missing {
		return r
	}
	err := ctx.Err()
	if err == nil {
		var r evaluators.Result
		if r, err = ready.judge(ctx, s); err == nil {
			return r
		}
	}
	return failed(ctx, m.Name, err)
}

// failed is the result of a metric that was not judged to its end: ctx ended, or
// the model cannot be used.
func failed(ctx context.Context, name string, err error) evaluators.Result {
	if cause := context.Cause(ctx); cause != nil {
		return evaluators.Failed(name, evaluators.ErrorEvaluatorTimeout, fmt.Errorf("judging %s: %w", name, cause))
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return evaluators.Failed(name, evaluators.ErrorEvaluatorTimeout, fmt.Errorf("judging %s: %w", name, err))
	}
	return evaluators.Failed(name, ErrorModel, fmt.Errorf("judging %s: %w", name, err))
}

// unread is the result of a metric whose verdict is one on the whole text, when
// the rest of it was over the bound.
func unread(what string) evaluators.Result {
	return evaluators.Skipped("", evaluators.SkipContentTruncated, "the "+what+" is too long to be read to its end")
}

// needsJudge is the result of a metric that will not guess. Why is a short
// clause without content of the case.
func needsJudge(why string) evaluators.Result {
	return evaluators.Skipped("", evaluators.SkipNeedsJudge, why+"; set JUDGE_MODEL")
}

// unsure is the result of a metric that cannot tell and that no judge has
// either.
func unsure(why string) evaluators.Result {
	return evaluators.Skipped("", evaluators.SkipNeedsJudge, why)
}
